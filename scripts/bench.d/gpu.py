"""The sections of scripts/bench that measure the GPU, and what it delivers to the host."""
from tools import CORES, RMMARD


def device(bench):
    """(e) Filling device memory, and drawing numbers in a kernel that does not store them, as
    build/cuda/measure-all measures it."""
    fills, writes, draws = (bench.by_section.get(s, {}) for s in ("fill", "write", "draw"))
    for precision, ours, size in (
        ("double", "RANMAR, double", "8 bytes"),
        ("float", "RANMAR, single", "4 bytes"),
    ):
        limit = min(
            (bench.record("write", name) for name in writes if name.startswith(size)),
            key=lambda f: f["median"],
        )
        for name in fills:
            if name.startswith("cuRAND") and name.endswith(precision):
                bench.report.add(
                    "e",
                    f"device fill, {precision}",
                    bench.record("fill", ours),
                    bench.record("fill", name),
                    name.rpartition(",")[0],
                    limit,
                    "device memory write",
                    precision=precision,
                )
    for name in draws:
        if name.startswith("cuRAND"):
            bench.report.add(
                "e",
                "draw in a kernel, double",
                bench.record("draw", "RANMAR, double"),
                bench.record("draw", name),
                name.rpartition(",")[0],
                bench.record("draw", "limit: shuffle and sum, double"),
                "shuffle and sum",
            )


ONE, ALL = "CPU, 1 core", "CPU, all cores"


def delivery(bench):
    """(f) From how many numbers on the GPU pays, for a program on the host."""
    trips = [name.rpartition(", ") for name in bench.by_section.get("delivery", {})]
    sizes = sorted({int(numbers) for _, _, numbers in trips})
    rmmard = bench.per_number("reference", 1000)

    def figure(what, n):
        return bench.record("delivery", f"{what}, {n}")

    names = {
        "blocks": "GPU, the next block made ahead",
        "to pinned": "GPU, to pinned memory",
        "to pageable": "GPU, to the caller's array",
    }
    for n in sizes:
        for what, name in names.items():
            for peer in (ONE, ALL) if figure(what, n) else ():
                bench.report.add(
                    "f",
                    f"{n:.0e} a trip, {name}",
                    figure(what, n),
                    figure(peer, n),
                    peer,
                    figure("copy", n),
                    "copy alone",
                    numbers=n,
                    how=what,
                )
        for what, threads in ((ONE, 1), (ALL, CORES)):
            bench.report.add(
                "f",
                f"{n:.0e} a trip, {what}",
                figure(what, n),
                rmmard,
                RMMARD,
                bench.stores(n, threads),
                "stores",
                numbers=n,
                how=what,
            )
    for what, name in names.items():
        for peer in (ONE, ALL):
            ahead = [
                n
                for n in sizes
                if figure(what, n) and figure(what, n)["median"] < figure(peer, n)["median"]
            ]
            text = f"ahead at {', '.join(f'{n:.0e}' for n in ahead)}" if ahead else "never ahead"
            bench.report.note("f", f"{name}, against {peer}: {text}.")
