/* The kernels that make numbers and states, and the device headers, for hip.t. */
#include "fill.cuh"
#include "gpuranmar_shared.cuh"
#include "state_kernels.cuh"

namespace gpuranmar
{

#define INSTANCES(flavour)                                                                         \
    template __global__ void fill_sequence<flavour>(sequence, const uint64_t *, flavour::number *, \
                                                    unsigned, uint64_t, unsigned, uint64_t,        \
                                                    uint64_t, bool);                               \
    template __global__ void fill_interleaved<flavour>(sequence, const uint64_t *,                 \
                                                       flavour::number *, ranmar_interleave,       \
                                                       uint64_t, unsigned, uint64_t, bool);        \
    template class source<flavour>;                                                                \
    template class shared_source<flavour>;                                                         \
    template class buffered_source<flavour>;

INSTANCES(double_precision)
INSTANCES(single_precision)
INSTANCES(extended_precision)
INSTANCES(luxury_precision)

} // namespace gpuranmar
