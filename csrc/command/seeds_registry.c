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

static const struct segments *compared; /* by qsort() and bsearch() */

/* By what a line of the registry has after its run. */
static int by_line(const void *left, const void *right)
{
    const size_t i = *(const size_t *)left, j = *(const size_t *)right;
    const gpuranmar_segment *const a = compared->all + i, *const b = compared->all + j;
    const unsigned m = compared->origins[i].sequence, n = compared->origins[j].sequence;
    if (m != n)
        return m < n ? -1 : 1;
    if (a->seed != b->seed)
        return a->seed < b->seed ? -1 : 1;
    if (a->position != b->position)
        return a->position < b->position ? -1 : 1;
    return (a->numbers > b->numbers) - (a->numbers < b->numbers);
}

/* Gives those segments from `before` on the label of the run that are in the registry already, as
 * lines of this run. */
static void find_known(const struct segments *s, size_t before, const char *run)
{
    size_t n = 0, *const lines = calloc(before + 1, sizeof *lines);
    if (!lines)
        command_fail("no memory for %zu segments", s->n);
    for (size_t i = 0; i < before; ++i)
        if (strcmp(s->origins[i].label, run) == 0)
            lines[n++] = i;
    compared = s;
    qsort(lines, n, sizeof *lines, by_line);
    for (size_t i = before; i < s->n; ++i)
        if (bsearch(&i, lines, n, sizeof *lines, by_line))
            s->origins[i].label = run;
    free(lines);
}

static _Noreturn void refuse_overlap(const struct segments *s, size_t new, size_t old)
{
    char old_seed[300], new_seed[300];
    const char *const run = s->origins[old].label;
    command_fail("seed %s from position %" PRIu64
                 " on overlaps seed %s of run %s: nothing is written",
                 segments_show(s, new, new_seed, sizeof new_seed), s->all[new].position,
                 segments_show(s, old, old_seed, sizeof old_seed), run ? run : "itself");
}

static int reaches_further(const struct segments *s, size_t i, size_t than)
{
    return than == s->n || s->all[i].seed != s->all[than].seed ||
           ranmar_segment_end(s->all + i) > ranmar_segment_end(s->all + than);
}

static int overlaps(const struct segments *s, size_t before, size_t i)
{
    return before < s->n && s->all[before].seed == s->all[i].seed &&
           ranmar_segment_end(s->all + before) > s->all[i].position;
}

/* Refuses the first segment without a label that overlaps another. By seed and position, a segment
 * overlaps one before it where it overlaps that which reaches furthest. */
static void refuse_overlaps(const struct segments *s)
{
    size_t *const order = order_of(s), furthest = s->n, furthest_new = s->n;
    for (size_t k = 0; k < s->n; ++k) {
        const size_t i = order[k];
        const int is_new = !s->origins[i].label;
        if (is_new && overlaps(s, furthest, i))
            refuse_overlap(s, i, furthest);
        if (overlaps(s, furthest_new, i))
            refuse_overlap(s, furthest_new, i);
        if (reaches_further(s, i, furthest))
            furthest = i;
        if (is_new && reaches_further(s, i, furthest_new))
            furthest_new = i;
    }
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
    struct segments s = {.from = FROM_ANY};
    const char *run = NULL;
    int from = FROM_ANY;
    uint64_t numbers = 0;
    const struct command_option options[] = {
        {"run", .text = &run},
        {"numbers", .number = &numbers, .low = 1, .high = RANMAR_POSITION_MAX},
        {"from", .word = &from, .words = segments_formats},
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
    s.from = (enum segments_from)from;
    s.numbers = numbers;
    unsigned sequence = 0;
    for (int i = optind + 1; i < argc; ++i)
        segments_add(&s, argv[i]);
    for (size_t i = before; i < s.n; ++i) {
        s.origins[i].label = NULL; /* which is that of another registry */
        s.origins[i].sequence = ++sequence;
    }
    find_known(&s, before, run);
    refuse_overlaps(&s);
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
    size_t found = 0, reports = 0;
    struct dirent **entries;
    const int n = scandir(path, &entries, NULL, alphasort);
    if (n < 0) {
        found = check_report(s, order, path, instances);
        reports = 1;
    }
    for (int i = 0; i < n; ++i) {
        char name[PATH_MAX + 256];
        struct stat about;
        snprintf(name, sizeof name, "%s/%s", path, entries[i]->d_name);
        if (stat(name, &about) == 0 && S_ISREG(about.st_mode)) {
            found += check_report(s, order, name, instances);
            ++reports;
        }
        free(entries[i]);
    }
    if (n >= 0)
        free(entries);
    if (!reports)
        command_refuse("%s has no report in it", path);
    printf("%zu findings in %zu report%s\n", found, reports, reports == 1 ? "" : "s");
    free(order);
    return found;
}
