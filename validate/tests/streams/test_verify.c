/* The shadow check finds faults that are planted: a bit is flipped in numbers that wait in a cache
 * or are on their way, or in the state of a maker. Settings are read once a process, so that each
 * case runs in a child. */
#include <math.h>
#include <pthread.h>
#include <semaphore.h>

#include "child.h"
#include "fake_plugin.h"
#include "fortran/fortran.h"
#include "gpuranmar.h"
#include "gpuranmar_engine.h"
#include "stream/report_parts.h"
#include "stream/settings.h"
#include "stream/stream.h"
#include "stream/verify.h"
#include "tests.h"

static double u[300000];

static gpuranmar_stream *open_stream(int flavour, int backend, int64_t instances)
{
    gpuranmar_options o = GPURANMAR_OPTIONS_INIT;
    gpuranmar_stream *s;
    o.seed = 4711;
    o.flavour = flavour;
    o.backend = backend;
    o.instances = instances;
    o.prefetch = 1000;
    o.threads = 1;
    if (gpuranmar_stream_initialise(&s, &o))
        abort();
    return s;
}

static void flip(const void *number)
{
    *(unsigned char *)(uintptr_t)number ^= 1;
}

/* --- Streams --- */

static void flip_in_cache(void)
{
    gpuranmar_stream *const s = open_stream(GPURANMAR_DOUBLE, GPURANMAR_CPU, 1);
    gpuranmar_stream_get(s, u, 10);
    flip(s->own_cache + 500 * sizeof *u);
    gpuranmar_stream_get(s, u, 490);
    gpuranmar_stream_get(s, u, 1); /* number 500 */
}

static void flip_in_place(int call)
{
    gpuranmar_stream *const s = open_stream(GPURANMAR_DOUBLE, GPURANMAR_CPU, 1);
    gpuranmar_stream *copy;
    char saved[GPURANMAR_SAVED_STATE_SIZE];
    gpuranmar_stream_get(s, u, 10);
    if (call < 5)
        s->pos ^= 64;
    else
        s->options.instances ^= 2;
    if (call % 5 == 0)
        gpuranmar_stream_get(s, u, 1);
    else if (call % 5 == 1)
        gpuranmar_stream_skip(s, 1);
    else if (call % 5 == 2)
        gpuranmar_stream_copy(&copy, s);
    else if (call % 5 == 3)
        gpuranmar_stream_save(s, saved, sizeof saved);
    else
        gpuranmar_stream_close(s);
}

static void flip_in_single_cache(void)
{
    gpuranmar_stream *const s = open_stream(GPURANMAR_SINGLE, GPURANMAR_CPU, 1);
    float single[700];
    gpuranmar_stream_get_single(s, single, 10);
    flip(s->own_cache + 500 * sizeof *single);
    gpuranmar_stream_get_single(s, single, 700);
}

static void flip_in_keyed(void)
{
    gpuranmar_stream *const s = open_stream(GPURANMAR_KEYED, GPURANMAR_CPU, 1);
    const double *drawn;
    gpuranmar_stream_get(s, u, 10);
    flip(s->own_cache + 500 * sizeof *u);
    gpuranmar_stream_draw(s, &drawn, 900);
}

static void flip_in_one_of(int64_t instances)
{
    gpuranmar_stream *const s = open_stream(GPURANMAR_EXTENDED, GPURANMAR_CPU, instances);
    gpuranmar_stream_seek(s, 10000);
    gpuranmar_stream_get(s, u, 10);
    flip(s->own_cache + 600 * sizeof *u);
    gpuranmar_stream_get(s, u, 900);
}

/* A maker that makes one number wrong of each request: number 500, if the request has it. */
static int (*honest_fill)(struct ranmar_maker *, struct ranmar_states *, uint64_t, void *, size_t);

static int wrong_fill(struct ranmar_maker *m, struct ranmar_states *states, uint64_t position,
                      void *out, size_t n)
{
    const int made = honest_fill(m, states, position, out, n);
    if (position <= 500 && position + n > 500)
        flip((double *)out + 500 - position);
    return made;
}

