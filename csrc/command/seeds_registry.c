/* gpuranmar seeds registry: keeps a list of who draws what; and compares jobs' reports with it. */
#define _GNU_SOURCE /* F_OFD_SETLKW */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command/command.h"
#include "command/segments.h"
#include "definition/ranges.h"
#include "seeds/ties.h"

static const char usage[] =
    "usage: gpuranmar seeds registry --run NAME --numbers N [--from FORMAT] FILE SEEDS...\n"
    "Appends a line for each of the sequences SEEDS of a run, and the numbers that it may draw, "
    "to\n"
    "FILE, which is made if it is not there. Many jobs may do so at once. SEEDS are those of "
    "`seeds\n"
    "audit`. Lines that are there already are not written again. A run that would draw numbers "
    "which\n"
    "FILE gives to another is refused, and nothing is written: exit status 1.\n"
    "\n"
    "  --run NAME          any word of up to 1000 bytes\n"
    "  --numbers N         the most that each sequence draws that names no number itself\n"
    "  --from FORMAT       as of `seeds audit`\n"
    "\n"
    "FILE has a line for each sequence: run sequence seed position numbers. `seeds audit FILE`\n"
    "reads it, and with --reports DIRECTORY says who drew more than his numbers.\n";

/* --- Appending --- */

