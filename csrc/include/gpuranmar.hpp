/* RANMAR for C++11 and later.
 *
 *     gpuranmar::engine<> random(54217137);              // a standard UniformRandomBitGenerator
 *     std::normal_distribution<> normal;
 *     double x = normal(random), u = random.flat();
 *
 * Beside it: gpuranmar_clhep.hpp for CLHEP and Geant4, gpuranmar::Pythia8Engine for PYTHIA 8,
 * gpuranmar::EgsRanmar for egs++ and gpuranmar::RanMars for LAMMPS and SPPARKS, which return what
 * those libraries' own classes do, bit for bit. Link with -lgpuranmar. Errors are exceptions that
 * carry gpuranmar_last_error(). */
#ifndef GPURANMAR_HPP
#define GPURANMAR_HPP

#include <cmath>
#include <cstdint>
#include <fstream>
#include <istream>
#include <limits>
#include <locale>
#include <memory>
#include <ostream>
#include <stdexcept>
#include <string>

#include "gpuranmar_engine.h"

namespace gpuranmar
{

inline void check(int error)
{
    if (error)
        throw std::invalid_argument(gpuranmar_last_error());
}

/* While it lives, a stream writes and reads plain decimal integers, whatever its locale and format:
 * a locale may put a sign between thousands, and a width some filling before a number. */
class plain_integers
{
  public:
    explicit plain_integers(std::ios &s)
        : stream(s), locale(s.imbue(std::locale::classic())),
          format(s.flags(std::ios::dec | std::ios::skipws))
    {
        s.width(0); /* no number but the next would have had it */
    }
    ~plain_integers()
    {
        stream.imbue(locale);
        stream.flags(format);
    }
    plain_integers(const plain_integers &) = delete;

