/* GRNFL1, GRNVEC, GRNSET, GRNCNT, GRNSTA and GRNPUT for code patched by corsika-patch, which draws
 * from the buffers in COMMON /GRNCOM/ itself, and what RMMAQD (rmmard.c) needs of them. RMMARD is
 * in another file, because patched code has an RMMARD of its own. */
#define _GNU_SOURCE /* dladdr, dl_iterate_phdr, RTLD_NEXT, memmem */
#include <dlfcn.h>
#include <inttypes.h>
#include <link.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/ranges.h"
#include "definition/flavour.h"
#include "fortran/draw_from_buffer.h"
#include "fortran/fortran.h"
#include "gpuranmar_engine.h"
#include "settings/settings.h"

void ranmar_stop_with(const char *line)
{
    gpuranmar_stop("%s", line);
}

void ranmar_stop_too_wide(const char *routine, const char *name, ranmar_integer value)
{
    gpuranmar_stop("%s: %s = %" PRId64 " does not fit 32 bits", routine, name, (int64_t)value);
}

/* Bytes of an INTEGER. Another copy of the library in the process finds this by its name. */
GPURANMAR_API extern const int gpuranmar_integer_size;
const int gpuranmar_integer_size = sizeof(ranmar_integer);

/* A second name for grnset_, which stands for this library's function whatever else is loaded. */
__attribute__((used, alias("grnset_"))) static __typeof__(grnset_) ours;

/* The file in which an address lies. */
static const char *file_of(uintptr_t address)
{
    Dl_info found;
    return dladdr((void *)address, &found) && found.dli_fname ? found.dli_fname : "another file";
}

/* Writes how many objects this process has loaded so far. */
static int count_loads(struct dl_phdr_info *any, size_t size, void *loads)
{
    (void)size;
    *(size_t *)loads = (size_t)any->dlpi_adds;
    return 1; /* no further object is wanted */
}

/* dlsym() searches all libraries, which takes longer than all else of a start. Only what is loaded
 * after the last check can change its answer. */
int ranmar_check_only_library(const char *routine)
{
    static _Atomic size_t loads_checked;
    size_t loads = 0;
    const uintptr_t called = (uintptr_t)grnset_, own = (uintptr_t)ours;
    dl_iterate_phdr(count_loads, &loads);
    if (loads > 0 && loads == loads_checked)
        return GPURANMAR_OK;
    const int *const next = dlsym(RTLD_NEXT, "gpuranmar_integer_size");
    if (called == own && (!next || *next == (int)sizeof(ranmar_integer))) {
        loads_checked = loads;
        return GPURANMAR_OK;
    }
    return ranmar_error(GPURANMAR_TWO_LIBRARIES,
                        "%s: two libraries with numbered sequences in one program: calls by "
                        "Fortran's names arrive in %s, not in %s; link or load one of them only",
                        routine, file_of(called), file_of(called == own ? (uintptr_t)next : own));
}

/* The COMMON in which CORSIKA and programs derived from it keep the state. The linker finds it if
 * an object of the program declares it, in Fortran, C or any other way; routines patched by
 * corsika-patch use another name. Because the shared library refers to the symbol, the linker
 * exports it from an executable that defines it. */
extern char crranma4_[] __attribute__((weak));

/* Every routine that starts a sequence calls this before it looks at an INTEGER, because the
 * INTEGERs of the program may have another size. */
void ranmar_fortran_check_library(const char *routine)
{
    gpuranmar_stop_on(ranmar_check_only_library(routine));
    if (crranma4_)
        gpuranmar_stop("%s: this program has COMMON /CRRANMA4/ (symbol crranma4_), where nobody "
                       "keeps the generator's state any more: find the object by 'nm -A *.o | grep "
                       "crranma4_', and let its source call GRNSTA",
                       routine);
}

