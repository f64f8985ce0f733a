/* opencl.cl for devices without NVIDIA's shuffles. */
#undef RANMAR_SHUFFLES
#include "opencl.cl"
