/* The fill loop, written once for all instruction sets. scalar.c has the plain loop:
 *
 *     for each n: x[n] = x[n-97] - x[n-33];  c = c - d modulo M;  number = (x[n] - c) 2^-48
 *
 * These steps lead from there to this file:
 *
 * 1. Words are integers of 48 bits in 64, or of 24 in 32. The bits above have no meaning:
 *    subtraction borrows from them, and the conversion ignores them.
 * 2. Any 32 numbers in a row need only words from before them, as the short lag is 33. So a third
 *    makes 32 numbers, vector by vector. Three thirds are a pass: it writes 96 words over the 96
 *    before them, at offsets that are compile-time constants (fill_flavour).
 * 3. Both lags are one more than a multiple of the length of any vector. So the loop subtracts the
 *    aligned vectors that begin with x[n-96] and x[n-32], and gets x[n+1], x[n+2], ..., shifted by
 *    one word against the vector x[n], x[n+1], ... that it needs. `align` takes x[n] from the end
 *    of the previous difference, and leaves the last word of this one for the next vector. An
 *    unaligned load of the older words would need no shift, but it would stall: a CPU cannot
 *    forward two recent stores to one load.
 * 4. The arithmetic parts of a pass are a row of a table plus one number (parts_after).
 * 5. The keyed flavour keeps differences, so that a word takes eight subtractions and no
 *    multiplications (last_difference).
 *
 * The file of each instruction set defines these macros, includes this file, and gets `array_loop`
 * and, if HAS_REFILL, `refill_loop` and `words_loop`. Each value that is named here is used by one
 * of these files, so that test_proof tests it. Another value would be untested.
 *
 *   vec                       a vector of words, which can be read and written through a pointer
 *   WORDS_64                  how many words of 64 bits it holds: 1, 2, 4 or 8
 *   WORDS_32                  how many words of 32 bits: as many or twice as many
 *   UNROLL                    RANMAR_UNROLL of 4, 8 or 16: before the loop over a third's vectors
 *   MULTIPLY(a, b)            the products of the lower halves of words of 64 bits
 *   REGISTER                  the constraint of inline assembly for a register that holds a vector:
 *                             "r", "x", "v" or "w"
 *   WORDS_IN_REGISTERS        1 if all 96 words of a pass stay in vector registers (avx512.c), or 0
 *   HAS_REFILL                1 if refills may use these instructions (fill.h), or 0 (avx512.c)
 *   HAS_WIDE_NUMBERS          1 if RANMAR_WIDE (instruction_sets.h) needs a loop of its own, or if
 *                             HAS_REFILL is 0; otherwise 0
 *   HAS_NON_TEMPORAL_STORES   1 if RANMAR_NON_TEMPORAL differs from RANMAR_WIDE (x86-64), or 0
 *
 * and these functions, here for words of 64 bits, and again with _32 for single precision:
 *
 *   align_64(a, b)            the last word of a, then all of b but its last
 *   numbers_64(u, out, store) converts u to floating point, makes zeros the smallest number, and
 *                             stores; `out` is aligned if `store` is RANMAR_NON_TEMPORAL
 *
 * The keyed flavour needs two more:
 *
 *   high_32(p)                the highest 32 of the 48 bits of each word of the vector at p, as the
 *                             lower half of a word; its upper half has no meaning
 *   four_on(a, b)             the vector that begins with the fifth word of a and goes on in b, the
 *                             next vector; only for vectors of more than four words */
#include <string.h>

enum { LAG = RANMAR_LONG_LAG, THIRD = RANMAR_THIRD, PASS = RANMAR_PASS };
_Static_assert(RANMAR_SHORT_LAG == THIRD + 1 && RANMAR_LONG_LAG == PASS + 1,
               "a lag is one more than a number of thirds");

/* Single precision uses words of 32 bits if a vector holds more of these than words of 64 bits. */
INLINE int is_narrow(enum gpuranmar_flavour flavour)
{
    return flavour == GPURANMAR_SINGLE && WORDS_32 > WORDS_64;
}

/* The compiler's own vector types, whose operators need no intrinsics. */
#if WORDS_64 > 1
#define VECTOR_OF(word) word __attribute__((vector_size(sizeof(vec))))
#else
#define VECTOR_OF(word) vec
#endif
typedef VECTOR_OF(uint64_t) vec_64;
typedef VECTOR_OF(uint32_t) vec_32;

/* Reads a vector that is aligned only as its words are. */
INLINE vec load(const void *p)
{
    vec v;
    memcpy(&v, p, sizeof v);
    return v;
}

/* Broadcasts a fraction of 64 bits as a word: its highest 24 bits if narrow, else 48. */
INLINE vec broadcast(uint64_t v, int narrow)
{
    return narrow ? (vec)((uint32_t)(v >> 40) - (vec_32){0}) : (vec)((v >> 16) - (vec_64){0});
}

