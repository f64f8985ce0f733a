/* gpuranmar.hpp: what a standard random number engine has beyond the properties that
 * test_generators.cc asks of all generators. */
#include <cstdio>
#include <iomanip>
#include <random>
#include <sstream>
#include <vector>

#include "gpuranmar.hpp"

static int count;
static void report(bool good, const char *name)
{
    std::printf("%s %d - %s\n", good ? "ok" : "not ok", ++count, name);
}

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

/* discard(n) equals n calls also if zeros are redrawn: number 898 of this seed is a zero. */
static bool discards(int n)
{
    gpuranmar::engine<GPURANMAR_SINGLE, GPURANMAR_ZERO_REDRAW> a(8872 * 30082 + 4894), b = a;
    a.discard(std::uint64_t(n));
    for (int i = 0; i < n; ++i)
        b();
    std::stringstream text;
    text << b;
    return a == b && a() == b() && text >> a && (a(), a() == b());
}

/* Worker w of s has every s-th number, one by one, in an array, from text and after skips. */
template <int flavour, int zero> static bool splits(int seed, int s, int w)
{
    using engine = gpuranmar::engine<flavour, zero>;
    const std::size_t n = 3000;
    engine whole(seed, 5), a(seed, 5), b;
    std::vector<double> all(std::size_t(s) * n), got(n), skipped(n - 1300);
    whole.fill(all.data(), all.size());
    a.split(std::uint64_t(s), std::uint64_t(w));
    std::stringstream text;
    text << a;
    bool good = text >> b && a == b && !(a == engine(seed, 5));
    for (std::size_t i = 0; i < 700; ++i)
        got[i] = a.flat();
    a.fill(&got[700], n - 700);
    b.jump(400);
    b.discard(900);
    b.fill(skipped.data(), skipped.size());
    for (std::size_t i = 0; i < n; ++i)
        good = good && got[i] == all[i * std::size_t(s) + std::size_t(w)] &&
               (i < 1300 || skipped[i - 1300] == got[i]);
    return good;
}

/* Engines differ if their words, their arithmetic parts or their shares of a sequence do. */
static bool differ()
{
    const gpuranmar::engine<> a(5);
    gpuranmar::engine<> share(5), other(5);
    share.split(2, 0);
    gpuranmar_engine_state s = a.state();
    s.c += std::ldexp(s.c < 0.5 ? 1 : -1, -24);
    other.adopt(s);
    return !(a == share) && !(a == other) && a == gpuranmar::engine<>(5) &&
           !(a == gpuranmar::engine<>(6));
}

/* Text of one class is none of the other, and leaves it as it is. */
template <class writer, class reader> static bool refuses_text()
{
    std::stringstream text;
    text << writer(5);
    reader a(7);
    return !(text >> a) && text.fail() && !text.bad() && a == reader(7);
}

/* std::seed_seq generates the seed, or the key. */
static bool seeds_by_sequence()
{
    std::seed_seq q = {1, 2, 3};
    std::uint32_t words[2];
    q.generate(words, words + 2);
    const std::uint64_t key = std::uint64_t(words[1]) << 32 | words[0];
    gpuranmar::engine<GPURANMAR_KEYED> keyed(q), expected;
    expected.seed(std::int64_t(key));
    gpuranmar::engine<> a(5);
    a.seed(q);
    return keyed == expected && a == gpuranmar::engine<>(std::int64_t(key % 942438978)) &&
           !(a == gpuranmar::engine<>(5)) && (a.seed(), a == gpuranmar::engine<>());
}

/* Whether the call throws std::invalid_argument with that text. */
template <class call> static bool throws(const std::string &text, call what)
{
    try {
        what();
    } catch (const std::invalid_argument &e) {
        return e.what() == "gpuranmar::engine: " + text;
    }
    return false;
}