static void make_wrong(gpuranmar_stream *s)
{
    honest_fill = s->makers[0]->fill;
    s->makers[0]->fill = wrong_fill;
}

static void wrong_array(void)
{
    gpuranmar_stream *const s = open_stream(GPURANMAR_DOUBLE, GPURANMAR_CPU, 1);
    make_wrong(s);
    gpuranmar_stream_fill(s, u, 300000);
}

static void flip_in_pinned_block(void)
{
    gpuranmar_stream *const s = open_stream(GPURANMAR_DOUBLE, GPURANMAR_CUDA, 1);
    gpuranmar_stream_get(s, u, 10);
    if (fake.blocks != 1 || s->own_cache)
        abort();
    flip(s->cache.end - 500 * sizeof *u);
    gpuranmar_stream_get(s, u, 700);
}

static void wrong_delivery_of_a_gpu(void)
{
    gpuranmar_stream *const s = open_stream(GPURANMAR_DOUBLE, GPURANMAR_CUDA, 1);
    make_wrong(s);
    gpuranmar_stream_fill(s, u, 2000);
    if (fake.fills != 1)
        abort();
}

/* A state in the GPU's memory that is damaged between two requests: its word 90 is that of number
 * 474 - 97 + 90 = 467, and the first that is made from it comes 33 later. */
static void flip_on_device(void)
{
    gpuranmar_stream *const s = open_stream(GPURANMAR_DOUBLE, GPURANMAR_CUDA, 1);
    gpuranmar_stream_fill(s, u, 474);
    fake.last->state.x[90] ^= UINT64_C(1) << 40;
    gpuranmar_stream_fill(s, u, 2000);
}

/* --- Numbered sequences --- */

static const int32_t one = 1, second = 2;

static void start_sequence(void)
{
    if (gpuranmar_initialise(2, 1, 1, 1, 0))
        abort();
    rmmard_(u, &one, &second);
}

/* Starts any sequence, from the seed that is its id, and draws number 0. */
static void start_other(int32_t id)
{
    const int32_t zero = 0;
    grnset_(&id, &zero, &zero, &id);
    grnvec_(u, &one, &id);
}

enum { FIRST = 1, LAST = RANMAR_SEQUENCES_MAX };

static void flip_in_window(void)
{
    start_sequence();
    flip(&grncom_.buffer[1][500]);
    for (int i = 0; i < 1023; ++i)
        rmmard_(u, &one, &second);
    rmmard_(u, &one, &second);
}

static void damage_place_before_exit(void)
{
    start_sequence();
    grncom_.pos[1] = 4096;
    exit(0);
}

static void flip_in_other_before_exit(int32_t id)
{
    const int32_t n = 500;
    start_other(id);
    flip(&grncom_.buffer[id - 1][500]);
    grnvec_(u, &n, &id);
    exit(0);
}

static void flip_in_window_of_one(void)
{
    if (gpuranmar_initialise(2, 1, 1, 1, 1))
        abort();
    for (int i = 0; i < 500; ++i)
        rmmard_(u, &one, &second);
    grnfil_(&second);
    flip(&grncom_.buffer[1][RANMAR_WINDOW - 1]);
    rmmard_(u, &one, &second);
    rmmard_(u, &one, &second);
}

static void flip_in_window_before_close(void)
{
    start_sequence();
    flip(&grncom_.buffer[1][500]);
    gpuranmar_get(2, u, 600);
    gpuranmar_close(2);
}

static void flip_in_window_before_array(void)
{
    start_sequence();
    flip(&grncom_.buffer[1][500]);
    gpuranmar_get_unbuffered(2, u, 5000);
}

/* A level that makes number 500 of a fill wrong. */
static void wrong_level(struct ranmar_state *s, const struct ranmar_flavour *f, void *out, size_t n)
{
    ranmar_fill_scalar(s, f, out, n);
    if (n > 500)
        flip((double *)out + 500);
}

static int always(void)
{
    return 1;
}

static const struct ranmar_simd wrong = {"wrong", always, wrong_level, wrong_level};

static void wrong_straight_to_program(void)
{
    ranmar_settings();
    ranmar_fill_force(&wrong);
    gpuranmar_initialise(2, 1, 1, 1, 0);
    gpuranmar_get_unbuffered(2, u, 5000);
}

