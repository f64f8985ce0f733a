/* restart FOLDER LAP BATCHES draws from a stream of each kind, batch by batch. After each batch it
 * writes one line to FOLDER/output, and replaces the checkpoint, from which it goes on when it is
 * started again. Its output depends on LAP, which chooses the seeds, and BATCHES alone. The GPU is
 * the fake one of fake_plugin.h. */
#include <fcntl.h>
#include <inttypes.h>

#include "fake_plugin.h"
#include "gpuranmar.h"

enum { STREAMS = 7, MOST = 3000, LINE = 1 + 16 * STREAMS };

static const gpuranmar_options kinds[STREAMS] = {
    {sizeof kinds[0], 0, 0, GPURANMAR_DOUBLE, GPURANMAR_CPU, 1, 0, 1, 0},
    {sizeof kinds[0], 1, 0, GPURANMAR_SINGLE, GPURANMAR_CPU, 1, 0, 1, 0},
    {sizeof kinds[0], 2, 4000, GPURANMAR_EXTENDED, GPURANMAR_CPU, 7, 1000, 1, 0},
    {sizeof kinds[0], 3, UINT64_C(1) << 50, GPURANMAR_KEYED, GPURANMAR_CPU, 1, 100, 1, 0},
    {sizeof kinds[0], 4, 0, GPURANMAR_DOUBLE, GPURANMAR_CUDA, 1, 2000, 1, 0},
    {sizeof kinds[0], 5, 0, GPURANMAR_DOUBLE, GPURANMAR_CPU, 1, 0, 2, 0},
    {sizeof kinds[0], 6, 12345, GPURANMAR_KEYED, GPURANMAR_CPU, 1, 500, 1, 0},
};
static gpuranmar_stream *streams[STREAMS];

static void fail(const char *what, const char *why)
{
    fprintf(stderr, "restart: %s: %s\n", what, why);
    exit(1);
}

static void must(int error)
{
    if (error)
        fail("libgpuranmar", gpuranmar_last_error());
}

/* The requests of a batch are a function of its number, so that a program that goes on makes the
 * same requests. */
static unsigned choose(uint64_t *chooser, unsigned below)
{
    *chooser = *chooser * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)(*chooser >> 33) % below;
}

/* FNV-1a over the integers that the numbers are: the same on machines of any byte order. */
static uint64_t digest(uint64_t sum, const void *numbers, size_t n, int single)
{
    for (size_t i = 0; i < n; ++i) {
        const uint64_t u = single ? (uint64_t)(((const float *)numbers)[i] * 0x1p24f)
                                  : (uint64_t)(((const double *)numbers)[i] * 0x1p48);
        for (int byte = 0; byte < 6; ++byte)
            sum = (sum ^ (u >> 8 * byte & 0xff)) * UINT64_C(0x100000001b3);
    }
    return sum;
}

/* A request of some size by one of the calls; now and then so large that threads share it. */
static uint64_t request(gpuranmar_stream *s, int single, uint64_t *chooser, uint64_t sum)
{
    static double large[1 << 19];
    const size_t most = sizeof large / sizeof *large;
    const size_t n = choose(chooser, 500) ? 1 + choose(chooser, MOST) : most;
    const void *numbers = large;
    switch (choose(chooser, 4)) {
    case 0:
        must(single ? gpuranmar_stream_get_single(s, (float *)large, n)
                    : gpuranmar_stream_get(s, large, n));
        break;
    case 1:
        must(single ? gpuranmar_stream_draw_single(s, (const float **)&numbers, n)
                    : gpuranmar_stream_draw(s, (const double **)&numbers, n));
        break;
    case 2:
        must(gpuranmar_stream_skip(s, n));
        return sum;
    default:
        must(single ? gpuranmar_stream_fill_single(s, (float *)large, n)
                    : gpuranmar_stream_fill(s, large, n));
    }
    return digest(sum, numbers, n, single);
}

static void write_all(int file, const char *name, const char *text, size_t size)
{
    if (write(file, text, size) != (ssize_t)size || fsync(file))
        fail(name, "cannot be written");
}

/* The states of the streams after so many batches. */
static void save(long batches)
{
    char text[32 + STREAMS * (GPURANMAR_SAVED_STATE_SIZE + 1)];
    int length = sprintf(text, "%ld\n", batches);
    for (int k = 0; k < STREAMS; ++k) {
        must(gpuranmar_stream_save(streams[k], text + length, GPURANMAR_SAVED_STATE_SIZE));
        length += GPURANMAR_SAVED_STATE_SIZE;
        text[length++] = '\n';
    }
    const int file = open("checkpoint.new", O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (file < 0)
        fail("checkpoint.new", "cannot be made");
    write_all(file, "checkpoint.new", text, (size_t)length);
    if (close(file) || rename("checkpoint.new", "checkpoint"))
        fail("checkpoint", "cannot be replaced");
}

/* Has the streams go on from the checkpoint. Returns how many batches came before it, 0 where there
 * is none. */
static long restore(void)
{
    long batches;
    char saved[GPURANMAR_SAVED_STATE_SIZE + 1];
    FILE *const file = fopen("checkpoint", "r");
    if (!file)
        return 0;
    if (fscanf(file, "%ld\n", &batches) != 1)
        fail("checkpoint", "is damaged");
    for (int k = 0; k < STREAMS; ++k) {
        if (fread(saved, 1, sizeof saved, file) != sizeof saved)
            fail("checkpoint", "is damaged");
        must(gpuranmar_stream_restore(streams[k], saved, sizeof saved));
    }
    fclose(file);
    return batches;
}

int main(int argc, char **argv)
{
    if (argc != 4 || chdir(argv[1])) {
        fprintf(stderr, "usage: restart FOLDER LAP BATCHES\n");
        return 2;
    }
    const long lap = atol(argv[2]), batches = atol(argv[3]);
    for (int k = 0; k < STREAMS; ++k) {
        gpuranmar_options o = kinds[k];
        o.seed = (1802 * 30082 + 1009 * lap + k) % 942377568;
        must(gpuranmar_stream_initialise(&streams[k], &o));
    }
    const int output = open("output", O_WRONLY | O_CREAT, 0666);
    long batch = restore();
    if (output < 0 || lseek(output, batch * LINE, SEEK_SET) < 0)
        fail("output", "cannot be opened");
    for (; batch < batches; ++batch) {
        char line[LINE + 1];
        for (int k = 0; k < STREAMS; ++k) {
            uint64_t chooser = (uint64_t)(lap * 1000003 + batch * STREAMS + k) * 31;
            uint64_t sum = UINT64_C(0xcbf29ce484222325);
            for (int i = 0; i < 3; ++i)
                sum = request(streams[k], kinds[k].flavour == GPURANMAR_SINGLE, &chooser, sum);
            sprintf(line + 16 * k, "%016" PRIx64, sum);
        }
        line[LINE - 1] = '\n';
        write_all(output, "output", line, LINE); /* before the checkpoint that counts it */
        save(batch + 1);
    }
    for (int k = 0; k < STREAMS; ++k)
        gpuranmar_stream_close(streams[k]);
    return 0;
}
