/* What the loops of all levels share. */
#ifndef RANMAR_LEVELS_H
#define RANMAR_LEVELS_H

#include <stdatomic.h>
#include <stdint.h>

#include "fill/fill.h"

#define LEVEL(name) extern const struct ranmar_simd ranmar_##name;
#include "fill/levels.def"
#undef LEVEL

/* For functions that take a kind or a way. Both are constants where the functions are called, so
 * that each call becomes a loop of its own. */
#define INLINE static inline __attribute__((always_inline))

/* Stands before a loop, and makes n turns of it one. */
#ifdef __clang__
#define RANMAR_UNROLL(n) RANMAR_PRAGMA(unroll n)
#else
#define RANMAR_UNROLL(n) RANMAR_PRAGMA(GCC unroll n)
#endif
#define RANMAR_PRAGMA(text) _Pragma(#text)

/* For levels that need no more than the architecture has. */
static inline int ranmar_always(void)
{
    return 1;
}

/* The kinds of loop, one for each flavour. */
enum ranmar_kind {
#define FLAVOUR(CODE, name) RANMAR_##CODE,
#include "definition/flavours.def"
#undef FLAVOUR
};

static inline enum ranmar_kind ranmar_kind_of(const struct ranmar_flavour *f)
{
    return f->bits == 24                           ? RANMAR_SINGLE
           : f->keyed                              ? RANMAR_KEYED
           : f->modulus == RANMAR_MODULUS_24 << 40 ? RANMAR_DOUBLE
                                                   : RANMAR_EXTENDED;
}

/* The ways to convert and store numbers. */
enum ranmar_way {
    RANMAR_REFILL,      /* in AVX2 without 256-bit floating point */
    RANMAR_WIDE,        /* by the widest instructions */
    RANMAR_PAST_CACHES, /* the same, with stores past the caches, which need aligned addresses */
};

/* All loops make 32 numbers at a time, which is possible because the shortest lag is 33. */
enum {
    RANMAR_THIRD = 32,              /* a third of a pass */
    RANMAR_PASS = 3 * RANMAR_THIRD, /* the words of a state but the oldest */
};

/* The multiples kd mod m for k = 0..96: a step of the arithmetic part subtracts d modulo m, and k
 * steps subtract kd. The loops look up the largest multiple that is not above a part
 * (ranmar_parts_after). To find it at once, the range of parts is cut into 512 slots of equal
 * width. For each slot a table has the largest multiple that is not above the slot's lower end. No
 * slot is wide enough for two multiples. So the one looked for is either this multiple or the next
 * above it, and one comparison tells which. test_proof tries both ends of each slot. */
enum { RANMAR_SLOT_BITS = 9, RANMAR_SLOTS = 1 << RANMAR_SLOT_BITS };
struct ranmar_multiples {
    /* At i = 0..192 (96 - i)d mod m: kd is followed by (k-1)d, which is the next step's part. */
    _Alignas(64) uint64_t parts_64[2 * RANMAR_PASS + 1]; /* integers of 48 bits */
    _Alignas(64) uint32_t parts_32[2 * RANMAR_PASS + 1]; /* the upper 24 bits of these */
    /* kd mod m for k = 0..96 as fractions of 64 bits, as in the definition */
    uint64_t step[RANMAR_PASS + 1];
    uint64_t ascending[RANMAR_PASS + 2]; /* the same, sorted, and a number above all parts */
    uint8_t place[RANMAR_PASS + 1];      /* where the sorted ones stand in parts_64 and parts_32 */
    uint8_t slot[RANMAR_SLOTS]; /* an index into `ascending`, by the highest bits of a part */
};

/* The table of each kind. The first fill makes them all; every fill asks by one load whether they
 * are made. */
extern struct ranmar_multiples ranmar_multiples_of[RANMAR_FLAVOURS];
extern _Atomic int ranmar_multiples_are_made;
void ranmar_make_multiples(void);

INLINE const struct ranmar_multiples *ranmar_multiples(enum ranmar_kind kind)
{
    if (!atomic_load_explicit(&ranmar_multiples_are_made, memory_order_acquire))
        ranmar_make_multiples();
    return &ranmar_multiples_of[kind];
}

/* The arithmetic parts after c, for a pass, come from a table by one addition each. Let kd be the
 * largest of 0, d, 2d, ... 96d mod m that is not above c. After j steps from c the part is c - jd,
 * with m added if c < jd; after j steps from kd it is kd - jd, with m added if kd < jd. The two
 * conditions are the same, as no multiple lies between kd and c. So each part after c is the one
 * after kd plus c - kd. */
struct ranmar_parts {
    uint64_t difference; /* c - kd, as a fraction */
    size_t at;           /* where in parts_64 and parts_32 the parts after kd begin */
};

INLINE struct ranmar_parts ranmar_parts_after(uint64_t c, const struct ranmar_multiples *m)
{
    size_t i = m->slot[c >> (64 - RANMAR_SLOT_BITS)];
    i += c >= m->ascending[i + 1];
    return (struct ranmar_parts){c - m->ascending[i], m->place[i] + (size_t)1};
}

/* Whether n numbers of `size` bytes at out are to be stored past the caches by vectors of `vector`
 * bytes. If so, *head is how many numbers come before the first aligned vector. */
int ranmar_goes_past_caches(const void *out, size_t n, size_t size, size_t vector, size_t *head);

#endif
