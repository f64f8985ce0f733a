/* Reads sequences from arguments, files and directories: see listed_sequences.h. */
#include "command/listed_sequences.h"

#include <errno.h>
#include <fts.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/ranges.h"
#include "command/command.h"
#include "gpuranmar_definition.h"

/* Keeps the reason why a file cannot be taken. Returns 0. */
__attribute__((format(printf, 2, 3))) static int refuse(struct sequences *s, const char *format,
                                                        ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(s->reason, sizeof s->reason, format, arguments);
    va_end(arguments);
    return 0;
}

/* Adds the sequence of a seed, a position and a count. Returns whether these are in range. */
static int add(struct sequences *s, const uint64_t value[3], struct origin at)
{
    const uint64_t position = s->position == UINT64_MAX ? value[1] : s->position;
    if (value[0] > INT32_MAX)
        return refuse(s, "%s line %zu: seed %" PRIu64 " is not in 0..%d", at.file, at.line,
                      value[0], INT32_MAX);
    if (position > RANMAR_POSITION_MAX || value[2] > RANMAR_POSITION_MAX - position)
        return refuse(s,
                      "%s line %zu: %" PRIu64 " numbers from position %" PRIu64 " on are past 2^63",
                      at.file, at.line, value[2], position);
    if (s->n == s->room) {
        s->room = s->room ? 2 * s->room : 1024;
        s->all = realloc(s->all, s->room * sizeof *s->all);
        if (!s->all)
            command_fail("no memory for %zu sequences", s->room);
    }
    const int64_t seed = (int64_t)value[0];
    s->all[s->n++] = (struct sequence){{ranmar_reduced_seed(seed), position, value[2]}, seed, at};
    return 1;
}

/* Adds FIRST or FIRST..LAST. Returns 0 if the text does not have this form. */
static int add_range(struct sequences *s, const char *text)
{
    const char *const dots = strstr(text, "..");
    uint64_t first, last;
    if (!command_read_number(text, dots, &first))
        return 0;
    last = first;
    if (dots && !command_read_number(dots + 2, NULL, &last))
        return 0;
    if (last < first || last > INT32_MAX)
        command_refuse("'%s': seeds are 0..%d, the lower one first in a range", text, INT32_MAX);
    for (uint64_t seed = first; seed <= last; ++seed)
        add(s, (uint64_t[]){seed, 0, s->numbers}, (struct origin){text, 0, s->runs++});
    return 1;
}

/* --- Lines: add_...() return whether they could read the line --- */

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

/* The keyword of a CORSIKA card. A line that begins with six blanks is a comment, for which this
 * returns an empty keyword. */
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

enum { LINE = 1 << 16 }; /* bytes; a file with a longer line is no text */

/* Reads the next line. Returns its length, 0 at the end of the file, or -1 if it cannot be read, or
 * is no text: it has a byte 0, or LINE - 1 bytes or more. */
static int next_line(struct sequences *s, char line[LINE], FILE *f, struct origin at)
{
    int length = 0, byte = EOF;
    while (length < LINE - 1 && byte != '\n' && byte != 0 && (byte = getc_unlocked(f)) != EOF)
        line[length++] = (char)byte;
    line[length] = '\0';
    if (ferror(f)) /* then `line` may hold only a part of a line */
        return refuse(s, "%s: %s", at.file, strerror(errno)) - 1;
    if (byte == 0 || length == LINE - 1)
        return refuse(s, "%s line %zu: a byte in it is 0, or it is longer than %d bytes", at.file,
                      at.line, LINE - 2) -
               1;
    if (strncmp(line, "\xef\xbb\xbf", 3) == 0) /* UTF-8's byte order mark, also in joined files */
        memmove(line, line + 3, (size_t)(length -= 3) + 1);
    return length;
}

/* What a file is. */
enum form { LIST, CARDS, PLAN, OTHER_VERSION };

/* The form of a file: a list, unless a line shows another form. Stops at a line that is no text. */
static enum form form_of(struct sequences *s, FILE *f, struct origin at)
{
    static char line[LINE];
    enum form form = LIST;
    for (at.line = 1; form == LIST && next_line(s, line, f, at) > 0; ++at.line)
        if (strncmp(line, PLAN_BEGINS, strlen(PLAN_BEGINS)) == 0 &&
            strchr(": \r\n", line[strlen(PLAN_BEGINS)]))
            form = PLAN;
        else if (strncmp(line, "# gpuranmar seeds ", 18) == 0)
            form = OTHER_VERSION;
        else if (after_seed(line))
            form = CARDS;
    rewind(f);
    return form;
}

/* Adds a line of a plan. Successive lines that begin with the same word are one run. */
static int add_entry(struct sequences *s, char *line, struct origin at, char run[LINE])
{
    line[strcspn(line, "#!")] = '\0';
    char *rest, *const word = strtok_r(line, separators, &rest);
    uint64_t v[4];
    if (!word)
        return 1;
    if (read_numbers(rest + strspn(rest, separators), v, 4, 0) != 4 || v[0] < 1)
        return refuse(s, "%s line %zu: a plan's line has run, sequence, seed, position, numbers",
                      at.file, at.line);
    s->runs += strcmp(run, word) != 0;
    strcpy(run, word);
    at.run = s->runs - 1;
    return add(s, v + 1, at);
}

