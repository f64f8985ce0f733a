#include "source.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "definition/flavour.h"
#include "gpuranmar.h"

enum { SECOND_SEEDS = 30082, SEED_MAX = 942438977, BLOCK = SOURCE_BLOCK };

static _Noreturn void fail(const char *line)
{
    fprintf(stderr, "crush-driver: %s\n", line);
    exit(2);
}

/* --- TestU01's own generators --- */

static unif01_Gen *open_ranmar(const struct source *s)
{
    const int ij = (int)(s->seed / SECOND_SEEDS), kl = (int)(s->seed % SECOND_SEEDS);
    return umarsa_CreateRANMAR(ij / 177 % 177 + 2, ij % 177 + 2, kl / 169 % 178 + 1, kl % 169);
}

static unif01_Gen *open_mrg32k3a(const struct source *s)
{
    const double seed = (double)(s->seed + 1);
    return ulec_CreateMRG32k3a(seed, seed, seed, seed, seed, seed);
}

static const struct {
    const char *name;
    unif01_Gen *(*open)(const struct source *s);
} foreign[] = {{"ranmar", open_ranmar}, {"mrg32k3a", open_mrg32k3a}};

static int foreign_number(const struct source *s)
{
    for (int i = 0; i < (int)(sizeof foreign / sizeof *foreign); ++i)
        if (strcmp(s->flavour, foreign[i].name) == 0)
            return i;
    return -1;
}

int source_can_jump(const struct source *s)
{
    return foreign_number(s) < 0;
}

/* --- Numbers, a block at a time --- */

static double blocks_u01(void *unused, void *state)
{
    (void)unused;
    struct source_blocks *b = state;
    if (b->next == b->end) {
        b->end = b->refill(b);
        b->next = 0;
    }
    return b->block[b->next++];
}

/* The highest 32 bits of a number, as TestU01 wants bits. */
static unsigned long blocks_bits(void *unused, void *state)
{
    return (unsigned long)(blocks_u01(unused, state) * 4294967296.0);
}

static void write_nothing(void *unused)
{
    (void)unused;
}

static void *allocated(size_t bytes)
{
    void *const p = calloc(1, bytes);
    if (!p)
        fail("no memory");
    return p;
}

unif01_Gen *source_of_blocks(struct source_blocks *state, int (*refill)(struct source_blocks *b))
{
    state->refill = refill;
    unif01_Gen *g = allocated(sizeof *g);
    static char name[] = "libgpuranmar: "; /* TestU01 looks behind the colon */
    *g = (unif01_Gen){state, NULL, name, blocks_u01, blocks_bits, write_nothing};
    return g;
}

/* --- Ours --- */

struct stream {
    struct source_blocks blocks;
    gpuranmar_options options;
    int first; /* numbers of each seed, or 0 */
    gpuranmar_stream *stream;
};

static void open_stream(struct stream *s)
{
    if (gpuranmar_stream_initialise(&s->stream, &s->options))
        fail(gpuranmar_last_error());
}

static int refill_stream(struct source_blocks *b)
{
    struct stream *s = (struct stream *)b;
    int error, n = BLOCK;
    if (s->first) {
        gpuranmar_stream_close(s->stream);
        open_stream(s);
        s->options.seed = (s->options.seed + 1) % 942377568;
        n = s->first;
    }
    if (s->options.flavour == GPURANMAR_SINGLE) {
        float block[BLOCK];
        error = gpuranmar_stream_fill_single(s->stream, block, (size_t)n);
        for (int i = 0; i < n; ++i)
            b->block[i] = block[i];
    } else {
        error = gpuranmar_stream_fill(s->stream, b->block, (size_t)n);
    }
    if (error)
        fail(gpuranmar_last_error());
    return n;
}

static unif01_Gen *open_ours(const struct source *s, uint64_t position)
{
    struct stream *stream = allocated(sizeof *stream);
    stream->options = (gpuranmar_options)GPURANMAR_OPTIONS_INIT;
    stream->options.seed = s->seed;
    stream->options.position = position;
    stream->options.flavour = ranmar_flavour_code(s->flavour);
    stream->options.instances = s->instances;
    stream->options.prefetch = s->prefetch;
    stream->options.threads = 1;
    stream->first = (int)s->first;
    if (!s->first)
        open_stream(stream);
    return source_of_blocks(&stream->blocks, refill_stream);
}

/* --- Differences --- */

struct difference {
    struct source_blocks blocks;
    unif01_Gen *first, *second;
};

static int refill_difference(struct source_blocks *b)
{
    const struct difference *d = (struct difference *)b;
    for (int i = 0; i < BLOCK; ++i) {
        const double u = d->first->GetU01(d->first->param, d->first->state) -
                         d->second->GetU01(d->second->param, d->second->state);
        b->block[i] = u < 0 ? u + 1 : u;
    }
    return BLOCK;
}

/* --- Bit windows --- */

struct window {
    struct source_blocks blocks;
    unif01_Gen *source;
    int first_bit, last_bit;
};

