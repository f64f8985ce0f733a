/* Copies in host memory, for which one core is too slow where a GPU delivers. */
#ifndef RANMAR_COPY_H
#define RANMAR_COPY_H

#include <stddef.h>

/* Copies that many bytes on up to `threads` threads, the caller's included; the places do not
 * overlap. */
void ranmar_copy_by_threads(void *to, const void *from, size_t bytes, int threads);

#endif