static int open_locked(const char *name)
{
    const int file = open(name, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    /* The lock is of this descriptor: it stays when the file is opened and closed once more. */
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    if (file < 0 || fcntl(file, F_OFD_SETLKW, &whole))
        command_fail("%s: %s", name, strerror(errno));
    return file;
}

/* Their indices by seed and position. */
static size_t *order_of(const struct segments *s)
{
    size_t *const order = calloc(s->n + 1, sizeof *order);
    if (!order)
        command_fail("no memory for %zu segments", s->n);
    ranmar_segments_order(s->all, s->n, order);
    return order;
}

/* Whether a segment is in the registry already, as a line of this run. */
static int is_known(const struct segments *s, size_t old, size_t new, const char *run)
{
    const struct origin *const o = s->origins + old;
    return o->label && strcmp(o->label, run) == 0 && o->sequence == s->origins[new].sequence &&
           memcmp(s->all + old, s->all + new, sizeof *s->all) == 0;
}

/* Goes through the overlaps of new segments, which have no label yet, among neighbours by seed and
 * position. Those that are known get the label of their line; then, with `refuses`, the first that
 * is left is refused. */
static void go_through_overlaps(const struct segments *s, const size_t *order, const char *run,
                                int refuses)
{
    for (size_t i = 0; i < s->n; ++i)
        for (size_t j = i + 1; j < s->n; ++j) {
            const size_t old = order[i] < order[j] ? order[i] : order[j],
                         new = order[i] < order[j] ? order[j] : order[i];
            const gpuranmar_segment *const first = s->all + order[i], *const next =
                                                                          s->all + order[j];
            if (next->seed != first->seed || next->position >= ranmar_segment_end(first))
                break;
            if (s->origins[new].label)
                continue;
            if (is_known(s, old, new, run))
                s->origins[new].label = s->origins[old].label;
            if (!refuses)
                continue;
            char old_seed[300], new_seed[300];
            command_fail("seed %s from position %" PRIu64
                         " on overlaps seed %s of run %s: nothing is written",
                         segments_show(s, new, new_seed, sizeof new_seed), s->all[new].position,
                         segments_show(s, old, old_seed, sizeof old_seed),
                         s->origins[old].label ? s->origins[old].label : "itself");
        }
}

/* All known ones are found before any other is refused: it may stand before them. */
static void refuse_overlaps(const struct segments *s, const char *run)
{
    size_t *const order = order_of(s);
    go_through_overlaps(s, order, run, 0);
    go_through_overlaps(s, order, run, 1);
    free(order);
}

/* Writes lines for the segments that have no label. */
static void write_lines(const struct segments *s, const char *run, int file, const char *name,
                        int is_empty)
{
    char *text;
    size_t size;
    FILE *const lines = open_memstream(&text, &size);
    if (!lines)
        command_fail("no memory");
    if (is_empty)
        fputs(SEGMENTS_REGISTRY "\n" SEGMENTS_COLUMNS "\n", lines);
    for (size_t i = 0; i < s->n; ++i)
        if (!s->origins[i].label)
            segments_print_entry(lines, run, s->origins[i].sequence, s->all + i);
    if (fclose(lines))
        command_fail("no memory");
    const off_t end = lseek(file, 0, SEEK_END);
    errno = ENOSPC; /* write() sets no error where it writes only a part */
    if (write(file, text, size) != (ssize_t)size || fsync(file)) {
        const int error = errno;
        if (ftruncate(file, end))
            command_fail("%s: %s, after half a line", name, strerror(error));
        command_fail("%s: %s: nothing is written", name, strerror(error));
    }
    free(text);
}

int command_seeds_registry(int argc, char **argv)
{
    command_name = "gpuranmar seeds registry";
    struct segments s = {0};
    const char *run = NULL, *from = NULL;
    uint64_t numbers = 0;
    const struct command_option options[] = {
        {"run", .text = &run},
        {"numbers", .number = &numbers, .low = 1, .high = RANMAR_POSITION_MAX},
        {"from", .text = &from},
        {NULL},
    };
    command_options(argc, argv, options, usage);
    if (argc - optind < 2 || !run || !numbers)
        command_refuse("--run, --numbers, a file and seeds are needed: see --help");
    if (!*run || run[strcspn(run, " \t,;\r\n#!")])
        command_refuse("--run: '%s' is not a word", run);
    if (strlen(run) > 1000)
        command_refuse("--run: a word of more than 1000 bytes");

    const char *const name = argv[optind];
    const int file = open_locked(name);
    struct stat about;
    if (fstat(file, &about))
        command_fail("%s: %s", name, strerror(errno));
    if (about.st_size)
        segments_add_file(&s, name);
    const size_t before = s.n;
    if (!S_ISREG(about.st_mode) || (before > 0 && !s.origins[0].label))
        command_refuse("%s is no registry", name);
    s.from = from ? segments_from(from) : FROM_ANY;
    s.numbers = numbers;
    unsigned sequence = 0;
    for (int i = optind + 1; i < argc; ++i)
        segments_add(&s, argv[i]);
    for (size_t i = before; i < s.n; ++i) {
        s.origins[i].label = NULL; /* which is that of another registry */
        s.origins[i].sequence = ++sequence;
    }
    refuse_overlaps(&s, run);
    write_lines(&s, run, file, name, about.st_size == 0);
    segments_free(&s);
    close(file);
    return COMMAND_DONE;
}

/* --- Reports --- */

/* A stream of a report. */
struct drawn {
    uint64_t seed, instances, first, last, drawn;
    int is_key; /* whether `seed` is a key: the flavour is keyed */
};

/* The number after a name in JSON, from *at on, which moves on. Returns whether there is one. */
static int next_number(const char **at, const char *name, uint64_t *number)
{
    const char *const found = strstr(*at, name);
    if (!found)
        return 0;
    *at = found + strlen(name);
    return sscanf(*at, " : %" SCNu64, number) == 1;
}

/* Which segment a stream began in: the last of its seed that starts at or before it. `order` has
 * the segments by seed and position. */
static const gpuranmar_segment *segment_of(const struct segments *s, const size_t *order,
                                           const struct drawn *d)
{
    size_t low = 0, high = s->n;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        const gpuranmar_segment *const g = s->all + order[middle];
        if ((uint64_t)g->seed < d->seed ||
            ((uint64_t)g->seed == d->seed && g->position <= d->first))
            low = middle + 1;
        else
            high = middle;
    }
    const gpuranmar_segment *const g = low ? s->all + order[low - 1] : NULL;
    const int is_in = g && (uint64_t)g->seed == d->seed &&
                      (g->numbers == 0 || d->first < g->position + g->numbers);
    return is_in ? g : NULL;
}

