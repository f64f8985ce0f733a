/* gpuranmar device-check: whether a GPU makes the right numbers here, and how fast. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "backends/plugin.h"
#include "base/clock.h"
#include "command/command.h"
#include "definition/flavour.h"
#include "gpuranmar.h"
#include "settings/settings.h"
#include "stream/stream.h"

static const char usage[] =
    "usage: gpuranmar device-check [--backend opencl|cuda] [--device WHICH]\n"
    "Compares the numbers that a GPU makes, in every flavour, with those that the CPU makes, and\n"
    "measures the GPU's speed. The last line says yes if every number is right, and no otherwise.\n"
    "To report a device, send the whole output.\n"
    "\n"
    "  --backend NAME   opencl (default) or cuda\n"
    "  --device WHICH   the number or a part of the name of a device that gpuranmar info lists;\n"
    "                   replaces the setting GPURANMAR_DEVICE\n"
    "\n"
    "Exit status 1 if a number is wrong, 2 if no device can be used, or for an error.\n";

enum { MOST = 1 << 23, REQUESTS = 12 };

/* A random whole number from 0 to high (1..2^63); each order of magnitude is equally likely. */
static uint64_t any_up_to(uint64_t high)
{
    uint64_t random[2];
    if (getrandom(random, sizeof random, 0) != sizeof random)
        command_fail("no random numbers from the system");
    const unsigned bits = 64 - (unsigned)__builtin_clzll(high);
    return random[0] % ((high >> random[1] % bits) + 1);
}

static void *memory_for(size_t bytes)
{
    void *const memory = malloc(bytes);
    if (!memory)
        command_fail("no memory");
    return memory;
}

static gpuranmar_stream *open_stream(gpuranmar_options o, int backend)
{
    gpuranmar_stream *s;
    o.backend = backend;
    if (gpuranmar_stream_initialise(&s, &o))
        command_fail("%s", gpuranmar_last_error());
    return s;
}

static void draw_numbers(gpuranmar_stream *s, int single, void *out, size_t n)
{
    if (single ? gpuranmar_stream_fill_single(s, out, n) : gpuranmar_stream_fill(s, out, n))
        command_fail("%s", gpuranmar_last_error());
}

/* Whether the CPU has made numbers of a stream. The CPU is each stream's last back end. */
static int cpu_has_helped(const gpuranmar_stream *s)
{
    const struct ranmar_backend *m = s->backend;
    while (m->next)
        m = m->next;
    return m->times > 0;
}

static int differences; /* comparisons that found a wrong number */

/* Draws requests of random sizes from the device and from the CPU, at a random position of one
 * random sequence or of several instances. Returns whether all numbers are the same. Sets
 * *by_device to 0 if the CPU made some of the device's numbers. */
static int flavour_is_right(int flavour, int backend, int instances, int *by_device)
{
    gpuranmar_options o = GPURANMAR_OPTIONS_INIT;
    o.flavour = flavour;
    o.seed = (int64_t)any_up_to(RANMAR_SEED_MAX);
    o.position = any_up_to(UINT64_C(1) << 60);
    o.instances = instances;
    o.prefetch = instances + (int64_t)any_up_to(MOST); /* so that each instance is used */
    gpuranmar_stream *const gpu = open_stream(o, backend), *const cpu =
                                                               open_stream(o, GPURANMAR_CPU);
    const size_t size = ranmar_number_size(ranmar_flavour(flavour));
    const int single = size == sizeof(float);
    char *const got = memory_for(MOST * size), *const want = memory_for(MOST * size);
    int good = 1;
    for (int i = 0; i < REQUESTS && good; ++i) {
        const size_t n = i == 0 ? MOST : 1 + (size_t)any_up_to(MOST - 1);
        draw_numbers(gpu, single, got, n);
        draw_numbers(cpu, single, want, n);
        good = memcmp(got, want, n * size) == 0;
    }
    differences += !good;
    if (!good)
        printf("  wrong: seed %" PRId64 ", position %" PRIu64 ", %d instances, prefetch %" PRId64
               "\n",
               o.seed, o.position, instances, o.prefetch);
    *by_device = *by_device && !cpu_has_helped(gpu);
    free(got);
    free(want);
    gpuranmar_stream_close(gpu);
    gpuranmar_stream_close(cpu);
    return good;
}

/* Compares all flavours. Ends the program if the device cannot be used. */
static void check_flavours(int backend)
{
    for (int flavour = 0; flavour < RANMAR_FLAVOURS; ++flavour) {
        int by_device = 1;
        const int one = flavour_is_right(flavour, backend, 1, &by_device);
        const int several = flavour_is_right(flavour, backend, 7, &by_device);
        if (!by_device)
            command_refuse("the device did not make the numbers");
        printf("%s: %s\n", ranmar_flavour_name(flavour), one && several ? "right" : "WRONG");
    }
}

/* The rate of large requests into host memory, in 10^9 numbers a second: the best of five. */
static double to_host(int backend)
{
    gpuranmar_options o = GPURANMAR_OPTIONS_INIT;
    gpuranmar_stream *const s = open_stream(o, backend);
    double *const out = memory_for(4 * (size_t)MOST * sizeof *out), best = 0;
    for (int i = 0; i < 5; ++i) {
        const int64_t began = ranmar_nanoseconds();
        draw_numbers(s, 0, out, 4 * (size_t)MOST);
        const double rate = 4.0 * MOST / (double)(ranmar_nanoseconds() - began);
        best = rate > best ? rate : best;
    }
    free(out);
    gpuranmar_stream_close(s);
    return best;
}

/* Checks the device that the settings choose. Returns the exit status. */
static int check(int backend)
{
    const char *text;
    char words[RANMAR_PLUGIN_ERROR];
    int devices, number;
    const struct ranmar_plugin *const plugin = ranmar_find_plugin(backend, &text);
    if (!plugin)
        command_refuse("%s", text);
    if (!plugin->count(ranmar_settings()->device, &devices, &number, words, sizeof words))
        command_refuse("%s", plugin->error());
    printf("libgpuranmar %s, %s, device %d: %s\n", gpuranmar_version(),
           ranmar_backend_name(backend), number, words);
    check_flavours(backend);
    printf("to the host, numbers a second: %.2fe9; the CPU, %.2fe9\n", to_host(backend),
           to_host(GPURANMAR_CPU));
    printf("%s\n", differences == 0 ? "yes: every number is that of the definition"
                                    : "NO: this device must not be used; please send this");
    command_close_output();
    return differences == 0 ? COMMAND_DONE : COMMAND_FOUND;
}

int command_device_check(int argc, char **argv)
{
    static const char *const names[] = {"opencl", "cuda", NULL};
    const char *device = NULL;
    int name = 0;
    const struct command_option table[] = {
        {"backend", .word = &name, .words = names}, {"device", .text = &device}, {NULL}};
    command_name = "gpuranmar device-check";
    command_options(argc, argv, table, usage);
    if (optind < argc)
        command_refuse("'%s': no arguments are taken", argv[optind]);
    if (device)
        setenv("GPURANMAR_DEVICE", device, 1);
    if (*ranmar_settings()->error)
        command_refuse("%s", ranmar_settings()->error);
    const int status = command_in_child(check, name ? GPURANMAR_CUDA : GPURANMAR_OPENCL);
    if (status > COMMAND_BY_SIGNAL)
        command_refuse("a driver has ended by signal %d", status - COMMAND_BY_SIGNAL);
    return status;
}
