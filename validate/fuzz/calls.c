/* Sequences of calls on streams against a model that shares no code with the library: RANMAR in
 * floating point, as James published it, kept as one long array of numbers for each sequence. The
 * bytes of the input are the calls and their arguments. */
#include "fuzz.h"
#include "gpuranmar.h"

#include "../tests/published.h"

/* --- The model --- */

enum { LENGTH = 12000, SEEDS = 4, STREAMS = 3 };

static const int64_t seeds[SEEDS] = {54217137, 0, 30081, 942377567};

static void make_numbers(int flavour, int64_t seed, double *numbers)
{
    const int bits = flavour == GPURANMAR_SINGLE ? 24 : 48;
    const double tiny = bits == 24 ? 0x1p-24 : 0x1p-48;
    struct published g;
    published_start(&g, (int)seed, bits,
                    flavour >= GPURANMAR_EXTENDED ? &published_48 : &published_24);
    for (int i = 0; i < LENGTH; ++i) {
        const double u = published_next(&g);
        numbers[i] = u == 0 ? tiny : u;
    }
}

/* The flavours that the model knows: those of the published recurrence. */
enum { FLAVOURS = GPURANMAR_EXTENDED + 1, INSTANCES = 3 };
static double numbers_of[FLAVOURS][SEEDS][INSTANCES][LENGTH];

static void make_model(void)
{
    for (int f = 0; f < FLAVOURS; ++f)
        for (int s = 0; s < SEEDS; ++s)
            for (int p = 0; p < INSTANCES; ++p) {
                const int64_t ij = seeds[s] / 30082, kl = seeds[s] % 30082;
                make_numbers(f, ij * 30082 + (kl + p) % 30082, numbers_of[f][s][p]);
            }
}

/* What the model knows of a stream; `stream` is NULL where there is none. */
struct modelled {
    gpuranmar_stream *stream;
    int flavour, seed;
    uint64_t instances, prefetch, position;
};

/* The number at a position of a stream, by the rule for instances in gpuranmar.h. */
static double number_at(const struct modelled *m, uint64_t position)
{
    const uint64_t block = position / m->prefetch;
    uint64_t offset = position % m->prefetch;
    if (m->instances == 1)
        return numbers_of[m->flavour][m->seed][0][position];
    for (uint64_t p = 0; p < m->instances; ++p) {
        const uint64_t length = m->prefetch / m->instances + (p < m->prefetch % m->instances);
        if (offset < length)
            return numbers_of[m->flavour][m->seed][p][block * length + offset];
        offset -= length;
    }
    abort();
}

/* --- The calls --- */

static struct modelled streams[STREAMS];

static void close_stream(struct modelled *m)
{
    gpuranmar_stream_close(m->stream);
    m->stream = NULL;
}

static void open_stream(struct modelled *m, struct input *in)
{
    gpuranmar_options o = GPURANMAR_OPTIONS_INIT;
    close_stream(m);
    m->flavour = (int)(next_bytes(in, 1) % FLAVOURS);
    m->seed = (int)(next_bytes(in, 1) % SEEDS);
    m->instances = 1 + next_bytes(in, 1) % INSTANCES;
    m->prefetch = 1 + next_bytes(in, 2) % 3000;
    m->position = next_bytes(in, 2) % LENGTH;
    o.backend = GPURANMAR_CPU;
    o.flavour = m->flavour;
    o.seed = seeds[m->seed];
    o.instances = (int64_t)m->instances;
    o.prefetch = (int64_t)m->prefetch;
    o.position = m->position;
    o.threads = 1;
    REQUIRE(gpuranmar_stream_initialise(&m->stream, &o) == GPURANMAR_OK);
}

static void draw(struct modelled *m, size_t n, int how)
{
    const int single = m->flavour == GPURANMAR_SINGLE;
    /* Of the exact size, so that the sanitizer sees what is written beyond. */
    void *const room = malloc(n * sizeof(double) + 1);
    const double *doubles = room;
    const float *singles = room;
    gpuranmar_stream *const s = m->stream;
    int error;
    if (how == 0)
        error = single ? gpuranmar_stream_get_single(s, room, n) : gpuranmar_stream_get(s, room, n);
    else if (how == 1)
        error =
            single ? gpuranmar_stream_fill_single(s, room, n) : gpuranmar_stream_fill(s, room, n);
    else
        error = single ? gpuranmar_stream_draw_single(s, &singles, n)
                       : gpuranmar_stream_draw(s, &doubles, n);
    REQUIRE(error == (how == 2 && n == 0 ? GPURANMAR_BAD_ARGUMENT : GPURANMAR_OK));
    for (size_t i = 0; i < n; ++i)
        REQUIRE((single ? (double)singles[i] : doubles[i]) == number_at(m, m->position + i));
    m->position += n;
    free(room);
}

