"""Drawing inside a kernel, nothing written, 10^9 numbers a second

By all lanes; where lanes branch and only some want a number; and from a seed to the first number of
every thread."""

NEEDS = ("cuda/measure-draws",)
