/* The back ends of a stream: the numbers stay the same whichever makes them. The GPU here is a
 * fake on the CPU (fake_plugin.h), each call of which fails in turn. */
#include "child.h"
#include "fake_plugin.h"
#include "fill/thread_pool.h"
#include "gpuranmar.h"
#include "stream/stream.h"
#include "tests.h"

enum { MOST = 20000 };
static double expected[MOST], got[MOST];

static gpuranmar_stream *open_stream(int backend, int64_t prefetch)
{
    const int64_t seed = (int64_t)random_in(0, 942377567);
    struct ranmar_state state;
    ranmar_seed(&state, ranmar_flavour(GPURANMAR_DOUBLE), seed);
    ranmar_fill_scalar(&state, ranmar_flavour(GPURANMAR_DOUBLE), expected, MOST);
    memset(&fake, 0, sizeof fake);
    return OPEN(.seed = seed, .backend = backend, .prefetch = prefetch, .threads = 1);
}

static void draw(gpuranmar_stream *s, size_t at, size_t n)
{
    assert_int_equal(gpuranmar_stream_get(s, got + at, n), GPURANMAR_OK);
    assert_memory_equal(got + at, expected + at, n * sizeof *got);
}

static void fill(gpuranmar_stream *s, size_t at, size_t n)
{
    assert_int_equal(gpuranmar_stream_fill(s, got + at, n), GPURANMAR_OK);
    assert_memory_equal(got + at, expected + at, n * sizeof *got);
}

static void seek(gpuranmar_stream *s, size_t at)
{
    assert_int_equal(gpuranmar_stream_seek(s, at), GPURANMAR_OK);
}

/* Requests that blocks serve, one that is too long for a block, and seeks, which leave the numbers
 * of the buffer there if they stay within it. Whichever of the plugin's calls fails, the numbers
 * are the same. */
static void use(gpuranmar_stream *s)
{
    draw(s, 0, 10); /* open, set, make three blocks */
    seek(s, 10);
    draw(s, 10, 500);
    seek(s, 900);
    draw(s, 900, 50);
    seek(s, 1000);
    draw(s, 1000, 10);  /* make the next block */
    fill(s, 1010, 990); /* the buffer's rest */
    fill(s, 2000, 500); /* make the next block */
    fill(s, 2500, 700); /* the block's rest; make the next one */
    draw(s, 3200, 10);  /* the block's rest; make the next one */
    seek(s, 6000);
    draw(s, 6000, 10); /* set, make three blocks */
    seek(s, 700);
    fill(s, 700, 100);  /* set, make three blocks */
    draw(s, 800, 3000); /* set, make: longer than a block */
}

/* A process that is forked while the plugin is being loaded makes its numbers on the CPU. The
 * plugin is loaded once, so no test comes before. */
static gpuranmar_options options_in_child;

static void draw_in_child(void)
{
    IN_A_CHILD(0, assert_true(ends_well(this_child)), {
        gpuranmar_stream *s;
        assert_non_null(freopen("/dev/null", "w", stderr));
        gpuranmar_stream_initialise(&s, &options_in_child);
        gpuranmar_stream_get(s, got, 1000);
        _exit(fake.opens != 0 || memcmp(got, expected, 1000 * sizeof *got) != 0);
    });
    fake.at_entry = NULL;
}

TEST(forked_while_loading)
{
    gpuranmar_stream *const s = open_stream(GPURANMAR_CUDA, 1000);
    fake.at_entry = draw_in_child;
    options_in_child = s->options;
    draw(s, 0, 10);
    assert_null(fake.at_entry); /* it was called */
    assert_int_equal(fake.opens, 1);
    gpuranmar_stream_close(s);
}

TEST(asked_by_name)
{
    gpuranmar_stream *const s = open_stream(GPURANMAR_CUDA, 1000);
    use(s);
    assert_true(fake.opens == 1 && fake.sets == 4 && fake.makes == 14);
    assert_int_equal(s->backend->times, 8);
    assert_int_equal(s->backend->next->times, 0);
    gpuranmar_stream_close(s);
    assert_int_equal(fake.closes, 1);
}

TEST(not_asked)
{
    gpuranmar_stream *const s = open_stream(GPURANMAR_CPU, 1000);
    use(s);
    gpuranmar_stream_close(s);
    assert_int_equal(fake.calls, 0);
}

/* Requests of one number are served from blocks too, also if the buffer has one number. */
TEST(smallest_requests)
{
    const double *drawn;
    gpuranmar_stream *const s = open_stream(GPURANMAR_CUDA, 1);
    draw(s, 0, 1);
    fill(s, 1, 1);
    assert_int_equal(gpuranmar_stream_draw(s, &drawn, 1), GPURANMAR_OK);
    assert_memory_equal(drawn, expected + 2, sizeof *drawn);
    assert_int_equal(fake.makes, 3);
    gpuranmar_stream_close(s);
}

/* A draw in place that reaches across the end of a block is copied out of two blocks, and not made
 * at once, even if it is most of a block: the next draw would need all blocks again. */
TEST(draws_across_blocks)
{
    enum { LENGTH = 2000, BLOCK = 3000, DRAWS = 9 };
    const double *drawn;
    gpuranmar_stream *const s = open_stream(GPURANMAR_CUDA, BLOCK);
    for (size_t at = 0; at < DRAWS * LENGTH; at += LENGTH) {
        assert_int_equal(gpuranmar_stream_draw(s, &drawn, LENGTH), GPURANMAR_OK);
        assert_memory_equal(drawn, expected + at, LENGTH * sizeof *drawn);
    }
    assert_int_equal(fake.sets, 1);
    assert_int_equal(fake.makes, DRAWS * LENGTH / BLOCK + 2); /* two are made ahead */
    fill(s, DRAWS * LENGTH, LENGTH);
    assert_int_equal(fake.sets, 2); /* made at once */
    gpuranmar_stream_close(s);
}