INLINE vec subtract(vec a, vec b, int narrow)
{
    return narrow ? (vec)((vec_32)a - (vec_32)b) : (vec)((vec_64)a - (vec_64)b);
}

/* A new word of the keyed flavour is the eighth difference of the words 33, 41, ... 97 back. The
 * loop keeps the last difference of each order, so that a new word takes only eight subtractions.
 * Words that are 8 apart lie CHAINS vectors apart, so successive vectors belong to CHAINS chains in
 * turn. */
enum { ORDERS = 8, CHAINS = 8 / WORDS_64 };

struct chain {
    vec last[ORDERS]; /* [0]: the last words; [i]: the last of their i-th differences */
};

INLINE vec last_difference(struct chain *d, vec words)
{
    RANMAR_UNROLL(8) for (int i = 0; i < ORDERS; ++i)
    {
        vec difference = subtract(d->last[i], words, 0);
        /* Without this, gcc expands a difference of differences into a sum of more terms. */
        __asm__("" : "+" REGISTER(difference));
        d->last[i] = words;
        words = difference;
    }
    return words;
}

/* Makes the eighth differences for a third: its new words 1 .. 31, and word 0 of the next third.
 * The outer loop is over chains, so that one chain at a time is in registers. */
INLINE void difference_third(struct chain *chains, const vec *x32, vec *next)
{
    for (int j = 0; j < CHAINS; ++j) {
        struct chain d = chains[j];
        RANMAR_UNROLL(4)
        for (int k = j; k < THIRD / WORDS_64; k += CHAINS)
            next[k] = last_difference(&d, x32[k]);
        chains[j] = d;
    }
}

/* Words n-96 and n-92 make number n's mask. They lie FURTHER_ON vectors apart, rounded up. */
enum { FURTHER_ON = (RANMAR_MASK_LAG_2 - RANMAR_MASK_LAG_1 + WORDS_64 - 1) / WORDS_64 };
_Static_assert(RANMAR_MASK_LAG_2 == PASS && RANMAR_MASK_LAG_1 == PASS - 4, "see four_on()");

#if WORDS_64 <= 4 /* b has the words 4 after those of a */
#define four_on(a, b) (b)
#endif

/* XORs u with the product of the lower halves of a | 1 and b, shifted right by 8 bits. */
INLINE vec mask(vec a, vec b, vec u)
{
    const vec odd = (vec)((vec_64)a | 1);
    return (vec)((vec_64)u ^ (vec_64)MULTIPLY(odd, b) >> 8);
}

/* The highest 32 bits of the words in vector k. Vectors from VECTORS on are those of x64. */
INLINE vec high_96_back(const vec *x96, const vec *x64, int k)
{
    enum { VECTORS = THIRD / WORDS_64 };
    return high_32(k < VECTORS ? x96 + k : x64 + (k - VECTORS));
}

/* The arithmetic parts of a pass: part k is table[k] + difference. */
struct parts {
    vec difference;
    const char *table;
};

/* Makes the words and the numbers of a third: 0, 1 or 2 in its pass. Returns where the numbers of
 * the next third go.
 *
 *   x96, x64, x32  the words 96, 64 and 32 numbers back
 *   x              set to the new words; may be x96
 *   ahead          its last word is the first new word; set for the next third
 *   chains         of the keyed flavour */
INLINE char *make_third(int third, const vec *x96, const vec *x64, const vec *x32, vec *x,
                        vec *ahead, struct chain *chains, struct parts parts, char *out,
                        enum gpuranmar_flavour flavour, enum ranmar_store store)
{
    const int narrow = is_narrow(flavour), vectors = THIRD / (narrow ? WORDS_32 : WORDS_64);
    const size_t size = flavour == GPURANMAR_SINGLE ? sizeof(float) : sizeof(double);
    const size_t bytes = THIRD * size / (size_t)vectors;
    vec differences[THIRD / WORDS_64];
    if (flavour == GPURANMAR_KEYED)
        difference_third(chains, x32, differences);
    UNROLL for (int k = 0; k < vectors; ++k)
    {
        const vec next =
            flavour == GPURANMAR_KEYED ? differences[k] : subtract(x96[k], x32[k], narrow);
        const vec words = narrow ? align_32(*ahead, next) : align_64(*ahead, next);
        *ahead = next;

        const vec part = load(parts.table + (size_t)(third * vectors + k) * sizeof(vec));
        vec u = subtract(subtract(words, parts.difference, narrow), part, narrow);
        if (flavour == GPURANMAR_KEYED) {
            const vec high = high_96_back(x96, x64, k);
            u = mask(high, four_on(high, high_96_back(x96, x64, k + FURTHER_ON)), u);
        }
        x[k] = words;
        char *const at = out + (size_t)k * bytes;
        if (flavour == GPURANMAR_SINGLE)
            numbers_32(u, at, store);
        else
            numbers_64(u, at, store);
    }
    /* Forces the next thirds to load these words: in registers they would spill other values. */
    if (!WORDS_IN_REGISTERS)
        __asm__("" ::: "memory");
    return out + THIRD * size;
}

