/* Reads segments from arguments, files and directories: segments.h describes the calls. */
#include "command/segments.h"

#include <errno.h>
#include <fts.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "command/command.h"
#include "definition/ranges.h"
#include "gpuranmar_definition.h"

const char segments_help[] =
    "SEEDS are any of\n"
    "  169                 a seed IJKL, 0..2147483647; IJKL = 30082 IJ + KL for a pair of seeds\n"
    "  1..1000000          all of these\n"
    "  169:4000, 169:4000:1e9, 1..9:4000\n"
    "                      the same from a position on, and so many numbers of it\n"
    "  FILE                a plan; CORSIKA's steering cards, whose lines SEED seed N1 N2 and "
    "MSEED\n"
    "                      skip N1 + 10^9 N2 numbers; or a list of seeds, one a line, # for "
    "comments\n"
    "  DIRECTORY           the plans and the cards in it and in its subdirectories\n"
    "A file that is given twice, or by a link, counts twice.\n";

/* A file's name, which lives until segments_free(). */
struct string {
    struct string *next;
    char text[];
};

static const char *own(struct segments *s, const char *text)
{
    const size_t size = strlen(text) + 1;
    struct string *const new = malloc(sizeof *new + size);
    if (!new)
        command_fail("no memory");
    memcpy(new->text, text, size);
    new->next = s->owned;
    s->owned = new;
    return new->text;
}

/* Where a value was read, for the lines that refuse it. */
static const char *location(struct source at, const char *argument)
{
    static char text[PATH_MAX + 32];
    if (at.name)
        snprintf(text, sizeof text, "%s line %zu", at.name, at.line);
    else
        snprintf(text, sizeof text, "'%s'", argument ? argument : "");
    return text;
}

static void append(struct segments *s, gpuranmar_segment segment, struct source source)
{
    if (s->n == s->room) {
        s->room = s->room ? 2 * s->room : 1024;
        s->all = realloc(s->all, s->room * sizeof *s->all);
        s->sources = realloc(s->sources, s->room * sizeof *s->sources);
        if (!s->all || !s->sources)
            command_fail("no memory for %zu segments", s->room);
    }
    s->all[s->n] = segment;
    s->sources[s->n++] = source;
}

/* Checks a seed, a position and a count, and appends them. */
static void add(struct segments *s, const uint64_t value[3], struct source at, const char *argument)
{
    if (value[0] > INT32_MAX)
        command_refuse("%s: seed %" PRIu64 " is not in 0..%d", location(at, argument), value[0],
                       INT32_MAX);
    if (value[1] > RANMAR_POSITION_MAX || value[2] > RANMAR_POSITION_MAX - value[1])
        command_refuse("%s: %" PRIu64 " numbers from position %" PRIu64 " on are past 2^63",
                       location(at, argument), value[2], value[1]);
    at.seed = (int64_t)value[0];
    append(s, (gpuranmar_segment){ranmar_reduced_seed(at.seed), value[1], value[2]}, at);
}

/* --- Numbers and ranges --- */

/* Adds the segments of FIRST[..LAST][:POSITION[:NUMBERS]]. Returns 0 if the text does not have this
 * form. */
static int add_range(struct segments *s, const char *text)
{
    uint64_t value[4] = {0, 0, 0, s->numbers};
    const char *colon = strchr(text, ':'), *const end = colon ? colon : text + strlen(text);
    const char *const dots = strstr(text, "..");
    const int is_range = dots && dots < end;
    if (!command_read_number(text, is_range ? dots : end, &value[0]))
        return 0;
    value[1] = value[0];
    if (is_range && !command_read_number(dots + 2, end, &value[1]))
        return 0;
    for (int n = 2; colon && n < 4; ++n) {
        const char *const from = colon + 1;
        colon = strchr(from, ':');
        if (!command_read_number(from, colon, &value[n]))
            return 0;
    }
    if (colon)
        return 0;
    if (value[1] < value[0] || value[1] > INT32_MAX)
        command_refuse("'%s': seeds are not in 0..%d, lowest first", text, INT32_MAX);
    for (uint64_t seed = value[0]; seed <= value[1]; ++seed) {
        const struct source at = {.run = s->runs++};
        add(s, (uint64_t[]){seed, value[2], value[3]}, at, text);
    }
    return 1;
}

/* --- Lines --- */

static const char separators[] = " \t\r\n,;", *const blanks = " \t\r\n";

/* Reads up to `most` numbers of a line. Any text may follow the last one if `text_follows`. Returns
 * how many numbers there are, or -1 if the line has other text among them, or two commas without a
 * number between. */
