/* For interfaces that cannot return an error: gpuranmar_engine.h describes the calls. */
#define _GNU_SOURCE /* dladdr1, pipe2 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdatomic.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/ranges.h"
#include "definition/fortran_state.h"
#include "gpuranmar_engine.h"
#include "settings/settings.h"

void gpuranmar_stop_on(int error)
{
    if (error)
        ranmar_stop();
}

void gpuranmar_stop(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    ranmar_verror(GPURANMAR_BAD_ARGUMENT, format, arguments);
    va_end(arguments);
    ranmar_stop();
}

void gpuranmar_check_sequence(const char *routine, int id)
{
    const int error = ranmar_check_settings(routine);
    gpuranmar_stop_on(error ? error : ranmar_check_id(routine, id, ranmar_settings()->sequences));
}

void gpuranmar_check_seed(const char *routine, int ijkl, int ntot, int ntot2)
{
    if (ijkl < 0)
        gpuranmar_stop("%s: seed IJKL = %d is negative", routine, ijkl);
    if (ntot < 0 || ntot2 < 0)
        gpuranmar_stop("%s: numbers to skip: %s = %d is negative", routine,
                       ntot < 0 ? "NTOT" : "NTOT2", ntot < 0 ? ntot : ntot2);
    if (ntot2 > RANMAR_NTOT2_MAX)
        gpuranmar_stop("%s: numbers to skip: NTOT2 = %d is above %d", routine, ntot2,
                       RANMAR_NTOT2_MAX);
}

/* --- Addresses --- */

/* If the address is bad, write() and read() on a pipe return EFAULT; a plain access would crash. */
static int reaches(const int ends[2], const char *address, int written)
{
    char byte;
    if (write(ends[1], address, 1) != 1)
        return errno != EFAULT;
    if (written)
        return read(ends[0], (char *)address, 1) == 1 || errno != EFAULT;
    return read(ends[0], &byte, 1) == 1;
}

/* A program may start a sequence for each event, and asking the system takes longer than a start.
 * So a page that was good is taken for good from then on, and after ASKED_MOST questions every page
 * is. A page that has gone since stops the program by a signal in place of a line. */
enum { PAGE = 4096, SETS = 32, ASKED_MOST = 256 };

/* As in a cache of two ways, so that an array and the stack are both known wherever they lie. */
static _Atomic uintptr_t pages_known[SETS][2];

static int is_known(uintptr_t page, uintptr_t written)
{
    for (int way = 0; way < 2; ++way) {
        const uintptr_t known =
            atomic_load_explicit(&pages_known[page % SETS][way], memory_order_relaxed);
        if (known / 2 == page && known % 2 >= written)
            return 1;
    }
    return 0;
}

static void remember(uintptr_t page, uintptr_t written)
{
    _Atomic uintptr_t *const set = pages_known[page % SETS];
    const uintptr_t before = atomic_load_explicit(&set[0], memory_order_relaxed);
    if (before / 2 != page)
        atomic_store_explicit(&set[1], before, memory_order_relaxed);
    atomic_store_explicit(&set[0], 2 * page + written, memory_order_relaxed);
}

/* Asks the system whether both addresses are good. */
static int both_reach(const char *first, const char *last, int written)
{
    static _Atomic int asked;
    int ends[2];
    if (asked >= ASKED_MOST || pipe2(ends, O_CLOEXEC) != 0)
        return 1; /* without a pipe, no file may be opened any more, and nothing can be said */
    ++asked;
    const int good = reaches(ends, first, written) && reaches(ends, last, written);
    close(ends[0]);
    close(ends[1]);
    return good;
}

void gpuranmar_check_address(const char *routine, const char *argument, const void *address,
                             size_t bytes, int written)
{
    const char *const first = address, *const last = first + bytes - 1;
    const uintptr_t from = (uintptr_t)first / PAGE + 1, to = (uintptr_t)last / PAGE + 1; /* not 0 */
    if (is_known(from, written != 0) && is_known(to, written != 0))
        return;
    if (!both_reach(first, last, written))
        gpuranmar_stop("%s: %s is at %p, where the program has no %zu bytes%s: the call does not "
                       "fit this library's %s",
                       routine, argument, address, bytes, written ? " to write" : "", routine);
    remember(from, written != 0);
    remember(to, written != 0);
}

void gpuranmar_check_written(const char *routine, const char *file, int64_t bytes)
{
    struct stat status, full;
    if (stat(file, &status) != 0)
        return;
    if (S_ISREG(status.st_mode) ? status.st_size < bytes
                                : stat("/dev/full", &full) == 0 && S_ISCHR(status.st_mode) &&
                                      status.st_rdev == full.st_rdev)
        gpuranmar_stop("%s: the file %s lacks a part of what was written", routine, file);
}

/* --- Whose routine it is --- */

/* Returns the address at which calls of a routine arrive. If a program that is not
 * position-independent passes a library's routine as an argument, it passes its own PLT entry. The
 * symbol there is undefined, and calls go on to the first library that defines it. */
static const void *entry_address(const void *called)
{
#ifdef __GLIBC__
    Dl_info at, there;
    const ElfW(Sym) *symbol = NULL;
    const struct link_map *file = NULL;
    if (!dladdr1(called, &at, (void **)&symbol, RTLD_DL_SYMENT) || !symbol ||
        symbol->st_shndx != SHN_UNDEF || !dladdr1(called, &at, (void **)&file, RTLD_DL_LINKMAP))
        return called;
    while ((file = file->l_next)) {
        void *const library = dlopen(file->l_name, RTLD_LAZY | RTLD_NOLOAD);
        const void *const found = library ? dlsym(library, at.dli_sname) : NULL;
        if (library)
            dlclose(library);
        /* dlsym() also looks in the libraries that this one needs, whose turn comes later */
        if (found && dladdr(found, &there) && (uintptr_t)there.dli_fbase == file->l_addr)
            return found;
    }
#endif
    return called;
}

void gpuranmar_check_ours(const char *routine, const char *name, const void *called,
                          const void *own)
{
    /* A program may start a sequence for each event: entry_address() takes as long as a start. */
    static _Thread_local const void *called_before, *own_before;
    if (called == own || (called == called_before && own == own_before))
        return;
    if (entry_address(called) != own)
        gpuranmar_stop("%s: this program's %s is not this library's: take the original's source, "
                       "or the other library, off the link line",
                       routine, name);
    called_before = called;
    own_before = own;
}