void ranmar_fortran_set(const char *routine, int iseq, const int32_t iseed[3])
{
    const int32_t ijkl = iseed[0], ntot = iseed[1], ntot2 = iseed[2];
    gpuranmar_check_seed(routine, ijkl, ntot, ntot2);
    gpuranmar_options options = ranmar_sequence_options();
    options.seed = ranmar_sequence_seed(&options, ijkl);
    options.position = ranmar_count_of(ntot, ntot2);
    const struct ranmar_counters counters = {ijkl, ntot, ntot2,
                                             ranmar_index_after(RANMAR_LONG_LAG, options.position)};
    gpuranmar_stop_on(ranmar_sequence_start(routine, iseq, &options, &counters));
}

void grnset_(const ranmar_integer *ijkl, const ranmar_integer *ntot, const ranmar_integer *ntot2,
             const ranmar_integer *iseq)
{
    static const char routine[] = "GRNSET";
    ranmar_fortran_check_library(routine);
    const int32_t iseed[3] = {ranmar_argument(routine, "IJKL", *ijkl),
                              ranmar_argument(routine, "NTOT", *ntot),
                              ranmar_argument(routine, "NTOT2", *ntot2)};
    ranmar_fortran_set(routine, ranmar_argument(routine, "ISEQ", *iseq), iseed);
}

void ranmar_fortran_count(const char *routine, int iseq, int32_t iseed[3])
{
    struct ranmar_counters now;
    gpuranmar_stop_on(ranmar_sequence_report(routine, iseq, &now));
    iseed[0] = now.ijkl;
    iseed[1] = now.ntot;
    iseed[2] = now.ntot2;
}

void grncnt_(const ranmar_integer *iseq, ranmar_integer *ntot, ranmar_integer *ntot2)
{
    int32_t iseed[3];
    ranmar_fortran_count("GRNCNT", ranmar_argument("GRNCNT", "ISEQ", *iseq), iseed);
    ranmar_check_constants("GRNCNT");
    *ntot = iseed[1];
    *ntot2 = iseed[2];
}

/* --- The state, out and in --- */

static const struct ranmar_flavour *flavour_of_sequences(void)
{
    return ranmar_flavour(ranmar_sequence_options().flavour);
}

void ranmar_fortran_get(const char *routine, int iseq, struct ranmar_fortran_state *s)
{
    struct ranmar_counters now;
    struct ranmar_state state;
    gpuranmar_stop_on(ranmar_sequence_report(routine, iseq, &now));
    gpuranmar_stop_on(ranmar_sequence_state(routine, iseq, &state));
    ranmar_to_fortran_state(&now, &state, flavour_of_sequences(), s);
}

void ranmar_fortran_put(const char *routine, int iseq, const struct ranmar_fortran_state *s)
{
    struct ranmar_counters counters;
    struct ranmar_state state;
    gpuranmar_stop_on(
        ranmar_from_fortran_state(routine, s, flavour_of_sequences(), &counters, &state));
    gpuranmar_stop_on(ranmar_sequence_set_state(routine, iseq, &state, &counters));
}

void grnsta_(const ranmar_integer *iseq, ranmar_integer *ijkl, ranmar_integer *ntot,
             ranmar_integer *ntot2, ranmar_integer *i97, ranmar_integer *j97, double *c, double *u)
{
    const int32_t id = ranmar_argument("GRNSTA", "ISEQ", *iseq);
    struct ranmar_fortran_state s = {0};
    if (id < 1 || id > RANMAR_SEQUENCES_MAX || ranmar_sequence_is_set(id)) {
        ranmar_fortran_get("GRNSTA", id, &s);
        ranmar_check_constants("GRNSTA");
    }
    *ijkl = s.ijkl;
    *ntot = s.ntot;
    *ntot2 = s.ntot2;
    *i97 = s.i97;
    *j97 = s.j97;
    *c = s.c;
    memcpy(u, s.u, sizeof s.u);
}

void grnput_(const ranmar_integer *iseq, const ranmar_integer *ijkl, const ranmar_integer *ntot,
             const ranmar_integer *ntot2, const ranmar_integer *i97, const ranmar_integer *j97,
             const double *c, const double *u)
{
    ranmar_fortran_check_library("GRNPUT");
    struct ranmar_fortran_state s = {.ijkl = ranmar_argument("GRNPUT", "IJKL", *ijkl),
                                     .ntot = ranmar_argument("GRNPUT", "NTOT", *ntot),
                                     .ntot2 = ranmar_argument("GRNPUT", "NTOT2", *ntot2),
                                     .i97 = ranmar_argument("GRNPUT", "I97", *i97),
                                     .j97 = ranmar_argument("GRNPUT", "J97", *j97),
                                     .c = *c};
    memcpy(s.u, u, sizeof s.u);
    ranmar_fortran_put("GRNPUT", ranmar_argument("GRNPUT", "ISEQ", *iseq), &s);
}

