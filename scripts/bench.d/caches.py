"""The sections of scripts/bench that measure requests through a prefetch cache."""
from report import sum_of, times
from tools import IN_CACHE, REQUEST, RMMARD

# How requests are made, as the program `requests` calls it and as the table does.
HOW = {
    "get": "buffered",
    "draw": "buffered, by pointer",
    "whole": "unbuffered",
    "fill": "unbuffered, 10 at a time",
}
INSTANCES = (1, 4, 10, 50)


def prefetch_sizes(bench):
    """(c) Requests of 10 numbers, by the size of the cache, and requests past the cache that are
    as large as it."""
    sizes = [10**e for e in range(2, 8 if bench.quick else 9)]
    reference = bench.per_number("reference", REQUEST)
    empty = bench.per_number("empty", REQUEST)
    call = sum_of(empty, bench.stores(IN_CACHE))

    def limit(how, size, on_gpu):
        copy = bench.record("delivery", f"copy, {size}")
        if how == "draw":
            return empty, "empty call"
        if how != "whole":
            return call, "empty call + stores"
        if on_gpu and copy:
            return copy, "copy alone"
        return sum_of(times(REQUEST / size, empty), bench.stores(size)), "empty call + stores"

    backends = [("cpu", None)] + [("cuda", 4), ("cuda", 1)] * bench.gpu
    for backend, warps in backends:
        name = "CPU" if backend == "cpu" else f"GPU, {warps} a block"
        for how in HOW:
            if how in ("draw", "fill") and warps == 1:
                continue
            for instances in INSTANCES if how in ("get", "whole") else (1,):
                figures = bench.requests(
                    how,
                    backend,
                    sizes if how != "fill" else sizes[1:2],
                    instances,
                    one_warp=warps == 1,
                )
                for size, figure in figures.items():
                    of = "" if how == "fill" else f"{size:.0e}, "
                    bench.report.add(
                        "c",
                        f"{name}, {HOW[how]}, {of}{instances} instance(s)",
                        figure,
                        reference,
                        RMMARD,
                        *limit(how, size, backend == "cuda"),
                        prefetch=size,
                        instances=instances,
                        how=how,
                        backend=backend,
                        warps=warps,
                    )


def ahead(bench):
    """(g) Caches made ahead, by a GPU, beside caches filled in line."""
    call = sum_of(bench.per_number("empty", REQUEST), bench.stores(IN_CACHE))
    sizes = [10**e for e in range(2, 7)]
    pause = 75  # multiplications: 100 ns or so
    cases = [(1, 0), (4, 0), (16, 0), (1, pause), (4, pause)]
    for sequences, work in cases:
        here = sizes + [10**7, 10**8] * (sequences == 1 and not work and not bench.quick)
        figures = {
            backend: bench.requests("get", backend, here, 1, sequences, work)
            for backend in ("cpu", "cuda")
        }
        text, limit = f"{sequences} sequence(s)", (call, "empty call + stores")
        if work:
            alone = bench.requests("get", "none", sizes[1:2], 1, 1, work)[sizes[1]]
            text += f", with {alone['median'] * REQUEST:.0f} ns of other work a request"
            limit = sum_of(alone, call), "work + empty call + stores"
        for size, figure in figures["cuda"].items():
            bench.report.add(
                "g",
                f"GPU ahead, cache of {size:.0e}, {text}",
                figure,
                figures["cpu"][size],
                "filled in line",
                *limit,
                prefetch=size,
                sequences=sequences,
                work=bool(work),
            )
