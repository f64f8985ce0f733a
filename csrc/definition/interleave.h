/* How several instances make one stream, shared by C, CUDA and OpenCL C. The stream is made of
 * blocks, and instance p fills the p-th of `instances` contiguous parts of each; the parts are as
 * even as possible, the first ones longer. Each instance is a sequence of its own
 * (ranmar_seed_instance). With one instance the stream is that sequence, whatever the block. */
#ifndef RANMAR_INTERLEAVE_H
#define RANMAR_INTERLEAVE_H

#include "gpuranmar_definition.h"

struct ranmar_interleave {
    uint64_t instances, block;
};

/* Instance p makes numbers start .. start + length - 1 of each block. */
struct ranmar_part {
    uint64_t start, length;
};

RANMAR_FUNCTION struct ranmar_part ranmar_part_of(struct ranmar_interleave i, uint64_t p)
{
    const uint64_t length = i.block / i.instances, longer = i.block % i.instances;
    struct ranmar_part part;
    part.start = p * length + (p < longer ? p : longer);
    part.length = length + (p < longer);
    return part;
}

/* The instance that makes the number at an offset in the block, 0..block - 1. */
RANMAR_FUNCTION uint64_t ranmar_instance_at(struct ranmar_interleave i, uint64_t offset)
{
    const uint64_t length = i.block / i.instances, longer = i.block % i.instances;
    return offset < longer * (length + 1) ? offset / (length + 1) : (offset - longer) / length;
}

/* How many of the first `position` numbers of the stream instance p makes. */
RANMAR_FUNCTION uint64_t ranmar_made_of(struct ranmar_interleave i, uint64_t p, uint64_t position)
{
    if (i.instances == 1)
        return position;
    const struct ranmar_part part = ranmar_part_of(i, p);
    const uint64_t offset = position % i.block;
    const uint64_t reached = offset < part.start ? 0 : offset - part.start;
    return position / i.block * part.length + (reached < part.length ? reached : part.length);
}

/* Two offsets of a number of an instance: `in_part` in the instance's part of a block, and `index`
 * in an array that begins at a position of the stream. */
struct ranmar_block_offsets {
    uint64_t in_part, index;
};

RANMAR_FUNCTION struct ranmar_block_offsets ranmar_block_offsets_of(struct ranmar_interleave i,
                                                                    struct ranmar_part part,
                                                                    uint64_t number,
                                                                    uint64_t position)
{
    struct ranmar_block_offsets offsets = {0, 0};
    if (part.length > 0) {
        offsets.in_part = number % part.length;
        offsets.index = number / part.length * i.block + part.start + offsets.in_part - position;
    }
    return offsets;
}

/* The offsets of the number that is `distance` numbers further on in the instance. */
RANMAR_FUNCTION struct ranmar_block_offsets
ranmar_block_offsets_after(struct ranmar_block_offsets offsets, uint64_t distance,
                           struct ranmar_interleave i, struct ranmar_part part)
{
    offsets.in_part += distance;
    offsets.index += distance;
    while (offsets.in_part >= part.length) {
        offsets.in_part -= part.length;
        offsets.index += i.block - part.length;
    }
    return offsets;
}

/* The seed of instance p by the published formula. */
RANMAR_FUNCTION int64_t ranmar_seed_of(int64_t seed, int64_t p)
{
    const int64_t ij = seed / RANMAR_SECOND_SEEDS, kl = seed % RANMAR_SECOND_SEEDS;
    return ij * RANMAR_SECOND_SEEDS + (kl + p) % RANMAR_SECOND_SEEDS;
}

/* The state of instance p at position 0. In a keyed flavour each instance has a hash of its own, so
 * that no two keys have an instance in common. */
RANMAR_FUNCTION void ranmar_seed_instance(struct ranmar_state *s, const struct ranmar_flavour *f,
                                          int64_t seed, uint64_t p)
{
    if (f->keyed)
        ranmar_seed_by_key(s, f, (uint64_t)seed, p);
    else
        ranmar_seed(s, f, ranmar_seed_of(seed, (int64_t)p));
}

#endif
