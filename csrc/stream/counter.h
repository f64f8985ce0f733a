/* Counts that one thread keeps and that the report may read at any moment, when the program ends
 * while threads draw. They cost what plain ones do: the processor reads and writes a word of its
 * own at once. One of 32 bits does not, and a count that changes just then may be reported wrong.
 */
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

/* By the one thread alone. Whoever reads the new count sees what was written before it. */
static inline void ranmar_count_set(uint64_t *count, uint64_t value)
{
#if UINTPTR_MAX >= UINT64_MAX
    __atomic_store_n(count, value, __ATOMIC_RELEASE);
#else
    *(volatile uint64_t *)count = value;
#endif
}

#endif
