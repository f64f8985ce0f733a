"""Filling 2^30 numbers of a GPU's memory, 10^9 numbers a second

Beside cuRAND's generators, in their default ordering and in the dynamic one, and plain kernels."""

NEEDS = ("cuda/measure-fills",)