  private:
    std::ios &stream;
    const std::locale locale;
    const std::ios::fmtflags format;
};

/* The sequence of a flavour with a rule for zeros. The default is RMMARD's: 48 bits, and 2^-48 for
 * a zero. The class is a UniformRandomBitGenerator: its integers are the numbers times 2^48 or
 * 2^24. Integers of 24 bits are too short for some distributions, which then call it more often. */
template <int flavour = GPURANMAR_DOUBLE, int zero = GPURANMAR_ZERO_SMALLEST> class engine
{
  public:
    using result_type = std::uint64_t;
    static constexpr int bits = flavour == GPURANMAR_SINGLE ? 24 : 48;
    static constexpr result_type min()
    {
        return zero == GPURANMAR_ZERO_KEEP ? 0 : 1;
    }
    static constexpr result_type max()
    {
        return (result_type(1) << bits) - 1;
    }
    static_assert(zero <= GPURANMAR_ZERO_REDRAW, "a zero must become a multiple of 2^-bits");

    /* Seed IJKL, 0..942438977, or in the flavour KEYED std::int64_t(key) of any 64-bit key; and
     * numbers to skip, 0..2^63. */
    explicit engine(std::int64_t seed = 54217137, std::uint64_t skip = 0)
    {
        this->seed(seed, skip);
    }

    void seed(std::int64_t seed, std::uint64_t skip = 0)
    {
        check(gpuranmar_engine_start(&e, "gpuranmar::engine", flavour, zero, seed, skip));
    }

    double flat()
    {
        return gpuranmar_engine_next(&e);
    }
    result_type operator()()
    {
        return result_type(flat() * double(result_type(1) << bits));
    }
    void fill(double *out, std::size_t n)
    {
        gpuranmar_engine_fill(&e, out, n);
    }
    void discard(std::uint64_t n)
    {
        gpuranmar_engine_skip(&e, n);
    }

    gpuranmar_engine_state state() const
    {
        gpuranmar_engine_state s;
        gpuranmar_engine_report(&e, &s);
        return s;
    }
    void adopt(const gpuranmar_engine_state &s)
    {
        check(gpuranmar_engine_adopt(&e, "gpuranmar::engine", flavour, zero, &s));
    }

    /* Engines are equal if their numbers from here on are the same, whatever their ring indices. */
    friend bool operator==(const engine &a, const engine &b)
    {
        const gpuranmar_engine_state x = a.state(), y = b.state();
        for (int i = 0; i < 97; ++i)
            if (x.u[(x.i97 + i) % 97] != y.u[(y.i97 + i) % 97])
                return false;
        return x.c == y.c;
    }
    friend bool operator!=(const engine &a, const engine &b)
    {
        return !(a == b);
    }

    /* The state as text: 97 words and the arithmetic part, times 2^48, and two indices. */
    friend std::ostream &operator<<(std::ostream &out, const engine &a)
    {
        const gpuranmar_engine_state s = a.state();
        const plain_integers now(out);
        for (double u : s.u)
            out << std::uint64_t(std::ldexp(u, 48)) << ' ';
        return out << std::uint64_t(std::ldexp(s.c, 48)) << ' ' << s.i97 << ' ' << s.j97;
    }
    friend std::istream &operator>>(std::istream &in, engine &a)
    {
        gpuranmar_engine_state s;
        std::uint64_t word;
        const plain_integers now(in);
        for (double &u : s.u) {
            in >> word;
            u = std::ldexp(double(word), -48);
        }
        in >> word >> s.i97 >> s.j97;
        s.c = std::ldexp(double(word), -48);
        if (in)
            a.adopt(s);
        return in;
    }

  private:
    gpuranmar_engine e;
};

/* PYTHIA 8's own sequence, for Pythia::setRndmEnginePtr:
 *
 *     auto random = std::make_shared<gpuranmar::Pythia8Engine<Pythia8::RndmEngine>>(19780503);
 *
 * The seed is that of Random:seed, 0..942438977, except that 0 is a seed here and not the time.
 *
 * pythia.rndm.dumpState and readState keep PYTHIA's own generator, which stands idle, and no engine
 * hears of them. Call those of the engine. They write and read the same files, of PYTHIA's own
 * generator too, and return false where a file cannot be opened, written or read. */
template <class RndmEngine> class Pythia8Engine : public RndmEngine
{
  public:
    explicit Pythia8Engine(std::int64_t seed = 19780503) : e(seed), seed_saved(int(seed)) {}
    double flat() override
    {
        ++sequence;
        return e.flat();
    }
    bool dumpState(const std::string &file)
    {
        const gpuranmar_engine_state s = e.state();
        const int at[2] = {s.i97 - 1, s.j97 - 1};
        const double c[3] = {s.c, 7654321 / 16777216., 16777213 / 16777216.};
        std::ofstream out(file, std::ios::binary);
        out.write((const char *)&seed_saved, sizeof seed_saved);
        out.write((const char *)&sequence, sizeof sequence);
        out.write((const char *)at, sizeof at);
        out.write((const char *)c, sizeof c);
        out.write((const char *)s.u, sizeof s.u);
        out.close();
        return bool(out);
    }
    bool readState(const std::string &file)
    {
        gpuranmar_engine_state s;
        int seed, at[2];
        long drawn;
        double c[3];
        std::ifstream in(file, std::ios::binary);
        in.read((char *)&seed, sizeof seed);
        in.read((char *)&drawn, sizeof drawn);
        in.read((char *)at, sizeof at);
        in.read((char *)c, sizeof c);
        in.read((char *)s.u, sizeof s.u);
        if (!in)
            return false;
        s.i97 = at[0] + 1;
        s.j97 = at[1] + 1;
        s.c = c[0];
        e.adopt(s); /* throws if it is no state */
        seed_saved = seed;
        sequence = drawn;
        return true;
    }

  private:
    engine<GPURANMAR_DOUBLE, GPURANMAR_ZERO_REDRAW> e;
    int seed_saved;
    long sequence = 0; /* numbers drawn */
};

/* EGS_Ranmar of egs++, with its seeds, copies and states in files. This takes the place of the
 * class and its methods in egs_rndm.cpp:
 *
 *     typedef gpuranmar::EgsRanmar<EGS_RandomGenerator, egsInformation> EGS_Ranmar; */
template <class EGS_RandomGenerator, void (*&say)(const char *, ...)>
class EgsRanmar : public EGS_RandomGenerator
{
  public:
    /* A seed out of range, 1..31327 and 1..30080, becomes Marsaglia's. */
    explicit EgsRanmar(int ixx = 1802, int jxx = 9373, int n = 128) : EGS_RandomGenerator(n)
    {
        own.seeds[0] = ixx > 0 && ixx < 31328 ? ixx : 1802;
        own.seeds[1] = jxx > 0 && jxx < 30081 ? jxx : 9373;
        check(gpuranmar_engine_start_pair(&own.e, "EGS_Ranmar", GPURANMAR_SINGLE,
                                          GPURANMAR_ZERO_KEEP, own.seeds[0], own.seeds[1], 0));
    }
    EgsRanmar(const EgsRanmar &other)
        : EGS_RandomGenerator(other), own(other.own), high_res(other.high_res)
    {
    }

