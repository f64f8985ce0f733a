/* The 103 words that RMMAQD and GRNPUT read. A state that is accepted is written again with the
 * same words, and the numbers that come from it lie in (0,1). (misuse.t has the files' text.) */
#include "fuzz.h"

#include "definition/flavour.h"
#include "definition/fortran_state.h"
#include "fill/fill.h"
#include "gpuranmar.h"

/* The input changes a good state, so that not every input is refused for its first word. Nine bytes
 * change one word: one byte says which, and eight are its new value. */
static void change(struct ranmar_fortran_state *s, struct input *in)
{
    while (in->size >= 9) {
        const size_t place = next_bytes(in, 1) % 104;
        const uint64_t bits = next_bytes(in, 8);
        double number;
        memcpy(&number, &bits, sizeof number);
        switch (place) {
        case 97:
            s->c = number;
            break;
        case 98:
            s->ijkl = (int32_t)bits;
            break;
        case 99:
            s->ntot = (int32_t)bits;
            break;
        case 100:
            s->ntot2 = (int32_t)bits;
            break;
        case 101:
            s->i97 = (int32_t)bits;
            break;
        case 102:
            s->j97 = (int32_t)bits;
            break;
        case 103: /* fine enough for 48 bits */
            s->u[bits % RANMAR_LONG_LAG] = (double)(bits >> 16) * 0x1p-48;
            break;
        default:
            s->u[place] = number;
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input in = {data, size};
    const struct ranmar_flavour *const f =
        ranmar_flavour((int)(next_bytes(&in, 1) % RANMAR_FLAVOURS));
    struct ranmar_counters counters = {1802, 5, 1, 1 + (int)(next_bytes(&in, 1) % 97)}, read;
    struct ranmar_state state;
    struct ranmar_fortran_state s, again;
    ranmar_seed(&state, f, 1802);
    ranmar_to_fortran_state(&counters, &state, f, &s);
    change(&s, &in);
    if (ranmar_from_fortran_state("FUZZ", &s, f, &read, &state)) {
        REQUIRE(*gpuranmar_last_error() && !strchr(gpuranmar_last_error(), '\n'));
        return 0;
    }
    memset(&again, 0, sizeof again);
    ranmar_to_fortran_state(&read, &state, f, &again);
    REQUIRE(s.ijkl == again.ijkl && s.ntot == again.ntot && s.ntot2 == again.ntot2 &&
            s.i97 == again.i97 && s.j97 == again.j97 && s.c == again.c);
    for (int i = 0; i < RANMAR_LONG_LAG; ++i)
        REQUIRE(s.u[i] == again.u[i]);
    union {
        double doubles[200];
        float singles[200];
    } out;
    ranmar_fill_scalar(&state, f, &out, 200);
    for (int i = 0; i < 200; ++i) {
        const double u = f->bits == 24 ? (double)out.singles[i] : out.doubles[i];
        REQUIRE(u > 0 && u < 1);
    }
    return 0;
}