static uint64_t reversed(uint64_t v)
{
    v = (v >> 1 & UINT64_C(0x5555555555555555)) | (v & UINT64_C(0x5555555555555555)) << 1;
    v = (v >> 2 & UINT64_C(0x3333333333333333)) | (v & UINT64_C(0x3333333333333333)) << 2;
    v = (v >> 4 & UINT64_C(0x0f0f0f0f0f0f0f0f)) | (v & UINT64_C(0x0f0f0f0f0f0f0f0f)) << 4;
    return __builtin_bswap64(v);
}

static int refill_window(struct source_blocks *b)
{
    const struct window *w = (struct window *)b;
    const int backwards = w->first_bit > w->last_bit;
    const int last = backwards ? 47 - w->last_bit : w->last_bit;
    const int width = last - (backwards ? 47 - w->first_bit : w->first_bit) + 1;
    const uint64_t mask = (UINT64_C(1) << width) - 1;
    const double unit = 1.0 / (double)(UINT64_C(1) << width);
    for (int i = 0; i < BLOCK; ++i)
        b->block[i] = w->source->GetU01(w->source->param, w->source->state);
    for (int i = 0; i < BLOCK; ++i) {
        uint64_t u = (uint64_t)(int64_t)(b->block[i] * 0x1p48);
        if (backwards)
            u = reversed(u) >> 16;
        b->block[i] = (double)(int64_t)(u >> (47 - last) & mask) * unit;
    }
    return BLOCK;
}

static int has_window(const struct source *s)
{
    return s->first_bit != 0 || s->last_bit != 47;
}

void source_check(const struct source *s)
{
    const int is_foreign = foreign_number(s) >= 0;
    if (!is_foreign && ranmar_flavour_code(s->flavour) < 0) {
        fprintf(stderr, "crush-driver: --flavour: there is no '%s'\n", s->flavour);
        exit(2);
    }
    const int is_keyed = !is_foreign && ranmar_flavour(ranmar_flavour_code(s->flavour))->keyed;
    if (!is_keyed && (uint64_t)s->seed > SEED_MAX)
        fail("--seed: only keyed takes one above 942438977");
    if (!is_keyed && s->minus != SOURCE_NONE && (uint64_t)s->minus > SEED_MAX)
        fail("--minus: only keyed takes one above 942438977");
    if (is_foreign && s->position != 0 && s->position != SOURCE_ANYWHERE)
        fail("--position: TestU01's own generators start at 0");
    if (is_foreign && (s->instances > 1 || s->substreams || s->first))
        fail("--instances, --substreams, --first: TestU01's own generators have none");
    if (s->first > BLOCK)
        fail("--first: more than 512 numbers of a seed");
    if (has_window(s) && (s->first_bit > 23 || s->last_bit > 23) && !s->pair &&
        strcmp(s->flavour, "single") == 0)
        fail("--bits: single precision has bits 0..23");
}

/* The numbers of a seed before bits are taken from them. */
static unif01_Gen *open_numbers(const struct source *s)
{
    unif01_Gen *g;
    const int number = foreign_number(s);
    if (number >= 0) {
        g = foreign[number].open(s);
    } else if (s->substreams) {
        unif01_Gen **segments = allocated((size_t)s->substreams * sizeof *segments);
        for (int i = 0; i < s->substreams; ++i)
            segments[i] = open_ours(s, (uint64_t)(s->position + i * s->spacing));
        g = unif01_CreateParallelGen((int)s->substreams, segments, 1);
    } else {
        g = open_ours(s, (uint64_t)s->position);
    }
    if (s->pair)
        g = unif01_CreateDoubleGen(g, 24);
    return g;
}

unif01_Gen *source_open(const struct source *s)
{
    unif01_Gen *g = open_numbers(s);
    if (s->minus != SOURCE_NONE) {
        struct difference *d = allocated(sizeof *d);
        struct source other = *s;
        other.seed = s->minus;
        d->first = g;
        d->second = open_numbers(&other);
        g = source_of_blocks(&d->blocks, refill_difference);
    }
    if (has_window(s)) {
        struct window *w = allocated(sizeof *w);
        w->source = g;
        w->first_bit = (int)s->first_bit;
        w->last_bit = (int)s->last_bit;
        g = source_of_blocks(&w->blocks, refill_window);
    }
    return g;
}

const char *source_definition(const struct source *s)
{
    static char text[64];
    struct source plain = SOURCE_INIT;
    plain.flavour = s->flavour;
    plain.position = 0;
    unif01_Gen *const g = source_open(&plain);
    uint64_t sum = UINT64_C(14695981039346656037);
    for (int i = 0; i < 1000; ++i) {
        const uint64_t word = (uint64_t)(g->GetU01(g->param, g->state) * 0x1p53);
        for (int byte = 0; byte < 8; ++byte)
            sum = (sum ^ (word >> (8 * byte) & 255)) * UINT64_C(1099511628211);
    }
    snprintf(text, sizeof text, "%s-%016" PRIx64, s->flavour, sum);
    return text;
}