    /* 24 bits; in high resolution 24 more, from the next n numbers of the sequence. */
    void fillArray(int n, double *array) override
    {
        gpuranmar_engine_fill(&own.e, array, std::size_t(n));
        double low[128];
        for (int from = 0, count; high_res && from < n; from += count) {
            count = n - from < 128 ? n - from : 128;
            gpuranmar_engine_fill(&own.e, low, std::size_t(count));
            for (int i = 0; i < count; ++i)
                array[from + i] += low[i] / 16777216;
        }
        this->count += n;
    }
    void setHighResolution(bool high)
    {
        high_res = high;
    }
    void describeRNG() const override
    {
        say("Random number generator:\n============================================\n"
            "  type                = ranmar\n  high resolution     = %s\n"
            "  initial seeds       = %d %d\n  numbers used so far = %lld\n",
            high_res ? "yes" : "no", own.seeds[0], own.seeds[1], (long long)this->count);
    }

    EGS_RandomGenerator *getCopy() override
    {
        return new EgsRanmar(*this);
    }
    using EGS_RandomGenerator::setState;
    void setState(EGS_RandomGenerator *other) override
    {
        const EgsRanmar *const ranmar = dynamic_cast<EgsRanmar *>(other);
        if (!ranmar)
            throw std::invalid_argument(
                "EGS_Ranmar::setState: the other generator is no EGS_Ranmar");
        this->copyBaseState(*other);
        own = ranmar->own;
    }
    void saveState() override
    {
        saved.reset(new EgsRanmar(*this));
    }
    void resetState() override
    {
        if (saved)
            setState(saved.get());
    }
    int rngSize() const override
    {
        return this->baseSize() + 102 * int(sizeof(int));
    }

  protected:
    bool storePrivateState(std::ostream &out) override
    {
        gpuranmar_engine_state s;
        gpuranmar_engine_report(&own.e, &s);
        out << s.i97 - 1 << ' ' << s.j97 - 1 << ' ' << long(s.c * 16777216) << ' ' << own.seeds[0]
            << ' ' << own.seeds[1] << ' ' << high_res << '\n';
        for (double u : s.u)
            out << long(u * 16777216) << ' ';
        out << std::endl;
        return out.good();
    }
    bool setPrivateState(std::istream &in) override
    {
        gpuranmar_engine_state s = {};
        int seeds[2];
        bool high;
        in >> s.i97 >> s.j97 >> s.c >> seeds[0] >> seeds[1] >> high;
        for (double &u : s.u) {
            in >> u;
            u /= 16777216;
        }
        ++s.i97;
        ++s.j97;
        s.c /= 16777216;
        if (!in.good() ||
            gpuranmar_engine_adopt(&own.e, "EGS_Ranmar", GPURANMAR_SINGLE, GPURANMAR_ZERO_KEEP, &s))
            return false;
        own.seeds[0] = seeds[0];
        own.seeds[1] = seeds[1];
        high_res = high;
        return true;
    }