/* A row of words with room for four thirds. */
union row {
    vec vectors[4 * THIRD / WORDS_64];
    uint64_t words_64[4 * THIRD];
    uint32_t words_32[4 * THIRD];
};

INLINE void copy_vectors(vec *to, const vec *from, int count)
{
    RANMAR_UNROLL(12) for (int k = 0; k < count; ++k) to[k] = from[k];
}

INLINE size_t third_after(size_t third)
{
    return third == 2 ? 0 : third + 1;
}

/* Copies the 96 youngest words of a state to thirds 0, 1 and 2 of a row. The oldest of the 96 goes
 * to the beginning of `third`. */
INLINE void row_of_state(union row *row, const struct ranmar_state *s, size_t third, int narrow)
{
    for (size_t j = 0; j < 3; ++j, third = third_after(third))
        for (size_t i = 0; i < THIRD; ++i)
            if (narrow)
                row->words_32[third * THIRD + i] = (uint32_t)(s->x[1 + j * THIRD + i] >> 40);
            else
                row->words_64[third * THIRD + i] = s->x[1 + j * THIRD + i] >> 16;
}

/* Copies 97 words of a row, from index `oldest` on, to a state. The compiler vectorises both this
 * `for` and that of row_of_state(). Both begin with x[1], so that each load of the next
 * row_of_state() lies within one store of state_of_row(): only then can a CPU forward the store. */
INLINE void state_of_row(struct ranmar_state *s, const union row *row, size_t oldest, int narrow)
{
    s->x[0] = narrow ? (uint64_t)row->words_32[oldest] << 40 : row->words_64[oldest] << 16;
    for (size_t i = 1; i < LAG; ++i)
        s->x[i] =
            narrow ? (uint64_t)row->words_32[oldest + i] << 40 : row->words_64[oldest + i] << 16;
}

/* Fills the chains from the two oldest thirds. The differences made on the way are not used. */
INLINE void start_chains(struct chain chains[CHAINS], const vec *oldest, const vec *middle)
{
    vec unused[THIRD / WORDS_64];
    memset(chains, 0, CHAINS * sizeof *chains);
    difference_third(chains, oldest, unused);
    difference_third(chains, middle, unused);
}

/* The arithmetic parts of the pass that follows c: the table has the parts that follow each of 97
 * values b, and one addition gives those that follow c.
 *
 * Let d be the step, M the modulus, r[j] = jd mod M, and b the largest of r[0] ... r[96] with
 * b <= c. The part j steps after c is c - r[j], plus M if c < r[j]. The part j steps after b is
 * b - r[j], plus M if b < r[j]. No r[j] lies in (b, c], so both conditions hold for the same j, and
 * the two parts differ by c - b. */
INLINE struct parts parts_after(uint64_t c, const struct ranmar_multiples *m, int narrow)
{
    size_t i = m->lookup[c >> (64 - RANMAR_LOOKUP_BITS)];
    i += c >= m->ascending[i + 1];
    const size_t first = m->offset[i] + (size_t)1;
    const char *table =
        narrow ? (const char *)(m->parts_32 + first) : (const char *)(m->parts_64 + first);
    /* The compiler must keep the address in one register: a load that adds two takes longer. */
    __asm__("" : "+r"(table));
    return (struct parts){broadcast(c - m->ascending[i], narrow), table};
}

/* The fill of one flavour, for n >= 1.
 *
 * A pass writes its thirds to thirds 1, 2 and 0 of a row, over the words 96 back. The first pass
 * leaves out 0, 1 or 2 thirds, so that the fill ends with the last third of a pass. Then the
 * offsets of the three thirds are compile-time constants, whatever n is. The state after the fill
 * consists of words of the last third and of the 96 words before it. The last third goes to third 3
 * of the row, and not over third 0, so that all these words are contiguous. */
