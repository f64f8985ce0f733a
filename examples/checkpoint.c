/* Checkpoint and restart: `checkpoint FILE [BATCHES]` goes on from FILE if that exists. It counts
 * at most BATCHES of the 100 batches of points, and saves its state after each. */
#include <gpuranmar.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void check(int error)
{
    if (error) {
        fprintf(stderr, "%s\n", gpuranmar_last_error());
        exit(1);
    }
}

int main(int argc, char **argv)
{
    gpuranmar_options options = GPURANMAR_OPTIONS_INIT;
    gpuranmar_stream *stream;
    char saved[GPURANMAR_SAVED_STATE_SIZE + 1] = "";
    long batch = 0, n = 0, batches = argc > 2 ? atol(argv[2]) : 100;
    if (argc < 2) {
        fprintf(stderr, "usage: checkpoint FILE [BATCHES]\n");
        return 2;
    }
    options.seed = 1802;
    check(gpuranmar_stream_initialise(&stream, &options));
    FILE *file = fopen(argv[1], "r");
    if (file) {
        if (fscanf(file, "%ld %ld %80c", &batch, &n, saved) != 3) {
            fprintf(stderr, "checkpoint: %s is not a file that it has written\n", argv[1]);
            return 1;
        }
        check(gpuranmar_stream_restore(stream, saved, GPURANMAR_SAVED_STATE_SIZE));
        fclose(file);
    }
    for (; batch < 100 && batches > 0; --batches) {
        static double x[20000];
        check(gpuranmar_stream_fill(stream, x, 20000));
        for (int i = 0; i < 20000; i += 2)
            n += x[i] * x[i] + x[i + 1] * x[i + 1] < 1;
        ++batch;
        check(gpuranmar_stream_save(stream, saved, sizeof saved));
        /* A new file is on the disk before it takes FILE's place, so a crash leaves FILE whole. */
        char temporary[4096];
        snprintf(temporary, sizeof temporary, "%s.new", argv[1]);
        file = fopen(temporary, "w");
        if (!file || fprintf(file, "%ld %ld %s\n", batch, n, saved) < 0 || fflush(file) ||
            fsync(fileno(file)) || fclose(file) || rename(temporary, argv[1])) {
            perror(argv[1]);
            return 1;
        }
    }
    gpuranmar_stream_close(stream);
    if (batch == 100)
        printf("%ld of 1000000 points lie in the circle\n", n);
}
