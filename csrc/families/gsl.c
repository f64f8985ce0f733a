/* gsl_rng_ranmar with GSL's own name and numbers: link it before GSL, or use LD_PRELOAD. A seed S
 * stands for the pair S/30082 and S mod 30082. `struct type` is gsl_rng_type of gsl_rng.h. A
 * generator's state is an engine. GSL may copy it or write it to a file, which only this library
 * can read. */
#include <stddef.h>

#include "gpuranmar_engine.h"

struct type {
    const char *name;
    unsigned long max, min;
    size_t size;
    void (*set)(void *state, unsigned long seed);
    unsigned long (*get)(void *state);
    double (*get_double)(void *state);
};

static void set_seed(void *state, unsigned long seed)
{
    const int ij = (int)(seed / 30082 % 31329), kl = (int)(seed % 30082);
    gpuranmar_stop_on(gpuranmar_engine_start_pair(state, "gsl_rng_set", GPURANMAR_SINGLE,
                                                  GPURANMAR_ZERO_KEEP, ij, kl, 0));
}

static double get_double(void *state)
{
    return gpuranmar_engine_next_single(state);
}

static unsigned long get(void *state)
{
    return (unsigned long)(get_double(state) * 0x1p24);
}

static const struct type type = {"ranmar", 0xffffff, 0,         sizeof(gpuranmar_engine),
                                 set_seed, get,      get_double};
GPURANMAR_API extern const struct type *gsl_rng_ranmar;
const struct type *gsl_rng_ranmar = &type;
