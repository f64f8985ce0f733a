/* gpuranmar.hpp: a standard generator, PYTHIA 8's, egs++'s and LAMMPS' numbers, against the plain
 * recurrence. */
#include <cstdarg>
#include <cstdio>
#include <iomanip>
#include <random>
#include <sstream>
#include <vector>

#include "gpuranmar.hpp"

#include "published.h"

static int count;
static void report(bool good, const char *name)
{
    std::printf("%s %d - %s\n", good ? "ok" : "not ok", ++count, name);
}

struct original : published {
    original(int ijkl, int bits)
    {
        published_start(this, ijkl, bits, &published_24);
    }
    double next()
    {
        return published_next(this);
    }
};

struct dots : std::numpunct<char> { /* as of a locale with a point between thousands */
    char do_thousands_sep() const override
    {
        return '.';
    }
    std::string do_grouping() const override
    {
        return "\3";
    }
};

struct RndmEngine { /* as Pythia8::RndmEngine */
    virtual ~RndmEngine() = default;
    virtual double flat()
    {
        return 1;
    }
};

struct EGS_RandomGenerator { /* as that of egs++ */
    explicit EGS_RandomGenerator(int) {}
    virtual ~EGS_RandomGenerator() = default;
    virtual void fillArray(int n, double *array) = 0;
    virtual EGS_RandomGenerator *getCopy() = 0;
    virtual void setState(EGS_RandomGenerator *other) = 0;
    virtual void saveState() = 0;
    virtual void resetState() = 0;
    virtual int rngSize() const = 0;
    virtual void describeRNG() const {}
    virtual bool storePrivateState(std::ostream &out) = 0;
    virtual bool setPrivateState(std::istream &in) = 0;
    void copyBaseState(const EGS_RandomGenerator &other)
    {
        count = other.count;
    }
    int baseSize() const
    {
        return 0;
    }
    long long count = 0;
};

static std::string said;
static void say(const char *format, ...)
{
    char text[1000];
    va_list arguments;
    va_start(arguments, format);
    std::vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    said = text;
}
void (*information)(const char *, ...) = say, (*elsewhere)(const char *, ...) = say;

/* Whether the next n numbers are the original's, with 24 more bits in high resolution. */
static bool fills(EGS_RandomGenerator &egs, original &plain, int n, bool high)
{
    std::vector<double> got(std::size_t(n) + 1), expected(got.size());
    egs.fillArray(n, got.data());
    for (double unit = 1; unit > (high ? 1e-9 : 1e-5); unit /= 16777216)
        for (int i = 0; i < n; ++i)
            expected[std::size_t(i)] += unit * plain.next();
    return got == expected;
}

static void test_egs(int seed)
{
    const int ij = seed % 31327 + 1, kl = seed % 30080 + 1;
    gpuranmar::EgsRanmar<EGS_RandomGenerator, information> egs(ij, kl), wrong(31328, 30081);
    original plain(30082 * ij + kl, 24), marsaglias(30082 * 1802 + 9373, 24);
    bool good = fills(wrong, marsaglias, 1000, false);
    for (int n = 0; n < 300; n += 7) {
        egs.setHighResolution(n % 2);
        good = good && fills(egs, plain, n, n % 2);
    }
    egs.describeRNG();
    const std::string line = "initial seeds       = " + std::to_string(ij) + " " +
                             std::to_string(kl) + "\n  numbers used so far = 6321\n";
    report(good && said.find(line) != said.npos, "egs++'s numbers");

    std::stringstream text, file;
    file << plain.i97 - 1 << ' ' << plain.j97 - 1 << ' ' << long(plain.part.c * 16777216) << ' '
         << ij << ' ' << kl << " 0\n";
    for (int i = 1; i <= 97; ++i)
        file << long(plain.u[i] * 16777216) << ' ';
    EGS_RandomGenerator &base = egs;
    good = base.storePrivateState(text) && text.str() == file.str() + "\n";
    egs.saveState();
    const std::unique_ptr<EGS_RandomGenerator> copy(egs.getCopy());
    for (int way = 0; way < 4; ++way) {
        original again = plain;
        if (way == 1)
            egs.resetState();
        else if (way == 2)
            egs.setState(copy.get());
        else if (way == 3)
            good = good && base.setPrivateState(text);
        good = good && fills(egs, again, 500, false);
    }
    good = good && fills(*copy, plain, 500, false);
    report(good, "egs++'s states");

    /* A state of too few words, one with a word that is none, and another generator: each asks for
     * other seeds, and for high resolution. */
    std::string word = "1";
    for (int i = 0; i < 97; ++i)
        word += i == 50 ? " 16777216" : " 5";
    std::istringstream few("96 32 5 5 5 1 1 2 3\n"), bad("96 32 5 5 5 " + word + "\n");
    gpuranmar::EgsRanmar<EGS_RandomGenerator, elsewhere> other;
    original again = plain;
    egs.setState(copy.get());
    copy->describeRNG();
    const std::string before = said;
    good = !base.setPrivateState(few) && !base.setPrivateState(bad);
    try {
        egs.setState(&other);
        good = false;
    } catch (const std::invalid_argument &) {
    }
    egs.describeRNG();
    report(good && said == before && fills(egs, again, 500, false),
           "egs++: what is refused changes nothing");
}

