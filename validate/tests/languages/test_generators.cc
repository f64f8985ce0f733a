/* One list of generators, and one list of properties that each of them must have: streams and
 * numbered sequences of the C interface, engines of C++, and RANMAR of families. python.py asks the
 * same of Python's generator, and families.t compares each family with its original. */
#include <dlfcn.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "gpuranmar.hpp"

#include "known.h"
#include "random.h"

extern "C" void rmmard_(double *, const int *, const int *);
extern "C" void grnset_(const int *, const int *, const int *, const int *);

struct generator {
    virtual ~generator() {}
    virtual void fill(double *u, std::size_t n) = 0;
    virtual double next()
    {
        double u;
        fill(&u, 1);
        return u;
    }
    /* Without jump-ahead the numbers are drawn. */
    virtual void skip(std::uint64_t n)
    {
        while (n-- > 0)
            next();
    }
    /* Another one in the same state; none where the state belongs to the program. */
    virtual std::unique_ptr<generator> copy()
    {
        return nullptr;
    }
};
using pointer = std::unique_ptr<generator>;

template <int flavour> struct stream : generator {
    gpuranmar_stream *s = nullptr;
    stream(std::int64_t seed, std::uint64_t position)
    {
        gpuranmar_options options = GPURANMAR_OPTIONS_INIT;
        options.seed = seed;
        options.position = position;
        options.flavour = flavour;
        gpuranmar::check(gpuranmar_stream_initialise(&s, &options));
    }
    ~stream() override
    {
        gpuranmar_stream_close(s);
    }
    double next() override
    {
        double u;
        float single;
        if (flavour != GPURANMAR_SINGLE)
            return gpuranmar::check(gpuranmar_stream_get(s, &u, 1)), u;
        return gpuranmar::check(gpuranmar_stream_get_single(s, &single, 1)), single;
    }
    void fill(double *u, std::size_t n) override
    {
        const auto call = random_in(0, 1) ? gpuranmar_stream_fill : gpuranmar_stream_get;
        const auto call_single =
            random_in(0, 1) ? gpuranmar_stream_fill_single : gpuranmar_stream_get_single;
        std::vector<float> singles(n + 1); /* data() may be NULL if n is 0 */
        if (flavour != GPURANMAR_SINGLE)
            return gpuranmar::check(call(s, u, n));
        gpuranmar::check(call_single(s, singles.data(), n));
        std::copy_n(singles.begin(), n, u);
    }
    void skip(std::uint64_t n) override
    {
        gpuranmar::check(gpuranmar_stream_skip(s, n));
    }
    pointer copy() override /* by its saved state */
    {
        char saved[GPURANMAR_SAVED_STATE_SIZE];
        std::unique_ptr<stream> other(new stream(1802, 5));
        gpuranmar::check(gpuranmar_stream_save(s, saved, sizeof saved));
        gpuranmar::check(gpuranmar_stream_restore(other->s, saved, sizeof saved));
        return other;
    }
};

template <int flavour> struct engine : generator {
    gpuranmar::engine<flavour> e;
    engine(std::int64_t seed, std::uint64_t position) : e(seed, position) {}
    double next() override /* as a double or an integer */
    {
        return random_in(0, 1) ? e.flat() : std::ldexp(double(e()), -e.bits);
    }
    void fill(double *u, std::size_t n) override
    {
        e.fill(u, n);
    }
    void skip(std::uint64_t n) override
    {
        e.discard(n);
    }
    pointer copy() override
    {
        return pointer(new engine(*this));
    }
};

struct numbered : generator {
    const int id = 3;
    numbered(std::int64_t seed, std::uint64_t position)
    {
        const int ijkl = int(seed), ntot = int(position % 1000000000),
                  ntot2 = int(position / 1000000000);
        grnset_(&ijkl, &ntot, &ntot2, &id);
    }
    void fill(double *u, std::size_t n) override
    {
        const int length = int(n);
        rmmard_(u, &length, &id);
    }
};

/* RANMAR(RVEC,LEN), with numbers of this type, and RMARIN(IJ,KL). These families keep a zero, which
 * here becomes that of a stream. */
template <class type> struct family : generator {
    void (*ranmar)(type *, const int *);
    family(const char *file, std::int64_t seed, std::uint64_t position)
    {
        void *const library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
        if (!library) {
            std::printf("Bail out! %s\n", dlerror());
            std::exit(1);
        }
        void (*rmarin)(const int *, const int *);
        const int ij = int(seed / 30082), kl = int(seed % 30082);
        *reinterpret_cast<void **>(&ranmar) = dlsym(library, "ranmar_");
        *reinterpret_cast<void **>(&rmarin) = dlsym(library, "rmarin_");
        rmarin(&ij, &kl);
        skip(position);
    }
    void fill(double *u, std::size_t n) override
    {
        std::vector<type> numbers(n + 1); /* data() may be NULL if n is 0 */
        const int length = int(n);
        ranmar(numbers.data(), &length);
        for (std::size_t i = 0; i < n; ++i)
            u[i] = numbers[i] == 0 ? std::ldexp(1, -24) : numbers[i];
    }
};

