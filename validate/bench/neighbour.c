/* What a fill costs the program around it, beyond its own time: `neighbour [rounds]`.
 *
 * A chain of dependent scalar multiplications, 26 us long, stands for the program. Between two such
 * chains comes some work: nothing, a fill of 1024 or 4096 numbers by one of the loops, or a few
 * instructions of one kind. Only the chains are timed, so that work which lowers the core's clock
 * shows as a slower chain. Each work gives a line of JSON:
 *
 *   {"work": "avx2 refill", "numbers": 1024, "ns_a_step": 0.967, "ratio": 1.001, "slowed": 0.00}
 *
 * All CPUs do the same at the same time, as on a machine that is full of simulations: some CPUs
 * lower their clock only if many cores ask for much. OMP_NUM_THREADS=1 takes one CPU.
 *
 * ns_a_step is the median of all rounds of all CPUs. ratio is the median of the quotients of a
 * round's time and that of the chain alone in the same round on the same CPU. slowed is the share
 * of rounds in which that quotient was above 1.05. Each round takes the works in a random order.
 * With 4096 numbers the chain is four times as long. */
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#ifdef __x86_64__
#include <immintrin.h>
#endif

#include "definition/flavour.h"
#include "fill/fill.h"
#include "timing.h"

enum { WINDOW = 1024, FAR = 4096, STEPS = 27000, WORKS_MAX = 32, LINKS_MAX = 4096 };
static const double round_ns = 15e6, settled_ns = 3e6; /* clocks change within 0.7 ms */

static _Thread_local double numbers[FAR];
static _Thread_local struct ranmar_state state;

static struct work {
    char name[40];
    size_t numbers; /* 0 for other than fills */
    ranmar_fill_function *fill;
    void (*instructions)(void);
} works[WORKS_MAX];
static int work_count;

static void add_fill(const char *level, const char *purpose, ranmar_fill_function *fill, size_t n)
{
    struct work *const w = &works[work_count++];
    snprintf(w->name, sizeof w->name, "%s %s", level, purpose);
    w->fill = fill;
    w->numbers = n;
}

static void add_instructions(const char *name, void (*instructions)(void))
{
    struct work *const w = &works[work_count++];
    snprintf(w->name, sizeof w->name, "%s", name);
    w->instructions = instructions;
}

#ifdef __x86_64__
enum { A_REFILL = 400, FEW = 8 }; /* so many vectors */

__attribute__((target("avx2"))) static void integers_256(void)
{
    __m256i v = _mm256_loadu_si256((const __m256i *)numbers);
    for (int i = 0; i < A_REFILL; ++i) {
        v = _mm256_add_epi64(_mm256_slli_epi64(v, 1), v);
        __asm__ volatile("" : "+x"(v));
    }
}

__attribute__((target("avx2"))) static void doubles_256(int count)
{
    const __m256d one = _mm256_set1_pd(1.0);
    __m256d v = one;
    for (int i = 0; i < count; ++i) {
        v = _mm256_mul_pd(v, one);
        __asm__ volatile("" : "+x"(v));
    }
}

static void few_doubles_256(void)
{
    doubles_256(FEW);
}
static void many_doubles_256(void)
{
    doubles_256(A_REFILL);
}

__attribute__((target("avx512f"))) static void integers_512(void)
{
    __m512i v = _mm512_loadu_si512(numbers);
    for (int i = 0; i < A_REFILL / 2; ++i) {
        v = _mm512_add_epi64(_mm512_slli_epi64(v, 1), v);
        __asm__ volatile("" : "+v"(v));
    }
}
#endif

