/* gpuranmar.hpp: a standard generator, against the plain recurrence. */
#include <cstdio>
#include <iomanip>
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

    std::printf("1..%d\n", count);
}
