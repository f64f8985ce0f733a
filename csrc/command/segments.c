/* Reads segments from arguments, files and directories: segments.h describes the calls. */
#include "command/segments.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "command/command.h"
#include "definition/interleave.h"
#include "definition/ranges.h"

const char segments_help[] =
    "SEEDS are any of\n"
    "  169                 a seed IJKL, 0..942438977\n"
    "  1..1000000          all of these\n"
    "  169:4000, 169:4000:1e9, 1..9:4000\n"
    "                      the same from a position on, and so many numbers of it\n"
    "  FILE                a segment a line: seed [position [numbers]], # for comments; or "
    "CORSIKA's\n"
    "                      steering cards, of which the SEED lines count: SEED seed N1 N2\n"
    "  DIRECTORY           the files in it that have SEED lines\n";

static void append(struct segments *s, gpuranmar_segment segment, struct origin origin)
{
    if (s->n == s->room) {
        s->room = s->room ? 2 * s->room : 1024;
        s->all = realloc(s->all, s->room * sizeof *s->all);
        s->origins = realloc(s->origins, s->room * sizeof *s->origins);
        if (!s->all || !s->origins)
            command_fail("no memory for %zu segments", s->room);
    }
    s->all[s->n] = segment;
    s->origins[s->n++] = origin;
}

static void check(const char *where, size_t line, const gpuranmar_segment *s)
{
    char at[64] = "";
    if (line)
        snprintf(at, sizeof at, " line %zu", line);
    if (s->seed > RANMAR_SEED_MAX)
        command_refuse("%s%s: seed %" PRId64 " is not in 0..%" PRId64, where, at, s->seed,
                       RANMAR_SEED_MAX);
    if (s->position > RANMAR_POSITION_MAX || s->numbers > RANMAR_POSITION_MAX - s->position)
        command_refuse("%s%s: %" PRIu64 " numbers from position %" PRIu64 " on are past 2^63",
                       where, at, s->numbers, s->position);
}

/* --- Numbers and ranges --- */

/* Adds the segments of FIRST[..LAST][:POSITION[:NUMBERS]]. Returns 0 if the text does not have this
 * form. */
static int add_range(struct segments *s, const char *text)
{
    uint64_t value[4] = {0, 0, s->position, s->numbers};
    const char *colon = strchr(text, ':'), *const end = colon ? colon : text + strlen(text);
    const char *const dots = strstr(text, "..");
    const int is_range = dots && dots < end;
    if (!command_read_number(text, is_range ? dots : end, &value[0]))
        return 0;
    value[1] = value[0];
    if (is_range && !command_read_number(dots + 2, end, &value[1]))
        return 0;
    for (int i = 2; colon && i < 4; ++i) {
        const char *const from = colon + 1;
        colon = strchr(from, ':');
        if (!command_read_number(from, colon, &value[i]))
            return 0;
    }
    if (colon)
        return 0;
    if (value[1] < value[0] || value[1] > RANMAR_SEED_MAX)
        command_refuse("'%s': seeds are not in 0..%" PRId64 ", lowest first", text,
                       RANMAR_SEED_MAX);
    for (uint64_t seed = value[0]; seed <= value[1]; ++seed) {
        const gpuranmar_segment segment = {(int64_t)seed, value[2], value[3]};
        check(text, 0, &segment);
        append(s, segment, (struct origin){NULL, 0});
    }
    return 1;
}

/* --- Files --- */

/* Reads the words of a line as up to three numbers; returns how many, or -1. A comment, from # or !
 * on, is left out. */
static int read_words(char *line, uint64_t value[3])
{
    int n = 0;
    line[strcspn(line, "#!")] = '\0';
    char *rest;
    for (char *word = strtok_r(line, " \t,\r\n", &rest); word;
         word = strtok_r(NULL, " \t,\r\n", &rest)) {
        if (n == 3 || !command_read_number(word, NULL, value + n))
            return -1;
        ++n;
    }
    return n;
}

/* What follows the word SEED in a line of steering cards; NULL if it is not a SEED line. */
static char *after_seed(char *line)
{
    line += strspn(line, " \t");
    return strncasecmp(line, "SEED", 4) == 0 && strchr(" \t", line[4]) && line[4] ? line + 4 : NULL;
}

static int has_seed_lines(FILE *f)
{
    char *line = NULL;
    size_t size = 0;
    int found = 0;
    while (!found && getline(&line, &size, f) > 0)
        found = after_seed(line) != NULL;
    free(line);
    rewind(f);
    return found;
}

