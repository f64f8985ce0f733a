/* CORSIKA's steering cards and lists of seeds, as `gpuranmar seeds audit` reads them: each file is
 * either refused in one line, or gives segments that lie in range and come from a line of it. */
#define _GNU_SOURCE /* memfd_create */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* libFuzzer keeps the input that leads to abort(). */
#define REQUIRE(condition) ((condition) ? (void)0 : abort())

/* If the command refuses the input, exit() jumps back here, and clean_up() closes what the command
 * had opened. The command's message goes to `said`. */
static jmp_buf refused;
static char line_said[1000];
static FILE *said, *opened;

static FILE *open_file(const char *name, const char *mode)
{
    return opened = fopen(name, mode);
}

static int close_file(FILE *file)
{
    opened = file == opened ? NULL : opened;
    return fclose(file);
}

#define exit(status) longjmp(refused, status)
#undef stderr
#define stderr said
#define fopen open_file
#define fclose close_file
#include "../../csrc/command/arguments.c"
#include "../../csrc/command/segments.c"
#undef stderr
#undef exit
#undef fopen
#undef fclose
extern FILE *stderr;

/* The refusal must be one line. Frees what the command had open. */
static void clean_up(void)
{
    fflush(said);
    const size_t length = strcspn(line_said, "\n");
    REQUIRE(length > 0 && length < sizeof line_said - 1 && line_said[length + 1] == '\0');
    if (opened)
        fclose(opened);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const int file = memfd_create("cards", 0);
    char path[64];
    REQUIRE(file >= 0 && write(file, data, size) == (ssize_t)size);
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    static struct segments s;
    s = (struct segments){0};
    opened = NULL;
    memset(line_said, 0, sizeof line_said);
    said = fmemopen(line_said, sizeof line_said - 1, "w");
    if (setjmp(refused)) {
        clean_up();
    } else {
        segments_add(&s, path);
        REQUIRE(s.n <= size);
        for (size_t i = 0; i < s.n; ++i) {
            REQUIRE(s.all[i].seed >= 0 && s.all[i].seed <= RANMAR_SEED_MAX);
            REQUIRE(s.all[i].position <= RANMAR_POSITION_MAX);
            REQUIRE(s.all[i].numbers <= RANMAR_POSITION_MAX - s.all[i].position);
            REQUIRE(s.sources[i].line >= 1 && s.sources[i].line <= size + 1);
        }
    }
    segments_free(&s);
    fclose(said);
    close(file);
    return 0;
}
