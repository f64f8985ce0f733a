/* RMMAR, and RMMAQ but for its CHARACTER argument: numbered sequences in single precision. */
#include <string.h>

#include "definition/error.h"
#include "fortran/cernlib.h"
#include "stream/settings.h"

static struct ranmar_cernlib sequences[RANMAR_SEQUENCES_MAX];
static int current = 1; /* the sequence used last */

/* U(2) is that of the first sequence, whichever draws, and 0 while that is not set. */
static double zero(const struct ranmar_cernlib *s, const struct ranmar_fortran_state *behind)
{
    struct ranmar_fortran_state first = {.u = {0}};
    if (s == sequences)
        first = *behind;
    else if (sequences[0].flavour)
        ranmar_cernlib_get(&sequences[0], &first);
    return ranmar_single_zero(first.u[1]);
}

/* Makes iseq, if it is positive, the sequence used last. */
static struct ranmar_cernlib *use(const char *routine, int iseq)
{
    if (iseq > 0) {
        ranmar_check(ranmar_sequence_check(routine, iseq));
        current = iseq;
    }
    return &sequences[current - 1];
}

static struct ranmar_cernlib *use_set(const char *routine, int iseq)
{
    struct ranmar_cernlib *s = use(routine, iseq);
    if (!s->flavour)
        ranmar_check(ranmar_error(GPURANMAR_NOT_SET, "%s: sequence = %d is used before it is set",
                                  routine, current));
    return s;
}

__attribute__((noinline)) static void rmmar_slow(float *vec, int32_t len, int32_t iseq)
{
    ranmar_cernlib_draw("RMMAR", use_set("RMMAR", iseq), vec, len, zero);
}

void rmmar_(float *vec, const int32_t *len, const int32_t *iseq)
{
    const int id = *iseq > 0 ? *iseq : current;
    if (*len == 1 && id <= RANMAR_SEQUENCES_MAX &&
        ranmar_cernlib_next_single(&sequences[id - 1], vec))
        current = id;
    else
        rmmar_slow(vec, *len, *iseq);
}

/* --- RMMAQ --- */

/* The Fortran state in ISEED(103): IJKL, NTOT, NTOT2, the REALs U(97) and C, I97, J97. */
struct words {
    int32_t ijkl, ntot, ntot2;
    float u[RANMAR_LONG_LAG], c;
    int32_t i97, j97;
};

static void save(const struct ranmar_cernlib *s, int32_t *iseed)
{
    struct ranmar_fortran_state fortran;
    ranmar_cernlib_get(s, &fortran);
    struct words words = {fortran.ijkl,     fortran.ntot, fortran.ntot2, {0},
                          (float)fortran.c, fortran.i97,  fortran.j97};
    for (int i = 0; i < RANMAR_LONG_LAG; ++i)
        words.u[i] = (float)fortran.u[i];
    memcpy(iseed, &words, sizeof words);
}

static void load(struct ranmar_cernlib *s, const int32_t *iseed)
{
    struct words words;
    memcpy(&words, iseed, sizeof words);
    struct ranmar_fortran_state fortran = {.ijkl = words.ijkl,
                                           .ntot = words.ntot,
                                           .ntot2 = words.ntot2,
                                           .i97 = words.i97,
                                           .j97 = words.j97,
                                           .c = words.c};
    for (int i = 0; i < RANMAR_LONG_LAG; ++i)
        fortran.u[i] = words.u[i];
    ranmar_cernlib_put("RMMAQ", s, GPURANMAR_SINGLE, &fortran);
}

static void start(struct ranmar_cernlib *s, const int32_t iseed[3])
{
    ranmar_cernlib_start("RMMAQ", s, GPURANMAR_SINGLE, iseed[0], RANMAR_IJKL_MAX, iseed[1],
                         iseed[2]);
}

static void report(const struct ranmar_cernlib *s, int32_t iseed[3])
{
    struct ranmar_origin now;
    ranmar_cernlib_report(s, &now);
    iseed[0] = now.ijkl;
    iseed[1] = now.ntot;
    iseed[2] = now.ntot2;
}

void ranmar_rmmaq(int32_t *iseed, int32_t *iseq, const char options[12])
{
    ranmar_check_chopt("RMMAQ", options);
    int set = memchr(options, 'S', 12) != NULL;
    const int whole = memchr(options, 'V', 12) != NULL;
    if (memcmp(options, "            ", 12) == 0) {
        iseed[0] = RANMAR_IJKL_DEFAULT;
        iseed[1] = iseed[2] = 0;
        current = 1;
        set = 1;
    }
    if (set) {
        struct ranmar_cernlib *s = use("RMMAQ", *iseq);
        whole ? load(s, iseed) : start(s, iseed);
    } else if (memchr(options, 'R', 12)) {
        const struct ranmar_cernlib *s = use_set("RMMAQ", *iseq);
        *iseq = current;
        whole ? save(s, iseed) : report(s, iseed);
    }
}
