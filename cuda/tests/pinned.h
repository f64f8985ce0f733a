/* What test_delivery.c needs of CUDA. */
#ifndef RANMAR_CUDA_TEST_PINNED_H
#define RANMAR_CUDA_TEST_PINNED_H

#include <stddef.h>

/* Pinned memory, or NULL where there is no device; and giving it back. */
void *pinned(size_t bytes);
void unpin(void *memory);

/* If the CPU plays a GPU, its devices lose what they have. */
void build_anew(void);

#endif
