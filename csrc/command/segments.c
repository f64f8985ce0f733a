/* Reads segments from arguments, files and directories: segments.h describes the calls. */
#define _GNU_SOURCE /* strcasestr, tdestroy */
#include "command/segments.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "command/command.h"
#include "definition/interleave.h"
#include "definition/ranges.h"
#include "seeds/ties.h"

const char segments_help[] =
    "SEEDS are any of\n"
    "  169                 a seed IJKL, 0..942438977\n"
    "  1..1000000          all of these\n"
    "  169:4000, 169:4000:1e9, 1..9:4000\n"
    "                      the same from a position on, and so many numbers of it\n"
    "  FILE                a seed a line, # for comments; CORSIKA's steering cards, of which the\n"
    "                      SEED and MSEED lines count; what `plan` writes; a registry\n"
    "  DIRECTORY           the files in it that have SEED lines or are of this program\n"
    "                      (a file that is given twice, or by a link, counts twice)\n"
    "  --from list         lines are: seed [position [numbers]]\n"
    "  --from corsika      SEED seed N1 N2, which skips N1 + 10^9 N2 numbers; text may follow\n"
    "  --from ij-kl        lines, and arguments IJ:KL, are the two seeds of RMARIN\n"
    "  --from egsnrc       the same, or the lines with `seeds =`; those outside 1..31328, 1..30081 "
    "are\n"
    "                      1802, 9373\n"
    "  --from egs++        the same with 1..31327, 1..30080, which is EGS_Ranmar's range\n"
    "  --from mg5          the same, or the lines of a log with `Ranmar initialization seeds`\n"
    "  --from lammps       seeds of RanMars, 1..900000000, which start at position 1 of seed - 1\n";

const char *const segments_formats[] = {"corsika", "list", "ij-kl",  "egsnrc",
                                        "egs++",   "mg5",  "lammps", NULL};

static int is_egs(enum segments_from from)
{
    return from == FROM_EGSNRC || from == FROM_EGSPP;
}

static int is_pairs(enum segments_from from)
{
    return from == FROM_IJ_KL || is_egs(from) || from == FROM_MG5;
}

/* A text that lives until segments_free(). */
struct string {
    struct string *next;
    size_t run; /* of a label */
    char text[];
};

static struct string *own(struct segments *s, const char *text)
{
    const size_t size = strlen(text) + 1;
    struct string *const new = malloc(sizeof *new + size);
    if (!new)
        command_fail("no memory");
    memcpy(new->text, text, size);
    new->next = s->owned;
    s->owned = new;
    return new;
}

/* Where a value was read, for the lines that refuse it. */
static const char *place(struct origin at, const char *argument)
{
    static char text[PATH_MAX + 32];
    if (at.name)
        snprintf(text, sizeof text, "%s line %zu", at.name, at.line);
    else
        snprintf(text, sizeof text, "'%s'", argument ? argument : "");
    return text;
}

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

/* Checks a seed, a position and a count, and appends them. */
static void add(struct segments *s, const uint64_t value[3], struct origin at, const char *argument)
{
    if (value[0] > RANMAR_SEED_MAX)
        command_refuse("%s: seed %" PRIu64 " is not in 0..%" PRId64, place(at, argument), value[0],
                       RANMAR_SEED_MAX);
    if (value[1] > RANMAR_POSITION_MAX || value[2] > RANMAR_POSITION_MAX - value[1])
        command_refuse("%s: %" PRIu64 " numbers from position %" PRIu64 " on are past 2^63",
                       place(at, argument), value[2], value[1]);
    append(s, (gpuranmar_segment){(int64_t)value[0], value[1], value[2]}, at);
}

/* The position N1 + 10^9 N2. */
static uint64_t position_of(uint64_t n1, uint64_t n2, struct origin at)
{
    if (n1 > INT32_MAX || n2 > INT32_MAX)
        command_refuse("%s: N1 and N2 are not in 0..2147483647", place(at, NULL));
    return n1 + n2 * UINT64_C(1000000000);
}

/* Adds the sequence of the two seeds of a RMARIN. */
static void add_pair(struct segments *s, uint64_t ij, uint64_t kl, struct origin at,
                     const char *argument)
{
    if (is_egs(s->from)) { /* which takes its defaults where a seed is out of range */
        const uint64_t less = s->from == FROM_EGSPP;
        ij = ij < 1 || ij > 31328 - less ? 1802 : ij;
        kl = kl < 1 || kl > 30081 - less ? 9373 : kl;
    }
    if (ij > 31328 || kl > 30081)
        command_refuse("%s: ij = %" PRIu64 ", kl = %" PRIu64 " are not in 0..31328 and 0..30081",
                       place(at, argument), ij, kl);
    add(s, (uint64_t[]){ij * 30082 + kl, 0, s->numbers}, at, argument);
}

