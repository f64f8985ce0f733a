/* RANMAR for C++11 and later.
 *
 *     gpuranmar::engine<> random(54217137);              // a standard UniformRandomBitGenerator
 *     std::normal_distribution<> normal;
 *     double x = normal(random), u = random.flat();
 *
 * gpuranmar_clhep.hpp has CLHEP's and Geant4's class. docs/classes.md shows how PYTHIA 8, LAMMPS
 * and egs++ take an engine. Link with -lgpuranmar. Errors are exceptions that carry
 * gpuranmar_last_error(). */
#ifndef GPURANMAR_HPP
#define GPURANMAR_HPP

#include <cmath>
#include <cstdint>
#include <istream>
#include <limits>
#include <locale>
#include <ostream>
#include <stdexcept>

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

} // namespace gpuranmar

#endif