/* What was put there as a Fortran state goes on from it, whatever its seed. */
static void flip_after_put(void)
{
    int32_t ijkl, ntot, ntot2, i97, j97;
    double c, words[97];
    start_sequence();
    grnsta_(&second, &ijkl, &ntot, &ntot2, &i97, &j97, &c, words);
    ijkl = 12;
    grnput_(&second, &ijkl, &ntot, &ntot2, &i97, &j97, &c, words);
    rmmard_(u, &one, &second);
    flip(&grncom_.buffer[1][499]); /* number 500: the window begins with number 1 */
    exit((gpuranmar_get(2, u, 600), 0));
}

static void wrong_engine(void)
{
    static gpuranmar_engine e;
    ranmar_settings();
    ranmar_fill_force(&wrong);
    gpuranmar_engine_start(&e, "test", GPURANMAR_DOUBLE, GPURANMAR_ZERO_SMALLEST, 1, 0);
    gpuranmar_engine_next(&e);
}

/* Whatever is wrong, the first wrong number is named. */
TEST(found)
{
    setenv("GPURANMAR_VERIFY", "1", 1);
    for (int call = 0; call < 10; ++call)
        STOPS("seed 4711: its position or its options have changed", flip_in_place(call));
    STOPS("seed 4711, position 500: ", flip_in_keyed());
    STOPS("seed 4711, position 10600: ", flip_in_one_of(2));
    STOPS("seed 4711, position 10600: ", flip_in_one_of(7));
    STOPS("seed 4711, position 500: ", wrong_array());
    STOPS("seed 4711, position 500: ", flip_in_pinned_block());
    STOPS("seed 4711, position 500: ", wrong_delivery_of_a_gpu());
    STOPS("seed 4711, position 500: ", flip_on_device());
    STOPS("sequence 2, seed 30083, position 500: ", flip_in_window());
    STOPS("sequence 2, seed 30083: its position or", damage_place_before_exit());
    STOPS("sequence 1, seed 1, position 500: ", flip_in_other_before_exit(FIRST));
    STOPS("sequence 64, seed 64, position 500: ", flip_in_other_before_exit(LAST));
    STOPS("sequence 2, seed 30083, position 500: ", flip_in_window_of_one());
    STOPS("sequence 2, seed 30083, position 500: ", flip_in_window_before_close());
    STOPS("sequence 2, seed 30083, position 500: ", flip_in_window_before_array());
    STOPS("sequence 2, seed 30083, position 500: ", wrong_straight_to_program());
    STOPS("sequence 2, seed 12, position 500: ", flip_after_put());
    STOPS("an engine from its start on, position 500: ", wrong_engine());
}

/* Both values are told, as a decimal number and bit by bit. */
TEST(values)
{
    enum { AT = 500 };
    const int flavours[] = {GPURANMAR_DOUBLE, GPURANMAR_SINGLE};
    setenv("GPURANMAR_VERIFY", "1", 1);
    for (int i = 0; i < 2; ++i) {
        union {
            double wide[AT + 1];
            float single[AT + 1];
        } right, wrong_one;
        struct ranmar_state s;
        char words[200];
        ranmar_seed(&s, ranmar_flavour(flavours[i]), 4711);
        ranmar_fill_scalar(&s, ranmar_flavour(flavours[i]), &right, AT + 1);
        wrong_one = right;
        flip(i ? (void *)&wrong_one.single[AT] : (void *)&wrong_one.wide[AT]);
        const double wanted = i ? (double)right.single[AT] : right.wide[AT];
        const double got = i ? (double)wrong_one.single[AT] : wrong_one.wide[AT];
        snprintf(words, sizeof words,
                 "position 500: %.17g (%a) was delivered where the definition has %.17g (%a)\n",
                 got, got, wanted, wanted);
        STOPS(words, i ? flip_in_single_cache() : flip_in_cache());
    }
}

/* --- The share --- */

#define HOLDS(share, call) ENDS_WELL(setenv("GPURANMAR_VERIFY", share, 1), call)

