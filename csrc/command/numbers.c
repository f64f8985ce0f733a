/* gpuranmar numbers: writes the numbers of a sequence to standard output. */
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command/command.h"
#include "definition/flavour.h"
#include "definition/ranges.h"
#include "gpuranmar.h"

static const char usage[] =
    "usage: gpuranmar numbers [OPTION]...\n"
    "Writes the numbers of a sequence to standard output, a line each unless --raw is given.\n"
    "\n"
    "  --seed IJKL         0..942438977, default 54217137; keyed: 0..18446744073709551615\n"
    "  --position N        numbers to skip, by jump-ahead\n"
    "  --count N           how many; without it, until the reader stops\n"
    "  --flavour NAME      default double; one of"
#define FLAVOUR(CODE, name) " " #name
#include "definition/flavours.def"
#undef FLAVOUR
    "\n"
    "  --instances P       interleave P sequences in blocks of --prefetch\n"
    "  --prefetch B        numbers in a block\n"
    "  --raw numbers       the numbers as they are in memory: doubles, or floats if single\n"
    "  --raw words         the highest 32 bits of each (single: 24), lowest byte first\n"
    "  --raw words --bits FIRST-LAST\n"
    "                      these bits, 0 the highest, 47 (single: 23) the lowest, in whole bytes,\n"
    "                      lowest byte first; in reverse order if FIRST is above LAST\n"
    "\n"
    "  gpuranmar numbers --raw words | RNG_test stdin32              PractRand\n"
    "  gpuranmar numbers --raw words --bits 16-47 | dieharder -a -g 200\n";

enum { BLOCK = 1 << 14, BYTES_MAX = 8, LINE = 32 };

struct format {
    enum kind { NUMBERS, WORDS, TEXT } kind;
    int first, last; /* bits of WORDS */
};

static void parse_bits(const char *text, int bits, struct format *format)
{
    uint64_t first, last;
    const char *const dash = strchr(text, '-');
    if (!dash || !command_read_number(text, dash, &first) ||
        !command_read_number(dash + 1, NULL, &last) || first >= (uint64_t)bits ||
        last >= (uint64_t)bits)
        command_refuse("--bits: '%s' is not FIRST-LAST, each in 0..%d", text, bits - 1);
    format->first = (int)first;
    format->last = (int)last;
    if ((abs(format->first - format->last) + 1) % 8)
        command_refuse("--bits: '%s' is no whole number of bytes", text);
}

/* Bits first..last of a number of `bits` bits, bit 0 the highest. Bit `last` becomes the lowest bit
 * of the result. */
static uint64_t extract(uint64_t word, int bits, const struct format *f)
{
    if (f->first <= f->last) {
        const int width = f->last - f->first + 1;
        return word >> (bits - 1 - f->last) & ((UINT64_C(1) << width) - 1);
    }
    uint64_t reversed = 0;
    for (int bit = f->first; bit >= f->last; --bit)
        reversed = reversed << 1 | (word >> (bits - 1 - bit) & 1);
    return reversed;
}

/* Writes n numbers as text or bytes to `out`; returns how many bytes. */
static size_t format_numbers(const void *numbers, size_t n, int single, const struct format *f,
                             unsigned char *out)
{
    const int bits = single ? 24 : 48;
    const double *const doubles = numbers;
    const float *const singles = numbers;
    const int bytes = (abs(f->last - f->first) + 1) / 8;
    size_t used = 0;
    for (size_t i = 0; i < n; ++i) {
        const double u = single ? (double)singles[i] : doubles[i];
        if (f->kind == TEXT) { /* with enough digits to distinguish all numbers */
            used += (size_t)sprintf((char *)out + used, single ? "%.9g\n" : "%.17g\n", u);
            continue;
        }
        uint64_t word = extract((uint64_t)(u * (single ? 0x1p24 : 0x1p48)), bits, f);
        for (int b = 0; b < bytes; ++b, word >>= 8)
            out[used++] = (unsigned char)word;
    }
    return used;
}

/* Writes all bytes to standard output. Returns 0 and sets errno on failure. */
static int write_all(const unsigned char *bytes, size_t size)
{
    while (size > 0) {
        const ssize_t written = write(STDOUT_FILENO, bytes, size);
        if (written < 0)
            return 0;
        bytes += written;
        size -= (size_t)written;
    }
    return 1;
}

