/* PYTHIA 8's numbers, for a program that is linked with PYTHIA's shared library:
 *
 *     LD_PRELOAD=libgpuranmar_pythia8.so ./main
 *
 * PYTHIA calls Rndm::flat and Rndm::dumpState by their names, so that the loader leads the calls
 * here. All else stays PYTHIA's. Objects are copied, and newer versions read and write the state,
 * by code that the compiler has put into the program, of which nobody hears.
 *
 * So an object describes its sequence by itself. From the first number on it keeps the state that
 * it had then, with marks in place of the constants cd and cm: the count before the first number,
 * and a number of its own for each such state. PYTHIA's count says how far the object has come. If
 * count or mark are not what they were after the last number, the program has put another state
 * into the object, one of PYTHIA's or one with marks, and it is adopted. The mark in cd is no
 * number, so that what PYTHIA itself would draw there is none either. */
#include <cstdint>
#include <mutex>
#include <unordered_map>

#include "preloaded.hpp"

#define FLAT "_ZN7Pythia84Rndm4flatEv"
#define INIT "_ZN7Pythia84Rndm4initEi"
#define DUMP "_ZN7Pythia84Rndm9dumpStateENSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE"

namespace
{

const double CM = 16777213 / 16777216.;
const std::uint64_t CD = 0x3fdd32ec40000000; /* the bits of 7654321 / 2^24 */
const std::uint64_t MARK = 0x7ff8000000000000 + (1 << 20), MOST = 1ull << 50;

/* What an object has from its count on. */
struct State {
    long count;
    double u[97], c;
    std::uint64_t cd; /* as an integer, since it may be no number */
    double cm;
    bool external; /* numbers come from a generator of the program's own */
};

/* An object's engine, and what the object had after the last number. */
struct Engine {
    void *rndm;
    State *state;
    long count;
    double mark;
    gpuranmar_engine e;
};

/* An object begins with a bool, the indices, the seed and the state. In versions that have a struct
 * RndmState there are four bytes more before the indices, and before the state. */
int padding()
{
    static const int bytes = [] {
        alignas(8) static char object[2048];
        original<bool(void *, void *)>(DUMP); /* where strings are others it has another name */
        original<void(void *, int)>(INIT)(object, 1);
        for (int more = 0; more <= 4; more += 4) {
            const State *const s = (const State *)(object + 16 + 2 * more);
            if (s->c == 362436 / 16777216. && s->cd == CD && s->cm == CM)
                return more;
        }
        gpuranmar_stop("Rndm::flat: this version of PYTHIA has another class Rndm");
    }();
    return bytes;
}

State *state_of(void *rndm)
{
    return (State *)((char *)rndm + 16 + 2 * padding());
}

int *indices_of(void *rndm) /* i97 and j97, counted from 0 */
{
    return (int *)((char *)rndm + 4 + padding());
}

std::mutex one_at_a_time;
Engine none;
__attribute__((tls_model("initial-exec"))) thread_local Engine *last = &none;

bool is_last(void *rndm)
{
    return last->rndm == rndm && last->state->count == last->count && last->state->cm == last->mark;
}

/* Goes on from the state in an object. */
void adopt(void *rndm, State *s)
{
    static auto &engines = *new std::unordered_map<void *, Engine>; /* by the objects' addresses */
    static double states = 0;
    const std::lock_guard<std::mutex> lock(one_at_a_time);
    last = &engines[rndm];
    if (is_last(rndm)) /* another object has drawn in between */
        return;
    const bool marked = s->cm <= -1;
    const std::uint64_t skip = marked ? std::uint64_t(s->count) - (s->cd - MARK) : 0;
    if (!(s->c < 1))
        gpuranmar_stop("Rndm::flat: PYTHIA has drawn a number by itself: its library was built so "
                       "that no other takes the place of its functions");
    if (skip > MOST || (!marked && (s->cd != CD || s->cm != CM || std::uint64_t(s->count) > MOST)))
        gpuranmar_stop("Rndm::flat: the object has no state of PYTHIA's generator");
    gpuranmar_engine_state state = {{}, s->c, indices_of(rndm)[0] + 1, indices_of(rndm)[1] + 1};
    std::memcpy(state.u, s->u, sizeof state.u);
    gpuranmar_stop_on(gpuranmar_engine_adopt(&last->e, "Rndm::flat", GPURANMAR_DOUBLE,
                                             GPURANMAR_ZERO_KEEP, &state));
    gpuranmar_engine_skip(&last->e, skip);
    if (!marked) {
        s->cd = MARK + std::uint64_t(s->count);
        s->cm = -++states;
    }
    last->rndm = rndm;
    last->state = s;
    last->count = s->count;
    last->mark = s->cm;
}

/* Rndm::flat() */
extern "C" GPURANMAR_API double flat(void *rndm) asm(FLAT);
double flat(void *rndm)
{
    if (__builtin_expect(!is_last(rndm) || last->state->external, 0)) {
        State *const s = state_of(rndm);
        if (s->external)
            return original<double(void *)>(FLAT)(rndm);
        if (!*(bool *)rndm) /* the seed is PYTHIA's default */
            original<void(void *, int)>(INIT)(rndm, -1);
        adopt(rndm, s);
    }
    Engine *const engine = last;
    engine->count = ++engine->state->count;
    for (;;) {
        const double u = gpuranmar_engine_next(&engine->e);
        if (__builtin_expect(u != 0, 1))
            return u;
        --engine->state->cd; /* one more number was used than is counted */
    }
}

/* Rndm::dumpState(std::string), as PYTHIA writes it, from the state of this moment. */
extern "C" GPURANMAR_API bool dump(void *rndm, void *file) asm(DUMP);
bool dump(void *rndm, void *file)
{
    State *const s = state_of(rndm);
    if (s->cm <= -1) {
        gpuranmar_engine_state now;
        if (!is_last(rndm))
            adopt(rndm, s);
        gpuranmar_engine_report(&last->e, &now);
        std::memcpy(s->u, now.u, sizeof now.u);
        s->c = now.c;
        s->cd = CD;
        s->cm = CM;
        indices_of(rndm)[0] = now.i97 - 1;
        indices_of(rndm)[1] = now.j97 - 1;
    }
    return original<bool(void *, void *)>(DUMP)(rndm, file);
}

} // namespace
