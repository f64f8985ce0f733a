/* Copies in host memory by several threads, since one core copies more slowly than a GPU delivers.
 */
#ifndef RANMAR_COPY_H
#define RANMAR_COPY_H

#include <stddef.h>

/* Copies that many bytes with up to `threads` threads, the caller's included. `to` and `from` must
 * not overlap. */
void ranmar_copy_by_threads(void *to, const void *from, size_t bytes, int threads);

#endif