  private:
    struct {
        gpuranmar_engine e;
        int seeds[2];
    } own;
    bool high_res = false;
    std::unique_ptr<EgsRanmar> saved;
};

/* The numbers of the class of this name in LAMMPS and SPPARKS: 24 bits in double, zeros kept, the
 * seed counted from 1 and the first number dropped. The state is LAMMPS' array of 103 elements:
 * u[1..97] at 1..97, then i97, j97, c and the two constants cd and cm. */
class RanMars
{
  public:
    enum { STATE = 103 };
    RanMars() : e() {}
    explicit RanMars(int seed)
    {
        start(seed);
    }

    /* For SPPARKS, whose objects are not started by their constructor: a seed above 900000000
     * becomes the one that is 900000000 or 1800000000 lower. */
    void init(int seed)
    {
        start(seed > 0 ? (seed - 1) % 900000000 + 1 : seed);
    }

    double uniform()
    {
        return gpuranmar_engine_next_single(&e);
    }

    /* Normal numbers of mean 0 and width 1, made in pairs by the polar method. The second of a pair
     * is kept for the next call. */
    double gaussian()
    {
        if (saved) {
            saved = false;
            return second;
        }
        double v1, v2, rsq;
        do {
            v1 = 2.0 * uniform() - 1.0;
            v2 = 2.0 * uniform() - 1.0;
            rsq = v1 * v1 + v2 * v2;
        } while (rsq >= 1.0 || rsq == 0.0);
        const double fac = std::sqrt(-2.0 * std::log(rsq) / rsq);
        second = v1 * fac;
        saved = true;
        return v2 * fac;
    }
    double gaussian(double mu, double sigma)
    {
        return mu + sigma * gaussian();
    }

    /* A number of the Rayleigh distribution with sigma > 0, by inversion; 1e300 where u is zero. */
    double rayleigh(double sigma)
    {
        const double u = uniform();
        return u == 0.0 ? 1.0e300 : sigma * std::sqrt(-2.0 * std::log(u));
    }

    /* The velocity normal to a wall after a reflection, in the model of Cercignani and Lampis,
     * 1971. theta >= 0 is the wall's temperature, alpha in 0..1 the accommodation coefficient, v
     * the velocity before. */
    double besselexp(double theta, double alpha, double v)
    {
        const double log_u = std::log(uniform()), turn = 2.0 * 3.14159265358979323846 * uniform();
        const double spread = std::sqrt(-2.0 * theta * (1.0 - alpha) * alpha * log_u);
        const double mean = (1.0 - alpha) * v * v - 2.0 * alpha * theta * log_u;
        const double cross = 2.0 * spread * std::cos(turn) * v;
        return v < 0.0 ? std::sqrt(mean + cross) : -std::sqrt(mean - cross);
    }

    void get_state(double *state) const
    {
        gpuranmar_engine_state s;
        gpuranmar_engine_report(&e, &s);
        state[0] = 0;
        for (int i = 0; i < 97; ++i)
            state[1 + i] = s.u[i];
        state[98] = s.i97;
        state[99] = s.j97;
        state[100] = s.c;
        state[101] = 7654321.0 / 16777216.0;
        state[102] = 16777213.0 / 16777216.0;
    }
    void set_state(const double *state)
    {
        gpuranmar_engine_state s;
        for (int i = 0; i < 97; ++i)
            s.u[i] = state[1 + i];
        s.i97 = int(state[98]);
        s.j97 = int(state[99]);
        s.c = state[100];
        check(gpuranmar_engine_adopt(&e, "RanMars", GPURANMAR_SINGLE, GPURANMAR_ZERO_KEEP, &s));
    }

  private:
    void start(int seed)
    {
        if (seed <= 0 || seed > 900000000)
            throw std::invalid_argument("Invalid seed for Marsaglia random # generator");
        check(gpuranmar_engine_start(&e, "RanMars", GPURANMAR_SINGLE, GPURANMAR_ZERO_KEEP, seed - 1,
                                     1));
        saved = false;
    }

    gpuranmar_engine e;
    bool saved = false;
    double second = 0;
};

} // namespace gpuranmar

#endif