int main()
{
    std::random_device device;
    const int seed = int(device() % 900000000);
    std::printf("# seed %d\n", seed);
    using standard = gpuranmar::engine<>;
    static_assert(standard::min() == 1 && standard::max() == 0xffffffffffff, "no zeros");
    static_assert(gpuranmar::engine<GPURANMAR_SINGLE, GPURANMAR_ZERO_KEEP>::min() == 0, "zeros");
    standard a(seed), b(seed, 1000);
    a.discard(1000);
    report(a == b && !(a != b) && a() == b(), "skipped and discarded");
    std::normal_distribution<> normal;
    double sum = 0, squares = 0;
    for (int i = 0; i < 100000; ++i) {
        const double x = normal(a);
        sum += x;
        squares += x * x;
    }
    report(std::fabs(sum) < 2000 && std::fabs(squares - 1e5) < 3000, "a standard distribution");
    std::stringstream text;
    std::wstringstream wide;
    text << a;
    text >> b;
    wide << a;
    report(a == b && a() == b() && wide >> b && (b(), a() == b()), "states as text");
    std::stringstream dotted;
    dotted.imbue(std::locale(std::locale::classic(), new dots));
    dotted << std::hex << std::setfill('*') << std::setw(40) << a;
    std::istringstream undotted(dotted.str());
    report(undotted >> b && a == b,
           "... which has no locale's signs and no filling, and is decimal");
    dotted.str("");
    dotted << 4096;
    report(dotted.str() == "1.000", "... and leaves the stream as it was");
    report(throws("seed = -1 is not in 0..942438977", [] { standard wrong(-1); }),
           "a bad seed throws");

    bool good = true; /* a word that is none, one that is no number, and an end too early */
    for (const char *wrong : {"1125899906842624 ", "-1 ", "x ", ""}) {
        std::stringstream bad;
        bad << a;
        const std::string codes = "0 0 ";
        bad.str(codes + wrong +
                (*wrong ? bad.str().substr(bad.str().find(' ', codes.size()) + 1) : ""));
        const standard before = a;
        good = good && !(bad >> a) && bad.fail() && !bad.bad() && a == before;
    }
    report(good, "text that is no state sets failbit, and the engine stays as it is");
    using single = gpuranmar::engine<GPURANMAR_SINGLE>;
    report(refuses_text<single, standard>() && refuses_text<standard, single>() &&
               refuses_text<standard, gpuranmar::engine<GPURANMAR_EXTENDED>>() &&
               refuses_text<gpuranmar::engine<GPURANMAR_KEYED>, standard>() &&
               refuses_text<gpuranmar::engine<GPURANMAR_DOUBLE, GPURANMAR_ZERO_KEEP>, standard>(),
           "text of another flavour, or with another rule for zeros");
    report(differ(), "engines that differ");
    report(seeds_by_sequence(), "seeds of std::seed_seq, and the default seed");
    good = true;
    for (int n : {0, 1, 511, 512, 896, 897, 898, 899, 5000})
        good = good && discards(n);
    report(good, "discard is as many calls where zeros are redrawn");
    good = true;
    for (int s : {2, 7, 64, 1500})
        good = good && splits<GPURANMAR_DOUBLE, GPURANMAR_ZERO_SMALLEST>(seed, s, s - 1) &&
               splits<GPURANMAR_SINGLE, GPURANMAR_ZERO_KEEP>(8872 * 30082 + 4894, s, 0) &&
               splits<GPURANMAR_KEYED, GPURANMAR_ZERO_SMALLEST>(seed, s, 1);
    report(good, "shares of a sequence that is split");
    a.split(256, 3);
    const standard share = a;
    report(throws("s = 0 of split is not in 1..256", [&] { a.split(0, 0); }) &&
               throws("s = 257 of split is not in 1..256", [&] { a.split(257, 0); }) &&
               throws("n = 2 of split is not in 0..1", [&] { a.split(2, 2); }) && a == share,
           "shares that there cannot be");
    std::printf("1..%d\n", count);
}
