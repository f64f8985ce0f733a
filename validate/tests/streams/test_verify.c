/* GPURANMAR_VERIFY finds what a wrong back end makes. A bit of number 500 of a request is flipped
 * by an instruction set or by the GPU of fake_plugin.h, or a state on that GPU is damaged. Settings
 * are read once a process, so that each case runs in a child. */
#include <math.h>

#include "child.h"
#include "fake_plugin.h"
#include "fortran/fortran.h"
#include "gpuranmar.h"
#include "gpuranmar_engine.h"
#include "settings/settings.h"
#include "stream/stream.h"
#include "tests.h"

static double u[600000];

static void flip(void *number)
{
    *(unsigned char *)number ^= 1;
}

/* The linker puts this in the place of the definition's fill: it counts what the check makes. */
static size_t defined;
ranmar_fill_function __wrap_ranmar_fill_scalar, __real_ranmar_fill_scalar;
void __wrap_ranmar_fill_scalar(struct ranmar_state *s, const struct ranmar_flavour *f, void *out,
                               size_t n)
{
    defined += n;
    __real_ranmar_fill_scalar(s, f, out, n);
}

static void wrong_numbers(struct ranmar_state *s, const struct ranmar_flavour *f, void *out,
                          size_t n)
{
    ranmar_fill_scalar(s, f, out, n);
    if (n > 500)
        flip((char *)out + 500 * ranmar_number_size(f));
}

static int always(void)
{
    return 1;
}

static void words(uint64_t *words, unsigned bits, const unsigned four[4])
{
    ranmar_words_of_four(words, bits, four[0], four[1], four[2], four[3]);
}

/* From here on, the CPU makes number 500 of each request wrong. */
static void make_wrong(void)
{
    static const struct ranmar_simd wrong = {"wrong", always, wrong_numbers, wrong_numbers, words};
    ranmar_settings();
    ranmar_fill_force(&wrong);
}

static gpuranmar_stream *open_stream(int flavour, int backend, int64_t instances)
{
    return OPEN(.seed = 4711, .flavour = flavour, .backend = backend, .instances = instances,
                .prefetch = 1000, .threads = 2);
}

static void wrong_buffer(int flavour)
{
    float single;
    make_wrong();
    gpuranmar_stream *const s = open_stream(flavour, GPURANMAR_CPU, 1);
    if (flavour == GPURANMAR_SINGLE)
        gpuranmar_stream_get_single(s, &single, 1);
    else
        gpuranmar_stream_get(s, u, 1);
}

/* A block of 1000 has 500 numbers of each instance, so that only a larger part can be wrong. */
static void wrong_instance(int64_t instances)
{
    make_wrong();
    gpuranmar_stream *const s = OPEN(.seed = 4711, .flavour = GPURANMAR_EXTENDED,
                                     .instances = instances, .prefetch = 600 * instances);
    gpuranmar_stream_seek(s, 1800 * (uint64_t)instances + 600);
    gpuranmar_stream_fill(s, u, 600);
}

/* --- GPUs --- */

/* A stream whose GPU makes number 500 of each request wrong. */
static gpuranmar_stream *wrong_gpu(void)
{
    gpuranmar_stream *const s = open_stream(GPURANMAR_DOUBLE, GPURANMAR_CUDA, 1);
    fake.wrong_at = 500;
    return s;
}

/* A state in the GPU's memory that is damaged between two requests, both longer than a block: its
 * word 90 is that of number 1500 - 97 + 90 = 1493, and the first made from it comes 33 later. */
static void flip_on_device(void)
{
    gpuranmar_stream *const s = open_stream(GPURANMAR_DOUBLE, GPURANMAR_CUDA, 1);
    gpuranmar_stream_fill(s, u, 1500);
    fake.last->state.x[90] ^= UINT64_C(1) << 40;
    gpuranmar_stream_fill(s, u, 2000);
}