/* More than half a block is made at once in memory that the device can write to. Other memory gets
 * its numbers from blocks, up to a block, and if blocks are made ahead. */
TEST(more_than_half_a_block)
{
    static const struct {
        int64_t block;
        size_t n;
        int unwritable, makes, sets; /* two sets: one to ask, and one for the blocks */
    } rows[] = {{3000, 2000, 0, 1, 1},
                {3000, 2000, 1, 3, 2},
                {3000, 6000, 1, 2, 1},
                {16001, 10000, 1, 3, 1}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        gpuranmar_stream *const s = open_stream(GPURANMAR_CUDA, rows[i].block);
        fake.unwritable = rows[i].unwritable;
        fill(s, 0, rows[i].n);
        assert_int_equal(fake.makes, rows[i].makes);
        assert_int_equal(fake.sets, rows[i].sets);
        gpuranmar_stream_close(s);
    }
}

/* Three blocks are made ahead, but only one if it is large. */
TEST(large_blocks)
{
    for (int64_t prefetch = 16000; prefetch <= 16001; ++prefetch) {
        gpuranmar_stream *const s = open_stream(GPURANMAR_CUDA, prefetch);
        draw(s, 0, 1);
        assert_int_equal(fake.makes, prefetch == 16000 ? 3 * 4 : 5);
        gpuranmar_stream_close(s);
    }
}

/* Two devices share a request, but not that of a stream of several instances. */
TEST(several_devices)
{
    for (int instances = 1; instances <= 2; ++instances) {
        gpuranmar_stream_close(open_stream(GPURANMAR_CUDA, 1000)); /* resets the fake */
        fake.more_devices = 1;
        gpuranmar_stream *const s = OPEN(.backend = GPURANMAR_CUDA, .instances = instances);
        assert_int_equal(gpuranmar_stream_fill(s, got, MOST), GPURANMAR_OK);
        assert_int_equal(fake.opens, instances == 1 ? 2 : 1);
        gpuranmar_stream_close(s);
    }
}

/* After a failure the GPU's back end is closed and not asked again. */
TEST(each_call_fails)
{
    const int calls = 19;
    for (int at = 1; at <= calls; ++at) {
        gpuranmar_stream *const s = open_stream(GPURANMAR_CUDA, 1000);
        fake.fail_at = at;
        use(s);
        assert_int_equal(fake.calls, at);
        assert_int_equal(s->backend->times + s->backend->next->times, 8);
        assert_true(s->backend->next->times > 0);
        gpuranmar_stream_close(s);
        assert_int_equal(fake.closes, at > 1);
    }
}

/* What the parent makes after the fork overwrites the memory of the child's blocks. The child takes
 * its next 100 numbers by a copy or `in_place`, leaves alone what the parent has on the GPU, and
 * opens a device of its own. */
static void forked_at(size_t drawn_before, int in_place)
{
    gpuranmar_stream *const s = open_stream(GPURANMAR_CUDA, 1000);
    int go[2];
    char byte = 0;
    assert_int_equal(pipe(go), 0);
    draw(s, 0, drawn_before);
    const struct child child = start_child(0);
    if (child.pid == 0) {
        const double *drawn;
        if (read(go[0], &byte, 1) != 1)
            _exit(2);
        if (in_place && gpuranmar_stream_draw(s, &drawn, 100) == GPURANMAR_OK)
            memcpy(got + drawn_before, drawn, 100 * sizeof *got);
        else
            gpuranmar_stream_get(s, got + drawn_before, 100);
        gpuranmar_stream_draw(s, &drawn, 1000);
        memcpy(got + drawn_before + 100, drawn, 1000 * sizeof *got);
        gpuranmar_stream_close(s);
        _exit(memcmp(got, expected, (drawn_before + 1100) * sizeof *got) != 0 || fake.opens != 2 ||
              fake.closes != 1);
    }
    draw(s, drawn_before, 1000 - drawn_before);
    for (size_t at = 1000; at < 3000; at += 500)
        draw(s, at, 500);
    assert_int_equal(write(go[1], &byte, 1), 1);
    assert_true(ends_well(child));
    assert_int_equal(fake.opens, 1);
    close(go[0]);
    close(go[1]);
    gpuranmar_stream_close(s);
}

TEST(forked_within_a_buffer)
{
    forked_at(500, 0);
    forked_at(500, 1);
    forked_at(999, 0); /* one number is left */
}

/* Threads copy numbers from a GPU's memory; memory behind the copy keeps its value. */
TEST(copies)
{
    enum { MOST_BYTES = (4 << 20) + 5 };
    static const size_t sizes[] = {0,       1,
                                   1 << 20, (2 << 20) - 1,
                                   2 << 20, (2 << 20) + 1,
                                   3 << 20, (3 << 20) + 1000,
                                   4 << 20, MOST_BYTES};
    char *const from = malloc(MOST_BYTES), *const to = malloc(MOST_BYTES + 1);
    assert_true(from && to);
    for (size_t i = 0; i < MOST_BYTES; ++i)
        from[i] = (char)(i * 2654435761u >> 13);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i)
        for (int threads = 1; threads <= 4; ++threads) {
            memset(to, 0x55, MOST_BYTES + 1);
            ranmar_copy_by_threads(to, from, sizes[i], threads);
            assert_memory_equal(to, from, sizes[i]);
            assert_int_equal(to[sizes[i]], 0x55);
        }
    free(from);
    free(to);
}
