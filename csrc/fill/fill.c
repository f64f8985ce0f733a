/* Chooses the loop for a fill: by its purpose (fill.h) and by what this CPU has. */
#include "fill/fill.h"

#include "definition/clock.h"

static const struct ranmar_simd *_Atomic forced;

/* The loops for refills and for arrays; NULL until the first fill looks for them. */
static ranmar_fill_function *_Atomic loops[2];

void ranmar_fill_force(const struct ranmar_simd *level)
{
    forced = level;
    loops[0] = loops[1] = NULL;
}

static int has_loop(const struct ranmar_simd *level, int for_arrays)
{
    return for_arrays || level->refill;
}

/* The forced level, or the best that this CPU supports; for refills, of those that have them. */
static const struct ranmar_simd *level_for(int for_arrays)
{
    const struct ranmar_simd *const only = forced, *const *level = ranmar_simd_levels;
    if (only && has_loop(only, for_arrays))
        return only;
    while (!(*level)->supported() || !has_loop(*level, for_arrays))
        ++level;
    return *level;
}

const struct ranmar_simd *ranmar_fill_level(size_t n)
{
    return level_for(n >= RANMAR_ARRAY);
}

/* Two threads that call this for the first time at once find the same loop. This function, like
 * the others here that are seldom called, is not inlined, because every small fill would then have
 * to save registers for it; and it ends with the fill itself, for the same reason. */
__attribute__((noinline)) static void find_loop_and_make(int for_arrays, struct ranmar_state *s,
                                                         const struct ranmar_flavour *f, void *out,
                                                         size_t n)
{
    const struct ranmar_simd *const level = level_for(for_arrays);
    ranmar_fill_function *const loop = for_arrays ? level->array : level->refill;
    loops[for_arrays] = loop;
    loop(s, f, out, n);
}

/* n is not 0. */
static inline void make(int for_arrays, struct ranmar_state *s, const struct ranmar_flavour *f,
                        void *out, size_t n)
{
    ranmar_fill_function *const loop = loops[for_arrays];
    if (__builtin_expect(loop != NULL, 1))
        loop(s, f, out, n);
    else
        find_loop_and_make(for_arrays, s, f, out, n);
}

void ranmar_refill(struct ranmar_state *s, const struct ranmar_flavour *f, void *out, size_t n)
{
    if (n > 0)
        make(0, s, f, out, n);
}

void ranmar_fill_array(struct ranmar_state *s, const struct ranmar_flavour *f, void *out, size_t n)
{
    if (n > 0)
        make(1, s, f, out, n);
}

static uint64_t ticks(void)
{
#ifdef __x86_64__
    return __builtin_ia32_rdtsc(); /* takes a third of the time of ranmar_nanoseconds() */
#else
    return (uint64_t)ranmar_nanoseconds();
#endif
}

/* The balance of a thread, by the rule of fill.h. It is limited to HIGHEST, from which it sinks to
 * RANMAR_ARRAY within about a millisecond: a pause as short as an interrupt does not change the
 * purpose. */
enum { HIGHEST = 2 * RANMAR_ARRAY };
struct balance {
    uint64_t at;      /* ticks at the last look at the clock */
    uint64_t made;    /* numbers since the last look */
    uint64_t numbers; /* the balance at the last look */
};

static int is_for_array(const struct balance *b)
{
    return b->numbers >= RANMAR_ARRAY;
}

__attribute__((noinline)) static int is_array_by_clock(struct balance *b)
{
    const uint64_t now = ticks(), passed = (now - b->at) / RANMAR_TICKS_A_NUMBER;
    b->numbers = (b->numbers > passed ? b->numbers - passed : 0) + b->made;
    if (b->numbers > HIGHEST)
        b->numbers = HIGHEST;
    b->at = now;
    b->made = 0;
    return is_for_array(b);
}

/* In a shared library, a thread's own variable is found by a call: this function makes that call
 * once. */
static int is_array(size_t n)
{
    static _Thread_local struct balance balance;
    balance.made += n < HIGHEST ? n : HIGHEST;
    return balance.made < RANMAR_NUMBERS_A_LOOK ? is_for_array(&balance)
                                                : is_array_by_clock(&balance);
}

void ranmar_fill(struct ranmar_state *s, const struct ranmar_flavour *f, void *out, size_t n)
{
    if (n > 0)
        make(is_array(n), s, f, out, n);
}

__attribute__((noinline)) static void ask_and_make(struct ranmar_state *s,
                                                   const struct ranmar_flavour *f, void *out,
                                                   size_t n, struct ranmar_purpose *p)
{
    p->is_array = is_array(p->made);
    p->made = 0;
    make(p->is_array, s, f, out, n);
}

void ranmar_fill_for(struct ranmar_state *s, const struct ranmar_flavour *f, void *out, size_t n,
                     struct ranmar_purpose *p)
{
    p->made += n;
    if (__builtin_expect(p->made < RANMAR_NUMBERS_A_LOOK, 1))
        make(p->is_array, s, f, out, n);
    else
        ask_and_make(s, f, out, n, p);
}
