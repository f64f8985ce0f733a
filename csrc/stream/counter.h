/* Counts that one thread keeps, and that the report may read at any moment, when the program ends
 * while threads draw. They cost no more than plain variables: a 64-bit processor reads and writes
 * such a word in one piece. A 32-bit processor does not, and a count that changes at that moment
 * may be reported wrong there. */
#ifndef RANMAR_COUNTER_H
#define RANMAR_COUNTER_H

#include <stdint.h>

static inline uint64_t ranmar_count_read(const uint64_t *count)
{
#if UINTPTR_MAX >= UINT64_MAX
    return __atomic_load_n(count, __ATOMIC_ACQUIRE);
#else
    return *(const volatile uint64_t *)count;
#endif
}

/* Only the thread that keeps the count may call this. Who reads the new value also sees all that
 * this thread has written before. */
static inline void ranmar_count_set(uint64_t *count, uint64_t value)
{
#if UINTPTR_MAX >= UINT64_MAX
    __atomic_store_n(count, value, __ATOMIC_RELEASE);
#else
    *(volatile uint64_t *)count = value;
#endif
}

#endif
