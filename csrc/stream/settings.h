/* The settings that a user gives by environment variables GPURANMAR_*. They are read once.
 * docs/user-guide.md lists them. */
#ifndef RANMAR_SETTINGS_H
#define RANMAR_SETTINGS_H

#include <stdint.h>

struct ranmar_settings {
    int backend;            /* GPURANMAR_BACKEND: enum gpuranmar_backend */
    int64_t prefetch;       /* GPURANMAR_PREFETCH: numbers, 0 for the default */
    int64_t instances;      /* GPURANMAR_INSTANCES */
    int flavour;            /* GPURANMAR_FLAVOUR: enum gpuranmar_flavour */
    int threads;            /* GPURANMAR_THREADS: 0 for as many as OpenMP would take */
    int sequences;          /* GPURANMAR_SEQUENCES: KSEQ of the Fortran routines */
    int64_t start_position; /* GPURANMAR_START_POSITION: the least position at which a numbered
                               sequence starts from a seed */
    int verbose;            /* GPURANMAR_VERBOSE */
    double verify;          /* GPURANMAR_VERIFY: the share of numbers that is checked, 0 to 1 */
    char report[4096];      /* GPURANMAR_REPORT: a file, "" for none */
    char device[128];       /* which GPU: a number or a part of its name, or "" */
    char error[512];        /* one line on the first bad or unknown variable, else "" */
};

const struct ranmar_settings *ranmar_settings(void);

/* "cpu", "cuda" or "opencl": a code of enum gpuranmar_backend as the user writes it. */
const char *ranmar_backend_name(int code);

#endif
