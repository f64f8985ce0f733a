/* RANMAR for C++11 and later.
 *
 *     gpuranmar::engine<> random(54217137);              // a standard random number engine
 *     std::normal_distribution<> normal;
 *     double x = normal(random), u = random.flat();
 *
 * gpuranmar_clhep.hpp has CLHEP's and Geant4's class. docs/classes.md shows how PYTHIA 8, LAMMPS
 * and egs++ take an engine. Link with -lgpuranmar. An error is a std::invalid_argument with
 * the line of gpuranmar_last_error(). */
#ifndef GPURANMAR_HPP
#define GPURANMAR_HPP

#include <cmath>
#include <cstdint>
#include <istream>
#include <limits>
#include <locale>
#include <ostream>
#include <stdexcept>
#include <utility>

#include "gpuranmar_engine.h"

namespace gpuranmar
{

/* Turns an error of the library into an exception. */
inline void check(int error)
{
    if (error)
        throw std::invalid_argument(gpuranmar_last_error());
}

/* While this object lives, its stream writes and reads plain decimal integers, whatever the
 * stream's locale and format. */
template <class stream_type> class plain_integers
{
  public:
    explicit plain_integers(stream_type &s)
        : stream(s), locale(s.imbue(std::locale::classic())),
          format(s.flags(std::ios::dec | std::ios::skipws))
    {
        s.width(0); /* a width holds for the next number only */
    }
    ~plain_integers()
    {
        stream.imbue(locale);
        stream.flags(format);
    }
    plain_integers(const plain_integers &) = delete;

  private:
    stream_type &stream;
    const std::locale locale;
    const std::ios::fmtflags format;
};

/* The sequence of a flavour with a rule for zeros. The default is RMMARD's: 48 bits, and 2^-48 for
 * a zero. The class meets the standard's requirements of a random number engine; its integers are
 * the numbers times 2^48 or 2^24. */
template <int flavour = GPURANMAR_DOUBLE, int zero = GPURANMAR_ZERO_SMALLEST> class engine
{
  public:
    using result_type = std::uint64_t;
    static constexpr std::int64_t default_seed = 54217137;
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

    /* Starts from a seed.
     *   seed  IJKL, 0..942438977, or in the flavour KEYED std::int64_t(key) of any 64-bit key
     *   skip  numbers of the sequence to leave out, 0..2^63; zeros that are redrawn count too */
    explicit engine(std::int64_t seed = default_seed, std::uint64_t skip = 0)
    {
        this->seed(seed, skip);
    }
    void seed(std::int64_t seed = default_seed, std::uint64_t skip = 0)
    {
        check(gpuranmar_engine_start(&e, "gpuranmar::engine", flavour, zero, seed, skip));
    }

    /* Starts from a std::seed_seq or a similar class: 64 bits that it generates are the key or,
     * modulo 942438978, the seed. Two such seeds may be shifts of each other (docs/seeds.md). */
    template <class seeds, class = decltype(std::declval<seeds &>().generate(
                               std::declval<std::uint32_t *>(), std::declval<std::uint32_t *>()))>
    explicit engine(seeds &q)
    {
        this->seed(q);
    }
    template <class seeds, class = decltype(std::declval<seeds &>().generate(
                               std::declval<std::uint32_t *>(), std::declval<std::uint32_t *>()))>
    void seed(seeds &q)
    {
        std::uint32_t words[2];
        q.generate(words, words + 2);
        const std::uint64_t key = std::uint64_t(words[1]) << 32 | words[0];
        seed(std::int64_t(flavour == GPURANMAR_KEYED ? key : key % 942438978));
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

    /* Leaves out n numbers, as n calls do, by jump-ahead. If zeros are redrawn, all n numbers are
     * made, to find the zeros. */
    void discard(std::uint64_t n)
    {
        double unused[512];
        for (std::uint64_t count; zero == GPURANMAR_ZERO_REDRAW && n > 0; n -= count) {
            count = n < 512 ? n : 512;
            fill(unused, std::size_t(count));
        }
        jump(n);
    }
    /* Leaves out n numbers by jump-ahead; zeros that are redrawn count too. */
    void jump(std::uint64_t n)
    {
        gpuranmar_engine_skip(&e, n);
    }
    /* Leapfrog for s workers: delivers only the numbers n, n + s, n + 2 s ... of those to come,
     * with n in 0..s-1. gpuranmar_engine_split() has the details. */
    void split(std::uint64_t s, std::uint64_t n)
    {
        static_assert(zero != GPURANMAR_ZERO_REDRAW, "zeros that are redrawn have no fixed place");
        check(gpuranmar_engine_split(&e, "gpuranmar::engine", s, n));
    }

    /* The state in the form of the published routines, without the s of split(). */
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
        return x.c == y.c && a.e.stride == b.e.stride;
    }
    friend bool operator!=(const engine &a, const engine &b)
    {
        return !(a == b);
    }

    /* The state as text: the codes of the flavour and of the rule for zeros, 97 words and the
     * arithmetic part, times 2^48, two indices, and the s of split(), or 1. Text that is no state,
     * or one of another class, sets failbit and leaves the engine as it is. */
    template <class character, class traits>
    friend std::basic_ostream<character, traits> &
    operator<<(std::basic_ostream<character, traits> &out, const engine &a)
    {
        const gpuranmar_engine_state s = a.state();
        const plain_integers<std::basic_ios<character, traits>> now(out);
        out << flavour << out.widen(' ') << zero << out.widen(' ');
        for (double u : s.u)
            out << std::uint64_t(std::ldexp(u, 48)) << out.widen(' ');
        out << std::uint64_t(std::ldexp(s.c, 48)) << out.widen(' ') << s.i97;
        return out << out.widen(' ') << s.j97 << out.widen(' ') << a.e.stride;
    }
    template <class character, class traits>
    friend std::basic_istream<character, traits> &
    operator>>(std::basic_istream<character, traits> &in, engine &a)
    {
        gpuranmar_engine_state s = {};
        std::uint64_t word = 0, stride = 0;
        int its_flavour = -1, its_zero = -1;
        const plain_integers<std::basic_ios<character, traits>> now(in);
        in >> its_flavour >> its_zero;
        if (its_flavour != flavour || its_zero != zero)
            in.setstate(std::ios::failbit);
        for (double &u : s.u) {
            in >> word;
            u = std::ldexp(double(word), -48);
        }
        in >> word >> s.i97 >> s.j97 >> stride;
        s.c = std::ldexp(double(word), -48);
        gpuranmar_engine read = {};
        if (in && (gpuranmar_engine_adopt(&read, "gpuranmar::engine", flavour, zero, &s) ||
                   gpuranmar_engine_split(&read, "gpuranmar::engine", stride, 0)))
            in.setstate(std::ios::failbit);
        if (in)
            a.e = read;
        return in;
    }

  private:
    gpuranmar_engine e;
};

} // namespace gpuranmar

#endif
