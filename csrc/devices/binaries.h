/* Compiled kernels that are kept between processes, in the folder gpuranmar of $XDG_CACHE_HOME or
 * ~/.cache: to compile them takes longer than all else at the start. A file is for one text, which
 * is in two parts, one device, one driver and one set of options; whatever is wrong with it, the
 * text is compiled. */
#ifndef RANMAR_BINARIES_H
#define RANMAR_BINARIES_H

#include "devices/cl_call.h"

/* A program from the binary that was kept, not built yet; NULL if there is none. */
cl_program ranmar_binary_find(cl_context context, cl_device_id device, const char *texts[2],
                              const char *options);

/* Keeps the binary of a program that has been built for that device. */
void ranmar_binary_keep(cl_program program, cl_device_id device, const char *texts[2],
                        const char *options);

#endif