int main()
{
    std::random_device device;
    const int seed = int(device() % 900000000);
    std::printf("# seed %d\n", seed);
    using standard = gpuranmar::engine<>;
    static_assert(standard::min() < standard::max(), "a UniformRandomBitGenerator");
    standard a(seed), b(seed, 1000), c(seed);
    original plain(seed, 48);
    bool good = true;
    for (int i = 0; i < 5000; ++i)
        good = good && double(c()) == plain.next() * std::ldexp(1.0, 48);
    report(good, "integers are the numbers");
    a.discard(1000);
    report(a == b && !(a != b), "skipped and discarded");
    good = true;
    for (int i = 0; i < 3000; ++i)
        good = good && a() == b();
    report(good, "the same from there");
    std::normal_distribution<> normal;
    double sum = 0, squares = 0;
    for (int i = 0; i < 100000; ++i) {
        const double x = normal(a);
        sum += x;
        squares += x * x;
    }
    report(std::fabs(sum) < 2000 && std::fabs(squares - 1e5) < 3000, "a standard distribution");
    std::stringstream text;
    text << a;
    text >> b;
    report(a == b && a() == b(), "states as text");
    std::stringstream dotted;
    dotted.imbue(std::locale(std::locale::classic(), new dots));
    dotted << std::hex << std::setfill('*') << std::setw(40) << a;
    std::istringstream undotted(dotted.str());
    report(undotted >> b && a == b,
           "... which has no locale's signs and no filling, and is decimal");
    dotted.str("");
    dotted << 4096;
    report(dotted.str() == "1.000", "... and leaves the stream as it was");
    try {
        standard wrong(-1);
        report(false, "a bad seed throws");
    } catch (const std::invalid_argument &e) {
        report(std::string(e.what()) == "gpuranmar::engine: seed = -1 is not in 0..942438977",
               "a bad seed throws");
    }

    gpuranmar::Pythia8Engine<RndmEngine> pythia(seed);
    RndmEngine &engine = pythia;
    original wide(seed, 48);
    good = true;
    for (int i = 0; i < 5000; ++i)
        good = good && engine.flat() == wide.next();
    report(good, "PYTHIA 8's numbers");

    /* A file as PYTHIA's own Rndm::dumpState writes it: seed, count, indices from 0, c, cd, cm, u.
     */
    const std::string file = "/tmp/gpuranmar-pythia8-" + std::to_string(device());
    const double constants[3] = {wide.part.c, wide.part.cd, wide.part.cm};
    const int at[2] = {wide.i97 - 1, wide.j97 - 1};
    const long drawn = 5000;
    std::string pythias((const char *)&seed, sizeof seed);
    pythias.append((const char *)&drawn, sizeof drawn).append((const char *)at, sizeof at);
    pythias.append((const char *)constants, sizeof constants);
    pythias.append((const char *)(wide.u + 1), 97 * sizeof(double));
    const bool dumped = pythia.dumpState(file);
    std::stringstream bytes;
    bytes << std::ifstream(file, std::ios::binary).rdbuf();
    report(dumped && bytes.str() == pythias, "PYTHIA 8's state in a file");
    const double next = engine.flat();
    for (int i = 0; i < 3000; ++i)
        engine.flat();
    good = pythia.readState(file) && engine.flat() == next && !pythia.readState("/none");
    std::remove(file.c_str());
    report(good, "and back");

    test_egs(seed);
    gpuranmar::RanMars mars(seed + 1);
    original narrow(seed, 24);
    narrow.next();
    good = true;
    for (int i = 0; i < 5000; ++i)
        good = good && mars.uniform() == narrow.next();
    report(good, "LAMMPS' numbers");
    gpuranmar::RanMars spparks, wrapped(1000000001 - 900000000);
    spparks.init(1000000001);
    good = true;
    for (int i = 0; i < 3000; ++i)
        good = good && spparks.uniform() == wrapped.uniform();
    report(good, "SPPARKS' init takes seeds above 9*10^8 as SPPARKS does");
    double state[gpuranmar::RanMars::STATE];
    mars.get_state(state);
    good = state[98] == narrow.i97 && state[99] == narrow.j97 && state[100] == narrow.part.c;
    for (int i = 1; i <= 97; ++i)
        good = good && state[i] == narrow.u[i];
    gpuranmar::RanMars restored(1);
    restored.set_state(state);
    for (int i = 0; i < 100; ++i)
        good = good && restored.gaussian() == mars.gaussian();
    report(good, "LAMMPS' states");
    std::printf("1..%d\n", count);
}