/* Adds a line of a list. */
static int add_line(struct sequences *s, char *line, struct origin at)
{
    line[strcspn(line, "#!")] = '\0';
    uint64_t v[3] = {0, 0, s->numbers};
    const int n = read_numbers(line, v, 1, 0);
    if (n < 0)
        return refuse(
            s, "%s line %zu: not a seed; put positions in a plan, give logs to production audit",
            at.file, at.line);
    at.run = s->runs;
    s->runs += (size_t)n;
    return n == 0 || add(s, v, at);
}

/* Adds a line of cards to the run *run. A run begins after EXIT and at a comment '* job N'. */
static int add_card(struct sequences *s, char *line, struct origin at, size_t *run)
{
    uint64_t v[3] = {0}, job;
    if (sscanf(line, "* Segments of %" SCNu64, &v[0]) == 1) { /* of a plan's cards */
        s->numbers = v[0];
        return 1;
    }
    if (sscanf(line, "* job %" SCNu64, &job) == 1 || strncasecmp(keyword(line), "EXIT", 4) == 0)
        *run = s->runs;
    char *const numbers = after_seed(line);
    if (!numbers)
        return 1;
    if (read_numbers(numbers, v, 3, 1) < 1)
        return refuse(s, "%s line %zu: not SEED and up to three numbers", at.file, at.line);
    if (v[1] > INT32_MAX || v[2] > INT32_MAX)
        return refuse(s, "%s line %zu: N1 and N2 are not in 0..%d", at.file, at.line, INT32_MAX);
    at.run = *run;
    s->runs = at.run + 1;
    return add(s, (uint64_t[]){v[0], v[1] + v[2] * UINT64_C(1000000000), s->numbers}, at);
}

/* --- Files --- */

/* Reads a file of a form, line by line. Returns whether all of it could be read. */
static int read_file(struct sequences *s, FILE *f, struct origin at, enum form form)
{
    static char line[LINE], run[LINE];
    size_t run_of_cards = s->runs;
    int length, is_good = form != OTHER_VERSION;
    *run = '\0';
    if (!is_good)
        refuse(s, "%s is of another version of this program", at.file);
    for (at.line = 1; is_good && (length = next_line(s, line, f, at)) != 0; ++at.line)
        if (length < 0)
            is_good = 0;
        else if (form == PLAN && line[length - 1] != '\n')
            is_good = refuse(s, "%s: its last line is not whole", at.file);
        else if (form == CARDS)
            is_good = add_card(s, line, at, &run_of_cards);
        else
            is_good = form == PLAN ? add_entry(s, line, at, run) : add_line(s, line, at);
    return is_good;
}

/* Adds the sequences of a file. Of a directory's files, those that are neither plans nor cards are
 * skipped and counted; those that cannot be read, or have a line that cannot, are named too. */
static void add_file(struct sequences *s, const char *path, int in_directory)
{
    FILE *const f = fopen(path, "r");
    char *const name = strdup(path); /* the sequences of the file keep it */
    if (!name)
        command_fail("no memory");
    const struct origin at = {.file = name};
    const size_t before = s->n, runs_before = s->runs;
    const uint64_t numbers_elsewhere = s->numbers;
    int is_good = f ? 1 : refuse(s, "%s: %s", path, strerror(errno));
    if (f) {
        const enum form form = form_of(s, f, at);
        if (form != LIST || !in_directory)
            is_good = read_file(s, f, at, form);
        fclose(f);
    }
    if (!is_good && !in_directory)
        command_refuse("%s", s->reason);
    if (!is_good) {
        command_complain("%s; the file is passed over", s->reason);
        ++s->refused;
        s->n = before;
        s->runs = runs_before;
    } else if (s->n == before) {
        ++s->skipped; /* if it is an argument, sequences_add() refuses it */
    }
    if (s->n == before)
        free(name);
    s->numbers = numbers_elsewhere;
}

static int by_name(const FTSENT **left, const FTSENT **right)
{
    return strcmp((*left)->fts_name, (*right)->fts_name);
}

void sequences_add(struct sequences *s, const char *argument)
{
    if (add_range(s, argument))
        return;
    const size_t before = s->n;
    char *const roots[] = {(char *)argument, NULL};
    FTS *const tree = fts_open(roots, FTS_LOGICAL | FTS_NOCHDIR, by_name);
    if (!tree)
        command_fail("%s: %s", argument, strerror(errno));
    for (FTSENT *e; (e = fts_read(tree));) {
        const int in_directory = e->fts_level > FTS_ROOTLEVEL;
        if (e->fts_info == FTS_F)
            add_file(s, e->fts_path, in_directory);
        else if (in_directory && (e->fts_info == FTS_DNR || e->fts_info == FTS_NS)) {
            command_complain("%s: %s; it is passed over", e->fts_path, strerror(e->fts_errno));
            ++s->refused;
        } else if (e->fts_info == FTS_DNR || e->fts_info == FTS_ERR || e->fts_info == FTS_NS)
            command_refuse("'%s' is no seed, no range of seeds, and no file: %s", e->fts_path,
                           strerror(e->fts_errno));
        else if (!in_directory && e->fts_info != FTS_D && e->fts_info != FTS_DP)
            /* such as a pipe, which add_file() could not read twice */
            command_refuse("'%s' is neither a file nor a directory", argument);
    }
    fts_close(tree);
    if (s->n == before)
        command_refuse("%s: there is no seed in it", argument);
}
