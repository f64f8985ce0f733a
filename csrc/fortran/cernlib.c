#include "fortran/cernlib.h"

#include <string.h>

#include "definition/error.h"
#include "definition/flavour.h"
#include "definition/jump.h"
#include "fill/fill.h"
#include "stream/settings.h"

/* Larger requests are made in pieces of this many numbers, which are still in cache when they are
 * searched for zeros. */
enum { PIECE = 1 << 16 };

static void start_from(struct ranmar_cernlib *s, int flavour, const struct ranmar_origin *origin)
{
    s->flavour = ranmar_flavour(flavour);
    s->origin = *origin;
    s->made = 0;
    s->left = 0;
}

static void check_settings(const char *routine)
{
    const struct ranmar_settings *settings = ranmar_settings();
    if (*settings->error)
        ranmar_check(ranmar_error(GPURANMAR_BAD_SETTING, "%s: %s", routine, settings->error));
}

void ranmar_cernlib_start(const char *routine, struct ranmar_cernlib *s, int flavour, int32_t ijkl,
                          int32_t ijkl_max, int32_t ntot, int32_t ntot2)
{
    check_settings(routine);
    ranmar_check_seed(routine, ijkl, ijkl_max, ntot, ntot2);
    const uint64_t skip = ranmar_count_of(ntot, ntot2);
    const struct ranmar_origin origin = {ijkl, ntot, ntot2, ranmar_turn(RANMAR_LONG_LAG, skip)};
    struct ranmar_jump memo = {0};
    start_from(s, flavour, &origin);
    ranmar_seed(&s->state, s->flavour, ijkl);
    ranmar_jump_by(&memo, skip, s->flavour, &s->state);
}

void ranmar_cernlib_put(const char *routine, struct ranmar_cernlib *s, int flavour,
                        const struct ranmar_fortran_state *fortran)
{
    struct ranmar_state state;
    struct ranmar_origin origin;
    check_settings(routine);
    ranmar_from_fortran_state(routine, fortran, ranmar_flavour(flavour), &origin, &state);
    start_from(s, flavour, &origin);
    s->state = state;
}

/* --- Zeros --- */

/* Whether the number that led to this state was an exact zero. */
static int was_zero(const struct ranmar_state *behind)
{
    return behind->x[RANMAR_LONG_LAG - 1] == behind->c;
}

/* Seed, counters and ring index `back` numbers before the last one made. */
static void report_at(const struct ranmar_cernlib *s, uint64_t back, struct ranmar_origin *now)
{
    *now = s->origin;
    ranmar_origin_move(now, s->made - back);
}

static void to_fortran_state_at(const struct ranmar_cernlib *s, uint64_t back,
                                const struct ranmar_state *state,
                                struct ranmar_fortran_state *fortran)
{
    struct ranmar_origin now;
    report_at(s, back, &now);
    ranmar_to_fortran_state(&now, state, s->flavour, fortran);
}

static size_t count_smallest(const struct ranmar_cernlib *s, const void *out, size_t n)
{
    size_t count = 0;
    if (s->flavour->bits == 24)
        for (size_t i = 0; i < n; ++i)
            count += ((const float *)out)[i] == 0x1p-24f;
    else
        for (size_t i = 0; i < n; ++i)
            count += ((const double *)out)[i] == 0x1p-48;
    return count;
}

/* Gives every zero among the n numbers at out, the last of which was made `back` numbers before
 * the window's last, its value. They are few: one in 2^23 is looked at in 24 bits. */
static void replace_zeros(struct ranmar_cernlib *s, void *out, size_t n, uint64_t back,
                          ranmar_zero_rule *zero)
{
    if (count_smallest(s, out, n) == 0)
        return;
    for (size_t i = 0; i < n; ++i) {
        const size_t size = ranmar_number_size(s->flavour);
        void *const number = (char *)out + i * size;
        if (count_smallest(s, number, 1) == 0)
            continue;
        const uint64_t behind = back + (n - 1 - i);
        struct ranmar_state state = s->state;
        ranmar_rewind(&state, s->flavour, behind);
        if (!was_zero(&state))
            continue;
        struct ranmar_fortran_state fortran;
        to_fortran_state_at(s, behind, &state, &fortran);
        const double u = zero(s, &fortran);
        if (size == sizeof(float))
            *(float *)number = (float)u;
        else
            *(double *)number = u;
    }
}

double ranmar_single_zero(double u2) { return u2 > 0 ? 0x1p-24 * u2 : 0x1p-48; }

/* --- Drawing --- */

static void make(struct ranmar_cernlib *s, void *out, size_t n)
{
    ranmar_fill(&s->state, s->flavour, out, n);
    s->made += n;
}

void ranmar_cernlib_draw(const char *routine, struct ranmar_cernlib *s, void *vec, int32_t len,
                         ranmar_zero_rule *zero)
{
    if (len < 0)
        ranmar_check(
            ranmar_error(GPURANMAR_BAD_ARGUMENT, "%s: LEN = %d is negative", routine, len));
    const size_t size = ranmar_number_size(s->flavour);
    char *out = vec;
    for (size_t n = (size_t)len, count; n > 0; n -= count, out += count * size) {
        if (s->left == 0 && n >= RANMAR_WINDOW) {
            count = n < PIECE ? n : PIECE;
            make(s, out, count);
        } else {
            if (s->left == 0) {
                make(s, &s->window, RANMAR_WINDOW);
                s->left = RANMAR_WINDOW;
            }
            count = n < (size_t)s->left ? n : (size_t)s->left;
            memcpy(out, (char *)&s->window + (size_t)(RANMAR_WINDOW - s->left) * size,
                   count * size);
            s->left -= (int32_t)count;
        }
        replace_zeros(s, out, count, (uint64_t)s->left, zero);
    }
}

void ranmar_cernlib_report(const struct ranmar_cernlib *s, struct ranmar_origin *now)
{
    report_at(s, (uint64_t)s->left, now);
}

void ranmar_cernlib_get(const struct ranmar_cernlib *s, struct ranmar_fortran_state *fortran)
{
    struct ranmar_state state = s->state;
    ranmar_rewind(&state, s->flavour, (uint64_t)s->left);
    to_fortran_state_at(s, (uint64_t)s->left, &state, fortran);
}
