/* How fast numbers are drawn inside a kernel. */
#ifndef RANMAR_CUDA_DRAWS_H
#define RANMAR_CUDA_DRAWS_H

/* Adds its tables to the report; `memory` is a few bytes on the device. */
void draw_rates(void *memory, int multiprocessors);

#endif
