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

    gpuranmar::RanMars mars(seed + 1);
    original narrow(seed, 24);
    narrow.next();
    good = true;
    for (int i = 0; i < 5000; ++i)
        good = good && mars.uniform() == narrow.next();
    report(good, "LAMMPS' numbers");
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
