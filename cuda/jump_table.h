/* The jumps that the kernels compose all others of (gpuranmar_skip.cuh), in a device's memory. */
#ifndef RANMAR_CUDA_JUMP_TABLE_H
#define RANMAR_CUDA_JUMP_TABLE_H

#include <cstdint>

namespace gpuranmar
{

/* The table for the flavours that keep one of `every` words, on the current device. It is made when
 * it is first asked for (about 14 MB, well under a millisecond), then shared by all that use the
 * device, in any thread, and kept as long as the process, or until cudaDeviceReset(). */
bool find_jump_table(unsigned every, const uint64_t **table);

} // namespace gpuranmar

#endif
