/* What the fuzzing targets share. libFuzzer calls LLVMFuzzerTestOneInput with bytes that it changes
 * so that they reach new places of the code; a call of abort(), or what a sanitizer finds, ends it
 * and leaves the bytes in a file. */
#ifndef VALIDATE_FUZZ_H
#define VALIDATE_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define REQUIRE(condition)                                                          \
    do {                                                                            \
        if (!(condition)) {                                                         \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
            abort();                                                                \
        }                                                                           \
    } while (0)

/* Bytes of the input as values, zeros after its end. */
struct input {
    const uint8_t *data;
    size_t size;
};

static inline uint64_t next_bytes(struct input *in, size_t count)
{
    uint64_t value = 0;
    for (; count > 0; --count) {
        value = value << 8 | (in->size ? *in->data : 0);
        in->data += in->size > 0;
        in->size -= in->size > 0;
    }
    return value;
}

#endif