INLINE void fill_flavour(struct ranmar_state *s, const struct ranmar_flavour *f, char *out,
                         size_t n, enum gpuranmar_flavour flavour, enum ranmar_store store)
{
    const int narrow = is_narrow(flavour), vectors = THIRD / (narrow ? WORDS_32 : WORDS_64);
    const struct ranmar_multiples *const m = &ranmar_multiples_of[flavour];
    if (!atomic_load_explicit(&ranmar_tables_are_made, memory_order_acquire))
        ranmar_make_tables();
    union row row __attribute__((aligned(64)));
    vec registers[3 * THIRD / WORDS_64], *const at_3 = row.vectors + 3 * vectors;
    vec *const at_0 = WORDS_IN_REGISTERS ? registers : row.vectors;
    vec *const at_1 = at_0 + vectors, *const at_2 = at_1 + vectors;

    size_t left_out = 2 - (n - 1) / THIRD % 3;
    const size_t oldest = third_after(left_out), middle = third_after(oldest);
    row_of_state(&row, s, oldest, narrow);
    vec ahead = broadcast(ranmar_lagged(s->x, f->every), narrow);
    struct chain chains[CHAINS];
    if (flavour == GPURANMAR_KEYED)
        start_chains(chains, row.vectors + oldest * (size_t)vectors,
                     row.vectors + middle * (size_t)vectors);
    if (WORDS_IN_REGISTERS)
        copy_vectors(registers, row.vectors, 3 * vectors);

    /* From here on n includes the thirds that the first pass leaves out, and c is the arithmetic
     * part before the pass. */
    n += left_out * THIRD;
    const uint64_t modulus = f->modulus, stride = m->step[PASS];
    uint64_t c = ranmar_arithmetic(s->c, modulus - m->step[left_out * THIRD], modulus);
    char last[THIRD * sizeof(double)] __attribute__((aligned(64)));
    for (;; n -= PASS) {
        const struct parts parts = parts_after(c, m, narrow);
        if (left_out == 0)
            out = make_third(0, at_1, at_2, at_0, at_1, &ahead, chains, parts, out, flavour, store);
        if (left_out <= 1)
            out = make_third(1, at_2, at_0, at_1, at_2, &ahead, chains, parts, out, flavour, store);
        if (WORDS_IN_REGISTERS && n <= PASS)
            copy_vectors(row.vectors, registers, 3 * vectors);
        vec *const to = WORDS_IN_REGISTERS || n > PASS ? at_0 : at_3;
        char *const next = make_third(2, at_0, at_1, at_2, to, &ahead, chains, parts,
                                      n < PASS ? last : out, flavour, store);
        if (n <= PASS)
            break;
        out = next;
        left_out = 0;
        c = ranmar_arithmetic(c, stride, modulus);
    }
    if (WORDS_IN_REGISTERS)
        copy_vectors(at_3, registers, vectors);
    s->c = ranmar_arithmetic(c, m->step[n], modulus);
    n -= 2 * THIRD; /* how many numbers of the last third are delivered */
    if (n < THIRD)
        memcpy(out, last, n * (flavour == GPURANMAR_SINGLE ? sizeof(float) : sizeof(double)));
    state_of_row(s, &row, n - 1, narrow);
}

INLINE void fill(struct ranmar_state *s, const struct ranmar_flavour *f, char *out, size_t n,
                 enum ranmar_store store)
{
    if (f->bits == 24)
        fill_flavour(s, f, out, n, GPURANMAR_SINGLE, store);
    else if (f->keyed)
        fill_flavour(s, f, out, n, GPURANMAR_KEYED, store);
    else if (f->modulus == RANMAR_MODULUS_24 << 40)
        fill_flavour(s, f, out, n, GPURANMAR_DOUBLE, store);
    else
        fill_flavour(s, f, out, n, GPURANMAR_EXTENDED, store);
}

/* --- The loops of an instruction set --- */

#if HAS_REFILL
#include "fill/seeding.h"

static void refill_loop(struct ranmar_state *s, const struct ranmar_flavour *f, void *out, size_t n)
{
    fill(s, f, out, n, RANMAR_REFILL);
}
#endif

#if HAS_WIDE_NUMBERS
static void wide_loop(struct ranmar_state *s, const struct ranmar_flavour *f, void *out, size_t n)
{
    fill(s, f, out, n, RANMAR_WIDE);
}
#else
#define wide_loop refill_loop
#endif

#if HAS_NON_TEMPORAL_STORES
/* Not inlined, so that array_loop() saves no registers for it if the array is small. */
__attribute__((noinline)) static void array_non_temporal(struct ranmar_state *s,
                                                         const struct ranmar_flavour *f, char *out,
                                                         size_t n, size_t head)
{
    if (head > 0)
        wide_loop(s, f, out, head);
    fill(s, f, out + head * ranmar_number_size(f), n - head, RANMAR_NON_TEMPORAL);
    _mm_sfence(); /* orders the non-temporal stores */
}

static void array_loop(struct ranmar_state *s, const struct ranmar_flavour *f, void *out, size_t n)
{
    size_t head;
    if (ranmar_non_temporal(out, n, ranmar_number_size(f), sizeof(vec), &head))
        array_non_temporal(s, f, out, n, head);
    else
        wide_loop(s, f, out, n);
}
#else
#define array_loop wide_loop
#endif