static void add_line(struct segments *s, char *line, int cards, struct origin at)
{
    uint64_t value[3] = {0, 0, 0};
    char *const words = cards ? after_seed(line) : line;
    if (!words)
        return;
    const int n = read_words(words, value);
    if (n < 0 || (cards && n == 0))
        command_refuse("%s line %zu: %s", at.name, at.line,
                       cards ? "not SEED and up to three numbers"
                             : "not up to three numbers: seed [position [numbers]]");
    if (n == 0)
        return;
    if (value[0] > RANMAR_SEED_MAX)
        command_refuse("%s line %zu: seed %" PRIu64 " is not in 0..%" PRId64, at.name, at.line,
                       value[0], RANMAR_SEED_MAX);
    gpuranmar_segment segment = {(int64_t)value[0], s->position, s->numbers};
    if (cards) { /* ISEED(2) numbers and ISEED(3) times 10^9 are skipped */
        if (value[1] > INT32_MAX || value[2] > INT32_MAX)
            command_refuse("%s line %zu: N1 and N2 are not in 0..2147483647", at.name, at.line);
        if (n > 1)
            segment.position = value[1] + value[2] * UINT64_C(1000000000);
    } else {
        if (n > 1)
            segment.position = value[1];
        if (n > 2)
            segment.numbers = value[2];
    }
    check(at.name, at.line, &segment);
    append(s, segment, at);
}

/* Adds the segments of a file. With `only_cards` a file without SEED lines is passed over. */
static void add_file(struct segments *s, const char *name, int only_cards)
{
    FILE *const f = fopen(name, "r");
    if (!f)
        command_refuse("%s: %s", name, strerror(errno));
    const int cards = has_seed_lines(f);
    char *line = NULL;
    size_t size = 0;
    struct origin at = {name, 0};
    const size_t before = s->n;
    while ((cards || !only_cards) && getline(&line, &size, f) > 0) {
        ++at.line;
        add_line(s, line, cards, at);
    }
    if (ferror(f))
        command_refuse("%s: %s", name, strerror(errno));
    if (s->n == before && !only_cards)
        command_refuse("%s: there is no seed in it", name);
    free(line);
    fclose(f);
}

struct path {
    struct path *next;
    char name[];
};

/* The path of a file in a directory, until segments_free(). */
static const char *add_path(struct segments *s, const char *directory, const char *file)
{
    const size_t size = strlen(directory) + strlen(file) + 2;
    struct path *const path = malloc(sizeof *path + size);
    if (!path)
        command_fail("no memory");
    snprintf(path->name, size, "%s/%s", directory, file);
    path->next = s->paths;
    s->paths = path;
    return path->name;
}

static void add_directory(struct segments *s, const char *name)
{
    struct dirent **entries;
    const int n = scandir(name, &entries, NULL, alphasort);
    const size_t before = s->n;
    if (n < 0)
        command_refuse("%s: %s", name, strerror(errno));
    for (int i = 0; i < n; ++i) {
        const char *const path = add_path(s, name, entries[i]->d_name);
        struct stat about;
        if (stat(path, &about) == 0 && S_ISREG(about.st_mode))
            add_file(s, path, 1);
        free(entries[i]);
    }
    free(entries);
    if (s->n == before)
        command_refuse("%s: no file in it has a SEED line", name);
}

void segments_add(struct segments *s, const char *argument)
{
    if (add_range(s, argument))
        return;
    struct stat about;
    if (stat(argument, &about))
        command_refuse("'%s' is no seed, no range of seeds, and no file: %s", argument,
                       strerror(errno));
    if (S_ISDIR(about.st_mode))
        add_directory(s, argument);
    else
        add_file(s, argument, 0);
}

void segments_interleave(struct segments *s, uint64_t instances, uint64_t block)
{
    const struct ranmar_interleave i = {instances, block};
    struct segments of_instances = {.position = s->position};
    for (size_t k = 0; k < s->n; ++k) {
        const gpuranmar_segment *const whole = s->all + k;
        const uint64_t end =
            whole->numbers ? whole->position + whole->numbers : RANMAR_POSITION_MAX;
        for (uint64_t p = 0; p < instances; ++p) {
            const uint64_t from = ranmar_made_of(i, p, whole->position),
                           to = ranmar_made_of(i, p, end);
            if (to > from)
                append(
                    &of_instances,
                    (gpuranmar_segment){ranmar_seed_of(whole->seed, (int64_t)p), from, to - from},
                    s->origins[k]);
        }
    }
    free(s->all);
    free(s->origins);
    s->all = of_instances.all;
    s->origins = of_instances.origins;
    s->n = of_instances.n;
}

const char *segments_show(const struct segments *s, size_t i, char *text, size_t size)
{
    const struct origin *const o = s->origins + i;
    if (o->name)
        snprintf(text, size, "%" PRId64 " (%s:%zu)", s->all[i].seed, o->name, o->line);
    else
        snprintf(text, size, "%" PRId64, s->all[i].seed);
    return text;
}

void segments_free(struct segments *s)
{
    for (struct path *path = s->paths, *next; path; path = next) {
        next = path->next;
        free(path);
    }
    free(s->all);
    free(s->origins);
}