static int read_numbers(const char *line, uint64_t *value, int most, int text_follows)
{
    int n = 0;
    for (line += strspn(line, blanks); *line; ++n) {
        if (n == most && text_follows)
            return n;
        const char *const end = line + strcspn(line, separators);
        if (n == most || !command_read_number(line, end, value + n))
            return -1;
        line = end + strspn(end, blanks);
        line += *line == ',' || *line == ';';
        line += strspn(line, blanks);
    }
    return n;
}

/* The keyword of a CORSIKA card. A line that begins with six blanks is a comment: its keyword is
 * empty. */
static char *keyword(char *line)
{
    const size_t indent = strspn(line, " \t");
    return line + (indent < 6 ? indent : strlen(line));
}

/* Where the numbers begin in a SEED or MSEED card, as CORSIKA reads it: a keyword needs no blank
 * after it, and a number ends at a '!'. NULL for any other line. */
static char *after_seed(char *line)
{
    line = keyword(line);
    line += *line == 'M' || *line == 'm'; /* MSEED is of MULTITHIN */
    if (strncasecmp(line, "SEED", 4) != 0 || !strspn(line + 4, " \t+-.0123456789"))
        return NULL;
    line[strcspn(line, "!")] = '\0';
    return line + 4;
}

/* What a file is. */
enum kind { NOTHING, LINES, CARDS, PLAN };

static int begins(const char *line, const char *with)
{
    const size_t length = strlen(with);
    return strncmp(line, with, length) == 0 && strchr(": \r\n", line[length]) != NULL;
}

enum { LINE = 1 << 16 }; /* longer ones are no text */

/* Reads the next line. Returns its length, 0 at the end of the file. Refuses what is no line of
 * text, or reads it in pieces if the file may be `passed` over. */
static size_t next_line(char line[LINE], FILE *f, struct source at, int passed)
{
    size_t length = 0;
    int byte = 0;
    while (length < LINE - 1 && byte != '\n' && (byte = getc_unlocked(f)) != EOF) {
        if (byte == 0 && !passed)
            command_refuse("%s: a byte in it is 0", location(at, NULL));
        line[length++] = (char)byte;
    }
    line[length] = '\0';
    if (at.line == 1 && strncmp(line, "\xef\xbb\xbf", 3) == 0) /* UTF-8's mark */
        memmove(line, line + 3, length - 2);
    if (ferror(f)) /* then a part of a line may be there */
        command_refuse("%s: %s", at.name, strerror(errno));
    if (length == LINE - 1 && !passed)
        command_refuse("%s: more than %d bytes", location(at, NULL), LINE - 2);
    return length;
}

static enum kind kind_of(FILE *f, struct source at, int in_directory)
{
    char line[LINE];
    enum kind kind = NOTHING;
    for (at.line = 1; kind <= LINES && next_line(line, f, at, in_directory) > 0; ++at.line) {
        if (begins(line, SEGMENTS_PLAN))
            kind = PLAN;
        else if (strncmp(line, "# gpuranmar seeds ", 18) == 0)
            command_refuse("%s is of another version of this program", at.name);
        else if (after_seed(line))
            kind = CARDS;
        else if (line[strspn(line, blanks)] && line[0] != '#')
            kind = LINES;
    }
    rewind(f);
    return kind;
}

/* Adds a line of a plan. Successive lines that begin with the same word are one run. */
static void add_entry(struct segments *s, char *line, struct source at, char run[LINE])
{
    line[strcspn(line, "#!")] = '\0';
    char *rest, *const word = strtok_r(line, separators, &rest);
    uint64_t v[4];
    if (!word)
        return;
    if (read_numbers(rest + strspn(rest, separators), v, 4, 0) != 4 || v[0] < 1 || v[0] > UINT_MAX)
        command_refuse("%s: not run, sequence, seed, position and numbers", location(at, NULL));
    s->runs += strcmp(run, word) != 0;
    strcpy(run, word);
    at.run = s->runs - 1;
    add(s, v + 1, at, NULL);
}

/* Adds a line of a list. */
static void add_line(struct segments *s, char *line, struct source at)
{
    line[strcspn(line, "#!")] = '\0';
    uint64_t v[3] = {0, 0, s->numbers};
    const int n = read_numbers(line, v, 1, 0);
    if (n == 0)
        return;
    if (n < 0)
        command_refuse("%s: not a seed, one a line; plans have positions", location(at, NULL));
    at.run = s->runs++;
    add(s, v, at, NULL);
}