/* The GPU fails at its second call, which has a line of its own, and later the CPU is wrong. */
static void wrong_after_a_failure(void)
{
    gpuranmar_stream *const s = open_stream(GPURANMAR_DOUBLE, GPURANMAR_CUDA, 1);
    const int said = dup(STDERR_FILENO);
    fake.fail_at = 2;
    close(STDERR_FILENO);
    gpuranmar_stream_fill(s, u, 1000);
    dup2(said, STDERR_FILENO);
    make_wrong();
    gpuranmar_stream_fill(s, u, 1000);
}

/* --- Numbered sequences and engines --- */

static const int32_t one = 1, second = 2;

static void start_sequence(void)
{
    if (gpuranmar_initialise(2, 1, 1, 1, 0))
        abort();
}

static void wrong_common(void)
{
    start_sequence();
    make_wrong();
    rmmard_(u, &one, &second);
}

/* A sequence that GRNPUT has set goes on from that state, whatever seed it names. */
static void put_state(void)
{
    int32_t ijkl, ntot, ntot2, i97, j97;
    double c, words[97];
    start_sequence();
    rmmard_(u, &one, &second);
    grnsta_(&second, &ijkl, &ntot, &ntot2, &i97, &j97, &c, words);
    ijkl = 12;
    grnput_(&second, &ijkl, &ntot, &ntot2, &i97, &j97, &c, words);
}

static void wrong_engine(void)
{
    static gpuranmar_engine e;
    make_wrong();
    gpuranmar_engine_start(&e, "test", GPURANMAR_DOUBLE, GPURANMAR_ZERO_SMALLEST, 1, 0);
    gpuranmar_engine_next(&e);
}

/* The line names the first wrong number, its back end, and both values in decimal and bit by bit.
 */
TEST(found)
{
    setenv("GPURANMAR_VERIFY", "1", 1);
    STOPS("gpuranmar: GPURANMAR_VERIFY: seed 4711, position 500: cpu made 0.1162054985916008 "
          "(0x1.dbfa4c010f901p-4) where the definition has 0.11620549859160079 "
          "(0x1.dbfa4c010f9p-4)\n",
          wrong_buffer(GPURANMAR_DOUBLE));
    STOPS("cpu made 0.40660139918327332 (0x1.a05c1ep-2) where the definition has "
          "0.40660136938095093 (0x1.a05c1cp-2)\n",
          wrong_buffer(GPURANMAR_SINGLE));
    STOPS("seed 4711, position 500: cpu made ", wrong_buffer(GPURANMAR_KEYED));
    STOPS("seed 4711, position 500: cpu made ", const double *drawn; make_wrong();
          gpuranmar_stream_draw(open_stream(GPURANMAR_DOUBLE, GPURANMAR_CPU, 1), &drawn, 1));
    STOPS("seed 18446744073709551615, position 500: cpu made ", make_wrong();
          gpuranmar_stream_get(OPEN(.seed = -1, .flavour = GPURANMAR_KEYED), u, 1));
    /* the second of two threads begins at number 300000 */
    STOPS("seed 4711, position 507: cpu made ",
          gpuranmar_stream *const s = open_stream(GPURANMAR_DOUBLE, GPURANMAR_CPU, 1);
          gpuranmar_stream_seek(s, 7); make_wrong(); gpuranmar_stream_fill(s, u, 600000));
    STOPS("seed 4711, position 4700: cpu made ", wrong_instance(2));
    STOPS("seed 4711, position 13700: cpu made ", wrong_instance(7));
    STOPS("seed 4711, position 500: cuda made ", gpuranmar_stream_get(wrong_gpu(), u, 10));
    STOPS("seed 4711, position 500: cuda made ", gpuranmar_stream_fill(wrong_gpu(), u, 2000));
    STOPS("seed 4711, position 1526: cuda made ", flip_on_device());
    STOPS("seed 30083, position 500: cpu made ", wrong_common());
    STOPS("seed 30083, position 500: cpu made ", start_sequence(); make_wrong();
          grnvec_(u, &(int32_t){5000}, &second));
    STOPS("seed 12, position 501: cpu made ", put_state(); make_wrong(); rmmard_(u, &one, &second));
    STOPS("an engine from its start on, position 500: cpu made ", wrong_engine());
    STOPS("seed 4711, position 1500: cpu made ", wrong_after_a_failure());
}

