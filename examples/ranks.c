/* MPI: one sequence, cut among the ranks by position. The result is the same for any number of
 * ranks. */
#include <gpuranmar.h>
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    const long points = 1000000;
    int rank, ranks;
    long n = 0, all;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);

    const long first = points * rank / ranks, last = points * (rank + 1) / ranks;
    gpuranmar_options options = GPURANMAR_OPTIONS_INIT;
    gpuranmar_stream *stream;
    options.seed = 1802;
    options.position = 2 * (uint64_t)first;
    options.threads = 1;
    if (gpuranmar_stream_initialise(&stream, &options)) {
        fprintf(stderr, "%s\n", gpuranmar_last_error());
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    for (long i = first; i < last; ++i) {
        double x[2];
        gpuranmar_stream_get(stream, x, 2);
        n += x[0] * x[0] + x[1] * x[1] < 1;
    }
    gpuranmar_stream_close(stream);

    MPI_Reduce(&n, &all, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%ld of %ld points lie in the circle\n", all, points);
    MPI_Finalize();
}