/* Adds a line of the cards of *run. */
static void add_card(struct segments *s, char *line, struct source at, size_t *run)
{
    uint64_t v[3] = {0}, job;
    if (sscanf(line, "* Segments of %" SCNu64, &v[0]) == 1) { /* of a plan's cards */
        s->numbers = v[0];
        return;
    }
    if (sscanf(line, "* job %" SCNu64, &job) == 1 || strncasecmp(keyword(line), "EXIT", 4) == 0)
        *run = s->runs;
    char *const numbers = after_seed(line);
    if (!numbers)
        return;
    if (read_numbers(numbers, v, 3, 1) < 1)
        command_refuse("%s: not SEED and up to three numbers", location(at, NULL));
    if (v[1] > INT32_MAX || v[2] > INT32_MAX)
        command_refuse("%s: N1 and N2 are not in 0..%d", location(at, NULL), INT32_MAX);
    at.run = *run;
    s->runs = at.run + 1;
    add(s, (uint64_t[]){v[0], v[1] + v[2] * UINT64_C(1000000000), s->numbers}, at, NULL);
}

/* --- Files --- */

/* Adds the segments of a file. In a directory, a file that is neither a plan nor cards is passed
 * over and counted. */
static void add_file(struct segments *s, const char *name, int in_directory)
{
    FILE *const f = fopen(name, "r");
    if (!f)
        command_refuse("%s: %s", name, strerror(errno));
    char line[LINE], run[LINE] = "";
    struct source at = {.name = name};
    size_t run_of_cards = s->runs;
    const enum kind kind = kind_of(f, at, in_directory);
    const size_t before = s->n;
    const uint64_t numbers_elsewhere = s->numbers;
    const int read = kind > LINES || (kind == LINES && !in_directory);
    size_t length;
    for (at.line = 1; read && (length = next_line(line, f, at, 0)) > 0; ++at.line) {
        if (kind == PLAN && line[length - 1] != '\n')
            command_refuse("%s: its last line is not whole", name);
        if (kind == CARDS)
            add_card(s, line, at, &run_of_cards);
        else if (kind == PLAN)
            add_entry(s, line, at, run);
        else
            add_line(s, line, at);
    }
    if (s->n == before && !in_directory)
        command_refuse("%s: there is no seed in it", name);
    s->passed_over += s->n == before && in_directory;
    s->numbers = numbers_elsewhere;
    fclose(f);
}

static int by_name(const FTSENT **left, const FTSENT **right)
{
    return strcmp((*left)->fts_name, (*right)->fts_name);
}

static void add_directory(struct segments *s, const char *name)
{
    const size_t before = s->n;
    char *const roots[] = {(char *)name, NULL};
    FTS *const tree = fts_open(roots, FTS_LOGICAL | FTS_NOCHDIR, by_name);
    if (!tree)
        command_fail("%s: %s", name, strerror(errno));
    for (FTSENT *e; (e = fts_read(tree));)
        if (e->fts_info == FTS_F)
            add_file(s, own(s, e->fts_path), 1);
        else if (e->fts_info == FTS_DNR || e->fts_info == FTS_ERR || e->fts_info == FTS_NS)
            command_refuse("%s: %s", e->fts_path, strerror(e->fts_errno));
    fts_close(tree);
    if (s->n == before)
        command_refuse("%s: no file in it has a seed", name);
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
    else if (S_ISREG(about.st_mode))
        add_file(s, argument, 0);
    else /* a file is read twice */
        command_refuse("'%s' is neither a file nor a directory", argument);
}

void segments_move(struct segments *s, uint64_t position)
{
    for (size_t i = 0; i < s->n; ++i) {
        gpuranmar_segment *const g = s->all + i;
        g->position = position;
        if (g->numbers > RANMAR_POSITION_MAX - position)
            command_refuse("%" PRIu64 " numbers from position %" PRIu64 " on are past 2^63",
                           g->numbers, position);
    }
}

const char *segments_show(const struct segments *s, size_t i, char *text, size_t size)
{
    const struct source *const o = s->sources + i;
    if (o->name)
        snprintf(text, size, "%" PRId64 " (%s:%zu)", o->seed, o->name, o->line);
    else
        snprintf(text, size, "%" PRId64, o->seed);
    return text;
}

void segments_free(struct segments *s)
{
    for (struct string *o = s->owned, *next; o; o = next) {
        next = o->next;
        free(o);
    }
    free(s->all);
    free(s->sources);
}