static void move_to(struct modelled *m, uint64_t position)
{
    REQUIRE(gpuranmar_stream_seek(m->stream, position) == GPURANMAR_OK);
    m->position = position;
}

/* Goes to a far position and back. There the model has no numbers, and checks the position alone.
 * */
static void far_away(struct modelled *m, uint64_t position)
{
    const uint64_t back = m->position;
    const int good = position <= UINT64_C(1) << 63;
    REQUIRE(gpuranmar_stream_seek(m->stream, position) ==
            (good ? GPURANMAR_OK : GPURANMAR_BAD_ARGUMENT));
    if (good)
        REQUIRE(gpuranmar_stream_skip(m->stream, (UINT64_C(1) << 63) - position + 1) ==
                GPURANMAR_BAD_ARGUMENT);
    move_to(m, back);
}

static void save_to(const struct modelled *from, struct modelled *to)
{
    char text[GPURANMAR_SAVED_STATE_SIZE];
    gpuranmar_stream *const stream = to->stream;
    const uint64_t prefetch = to->prefetch;
    REQUIRE(gpuranmar_stream_save(from->stream, text, sizeof text) == GPURANMAR_OK);
    if (!stream)
        return;
    REQUIRE(gpuranmar_stream_restore(stream, text, sizeof text) == GPURANMAR_OK);
    *to = *from;
    to->stream = stream;
    if (to->instances == 1)
        to->prefetch = prefetch;
}

static void copy_to(const struct modelled *from, struct modelled *to)
{
    gpuranmar_stream *copy;
    REQUIRE(gpuranmar_stream_copy(&copy, from->stream) == GPURANMAR_OK);
    gpuranmar_stream *const old = to->stream;
    *to = *from;
    to->stream = copy;
    gpuranmar_stream_close(old);
}

static void check_options(const struct modelled *m)
{
    gpuranmar_options o = GPURANMAR_OPTIONS_INIT;
    REQUIRE(gpuranmar_stream_options(m->stream, &o) == GPURANMAR_OK);
    REQUIRE(o.seed == seeds[m->seed] && o.flavour == m->flavour && o.position == m->position);
    REQUIRE(o.instances == (int64_t)m->instances && o.prefetch == (int64_t)m->prefetch);
}

static void one_call(struct modelled *m, struct input *in)
{
    const unsigned call = (unsigned)next_bytes(in, 1) % 9;
    const uint64_t left = LENGTH - m->position;
    struct modelled *const other = &streams[next_bytes(in, 1) % STREAMS];
    uint64_t position;
    if (!m->stream || call == 0) {
        open_stream(m, in);
        return;
    }
    switch (call) {
    case 1:
    case 2:
    case 3:
        draw(m, next_bytes(in, 2) % (left + 1), (int)call - 1);
        break;
    case 4:
        position = next_bytes(in, 2) % (left + 1);
        REQUIRE(gpuranmar_stream_skip(m->stream, position) == GPURANMAR_OK);
        m->position += position;
        break;
    case 5:
        move_to(m, next_bytes(in, 2) % (LENGTH + 1));
        break;
    case 6:
        far_away(m, next_bytes(in, 8));
        break;
    case 7:
        save_to(m, other);
        break;
    default:
        copy_to(m, other);
    }
    if (m->stream) {
        REQUIRE(gpuranmar_stream_position(m->stream, &position) == GPURANMAR_OK);
        REQUIRE(position == m->position);
        check_options(m);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static int made;
    struct input in = {data, size};
    if (!made)
        make_model();
    made = 1;
    while (in.size > 0)
        one_call(&streams[next_bytes(&in, 1) % STREAMS], &in);
    for (int i = 0; i < STREAMS; ++i)
        close_stream(&streams[i]);
    return 0;
}