/* Prints a line if the stream drew what it was not given; returns whether it did. */
static size_t check_stream(const struct segments *s, const size_t *order, const char *name,
                           const struct drawn *d, uint64_t instances)
{
    const gpuranmar_segment *const g = d->is_key ? NULL : segment_of(s, order, d);
    const uint64_t end = g && g->numbers ? g->position + g->numbers : UINT64_MAX;
    /* A stream that went back may have drawn more than `last` tells. */
    const int is_within = g && d->first <= d->last && d->last <= end && d->drawn <= end - d->first;
    if (d->drawn == 0 || (is_within && d->instances == instances))
        return 0;
    if (!g) {
        printf("%s: %s %" PRIu64 " from position %" PRIu64 " on is nobody's\n", name,
               d->is_key ? "key" : "seed", d->seed, d->first);
        return 1;
    }
    if (d->instances != instances) {
        printf("%s: the stream of seed %" PRIu64 " has %" PRIu64
               " instances, each of a seed of its own, and %" PRIu64 " are audited\n",
               name, d->seed, d->instances, instances);
        return 1;
    }
    const struct origin *const o = s->origins + (g - s->all);
    char text[300];
    printf("%s: run %s, sequence %u, seed %s drew ", name, o->label ? o->label : "-", o->sequence,
           segments_show(s, (size_t)(g - s->all), text, sizeof text));
    if (d->last > end)
        printf("up to position %" PRIu64 ", %" PRIu64 " more than its %" PRIu64 "\n", d->last,
               d->last - end, g->numbers);
    else
        printf("%" PRIu64 " numbers from position %" PRIu64 " on, and went back\n", d->drawn,
               d->first);
    return 1;
}

/* A file's text, or NULL. */
static char *text_of(const char *name)
{
    FILE *const f = fopen(name, "r");
    char *text = NULL;
    size_t size = 0;
    if (!f || getdelim(&text, &size, 0, f) < 0) {
        free(text);
        text = NULL;
    }
    if (f)
        fclose(f);
    return text;
}

static size_t check_report(const struct segments *s, const size_t *order, const char *name,
                           uint64_t instances)
{
    char *const text = text_of(name);
    const char *at = text ? strstr(text, "\"streams\"") : NULL;
    char *const end = at ? strstr(at, "\"streams_left_out\"") : NULL;
    const char *after = end;
    uint64_t left_out, of_engines = 0;
    if (!end || !strstr(text, "\"gpuranmar 1\"") || !next_number(&after, "\"count\"", &left_out) ||
        !strstr(after, "\"complete\""))
        command_refuse("%s is no whole report of this library", name);
    *end = '\0';
    size_t found = left_out > 0;
    if (left_out)
        printf("%s: leaves %" PRIu64 " streams out\n", name, left_out);
    if (next_number(&after, "\"made\"", &of_engines) && of_engines) {
        ++found;
        printf("%s: does not tell whose the %" PRIu64 " numbers are that engines made\n", name,
               of_engines);
    }
    for (struct drawn d; next_number(&at, "\"seed\"", &d.seed);) {
        const char *const fields = at;
        if (!next_number(&at, "\"instances\"", &d.instances) ||
            !next_number(&at, "\"first\"", &d.first) || !next_number(&at, "\"last\"", &d.last) ||
            !next_number(&at, "\"drawn\"", &d.drawn))
            command_refuse("%s: a stream has no instances, first or last position, or count", name);
        d.is_key = memmem(fields, (size_t)(at - fields), "\"keyed\"", 7) != NULL;
        found += check_stream(s, order, name, &d, instances);
    }
    free(text);
    return found;
}

size_t reports_check(const struct segments *s, const char *path, uint64_t instances)
{
    size_t *const order = order_of(s);
    size_t found = 0;
    struct dirent **entries;
    const int n = scandir(path, &entries, NULL, alphasort);
    if (n < 0)
        found = check_report(s, order, path, instances);
    for (int i = 0; i < n; ++i) {
        char name[PATH_MAX + 256];
        struct stat about;
        snprintf(name, sizeof name, "%s/%s", path, entries[i]->d_name);
        if (stat(name, &about) == 0 && S_ISREG(about.st_mode))
            found += check_report(s, order, name, instances);
        free(entries[i]);
    }
    if (n >= 0)
        free(entries);
    printf("%zu findings in the reports\n", found);
    free(order);
    return found;
}
