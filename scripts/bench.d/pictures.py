"""The pictures of scripts/bench: data for gnuplot, which the files beside this one draw."""
import pathlib
import shutil
import subprocess
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ALL_SIZES = (100, 1e8)


def points(rows, key, value="ours", **wanted):
    return [
        (r[key], r[value]["median"], r[value]["low"], r[value]["high"])
        for r in rows
        if all(r.get(k) == v for k, v in wanted.items())
    ]


def level(figure):
    return [(x, figure["median"], figure["low"], figure["high"]) for x in ALL_SIZES]


def calls(rows):
    shared = [r for r in rows if r["style"] == "shared"]
    return (
        [("sequential RMMARD", points(shared, "lenv", "peer"))]
        + [
            (name, points(rows, "lenv", style=style))
            for style, name in (
                ("shared", "shared library"),
                ("static", "static, LTO"),
                ("inline", "drawn inline"),
            )
        ]
        + [("limit: empty call + stores", points(shared, "lenv", "limit"))]
    )


def prefetch_panel(rows, how, backend, warps):
    """The curves of one panel: a sequential call, instances, and the limit last."""
    here = [r for r in rows if r["how"] == how and r["backend"] == backend and r["warps"] == warps]
    return (
        [("sequential RMMARD", level(rows[0]["peer"]))]
        + [
            (f"{i} instance{'s' * (i > 1)}", points(here, "prefetch", instances=i))
            for i in dict.fromkeys(r["instances"] for r in rows)
        ]
        + [("limit", points(here, "prefetch", "limit", instances=1))]
    )


def ahead_panel(rows, sequences, work):
    here = [r for r in rows if r["sequences"] == sequences and r["work"] == work]
    return [
        ("filled in line", points(here, "prefetch", "peer")),
        ("by a GPU ahead", points(here, "prefetch")),
        ("limit", points(here, "prefetch", "limit")),
    ]


def bars(rows):
    names = ["sequential RMMARD", "GSL mt19937", "Random123 Philox4x32", "dSFMT"]
    lines = []
    for place in dict.fromkeys(r["place"] for r in rows):
        here = [r for r in rows if r["place"] == place and r["precision"] == "double"]
        value = {r["peer_name"]: r["peer"]["median"] for r in here}
        lines.append(
            [f'"{place}"']
            + [value.get(n, "NaN") for n in names]
            + [here[0]["ours"]["median"], here[0]["limit"]["median"]]
        )
    return [("bars", lines)]


def device_bars(rows):
    fills = [r for r in rows if r.get("precision") == "double" and "quasi" not in r["peer_name"]]
    return [
        (
            "rate",
            [(f'"{r["peer_name"]}"', 1 / r["peer"]["median"]) for r in fills]
            + [
                ('"RANMAR"', 1 / fills[0]["ours"]["median"]),
                ('"limit: write"', 1 / fills[0]["limit"]["median"]),
            ],
        )
    ]


def delivery(rows):
    pinned = [r for r in rows if r["how"] == "to pinned" and r["peer_name"] == "CPU, 1 core"]
    one_peer = [r for r in rows if r["peer_name"] != "CPU, all cores"]
    return [
        (name, points(one_peer, "numbers", how=how))
        for how, name in (
            ("CPU, all cores", "CPU, all cores"),
            ("CPU, 1 core", "CPU, 1 core"),
            ("blocks", "GPU, the next block made ahead"),
            ("to pinned", "GPU, to pinned memory"),
            ("to pageable", "GPU, to the caller's array"),
        )
    ] + [("limit: copy alone", points(pinned, "numbers", "limit"))]


def speed_up_panels(rows):
    """A panel a program: how many times as fast, with the interval, and the bound as a line."""
    panels = []
    for program in dict.fromkeys(r["program"] for r in rows):
        ratio = {
            r["variant"]: [r["ratio"][k] for k in ("median", "low", "high")]
            for r in rows
            if r["program"] == program and "ratio" in r
        }
        bound = ratio.pop("bound")
        panels.append(
            (
                program,
                [
                    ("ratio", [(x, f'"{name}"', *r) for x, (name, r) in enumerate(ratio.items())]),
                    ("bound", [(x, bound[0]) for x in (-0.6, len(ratio) - 0.4)]),
                ],
            )
        )
    return panels


def draw(out, rows):
    section = {s: [r for r in rows if r["section"] == s] for s in "abcdefgh"}
    a, b, c, e, f, g, h = (section[s] for s in "abcefgh")
    # name -> panels, each a title and its curves. The name up to the dot is that of the .gp file.
    data = {}
    if a:
        data["bulk"] = [("", bars(a))]
    if b:
        data["rmmard"] = [("", calls(b))]
    for backend, all_warps in (("cpu", [None]), ("cuda", [1, 4])):
        if any(r["backend"] == backend for r in c):
            data[f"prefetch.{backend}"] = [
                (
                    f"{'CPU' if warps is None else f'GPU, {warps} a thread block'}, {text}",
                    prefetch_panel(c, how, backend, warps),
                )
                for how, text in (("get", "10 at a time"), ("whole", "all at once"))
                for warps in all_warps
            ]
    if e:
        data["device"] = [("", device_bars(e))]
    if f:
        data["delivery"] = [("", delivery(f))]
    if g:
        data["ahead"] = [
            (title, ahead_panel(g, sequences, work))
            for title, sequences, work in (
                ("1 sequence", 1, False),
                ("16 sequences", 16, False),
                ("1 sequence, 100 ns of other work a request", 1, True),
                ("4 sequences, 100 ns of other work a request", 4, True),
            )
        ]
    if h:
        data["whole"] = speed_up_panels(h)
    if not shutil.which("gnuplot"):
        print(f"No gnuplot here: --plot draws {out}/results.json elsewhere.")
        return
    for name, panels in data.items():
        with tempfile.NamedTemporaryFile("w", suffix=".dat") as file:
            write(file, [block for _, blocks in panels for block in blocks])
            plot(out, name, panels, file.name)


def write(file, blocks):
    """Writes blocks of lines, each with a title that gnuplot's `columnheader` finds."""
    for title, lines in blocks:
        print(f'"{title}"', file=file)
        for line in lines:
            print(*line, file=file)
        print("\n", file=file)
    file.flush()


def plot(out, name, panels, data):
    titles = " ".join(f"'{title}'" for title, _ in panels)
    width, height = (1000, 640) if len(panels) == 1 else (1200, 640 if len(panels) == 2 else 960)
    if name == "whole":  # in one row
        height = 480
    for terminal, suffix in (
        (f"pngcairo size {width},{height} font 'sans,12'", "png"),
        (f"svg size {width},{height} font 'sans,14' background 'white'", "svg"),
    ):
        subprocess.run(
            [
                "gnuplot",
                "-e",
                f"set terminal {terminal}; "
                f"set output '{out}/{name}.{suffix}'; data = '{data}'; "
                f'panels = {len(panels)}; blocks = {len(panels[0][1])}; titles = "{titles}"',
                f"{name.partition('.')[0]}.gp",
            ],
            cwd=HERE,
            check=True,
        )