static void find_works(void)
{
    add_instructions("alone", NULL);
    for (const struct ranmar_simd *const *l = ranmar_simd_levels; *l; ++l) {
        if (!(*l)->supported())
            continue;
        if ((*l)->refill) {
            add_fill((*l)->name, "refill", (*l)->refill, WINDOW);
            add_fill((*l)->name, "refill", (*l)->refill, FAR);
        }
        if ((*l)->array != (*l)->refill) {
            add_fill((*l)->name, "array", (*l)->array, WINDOW);
            add_fill((*l)->name, "array", (*l)->array, FAR);
        }
    }
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx2")) {
        add_instructions("256-bit integers", integers_256);
        add_instructions("256-bit doubles, few", few_doubles_256);
        add_instructions("256-bit doubles", many_doubles_256);
    }
    if (__builtin_cpu_supports("avx512f"))
        add_instructions("512-bit integers", integers_512);
#endif
}

static uint64_t chain(uint64_t x, int steps)
{
    for (int i = 0; i < steps; ++i) {
        x *= UINT64_C(0x9e3779b97f4a7c15);
        __asm__ volatile("" : "+r"(x));
    }
    return x;
}

/* Nanoseconds a step of the chain, with that work between two chains. It is the median of all
 * chains, which does not notice that the system interrupts a few. */
static double one_round(const struct work *w)
{
    const int steps = w->numbers == FAR ? STEPS * (FAR / WINDOW) : STEPS;
    const double from = now_ns();
    static _Thread_local double links[LINKS_MAX];
    int count = 0;
    for (double elapsed = 0; (elapsed < round_ns || count == 0) && count < LINKS_MAX;) {
        if (w->fill)
            w->fill(&state, ranmar_flavour(GPURANMAR_DOUBLE), numbers, w->numbers);
        else if (w->instructions)
            w->instructions();
        const double t = now_ns();
        chain(3, steps);
        const double now = now_ns();
        elapsed = now - from;
        if (elapsed > settled_ns)
            links[count++] = now - t;
    }
    return median(links, count) / steps;
}

static void shuffle(int order[WORKS_MAX])
{
    for (int i = 0; i < work_count; ++i) {
        const int j = rand() % (i + 1);
        order[i] = order[j];
        order[j] = i;
    }
}

/* Prints the line of a work from its times and their quotients. Sorts both. */
static void print_work(const struct work *w, double *ns, double *ratio, int count)
{
    int slowed = 0;
    for (int i = 0; i < count; ++i)
        slowed += ratio[i] > 1.05;
    printf("{\"work\": \"%s\", \"numbers\": %zu, \"ns_a_step\": %.4f, \"ratio\": %.4f, "
           "\"slowed\": %.2f}\n",
           w->name, w->numbers, median(ns, count), median(ratio, count), (double)slowed / count);
}

int main(int count, char **arguments)
{
    const int rounds = count > 1 ? atoi(arguments[1]) : 40;
    int cpus = omp_get_max_threads(); /* the most; OpenMP may give fewer */
    if (rounds < 1) {
        fprintf(stderr, "neighbour: rounds '%s' is not a positive number\n", arguments[1]);
        return 2;
    }
    find_works();
    double *const ns = calloc((size_t)(work_count * rounds * cpus), sizeof *ns);
    double *const ratio = calloc((size_t)(rounds * cpus), sizeof *ratio);
    if (!ns || !ratio)
        return 1;

    int order[WORKS_MAX];
#pragma omp parallel num_threads(cpus)
    {
#pragma omp single
        cpus = omp_get_num_threads();
        ranmar_seed(&state, ranmar_flavour(GPURANMAR_DOUBLE), 1);
        for (int round = 0; round < rounds; ++round) {
#pragma omp single
            shuffle(order);
            for (int i = 0; i < work_count; ++i) {
                const int time = (order[i] * rounds + round) * cpus + omp_get_thread_num();
                ns[time] = one_round(&works[order[i]]);
#pragma omp barrier
            }
        }
    }

    /* `alone`, which all others are divided by, comes last: median() sorts. */
    const int times = rounds * cpus; /* of each work */
    for (int w = work_count - 1; w >= 0; --w) {
        for (int i = 0; i < times; ++i)
            ratio[i] = ns[w * times + i] / ns[i];
        print_work(&works[w], ns + w * times, ratio, times);
    }
    free(ns);
    free(ratio);
    return 0;
}
