/* gpuranmar.hpp: a standard generator, PYTHIA 8's and LAMMPS' numbers, against the plain
 * recurrence. */
#include <cstdio>
#include <random>
#include <sstream>

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

struct RndmEngine { /* as Pythia8::RndmEngine */
    virtual ~RndmEngine() = default;
    virtual double flat()
    {
        return 1;
    }
};

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