/* Whether `size` bytes of a file, from `first` on, have that text. */
static int file_has(FILE *file, off_t first, off_t size, const char *text, size_t length)
{
    char *const content = malloc((size_t)size + 1);
    const size_t count =
        content && fseeko(file, first, SEEK_SET) == 0 ? fread(content, 1, (size_t)size, file) : 0;
    const int is_there =
        content && count >= length && /* mostly the text stands at once, and memcmp() is faster */
        (memcmp(content, text, length) == 0 || memmem(content, count, text, length));
    free(content);
    return is_there;
}

void ranmar_rmmaqd_check_written(const char *name, const char *text, size_t length)
{
    struct stat status;
    FILE *file;
    if (stat(name, &status) != 0 || !S_ISREG(status.st_mode) || !(file = fopen(name, "re")))
        return; /* opening a pipe or a device could disturb it */
    /* A program that writes a state for each event has a long file, and this text at its end. */
    const off_t bytes = (off_t)length, all = status.st_size;
    if (!(all > bytes && file_has(file, all - bytes, bytes, text, length)) &&
        !file_has(file, 0, all, text, length))
        gpuranmar_stop("RMMAQD: CHOPT = RV: cannot write unit 11: the file %s lacks a part of what "
                       "was written",
                       name);
    fclose(file);
}

/* --- Drawing from the buffers of COMMON /GRNCOM/ --- */

/* COMMON /CRRANMA3/ of CORSIKA: CD, CINT, CM, TWOM24, TWOM48 and MODCNS. Patched routines do not
 * use them. In the original another value would change the numbers or the counters. */
extern const struct {
    double constant[5];
    ranmar_integer modcns;
} crranma3_ __attribute__((weak));

void ranmar_check_constants(const char *routine)
{
    static const char *const name[] = {"CD", "CINT", "CM", "TWOM24", "TWOM48", "MODCNS"};
    static const double value[] = {RANMAR_STEP_24 / 0x1p24,
                                   RANMAR_START_24 / 0x1p24,
                                   RANMAR_MODULUS_24 / 0x1p24,
                                   0x1p-24,
                                   0x1p-48,
                                   1e9};
    for (int i = 0; &crranma3_ && i < 6; ++i) {
        const double now = i < 5 ? crranma3_.constant[i] : (double)crranma3_.modcns;
        if (now != value[i])
            gpuranmar_stop("%s: %s = %.17g in COMMON /CRRANMA3/ is not RANMAR's: something has "
                           "written over it, and the original would draw other numbers",
                           routine, name[i], now);
    }
}

void grnfl1_(const ranmar_integer *iseq, const int32_t *grnpos)
{
    const int32_t id = ranmar_argument("GRNFL1", "ISEQ", *iseq);
    if (grnpos != grncom_.pos)
        gpuranmar_stop("GRNFL1: COMMON /GRNCOM/ of this program is not the library's, so that no "
                       "number gets there: do not hide its symbol grncom_ (-fwhole-program)");
    ranmar_check_constants("GRNFL1");
    gpuranmar_stop_on(ranmar_sequence_refill("GRNFL1", id));
}

void grnvec_(double *rvec, const ranmar_integer *lenv, const ranmar_integer *iseq)
{
    const int32_t n = ranmar_argument("GRNVEC", "LENV", *lenv);
    const int32_t id = ranmar_argument("GRNVEC", "ISEQ", *iseq);
    if ((uint32_t)id - 1 < RANMAR_SEQUENCES_MAX && ranmar_draw_from_buffer(rvec, n, id))
        return;
    ranmar_check_constants("GRNVEC");
    ranmar_draw_past_buffer("GRNVEC", rvec, n, id);
}
