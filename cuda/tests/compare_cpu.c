#include "compare_cpu.h"

#include "fill/fill.h"

enum { PIECE = 1 << 13 }; /* numbers that stay in the first-level cache */

__attribute__((target_clones("avx512f", "avx2", "default"))) static void
add(uint64_t a[restrict HASH_LANES], uint64_t b[restrict HASH_LANES],
    const uint64_t numbers[restrict PIECE])
{
    for (int l = 0; l < HASH_LANES; l += 8) {
        uint64_t sum[8], sums[8];
        for (int i = 0; i < 8; ++i) {
            sum[i] = a[l + i];
            sums[i] = b[l + i];
        }
        for (int row = 0; row < PIECE; row += HASH_LANES)
            for (int i = 0; i < 8; ++i) {
                sum[i] += numbers[row + l + i];
                sums[i] += sum[i];
            }
        for (int i = 0; i < 8; ++i) {
            a[l + i] = sum[i];
            b[l + i] = sums[i];
        }
    }
}

void hash_on_cpu(int64_t seed, size_t blocks, uint64_t *hashes)
{
    static const struct ranmar_flavour flavour = RANMAR_DOUBLE_INIT;
    enum { AT_ONCE = 64 };
#pragma omp parallel for schedule(dynamic)
    for (size_t first = 0; first < blocks; first += AT_ONCE) {
        union {
            double as_double[PIECE];
            uint64_t as_bits[PIECE];
        } numbers;
        struct ranmar_state state;
        struct ranmar_jump jump = {0};
        ranmar_seed(&state, &flavour, seed);
        ranmar_jump_by(&jump, first * HASH_BLOCK, &flavour, &state);
        for (size_t block = first; block < first + AT_ONCE && block < blocks; ++block) {
            uint64_t a[HASH_LANES] = {0}, b[HASH_LANES] = {0};
            for (int made = 0; made < HASH_BLOCK; made += PIECE) {
                ranmar_fill(&state, &flavour, numbers.as_double, PIECE);
                add(a, b, numbers.as_bits);
            }
            hashes[block] = hash_of_sums(a, b);
        }
    }
}
