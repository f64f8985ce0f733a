"""Numbers of a GPU on the host, by how many at a time, 10^9 numbers a second

Made ahead, and straight to pinned and to pageable memory, beside the CPU and the bus alone; and one
sequence in the memory of several GPUs."""

NEEDS = ("cuda/measure-delivery",)
