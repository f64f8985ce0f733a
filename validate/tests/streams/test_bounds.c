/* The last allowed value and the first refused one of each argument and option; and the threads
 * that help. Nothing here is random, so that a test fails always or never. */
#define _GNU_SOURCE /* CPU sets */
#include <dirent.h>
#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/process.h"
#include "child.h"
#include "definition/flavour.h"
#include "fill/fill.h"
#include "fill/thread_pool.h"
#include "fortran/fortran.h"
#include "gpuranmar.h"
#include "gpuranmar_engine.h"
#include "settings/settings.h"
#include "stream/saved_state.h"
#include "tests.h"

/* What a helper of a team has. */
static struct {
    cpu_set_t cores;
    sigset_t blocked;
} helper;

static void note_helper(void *shared, size_t index)
{
    (void)shared;
    (void)index;
    pthread_getaffinity_np(pthread_self(), sizeof helper.cores, &helper.cores);
    pthread_sigmask(SIG_BLOCK, NULL, &helper.blocked);
}

/* Gathers up to `wanted` helpers and has one of them noted. Returns how many there are. */
static size_t gathered(size_t wanted)
{
    struct ranmar_team team = ranmar_team_gather(wanted);
    if (team.size > 0)
        ranmar_team_run(&team, note_helper, NULL, 0);
    ranmar_team_dismiss(&team);
    return team.size;
}

/* --- Settings are read once a process, so a test that sets one comes first, in a child --- */

TEST(state_for_two_instances)
{
    struct ranmar_fortran_state s = {.i97 = 97, .j97 = 33, .u = {0.5}};
    const int32_t one = 1;
    STOPS("cannot be read with GPURANMAR_INSTANCES = 2", setenv("GPURANMAR_INSTANCES", "2", 1),
          grnput_(&one, &s.ijkl, &s.ntot, &s.ntot2, &s.i97, &s.j97, &s.c, s.u));
}

/* --- OpenMP: its functions, which return what a test wants --- */

static struct {
    int level, levels, places;
    int cores[2]; /* the first place has cores[0], and CPU_SETSIZE, which no core has; the second
                     has cores[1] */
} openmp = {.levels = 1};

int omp_get_active_level(void)
{
    return openmp.level;
}

int omp_get_max_active_levels(void)
{
    return openmp.levels;
}

int omp_get_num_places(void)
{
    return openmp.places;
}

int omp_get_place_num_procs(int place)
{
    return place ? 1 : 2;
}

void omp_get_place_proc_ids(int place, int *ids)
{
    *ids = place ? openmp.cores[1] : CPU_SETSIZE;
    if (!place)
        ids[1] = openmp.cores[0];
}

