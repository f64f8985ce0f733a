/* Figures of an OpenCL device, for `gpuranmar device-check`. */
#ifndef RANMAR_CL_MEASURE_H
#define RANMAR_CL_MEASURE_H

#include "devices/cl_call.h"
#include "stream/plugin.h"

/* Returns 0 with ranmar_device_error() if it cannot. */
int ranmar_cl_measure(cl_device_id device, int flavour, struct ranmar_device_figures *f);

#endif
