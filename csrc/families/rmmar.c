/* CERNLIB's RMMAR, and RMMAQ except for its CHARACTER argument (rmmaq.f90): numbered sequences in
 * single precision. */
#include <string.h>

#include "base/ranges.h"
#include "family.h"

GPURANMAR_API void rmmar_(float *vec, const int32_t *len, const int32_t *iseq);
void ranmar_rmmaq(int32_t *iseed, int32_t *iseq, const char options[12]);
SAVE_OWN_ADDRESS(rmmar_);

static struct ranmar_counted sequences[RANMAR_SEQUENCES_MAX];
static int current = 1; /* the sequence used last */

/* The original replaces a zero by 2^-24 U(2) of the first sequence, whichever sequence draws. The
 * engine of the first sequence has that rule. The other engines keep a zero, and
 * value_of_kept_zero() replaces it on delivery. */
static int rule_of(const struct ranmar_counted *s)
{
    return s == sequences ? GPURANMAR_ZERO_U2 : GPURANMAR_ZERO_KEEP;
}

__attribute__((noinline)) static float value_of_kept_zero(void)
{
    gpuranmar_engine_state first = {.u = {0}};
    if (gpuranmar_engine_is_started(&sequences[0].engine))
        gpuranmar_engine_report(&sequences[0].engine, &first);
    return first.u[1] > 0 ? (float)(0x1p-24 * first.u[1]) : 0x1p-48f;
}

/* Makes iseq the sequence used last if it is positive. Returns the sequence used last. */
static struct ranmar_counted *use(const char *routine, int iseq)
{
    if (iseq > 0) {
        gpuranmar_check_sequence(routine, iseq);
        current = iseq;
    }
    return &sequences[current - 1];
}

/* As use(), but ends the program if that sequence has not been started. */
static struct ranmar_counted *use_set(const char *routine, int iseq)
{
    struct ranmar_counted *const s = use(routine, iseq);
    if (!gpuranmar_engine_is_started(&s->engine))
        gpuranmar_stop("%s: sequence = %d is used before it is set", routine, current);
    return s;
}

__attribute__((noinline)) static void draw_counted(float *vec, const int32_t *len, int32_t iseq)
{
    struct ranmar_counted *const s = use_set("RMMAR", iseq);
    const size_t n = ranmar_counted_length("RMMAR", &s->engine, vec, sizeof *vec, len);
    gpuranmar_engine_fill_single(&s->engine, vec, n);
    for (size_t i = 0; i < n; ++i)
        if (UNLIKELY(vec[i] == 0))
            vec[i] = value_of_kept_zero();
}

void rmmar_(float *vec, const int32_t *len, const int32_t *iseq)
{
    const int id = *iseq > 0 ? *iseq : current;
    if (*len != 1 || id > RANMAR_SEQUENCES_MAX || sequences[id - 1].engine.left == 0) {
        draw_counted(vec, len, *iseq);
        return;
    }
    *vec = gpuranmar_engine_next_single(&sequences[id - 1].engine);
    if (UNLIKELY(*vec == 0))
        *vec = value_of_kept_zero();
    current = id;
}

/* --- RMMAQ --- */

/* The state as RMMAQ has it in ISEED(103): IJKL, NTOT, NTOT2, the REALs U(97) and C, I97, J97. */
struct words {
    int32_t ijkl, ntot, ntot2;
    float u[RANMAR_LONG_LAG], c;
    int32_t i97, j97;
};

static void report(const struct ranmar_counted *s, int32_t iseed[3])
{
    ranmar_counted_report(s, &iseed[0], &iseed[1], &iseed[2]);
}

static void save_counted(const struct ranmar_counted *s, int32_t *iseed)
{
    gpuranmar_engine_state state;
    gpuranmar_engine_report(&s->engine, &state);
    struct words words = {.c = (float)state.c, .i97 = state.i97, .j97 = state.j97};
    for (int i = 0; i < RANMAR_LONG_LAG; ++i)
        words.u[i] = (float)state.u[i];
    memcpy(iseed, &words, sizeof words);
    report(s, iseed);
}

static void load_counted(struct ranmar_counted *s, const int32_t *iseed)
{
    struct words words;
    memcpy(&words, iseed, sizeof words);
    gpuranmar_engine_state state = {.c = words.c, .i97 = words.i97, .j97 = words.j97};
    for (int i = 0; i < RANMAR_LONG_LAG; ++i)
        state.u[i] = words.u[i];
    gpuranmar_check_seed("RMMAQ", words.ijkl, words.ntot, words.ntot2);
    gpuranmar_stop_on(
        gpuranmar_engine_adopt(&s->engine, "RMMAQ", GPURANMAR_SINGLE, rule_of(s), &state));
    s->counters = (struct ranmar_counters){words.ijkl, words.ntot, words.ntot2, 0};
}

static void start_counted(struct ranmar_counted *s, const int32_t iseed[3])
{
    gpuranmar_check_seed("RMMAQ", iseed[0], iseed[1], iseed[2]);
    gpuranmar_stop_on(gpuranmar_engine_start(&s->engine, "RMMAQ", GPURANMAR_SINGLE, rule_of(s),
                                             ranmar_reduced_seed(iseed[0]),
                                             ranmar_count_of(iseed[1], iseed[2])));
    s->counters = (struct ranmar_counters){iseed[0], iseed[1], iseed[2], 0};
}

void ranmar_rmmaq(int32_t *iseed, int32_t *iseq, const char options[12])
{
    const int whole = memchr(options, 'V', 12) != NULL;
    CHECK_OURS_OF("RMMAQ", rmmar_, "RMMAR");
    if (memcmp(options, "            ", 12) == 0) {
        static const int32_t seed[3] = {RANMAR_IJKL_DEFAULT};
        start_counted(use("RMMAQ", *iseq > 0 ? *iseq : 1), seed);
        memcpy(iseed, seed, sizeof seed);
    } else if (memchr(options, 'S', 12)) {
        struct ranmar_counted *const s = use("RMMAQ", *iseq);
        whole ? load_counted(s, iseed) : start_counted(s, iseed);
    } else if (memchr(options, 'R', 12)) {
        const struct ranmar_counted *const s = use_set("RMMAQ", *iseq);
        if (*iseq <= 0) /* a positive ISEQ may be a constant, in memory that is only for reading */
            *iseq = current;
        whole ? save_counted(s, iseed) : report(s, iseed);
    }
}
