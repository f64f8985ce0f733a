/* gpuranmar numbers: writes the numbers of a sequence to standard output. */
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ranges.h"
#include "command/command.h"
#include "definition/flavour.h"
#include "gpuranmar.h"

static const char usage[] =
    "usage: gpuranmar numbers [OPTION]...\n"
    "Writes the numbers of a sequence to standard output, one a line unless --raw is given.\n"
    "\n"
    "  --seed IJKL         0..942438977, default 54217137; keyed: 0..18446744073709551615\n"
    "  --position N        numbers to skip, by jump-ahead\n"
    "  --count N           how many numbers; default: until the reader stops\n"
    "  --flavour NAME      default double; one of"
#define FLAVOUR(CODE, name) " " #name
#include "definition/flavours.def"
#undef FLAVOUR
    "\n"
    "  --instances P       interleave P sequences in blocks of --prefetch\n"
    "  --prefetch B        numbers in a block\n"
    "  --raw numbers       the numbers as they are in memory: doubles; of single, floats\n"
    "  --raw words         the highest 32 bits of each number (single: all 24), lowest byte first\n"
    "  --raw lowest        the lowest 32 bits of each number, lowest byte first\n"
    "\n"
    "  gpuranmar numbers --raw words | RNG_test stdin32              PractRand\n"
    "  gpuranmar numbers --raw lowest | dieharder -a -g 200\n";

enum { BLOCK = 1 << 14, LINE = 32 };

enum format { NUMBERS, WORDS, LOWEST, TEXT };

/* Writes n numbers as text or words to `out`; returns how many bytes. */
static size_t format_numbers(const void *numbers, size_t n, int single, enum format format,
                             unsigned char *out)
{
    size_t used = 0;
    for (size_t i = 0; i < n; ++i) {
        const double u =
            single ? (double)((const float *)numbers)[i] : ((const double *)numbers)[i];
        if (format == TEXT) { /* with enough digits to distinguish all numbers */
            used += (size_t)sprintf((char *)out + used, single ? "%.9g\n" : "%.17g\n", u);
            continue;
        }
        const uint64_t bits = (uint64_t)(u * (single ? 0x1p24 : 0x1p48)),
                       word = single || format == LOWEST ? bits : bits >> 16;
        for (int byte = 0; byte < (single ? 3 : 4); ++byte)
            out[used++] = (unsigned char)(word >> 8 * byte);
    }
    return used;
}

/* Writes `count` numbers to standard output. Endless output ends when nobody reads it. */
static void print_numbers(gpuranmar_stream *stream, int single, enum format format, uint64_t count,
                          int endless)
{
    static double numbers[BLOCK];
    static unsigned char text[BLOCK * LINE];
    /* If the reader has gone, writing must fail; no signal may end the program. */
    signal(SIGPIPE, SIG_IGN);
    for (uint64_t left = count; left > 0;) {
        const size_t n = left < BLOCK ? (size_t)left : BLOCK;
        if (single ? gpuranmar_stream_fill_single(stream, (float *)numbers, n)
                   : gpuranmar_stream_fill(stream, numbers, n))
            command_fail("%s", gpuranmar_last_error());
        if (format == NUMBERS)
            fwrite(numbers, single ? sizeof(float) : sizeof(double), n, stdout);
        else
            fwrite(text, format_numbers(numbers, n, single, format, text), 1, stdout);
        if (ferror(stdout) && endless && errno == EPIPE)
            return;
        if (ferror(stdout))
            command_fail_output();
        left -= n;
    }
    command_close_output();
}

int command_numbers(int argc, char **argv)
{
    command_name = "gpuranmar numbers";
    gpuranmar_options options = GPURANMAR_OPTIONS_INIT;
    const char *seed = NULL;
    uint64_t count = UINT64_MAX;
    uint64_t instances = (uint64_t)options.instances, prefetch = (uint64_t)options.prefetch;
    static const char *const formats[] = {"numbers", "words", "lowest", NULL};
    int raw = TEXT;
    const struct command_option known[] = {
        {"seed", .text = &seed},
        {"position", .number = &options.position, .high = RANMAR_POSITION_MAX},
        {"count", .number = &count, .high = RANMAR_POSITION_MAX},
        {"flavour", .word = &options.flavour, .words = ranmar_flavour_names},
        {"instances", .number = &instances, .low = 1, .high = RANMAR_INSTANCES_MAX},
        {"prefetch", .number = &prefetch, .low = 1, .high = RANMAR_PREFETCH_MAX},
        {"raw", .word = &raw, .words = formats},
        {NULL},
    };
    command_options(argc, argv, known, usage);
    if (seed)
        options.seed = (int64_t)command_number(
            "--seed", seed, 0,
            ranmar_flavour(options.flavour)->keyed ? UINT64_MAX : (uint64_t)RANMAR_SEED_MAX);
    options.instances = (int64_t)instances;
    options.prefetch = (int64_t)prefetch;
    options.threads = 1;
    if (optind < argc)
        command_refuse("'%s': only options are taken", argv[optind]);
    const int single = ranmar_flavour(options.flavour)->bits == 24;
    const uint64_t most = RANMAR_POSITION_MAX - options.position;
    const int endless = count == UINT64_MAX;
    if (!endless && count > most)
        command_refuse("--count: %" PRIu64 " from position %" PRIu64 " is past 2^63", count,
                       options.position);

    gpuranmar_stream *stream = NULL;
    if (gpuranmar_stream_initialise(&stream, &options))
        command_refuse("%s", gpuranmar_last_error());
    print_numbers(stream, single, (enum format)raw, endless ? most : count, endless);
    gpuranmar_stream_close(stream);
    return COMMAND_DONE;
}