static int deliver(gpuranmar_stream *stream, int single, const struct format *format,
                   uint64_t count, int endless)
{
    static double numbers[BLOCK];
    static unsigned char text[BLOCK * LINE];
    /* If the reader has gone, write() must fail; no signal may end the program. */
    signal(SIGPIPE, SIG_IGN);
    for (uint64_t left = count; left > 0;) {
        const size_t n = left < BLOCK ? (size_t)left : BLOCK;
        if (single ? gpuranmar_stream_fill_single(stream, (float *)numbers, n)
                   : gpuranmar_stream_fill(stream, numbers, n))
            command_fail("%s", gpuranmar_last_error());
        const int raw = format->kind == NUMBERS;
        const size_t size = raw ? n * (single ? sizeof(float) : sizeof(double))
                                : format_numbers(numbers, n, single, format, text);
        if (!write_all(raw ? (const unsigned char *)numbers : text, size)) {
            const int why = errno;
            if (why == EPIPE && endless) /* the normal end of endless output */
                return COMMAND_DONE;
            char wanted[32] = "";
            if (!endless)
                snprintf(wanted, sizeof wanted, " of %" PRIu64, count);
            command_fail("standard output: %s, after %" PRIu64 " to %" PRIu64 "%s numbers",
                         strerror(why), count - left, count - left + n, wanted);
        }
        left -= n;
    }
    /* Some file systems report only here that they could not keep the data. */
    if (close(STDOUT_FILENO))
        command_fail("standard output: %s", strerror(errno));
    return COMMAND_DONE;
}

int command_numbers(int argc, char **argv)
{
    command_name = "gpuranmar numbers";
    gpuranmar_options options = GPURANMAR_OPTIONS_INIT;
    const char *seed = NULL;
    uint64_t count = UINT64_MAX;
    uint64_t instances = (uint64_t)options.instances, prefetch = (uint64_t)options.prefetch;
    static const char *const kinds[] = {"numbers", "words", NULL};
    int raw = TEXT;
    const char *bits = NULL;
    const struct command_option known[] = {
        {"seed", .text = &seed},
        {"position", .number = &options.position, .high = RANMAR_POSITION_MAX},
        {"count", .number = &count, .high = RANMAR_POSITION_MAX},
        {"flavour", .word = &options.flavour, .words = ranmar_flavour_names},
        {"instances", .number = &instances, .low = 1, .high = RANMAR_INSTANCES_MAX},
        {"prefetch", .number = &prefetch, .low = 1, .high = RANMAR_PREFETCH_MAX},
        {"raw", .word = &raw, .words = kinds},
        {"bits", .text = &bits},
        {NULL},
    };
    command_options(argc, argv, known, usage);
    if (seed)
        options.seed = (int64_t)command_number(
            "--seed", seed, 0,
            ranmar_flavour(options.flavour)->keyed ? UINT64_MAX : (uint64_t)RANMAR_SEED_MAX);
    options.instances = (int64_t)instances;
    options.prefetch = (int64_t)prefetch;
    options.backend = GPURANMAR_CPU;
    options.threads = 1;
    struct format format = {(enum kind)raw, 0, 0};
    if (optind < argc)
        command_refuse("'%s': only options are taken", argv[optind]);
    const int word = (int)ranmar_flavour(options.flavour)->bits, single = word == 24;
    format.last = single ? 23 : 31;
    if (bits && format.kind != WORDS)
        command_refuse("--bits: only with --raw words");
    if (bits)
        parse_bits(bits, word, &format);
    const uint64_t most = RANMAR_POSITION_MAX - options.position;
    const int endless = count == UINT64_MAX;
    if (!endless && count > most)
        command_refuse("--count: %" PRIu64 " from position %" PRIu64 " is past 2^63", count,
                       options.position);

    gpuranmar_stream *stream = NULL;
    if (gpuranmar_stream_initialise(&stream, &options))
        command_refuse("%s", gpuranmar_last_error());
    const int status = deliver(stream, single, &format, endless ? most : count, endless);
    gpuranmar_stream_close(stream);
    return status;
}