/* Adds the sequence of a seed of LAMMPS, whose RanMars discards the first number. */
static void add_lammps(struct segments *s, uint64_t seed, struct origin at, const char *argument)
{
    if (seed < 1 || seed > 900000000)
        command_refuse("%s: seed %" PRIu64 " of LAMMPS is not in 1..900000000", place(at, argument),
                       seed);
    add(s, (uint64_t[]){seed - 1, 1, s->numbers}, at, argument);
}

/* --- Numbers and ranges --- */

/* Adds the segments of FIRST[..LAST][:POSITION[:NUMBERS]], or of IJ:KL. Returns 0 if the text does
 * not have this form. */
static int add_range(struct segments *s, const char *text)
{
    uint64_t value[4] = {0, 0, 0, s->numbers};
    const char *colon = strchr(text, ':'), *const end = colon ? colon : text + strlen(text);
    const char *const dots = strstr(text, "..");
    const int is_range = dots && dots < end;
    int n = 2;
    if (!command_read_number(text, is_range ? dots : end, &value[0]))
        return 0;
    value[1] = value[0];
    if (is_range && !command_read_number(dots + 2, end, &value[1]))
        return 0;
    for (; colon && n < 4; ++n) {
        const char *const from = colon + 1;
        colon = strchr(from, ':');
        if (!command_read_number(from, colon, &value[n]))
            return 0;
    }
    struct origin at = {.sequence = 1};
    if (is_pairs(s->from)) {
        at.run = s->runs++;
        if (colon || is_range || n != 3)
            command_refuse("'%s' is not IJ:KL", text);
        add_pair(s, value[0], value[2], at, text);
        return 1;
    }
    if (colon)
        return 0;
    if (value[1] < value[0] || value[1] > RANMAR_SEED_MAX)
        command_refuse("'%s': seeds are not in 0..%" PRId64 ", lowest first", text,
                       RANMAR_SEED_MAX);
    for (uint64_t seed = value[0]; seed <= value[1]; ++seed) {
        at.run = s->runs++;
        if (s->from == FROM_LAMMPS && n == 2)
            add_lammps(s, seed, at, text);
        else
            add(s, (uint64_t[]){seed, value[2], value[3]}, at, text);
    }
    return 1;
}

/* --- Lines --- */

enum { COLUMNS = 1 + 3 * 64 };
static const char separators[] = " \t\r\n,;", *const blanks = " \t\r\n";

/* Reads the numbers of a line, up to `most` of them. What follows the last of these does not count
 * if `text_follows`. Returns how many, or -1 if something else is among them, or nothing between
 * two commas. */
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

/* Where the keyword of a CORSIKA card begins: at the line's end if it begins with six blanks, which
 * make it a comment. */
static char *keyword(char *line)
{
    const size_t indent = strspn(line, " \t");
    return line + (indent < 6 ? indent : strlen(line));
}

/* Where the numbers begin in a line that names seeds. NULL for any other line. */
static char *after_key(char *line, enum segments_from from)
{
    if (is_egs(from)) {
        line[strcspn(line, "#!;/")] = '\0'; /* comments */
        char *const equals = strchr(line, '='), *const key = strcasestr(line, "seed");
        return equals && key && key < equals ? equals + 1 : NULL;
    }
    if (from == FROM_MG5) {
        static const char key[] = "Ranmar initialization seeds";
        char *const at = strstr(line, key);
        return at ? at + strlen(key) : NULL;
    }
    if (from != FROM_ANY && from != FROM_CORSIKA)
        return NULL;
    /* As CORSIKA reads it: a keyword needs no blank after it, and a number ends at a '!'. */
    line = keyword(line);
    line += *line == 'M' || *line == 'm'; /* MSEED is of MULTITHIN */
    if (strncasecmp(line, "SEED", 4) != 0 || !strspn(line + 4, " \t0123456789"))
        return NULL;
    line[strcspn(line, "!")] = '\0';
    return line + 4;
}

/* What a file is. */
enum kind { NOTHING, LINES, KEYED, REGISTRY, RANKS };