/* --- The share --- */

#define HOLDS(share, call) ENDS_WELL(setenv("GPURANMAR_VERIFY", share, 1), call)

/* The number of chunks that are checked has a binomial distribution; it must lie within five
 * standard deviations. */
static int has_share(double share)
{
    enum { CHUNK = 8192, CHUNKS = 1000 };
    gpuranmar_stream *const s = open_stream(GPURANMAR_DOUBLE, GPURANMAR_CPU, 1);
    for (int i = 0; i < CHUNKS; ++i)
        gpuranmar_stream_fill(s, u, CHUNK);
    return fabs((double)defined / CHUNK - CHUNKS * share) <= 5 * sqrt(CHUNKS * share * (1 - share));
}

static void nothing_is_checked(void)
{
    make_wrong();
    gpuranmar_stream_fill(open_stream(GPURANMAR_DOUBLE, GPURANMAR_CPU, 1), u, 100000);
    wrong_common();
    wrong_engine();
}

/* Whether the first chunk of a stream, or the first buffer of an engine, is checked. */
static int is_checked(int by_engine)
{
    static gpuranmar_engine e;
    gpuranmar_engine_start(&e, "test", GPURANMAR_DOUBLE, GPURANMAR_ZERO_SMALLEST, 1, 0);
    if (by_engine)
        gpuranmar_engine_next(&e);
    else
        gpuranmar_stream_fill(open_stream(GPURANMAR_DOUBLE, GPURANMAR_CPU, 1), u, 1000);
    return defined > 0;
}

TEST(shares)
{
    HOLDS("0", nothing_is_checked());
    HOLDS("0.1", _exit(!has_share(0.1)));
    HOLDS("1.0", _exit(!has_share(1)));
    HOLDS(".5", _exit(!has_share(0.5)));
    setenv("GPURANMAR_VERIFY", ".5", 1);
    for (int by_engine = 0; by_engine < 2; ++by_engine) {
        int checked = 0; /* each process makes another choice */
        for (int i = 0; i < 40; ++i)
            IN_A_CHILD(0, checked += !ends_well(this_child), _exit(is_checked(by_engine)));
        assert_in_range(checked, 1, 39);
    }
}

/* --- What is right --- */

/* Streams that move, go back, and come from a buffer or past it, by one and several back ends. */
static void right_streams(void)
{
    for (int i = 0; i < 5; ++i) { /* the fake takes one instance */
        gpuranmar_stream *const s =
            open_stream(GPURANMAR_DOUBLE, i & 1 ? GPURANMAR_CUDA : GPURANMAR_CPU, i < 4 ? 1 : 3);
        for (int k = 0; k < 20; ++k) {
            gpuranmar_stream_get(s, u, random_in(1, 1500));
            gpuranmar_stream_fill(s, u, random_in(1, 20000));
            gpuranmar_stream_seek(s, random_in(0, 100000));
        }
        gpuranmar_stream_close(s);
    }
}

static void right_sequences(void)
{
    const int32_t n = 700;
    put_state();
    for (int i = 0; i < 20; ++i) {
        grnvec_(u, &n, &second);
        rmmard_(u, &one, &second);
        gpuranmar_get_unbuffered(2, u, 5000);
    }
}

static void draw_once_more(void)
{
    gpuranmar_get(2, u, 5000);
}

/* A program that draws wrong numbers from an exit handler ends all the same. */
static void draws_at_exit(void)
{
    start_sequence();
    atexit(draw_once_more);
    wrong_common();
}

TEST(right)
{
    HOLDS("1", right_streams());
    HOLDS("1", right_sequences());
    setenv("GPURANMAR_VERIFY", "1", 1);
    STOPS("seed 30083, position 500: ", draws_at_exit());
}