static void nothing_is_checked(void)
{
    gpuranmar_stream *const s = open_stream(GPURANMAR_DOUBLE, GPURANMAR_CPU, 1);
    if (s->observer)
        _exit(1);
    gpuranmar_stream_close(s);
    flip_in_cache();
    flip_in_window();
}

/* 1220 segments of 8192: five standard deviations. Two streams choose differently. */
static void share_is_checked(void)
{
    gpuranmar_stream *const s = open_stream(GPURANMAR_DOUBLE, GPURANMAR_CPU, 1);
    gpuranmar_stream *const t = open_stream(GPURANMAR_DOUBLE, GPURANMAR_CPU, 1);
    const double share = 1e-9 * ranmar_settings()->verify, n = 1220, segment = 8192;
    int same = 1;
    for (int i = 0; i < 1220; ++i) {
        gpuranmar_stream_fill(s, u, 8192);
        gpuranmar_stream_fill(t, u, 8192);
        same &=
            ranmar_verify_count(s->observer->verify) == ranmar_verify_count(t->observer->verify);
    }
    const double checked = (double)ranmar_verify_count(s->observer->verify) / segment;
    if (fabs(checked - share * n) > 5 * sqrt(share * (1 - share) * n) || same == (share < 1))
        _exit(1);
}

TEST(shares)
{
    HOLDS("0", nothing_is_checked());
    HOLDS("0.1", share_is_checked());
    HOLDS(".5", share_is_checked());
    HOLDS("1.0", share_is_checked());
}

/* --- Sequences that are right --- */

/* A window's numbers are checked once, when they have been drawn: an array after them puts the
 * stream's position elsewhere. */
static void arrays_after_a_window(void)
{
    start_sequence();
    for (int i = 0; i < 3; ++i)
        gpuranmar_get_unbuffered(2, u, 5000);
}

/* What the program itself does at its end may come after the check of all windows. */
static void draw_from_ends(void)
{
    if (gpuranmar_get(FIRST, u, 5000))
        abort();
    const int32_t n = 5000, last = LAST;
    grnvec_(u, &n, &last);
}

static void draws_at_exit(void)
{
    alarm(20);
    atexit(draw_from_ends);
    start_other(FIRST);
    start_other(LAST);
    exit(0);
}

static sem_t is_filling;

static void endless_level(struct ranmar_state *s, const struct ranmar_flavour *f, void *out,
                          size_t n)
{
    (void)s, (void)f, (void)out, (void)n;
    sem_post(&is_filling);
    for (;;)
        pause();
}

static void *start_other_on_thread(void *id)
{
    start_other(*(int32_t *)id);
    return NULL;
}

/* While a thread refills the window of a sequence, the program forks. In the new process there is
 * no such thread, and the sequence can be started again. */
static void fork_in_a_refill(int32_t id)
{
    const struct ranmar_simd endless = {"endless", always, endless_level, endless_level};
    pthread_t thread;
    ranmar_settings();
    ranmar_fill_force(&endless);
    sem_init(&is_filling, 0, 0);
    alarm(60);
    if (pthread_create(&thread, NULL, start_other_on_thread, &id) != 0)
        abort();
    sem_wait(&is_filling);
    const struct child child = start_child(0);
    if (child.pid == 0) {
        alarm(20);
        ranmar_fill_force(NULL);
        start_other(id);
        _exit(0);
    }
    _exit(!ends_well(child));
}

/* What was drawn before a fork is the parent's to check, since one of its threads may be in the
 * middle of that. */
static void fork_after_draws(void)
{
    start_sequence();
    flip(&grncom_.buffer[1][500]);
    gpuranmar_get(2, u, 600);
    const struct child child = start_child(0);
    if (child.pid == 0) {
        alarm(20);
        gpuranmar_get(2, u, 5000);
        exit(0);
    }
    _exit(!ends_well(child));
}

TEST(nothing_found)
{
    HOLDS("1", arrays_after_a_window());
    HOLDS("1", draws_at_exit());
    HOLDS("1", fork_after_draws());
    HOLDS("1", fork_in_a_refill(FIRST));
    HOLDS("1", fork_in_a_refill(LAST));
}