static int begins(const char *line, const char *with)
{
    const size_t length = strlen(with);
    return strncmp(line, with, length) == 0 && strchr(": \r\n", line[length]) != NULL;
}

enum { LINE = 1 << 16 }; /* longer ones are no text */

/* Reads the next line. Returns its length, 0 at the end of the file. What is no line of text is
 * refused; or it is read in pieces if such a file may be `passed` over. */
static size_t next_line(char line[LINE], FILE *f, struct origin at, int passed)
{
    size_t length = 0;
    int byte = 0;
    while (length < LINE - 1 && byte != '\n' && (byte = getc_unlocked(f)) != EOF) {
        if (byte == 0 && !passed)
            command_refuse("%s: a byte in it is 0", place(at, NULL));
        line[length++] = (char)byte;
    }
    line[length] = '\0';
    if (at.line == 1 && strncmp(line, "\xef\xbb\xbf", 3) == 0) /* UTF-8's mark */
        memmove(line, line + 3, length - 2);
    if (ferror(f)) /* then a part of a line may be there */
        command_refuse("%s: %s", at.name, strerror(errno));
    if (length == LINE - 1 && !passed)
        command_refuse("%s: more than %d bytes", place(at, NULL), LINE - 2);
    return length;
}

static enum kind kind_of(FILE *f, enum segments_from from, struct origin at, int in_directory)
{
    char line[LINE];
    enum kind kind = NOTHING;
    for (at.line = 1; kind <= LINES && next_line(line, f, at, in_directory) > 0; ++at.line) {
        if (begins(line, SEGMENTS_REGISTRY))
            kind = REGISTRY;
        else if (begins(line, SEGMENTS_RANKS))
            kind = RANKS;
        else if (strncmp(line, "# gpuranmar seeds ", 18) == 0)
            command_refuse("%s is of another version of this program", at.name);
        else if (after_key(line, from))
            kind = KEYED;
        else if (line[strspn(line, blanks)] && line[0] != '#')
            kind = LINES;
    }
    rewind(f);
    return kind;
}

static void add_card(struct segments *s, char *words, struct origin at)
{
    uint64_t v[3] = {0};
    if (read_numbers(words, v, 3, 1) < 1)
        command_refuse("%s: not SEED and up to three numbers", place(at, NULL));
    add(s, (uint64_t[]){v[0], position_of(v[1], v[2], at), s->numbers}, at, NULL);
}

static int by_label(const void *left, const void *right)
{
    return strcmp(((const struct string *)left)->text, ((const struct string *)right)->text);
}

/* Adds a line of a registry. */
static void add_entry(struct segments *s, char *line, struct origin at)
{
    char *rest, *const label = strtok_r(line, separators, &rest);
    uint64_t v[4];
    if (!label)
        return;
    if (read_numbers(rest + strspn(rest, separators), v, 4, 0) != 4 || v[0] < 1 || v[0] > UINT_MAX)
        command_refuse("%s: not run, sequence, seed, position and numbers", place(at, NULL));
    struct string *const new = own(s, label), **const node = tsearch(new, &s->labels, by_label);
    if (!node)
        command_fail("no memory");
    if (*node == new)
        new->run = s->runs++;
    at.run = (*node)->run;
    at.label = (*node)->text;
    at.sequence = (unsigned)v[0];
    add(s, v + 1, at, NULL);
}

static void add_rank(struct segments *s, char *line, struct origin at)
{
    uint64_t v[COLUMNS];
    const int n = read_numbers(line, v, COLUMNS, 0);
    if (n == 0)
        return;
    if (n < 0 || n % 3 != 1)
        command_refuse("%s: not a rank, and seed N1 N2 of its sequences", place(at, NULL));
    at.run = s->runs++;
    for (int k = 1; k < n; k += 3, ++at.sequence)
        add(s, (uint64_t[]){v[k], position_of(v[k + 1], v[k + 2], at), s->numbers}, at, NULL);
}

/* Adds a line without words. */
static void add_line(struct segments *s, char *line, struct origin at)
{
    uint64_t v[3] = {0, 0, s->numbers};
    const int n = read_numbers(line, v, 3, 0);
    if (n == 0)
        return;
    at.run = s->runs++;
    if (is_pairs(s->from)) {
        if (n != 2)
            command_refuse("%s: not two seeds, ij and kl", place(at, NULL));
        add_pair(s, v[0], v[1], at, NULL);
        return;
    }
    if (n < 0)
        command_refuse("%s: not up to three numbers: seed [position [numbers]]", place(at, NULL));
    if (n > 1 && s->from != FROM_LIST)
        command_refuse("%s: more than a seed: say what the columns are by --from list (seed, "
                       "position, numbers), ij-kl, egsnrc, egs++ or mg5",
                       place(at, NULL));
    if (s->from == FROM_LAMMPS)
        add_lammps(s, v[0], at, NULL);
    else
        add(s, v, at, NULL);
}