struct real : family<float> {
    real(std::int64_t seed, std::uint64_t at) : family(BUILD "/libgpuranmar_real.so", seed, at) {}
};
struct real_in_double : family<double> {
    real_in_double(std::int64_t seed, std::uint64_t at)
        : family(BUILD "/libgpuranmar_double.so", seed, at)
    {
    }
};

template <class type> static pointer start(std::int64_t seed, std::uint64_t position)
{
    return pointer(new type(seed, position));
}

static const std::uint64_t anywhere = UINT64_C(1) << 63;
static const struct listed {
    const char *name;
    int flavour;
    std::uint64_t last; /* the last position at which it can start; `anywhere` if it can jump */
    pointer (*start)(std::int64_t seed, std::uint64_t position);
} generators[] = {
#define OF_FLAVOUR(CODE)                                                              \
    {"stream, " #CODE, GPURANMAR_##CODE, anywhere, start<stream<GPURANMAR_##CODE>>},  \
    {                                                                                 \
        "engine, " #CODE, GPURANMAR_##CODE, anywhere, start<engine<GPURANMAR_##CODE>> \
    }
    OF_FLAVOUR(DOUBLE),
    OF_FLAVOUR(SINGLE),
    OF_FLAVOUR(EXTENDED),
    OF_FLAVOUR(KEYED),
    {"RMMARD", GPURANMAR_DOUBLE, UINT64_C(2000000000000000000), start<numbered>},
    {"family real", GPURANMAR_SINGLE, 100000, start<real>},
    {"family double", GPURANMAR_SINGLE, 100000, start<real_in_double>},
};

enum { MANY = 20000 };
using numbers = std::vector<double>;

static std::int64_t a_seed(const listed &g)
{
    return g.flavour == GPURANMAR_KEYED ? std::int64_t(random_word())
                                        : std::int64_t(random_in(0, 942377567));
}

/* Numbers drawn one by one. */
static numbers drawn(generator &g, std::size_t n)
{
    numbers u(n);
    for (double &one : u)
        one = g.next();
    return u;
}

/* The known answers, from a start at their position, and after a skip and an array. A generator
 * that can jump skips from its beginning too. */
static bool has_known_answers(const listed &g)
{
    FILE *file = nullptr;
    bool good = true;
    int count = 0;
    for (known k; known_next(&file, &k);) {
        if (k.flavour != g.flavour || k.position > g.last)
            continue;
        const numbers expected(k.u, k.u + KNOWN_NUMBERS);
        good = good && drawn(*g.start(std::int64_t(k.seed), k.position), KNOWN_NUMBERS) == expected;
        const std::uint64_t near = random_in(0, std::min<std::uint64_t>(k.position, 3000));
        for (const std::uint64_t before : {near, g.last == anywhere ? k.position : near}) {
            const pointer other = g.start(std::int64_t(k.seed), k.position - before);
            numbers u(random_in(0, near) + KNOWN_NUMBERS);
            other->skip(before + KNOWN_NUMBERS - u.size());
            other->fill(u.data(), u.size());
            good = good && numbers(u.end() - KNOWN_NUMBERS, u.end()) == expected;
        }
        ++count;
    }
    return good && count > 0;
}

/* Arrays of all sizes, and numbers one by one between them. */
static bool has_equal_arrays(const listed &g)
{
    const std::int64_t seed = a_seed(g);
    const numbers expected = drawn(*g.start(seed, 0), MANY);
    numbers u(MANY);
    const pointer other = g.start(seed, 0);
    for (std::size_t at = 0, n; at < MANY; at += n) {
        n = std::min<std::size_t>(random_size(0, 5000), MANY - at);
        if (random_in(0, 1))
            other->fill(&u[at], n);
        else
            std::generate(&u[at], &u[at] + n, [&] { return other->next(); });
    }
    return u == expected;
}

/* A skip leaves out as many numbers, wherever a buffer ends. */
static bool skips(const listed &g)
{
    const std::int64_t seed = a_seed(g);
    const numbers all = drawn(*g.start(seed, 0), MANY);
    const pointer other = g.start(seed, 0);
    bool good = true;
    for (std::size_t at = 0, n; at < MANY; at += n + 1) {
        n = std::min<std::size_t>(random_size(0, 5000), MANY - 1 - at);
        other->skip(n);
        good = good && other->next() == all[at + n];
    }
    return good;
}

/* A copy goes on alike, and neither moves the other. */
static bool copies(const listed &g)
{
    const pointer one = g.start(a_seed(g), random_in(0, 100000));
    drawn(*one, random_in(0, 3000));
    const pointer other = one->copy();
    const numbers first = drawn(*one, 100), second = drawn(*one, 3000);
    return drawn(*other, 100) == first && drawn(*other, 3000) == second;
}

static const struct {
    const char *name;
    bool (*holds)(const listed &);
} properties[] = {{"known answers", has_known_answers},
                  {"arrays and single numbers", has_equal_arrays},
                  {"skips", skips},
                  {"copies", copies}};

int main()
{
    int count = 0;
    random_start();
    for (const listed &g : generators)
        for (const auto &p : properties) {
            if (p.holds == copies && !g.start(1, 0)->copy())
                continue;
            std::printf("%s %d - %s: %s\n", p.holds(g) ? "ok" : "not ok", ++count, g.name, p.name);
        }
    std::printf("1..%d\n", count);
}