/* The library starts no thread if OpenMP would not. */
TEST(threads_in_a_parallel_region)
{
    static const struct {
        int level, levels;
        size_t size;
    } cases[] = {{0, 1, 1}, {1, 1, 0}, {1, 2, 1}, {2, 1, 0}, {0, 0, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        openmp.level = cases[i].level;
        openmp.levels = cases[i].levels;
        assert_int_equal(gathered(1), cases[i].size);
    }
    openmp.level = 0;
    openmp.levels = 1;
}

static int count_threads(void)
{
    DIR *const tasks = opendir("/proc/self/task");
    int count = 0;
    while (readdir(tasks))
        ++count;
    closedir(tasks);
    return count - 2; /* . and .. */
}

static int teams_are_as_asked(void)
{
    static char from[2 << 20], to[2 << 20];
    for (int threads = 1; threads <= 2; ++threads) {
        ranmar_copy_by_threads(to, from, sizeof to, threads);
        if (count_threads() != threads)
            return 0;
    }
    for (size_t wanted = 4; wanted > 0; --wanted)
        if (gathered(wanted) != wanted)
            return 0;
    struct ranmar_team one = ranmar_team_gather(2), other = ranmar_team_gather(5);
    const int good = one.size == 2 && other.size == 3;
    ranmar_team_dismiss(&one);
    ranmar_team_dismiss(&other);
    return good;
}

/* A team has no more helpers than were asked for, even if more are idle. Two teams together have no
 * more than the larger has asked for. */
TEST(sizes_of_teams)
{
    ENDS_WELL(_exit(!teams_are_as_asked()));
}

static int helper_has_all_places(void)
{
    cpu_set_t one, expected;
    CPU_ZERO(&one);
    CPU_ZERO(&expected);
    CPU_SET((size_t)openmp.cores[0], &one);
    sched_setaffinity(0, sizeof one, &one);
    for (int i = 0; i < 1 + (openmp.places > 0); ++i)
        CPU_SET((size_t)openmp.cores[i], &expected);
    return gathered(1) == 1 && CPU_EQUAL(&helper.cores, &expected);
}

/* OpenMP has bound this thread to the first place; a helper may run on all. */
TEST(places_of_helpers)
{
    cpu_set_t cores;
    int found = 0;
    assert_int_equal(sched_getaffinity(0, sizeof cores, &cores), 0);
    for (int cpu = 0; cpu < CPU_SETSIZE && found < 2; ++cpu)
        if (CPU_ISSET((size_t)cpu, &cores))
            openmp.cores[found++] = cpu;
    if (found < 2)
        SKIP("one core");
    for (openmp.places = 0; openmp.places <= 2; openmp.places += 2)
        ENDS_WELL(_exit(!helper_has_all_places()));
    openmp.places = 0;
}

TEST(signals_of_helpers)
{
    sigset_t own;
    assert_int_equal(gathered(1), 1);
    assert_true(sigismember(&helper.blocked, SIGTERM) && sigismember(&helper.blocked, SIGINT));
    assert_int_equal(pthread_sigmask(SIG_SETMASK, NULL, &own), 0);
    assert_false(sigismember(&own, SIGTERM));
}

/* A program that loads the shared library, makes a request by threads, and unloads the library. */
static void load_and_unload(void)
{
    enum { N = 1 << 20 };
    static double u[N];
    char name[PATH_MAX];
    int (*initialise)(gpuranmar_stream **, const gpuranmar_options *);
    int (*fill)(gpuranmar_stream *, double *, size_t);
    void (*end)(gpuranmar_stream *);
    gpuranmar_options o = GPURANMAR_OPTIONS_INIT;
    gpuranmar_stream *s;
    const int before = count_threads();
    o.threads = 4;
    snprintf(name, sizeof name, "%s/libgpuranmar.so", getenv("BUILD") ? getenv("BUILD") : "build");
    for (int i = 0; i < 20; ++i) {
        void *const library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
        if (!library)
            _exit(2);
        *(void **)&initialise = dlsym(library, "gpuranmar_stream_initialise");
        *(void **)&fill = dlsym(library, "gpuranmar_stream_fill");
        *(void **)&end = dlsym(library, "gpuranmar_stream_close");
        if (initialise(&s, &o) || fill(s, u, N) || count_threads() == before)
            _exit(3);
        end(s);
        dlclose(library);
    }
    _exit(dlopen(name, RTLD_NOW | RTLD_NOLOAD) || count_threads() != before);
}

TEST(unloaded_without_a_thread_left)
{
    ENDS_WELL(load_and_unload());
}

/* --- Saved states and settings --- */

/* The text of a saved state is a file format, which stays. Another number of its version is
 * refused, with the right checksum too. */
TEST(saved_text)
{
    static const char *const known[] = {
        "RANMAR2 single 54208774 1 1024 89472                                    92030f54",
        "RANMAR2 keyed 54208776 1 1024 1125899907453970                          7732840a",
        "RANMAR2 double 54217137 1 1024 12345                                    2f4e9047",
        "RANMAR2 extended 54208775 7 1000 95712                                  5018d4a7"};
    char text[GPURANMAR_SAVED_STATE_SIZE];
    gpuranmar_stream *const s = OPEN(.seed = 54217137, .position = 12345), *const t =
                                                                               OPEN(.threads = 1);
    for (size_t i = 0; i < sizeof known / sizeof *known; ++i) {
        assert_int_equal(gpuranmar_stream_restore(t, known[i], sizeof text), GPURANMAR_OK);
        assert_int_equal(gpuranmar_stream_save(t, text, sizeof text), GPURANMAR_OK);
        assert_memory_equal(text, known[i], sizeof text);
    }
    assert_int_equal(gpuranmar_stream_save(s, text, sizeof text), GPURANMAR_OK);
    assert_memory_equal(text, known[2], sizeof text);
    for (text[6] = '1'; text[6] <= '3'; ++text[6]) {
        ranmar_write_checksum(text);
        assert_int_equal(gpuranmar_stream_restore(s, text, sizeof text),
                         text[6] == '2' ? GPURANMAR_OK : GPURANMAR_BAD_STATE);
    }
    gpuranmar_stream_close(s);
    gpuranmar_stream_close(t);
}

/* An error that quotes bad input is one line, whatever bytes that has. */
TEST(errors_are_one_line)
{
    char text[GPURANMAR_SAVED_STATE_SIZE];
    gpuranmar_stream *const s = OPEN(.threads = 1);
    memset(text, '\n', sizeof text);
    memcpy(text + 1, "\x1b ~\x7f", 4);
    assert_int_equal(gpuranmar_stream_restore(s, text, sizeof text), GPURANMAR_BAD_STATE);
    for (const char *c = gpuranmar_last_error(); *c; ++c)
        assert_true(*c >= ' ' && *c != 0x7f);
    assert_non_null(strstr(gpuranmar_last_error(), " ~?"));
    gpuranmar_stream_close(s);
}

/* --- Fortran states --- */

static struct ranmar_fortran_state some_state(int i97)
{
    const struct ranmar_flavour *const f = ranmar_flavour(GPURANMAR_DOUBLE);
    const struct ranmar_counters counters = {1802, 5, 1, i97};
    struct ranmar_fortran_state s;
    struct ranmar_state state;
    ranmar_seed(&state, f, 1802);
    ranmar_to_fortran_state(&counters, &state, f, &s);
    return s;
}

static void state_is(const struct ranmar_fortran_state *s, const char *wrong)
{
    struct ranmar_counters counters;
    struct ranmar_state state;
    const int error =
        ranmar_from_fortran_state("READ", s, ranmar_flavour(GPURANMAR_DOUBLE), &counters, &state);
    if (wrong)
        expect(error, GPURANMAR_BAD_STATE, wrong);
    else
        assert_int_equal(error, GPURANMAR_OK);
}

/* J97 is 97 where I97 is 64, the one place where it wraps. */
TEST(all_places_of_the_ring)
{
    for (int i97 = 1; i97 <= RANMAR_LONG_LAG; ++i97) {
        struct ranmar_fortran_state s = some_state(i97);
        assert_int_equal(s.j97, i97 > 64 ? i97 - 64 : i97 + 33);
        state_is(&s, NULL);
        s.j97 = i97 > 64 ? i97 + 33 : i97 - 64;
        state_is(&s, "J97 = ");
        s.j97 = 10000 + (i97 > 64 ? i97 - 64 : i97 + 33); /* of no flavour */
        state_is(&s, "J97 = ");
        s.i97 = i97 == 97 ? 98 : 0;
        state_is(&s, "I97 = ");
    }
}

/* The arithmetic part is below its modulus, the larger counter at most 2 * 10^9. */
TEST(limits_of_fortran_states)
{
    struct ranmar_fortran_state s = some_state(97);
    s.c = 16777212 * 0x1p-24;
    s.ntot2 = 2000000000;
    state_is(&s, NULL);
#define IS_WRONG(field, value, words) \
    s.field = value;                  \
    state_is(&s, words);              \
    s.field = 0
    IS_WRONG(ntot2, 2000000001, "NTOT2 = 2000000001");
    IS_WRONG(ntot2, -1, "NTOT2 = -1");
    IS_WRONG(ntot, -1, "NTOT = -1");
    IS_WRONG(ijkl, -1, "IJKL = -1");
    IS_WRONG(c, 16777213 * 0x1p-24, "C = 0.99999982");
    memset(s.u, 0, sizeof s.u);
    state_is(&s, "all words of U = 0");
}

/* --- Arguments --- */

/* Each option's last values, the first beyond them, and 0, with a line that names a wrong value. */
TEST(bounds_of_options)
{
    static const struct {
        const char *name;
        size_t offset, size;
        int64_t least, most;
    } cases[] = {
#define OPTION(member, least, most)                                                          \
    {#member, offsetof(gpuranmar_options, member), sizeof(((gpuranmar_options *)0)->member), \
     least, most}
        OPTION(size, sizeof(gpuranmar_options), sizeof(gpuranmar_options)),
        OPTION(seed, 0, 942438977),
        OPTION(flavour, 0, RANMAR_FLAVOURS - 1),
        OPTION(backend, GPURANMAR_CPU, GPURANMAR_OPENCL),
        OPTION(instances, 1, 30082),
        OPTION(prefetch, 0, 1000000000),
        OPTION(threads, 0, 1024),
        OPTION(reserved, 0, 0),
    };
    for (size_t i = 0; i < 5 * sizeof cases / sizeof *cases; ++i) {
        const int64_t least = cases[i / 5].least, most = cases[i / 5].most;
        const int64_t value = (const int64_t[]){least - 1, least, most, most + 1, 0}[i % 5];
        gpuranmar_options o = GPURANMAR_OPTIONS_INIT;
        const int narrow = (int)value;
        char words[60];
        snprintf(words, sizeof words, "%s = %lld", cases[i / 5].name, (long long)value);
        memcpy((char *)&o + cases[i / 5].offset,
               cases[i / 5].size == sizeof narrow ? (const void *)&narrow : &value,
               cases[i / 5].size);
        gpuranmar_stream *s = (gpuranmar_stream *)&o;
        const int error = gpuranmar_stream_initialise(&s, &o);
        if (least <= value && value <= most) {
            assert_int_equal(error, GPURANMAR_OK);
            gpuranmar_stream_close(s);
        } else {
            expect(error, GPURANMAR_BAD_ARGUMENT, words);
            assert_ptr_equal(s, &o); /* not changed */
        }
    }
}

/* Each error has words of its own, and so have values that are no error. */
TEST(words_of_errors)
{
    for (int a = GPURANMAR_OK - 1; a <= GPURANMAR_TWO_LIBRARIES; ++a)
        for (int b = a + 1; b <= GPURANMAR_TWO_LIBRARIES; ++b)
            assert_string_not_equal(gpuranmar_strerror(a), gpuranmar_strerror(b));
    assert_string_equal(gpuranmar_strerror(GPURANMAR_TWO_LIBRARIES + 1), gpuranmar_strerror(-1));
}

/* A draw of 10^9 numbers is allowed, but this process may not have memory for them. One number more
 * is a bad argument. */
TEST(largest_draw)
{
#ifdef __SANITIZE_ADDRESS__
    SKIP("AddressSanitizer takes more than the limit for itself");
#endif
    const struct rlimit room = {UINT64_C(1) << 32, UINT64_C(1) << 32};
    const double *numbers;
    gpuranmar_stream *s;
    ENDS_WELL(if (setrlimit(RLIMIT_AS, &room) || gpuranmar_stream_initialise(&s, NULL)) _exit(9);
              const int most = gpuranmar_stream_draw(s, &numbers, 1000000000);
              const int more = gpuranmar_stream_draw(s, &numbers, 1000000001);
              const int less = gpuranmar_stream_draw(s, &numbers, 2000); /* after a failure */
              _exit(most != GPURANMAR_NO_MEMORY || more != GPURANMAR_BAD_ARGUMENT || less));
}

/* --- Threads, where the program brings no OpenMP --- */

TEST(threads_by_default)
{
    static const struct {
        const char *threads, *limit;
        int expected; /* 0: as many as there are cores for the process */
    } cases[] = {{NULL, NULL, 0},     {"12", NULL, 12}, {"3,2", NULL, 3}, {"0", NULL, 0},
                 {"x", NULL, 0},      {"12", "2", 2},   {"2", "12", 2},   {"5000", NULL, 1024},
                 {"1024", "0", 1024}, {"1", NULL, 1},   {"12", "1", 1}};
    cpu_set_t cores, one;
    assert_int_equal(sched_getaffinity(0, sizeof cores, &cores), 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        (cases[i].threads ? setenv("OMP_NUM_THREADS", cases[i].threads, 1)
                          : unsetenv("OMP_NUM_THREADS"));
        (cases[i].limit ? setenv("OMP_THREAD_LIMIT", cases[i].limit, 1)
                        : unsetenv("OMP_THREAD_LIMIT"));
        assert_int_equal(ranmar_default_threads(),
                         cases[i].expected ? cases[i].expected : CPU_COUNT(&cores));
    }
    unsetenv("OMP_NUM_THREADS");
    unsetenv("OMP_THREAD_LIMIT");
    CPU_ZERO(&one);
    for (size_t cpu = 0; CPU_COUNT(&one) == 0; ++cpu)
        if (CPU_ISSET(cpu, &cores))
            CPU_SET(cpu, &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    assert_int_equal(ranmar_default_threads(), 1);
    assert_int_equal(sched_setaffinity(0, sizeof cores, &cores), 0);
}