/* --- Files --- */

/* Adds the segments of a file. In a directory, a file in which no word tells what it is is ignored.
 */
static void add_file(struct segments *s, const char *name, int in_directory)
{
    FILE *const f = fopen(name, "r");
    if (!f)
        command_refuse("%s: %s", name, strerror(errno));
    char line[LINE];
    struct origin at = {.name = name, .run = s->runs, .sequence = 1};
    const enum kind kind = kind_of(f, s->from, at, in_directory);
    unsigned next[2] = {1, 11}; /* sequences of SEED and of MSEED */
    const size_t before = s->n;
    const uint64_t numbers_elsewhere = s->numbers;
    const int read = kind > LINES || (kind == LINES && s->from != FROM_CORSIKA &&
                                      !(in_directory && s->from == FROM_ANY));
    size_t length;
    for (at.line = 1; read && (length = next_line(line, f, at, 0)) > 0; ++at.line) {
        if (kind == REGISTRY && line[length - 1] != '\n')
            command_refuse("%s: its last line is not whole", name);
        uint64_t job, numbers_of_plan;
        if (kind != LINES && sscanf(line, "%*[*#] Segments of %" SCNu64, &numbers_of_plan) == 1)
            s->numbers = numbers_of_plan;
        if (kind == KEYED) {
            char *const numbers = after_key(line, s->from);
            if (numbers && is_pairs(s->from)) {
                add_line(s, numbers, at);
            } else if (numbers) {
                const int is_mseed = numbers - line > 4 && strchr("Mm", numbers[-5]) != NULL;
                at.sequence = next[is_mseed]++;
                add_card(s, numbers, at);
                s->runs = at.run + 1;
            } else if (sscanf(line, "* job %" SCNu64, &job) == 1 || /* of a plan's cards */
                       strncasecmp(keyword(line), "EXIT", 4) == 0) {
                at.run = s->runs;
                next[0] = 1;
                next[1] = 11;
            }
            continue;
        }
        line[strcspn(line, "#!")] = '\0';
        (kind == REGISTRY ? add_entry : kind == RANKS ? add_rank : add_line)(s, line, at);
    }
    if (s->n == before && !in_directory && kind != REGISTRY)
        command_refuse("%s: there is no seed in it", name);
    s->passed_over += s->n == before && in_directory;
    s->numbers = numbers_elsewhere;
    fclose(f);
}

void segments_add_file(struct segments *s, const char *name)
{
    add_file(s, name, 0);
}

static void add_directory(struct segments *s, const char *name)
{
    struct dirent **entries;
    const int n = scandir(name, &entries, NULL, alphasort);
    const size_t before = s->n;
    if (n < 0)
        command_refuse("%s: %s", name, strerror(errno));
    for (int i = 0; i < n; ++i) {
        char path[PATH_MAX + 256];
        struct stat about;
        snprintf(path, sizeof path, "%s/%s", name, entries[i]->d_name);
        if (stat(path, &about) == 0 && S_ISREG(about.st_mode))
            add_file(s, own(s, path)->text, 1);
        free(entries[i]);
    }
    free(entries);
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
        segments_add_file(s, argument);
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

void segments_interleave(struct segments *s, uint64_t instances, uint64_t block)
{
    const struct ranmar_interleave i = {instances, block};
    struct segments of_instances = {0};
    for (size_t k = 0; k < s->n; ++k) {
        const gpuranmar_segment *const whole = s->all + k;
        const uint64_t end = ranmar_segment_end(whole);
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

void segments_print_entry(FILE *file, const char *run, uint64_t sequence,
                          const gpuranmar_segment *g)
{
    fprintf(file, "%s %" PRIu64 " %" PRId64 " %" PRIu64 " %" PRIu64 "\n", run, sequence, g->seed,
            g->position, g->numbers);
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

static void leave(void *label)
{
    (void)label;
}

void segments_free(struct segments *s)
{
    tdestroy(s->labels, leave);
    for (struct string *o = s->owned, *next; o; o = next) {
        next = o->next;
        free(o);
    }
    free(s->all);
    free(s->origins);
}
