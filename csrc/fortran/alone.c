/* How the libraries in a program find each other.
 *
 * Each file that contains this library, a shared library or a program, has an ELF note, a section
 * of type SHT_NOTE, which leads to what the file serves. The notes of all loaded files can be
 * found. This also works where no symbol is visible from outside: in a program that is linked
 * statically, or for a library that was loaded by RTLD_LOCAL. */
#define _GNU_SOURCE /* dl_iterate_phdr */
#include "fortran/alone.h"

#include <limits.h>
#include <link.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "definition/error.h"
#include "definition/version.h"
#include "fortran/fortran.h"
#include "stream/library.h"

/* Libraries of other versions read this too: a change needs a new type of note. */
#define NOTE_TYPE 1
#define NOTE_NAME "gpuranmar"
struct ranmar_serving {
    int32_t integer;     /* bytes of a Fortran INTEGER */
    atomic_int started;  /* whether a numbered sequence has been started, or was to be
                          * started when memory ran out */
    uintptr_t of_grnset; /* where calls of GRNSET arrive, as seen from there */
};

__attribute__((used, visibility("hidden"))) struct ranmar_serving ranmar_serving = {
    sizeof(ranmar_integer), 0, (uintptr_t)grnset_};

/* clang-format off */
__asm__(".pushsection .note.gpuranmar, \"a\", %note\n"
        ".balign 4\n"
        ".long 2f - 1f\n" /* length of the name */
        ".long 4\n"       /* length of what follows it */
        ".long " RANMAR_TEXT(NOTE_TYPE) "\n"
        "1: .asciz \"" NOTE_NAME "\"\n"
        "2: .balign 4\n"
        ".long ranmar_serving - .\n"
        ".popsection\n");
/* clang-format on */

static const char note_name[] = NOTE_NAME;

static size_t padded(size_t size)
{
    return (size + 3) & ~(size_t)3;
}

/* What the file with these notes serves; NULL if none of the notes is of this library's kind. */
static struct ranmar_serving *find_in(const char *notes, size_t size)
{
    ElfW(Nhdr) note;
    for (size_t length; size >= sizeof note; notes += length, size -= length) {
        memcpy(&note, notes, sizeof note);
        length = sizeof note + padded(note.n_namesz) + padded(note.n_descsz);
        if (length > size)
            break;
        const char *const name = notes + sizeof note, *const from = name + padded(note.n_namesz);
        int32_t distance;
        if (note.n_type != NOTE_TYPE || note.n_namesz != sizeof note_name ||
            note.n_descsz != sizeof distance || memcmp(name, note_name, sizeof note_name) != 0)
            continue;
        memcpy(&distance, from, sizeof distance);
        return (struct ranmar_serving *)((uintptr_t)from + (uintptr_t)(intptr_t)distance);
    }
    return NULL;
}

static int is_rival(const struct ranmar_serving *other)
{
    return other != &ranmar_serving &&
           (other->started || (other->integer != ranmar_serving.integer &&
                               other->of_grnset == ranmar_serving.of_grnset));
}

/* Looks into one of the loaded files. At the first rival it returns 1, which ends the search, with
 * the name of the file in `found`. */
static int look_into(struct dl_phdr_info *file, size_t size, void *found)
{
    for (int i = 0; i < file->dlpi_phnum; ++i) {
        const ElfW(Phdr) *const segment = &file->dlpi_phdr[i];
        if (segment->p_type != PT_NOTE || segment->p_align > 4)
            continue;
        const struct ranmar_serving *const other = find_in(
            (const char *)(uintptr_t)(file->dlpi_addr + segment->p_vaddr), segment->p_memsz);
        if (other && is_rival(other)) {
            snprintf(found, PATH_MAX, "%s", *file->dlpi_name ? file->dlpi_name : "/proc/self/exe");
            return 1;
        }
    }
    (void)size;
    return 0;
}

int ranmar_alone(const char *routine)
{
    /* This is set before others are looked for, so that of two libraries that start at once at
     * least one sees the other. */
    const int before = atomic_exchange(&ranmar_serving.started, 1);
    char found[PATH_MAX], path[PATH_MAX];
    if (!dl_iterate_phdr(look_into, found))
        return GPURANMAR_OK;
    ranmar_serving.started = before;
    return ranmar_error(GPURANMAR_TWO_LIBRARIES,
                        "%s: two libraries with numbered sequences in one program, which must "
                        "link or load one of them only: %s and %s",
                        routine, ranmar_library_path(), realpath(found, path) ? path : found);
}
