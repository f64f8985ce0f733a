/* What the loops of all instruction sets share. */
#ifndef RANMAR_INSTRUCTION_SETS_H
#define RANMAR_INSTRUCTION_SETS_H

#include <stdatomic.h>
#include <stdint.h>

#include "fill/fill.h"

#define INSTRUCTION_SET(name) extern const struct ranmar_simd ranmar_##name;
#include "fill/instruction_sets.def"
#undef INSTRUCTION_SET

/* Force inlining: callers pass flavour and store as constants, and each pair is compiled
 * separately. */
#define INLINE static inline __attribute__((always_inline))

/* Unrolls the loop after it n times. */
#ifdef __clang__
#define RANMAR_UNROLL(n) RANMAR_PRAGMA(unroll n)
#else
#define RANMAR_UNROLL(n) RANMAR_PRAGMA(GCC unroll n)
#endif
#define RANMAR_PRAGMA(text) _Pragma(#text)

/* For instruction sets that every CPU of the architecture supports. */
static inline int ranmar_always(void)
{
    return 1;
}

/* How a loop converts and stores numbers. */
enum ranmar_store {
    RANMAR_REFILL,       /* in AVX2 without 256-bit floating point */
    RANMAR_WIDE,         /* by the widest instructions */
    RANMAR_NON_TEMPORAL, /* the same, with non-temporal stores, which need aligned addresses */
};

/* All loops make 32 numbers at a time, which is possible because the shortest lag is 33. */
enum {
    RANMAR_THIRD = 32,              /* a third of a pass */
    RANMAR_PASS = 3 * RANMAR_THIRD, /* the words of a state but the oldest */
};

/* The multiples kd mod m for k = 0..96: a step of the arithmetic part subtracts d modulo m, and k
 * steps subtract kd. For an arithmetic part c, the loops look up the largest multiple <= c in a
 * table (parts_after() in loop.h). Each of its 512 entries covers one value of
 * the highest 9 bits of c, and holds the last multiple not above that range. No two multiples have
 * the same 9 bits. So the largest multiple <= c is the entry or the next multiple, and one
 * comparison tells which. test_proof tries the lowest and the highest part of each entry. */
enum { RANMAR_LOOKUP_BITS = 9, RANMAR_LOOKUP_SIZE = 1 << RANMAR_LOOKUP_BITS };
struct ranmar_multiples {
    /* Entry i = 0..192 is (96 - i)d mod m: after kd comes (k-1)d, the part one step later. */
    _Alignas(64) uint64_t parts_64[2 * RANMAR_PASS + 1]; /* integers of 48 bits */
    _Alignas(64) uint32_t parts_32[2 * RANMAR_PASS + 1]; /* the upper 24 bits of these */
    /* kd mod m for k = 0..96 as fractions of 64 bits, as in the definition */
    uint64_t step[RANMAR_PASS + 1];
    uint64_t ascending[RANMAR_PASS + 2]; /* the same, sorted, and a number above all parts */
    uint8_t offset[RANMAR_PASS + 1];     /* where the sorted ones stand in parts_64 and parts_32 */
    uint8_t lookup[RANMAR_LOOKUP_SIZE];  /* an index into `ascending` */
};

extern struct ranmar_multiples ranmar_multiples_of[RANMAR_FLAVOURS];

/* What seeding.h needs, which also explains it. */
enum { RANMAR_LANES = 128 /* for 97 words: a multiple of what a loop makes at a time */ };
struct ranmar_word_starts {
    /* Before word w, i, j and k are 2 to the powers exponents[0..2][..][w], each the sum of a
     * multiple of the first i's, the first j's and the first k's exponent. */
    _Alignas(64) uint16_t exponents[3][3][RANMAR_LANES];
    /* Before word w, l is factor[w] times the first l, plus addend[w]. */
    _Alignas(64) uint16_t factor[RANMAR_LANES], addend[RANMAR_LANES];
    uint8_t exponent[179], power[178]; /* power[e] is 2^e, exponent[2^e] is e, modulo 179 */
};
extern struct ranmar_word_starts ranmar_word_starts;

/* The first use of any table makes all of them; every use finds out by one load whether they are
 * made. */
extern _Atomic int ranmar_tables_are_made;
void ranmar_make_tables(void);

/* Whether to write n numbers of `size` bytes to out by non-temporal stores of `vector` bytes.
 * If so, *head is how many numbers come before the first aligned vector. */
int ranmar_non_temporal(const void *out, size_t n, size_t size, size_t vector, size_t *head);

#endif
