/* The kernels of kernels.cl, compiled for a device and a flavour, with the table of jumps that they
 * use. */
#ifndef RANMAR_CL_PROGRAM_H
#define RANMAR_CL_PROGRAM_H

#include "call.h"
#include "gpuranmar_definition.h"

/* The lengths in bits of the digits of a distance (gpuranmar_device.cl). With 2 bits more or less
 * no figure of measure-opencl on an H200 improves beyond its noise. On a CPU a segment should have
 * at least 2^RANMAR_CL_CPU_SEGMENT numbers. In the tests' build these are small, so that few
 * numbers take every path. */
#ifdef RANMAR_TEST_FAILURES
enum { RANMAR_CL_FIRST_DIGIT = 5, RANMAR_CL_LONG_DIGIT = 4, RANMAR_CL_HIGH_DIGIT = 3 };
enum { RANMAR_CL_CPU_SEGMENT = 5 };
#else
enum { RANMAR_CL_FIRST_DIGIT = 9, RANMAR_CL_LONG_DIGIT = 11, RANMAR_CL_HIGH_DIGIT = 7 };
enum { RANMAR_CL_CPU_SEGMENT = 16 };
#endif

struct ranmar_cl_program {
    cl_context context;
    cl_device_id device;
    const struct ranmar_flavour *flavour;
    cl_program program;
    cl_mem jumps;
    unsigned lanes;      /* work-items of a work-group, which makes a segment */
    unsigned long_digit; /* bits of the two digits of a distance behind the first */
    size_t wanted;       /* segments that are worth making at once */
    const char *further; /* options of the compiler */
    struct ranmar_cl_program *next;
};

/* Returns the kernels for a flavour on a device of a context. The first call, in any thread,
 * compiles them; all later calls share them, until the process ends. NULL on failure. */
const struct ranmar_cl_program *ranmar_cl_program(cl_context context, cl_device_id device,
                                                  const struct ranmar_flavour *flavour);

/* Writes the options for programs that include gpuranmar_device.cl. Returns their length. */
int ranmar_cl_users_options(const struct ranmar_cl_program *p, char *options, size_t size);

/* For tests: programs made from now on have work-groups of `lanes` work-items, unless that is 0,
 * and further compiler options. Programs made before are not used again. */
#ifdef RANMAR_TEST_FAILURES
void ranmar_cl_shape(unsigned lanes, const char *further);
#endif

#endif
