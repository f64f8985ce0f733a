"""Figures, rows and the table of scripts/bench."""
import datetime
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import textwrap

import ratio

TITLES = {
    "a": "Filling arrays, ns a number",
    "b": "RMMARD, ns a call",
    "c": "Requests of 10 numbers by prefetch size, and of as many unbuffered, ns a number",
    "d": "Starting and skipping, ns",
    "e": "On the device, ns a number",
    "f": "Delivery to the host, ns a number",
    "g": "Requests of 10 numbers, caches made ahead, ns a number",
    "h": "Whole runs, seconds",
    "i": "Short runs, seconds",
    "j": "The price to the neighbour: scalar work between fills, ns a step",
}


# --- Figures: the median of several rounds, the lowest and the highest ---


def figure_of(values):
    return {"median": statistics.median(values), "low": min(values), "high": max(values)}


def sum_of(a, b):
    return {key: a[key] + b[key] for key in a}


def times(factor, a):
    return {key: factor * a[key] for key in a}


def text_of(figure):
    digits = ".0f" if figure["median"] >= 1000 else ".4g"
    text = format(figure["median"], digits)
    if figure["high"] > figure["low"]:
        text += f" ({format(figure['low'], digits)}..{format(figure['high'], digits)})"
    return text


EXPLANATION = textwrap.wrap(
    "Medians, in brackets the lowest and the highest round. Ratio: peer / ours. Share: limit / "
    "ours. Whole programs: times as fast as with the sequential reference, by CPU time: "
    "the median of the ratios of all rounds, in brackets its 95 % confidence interval (that of the "
    "sign test); the bound has numbers that were prepared in memory.",
    100,
)

PEER_COLUMNS = """\
| what | ours | peer | peer's | ratio | limit | limit's | share |
|---|---:|---|---:|---:|---|---:|---:|"""


def peer_line(row):
    """A row of the sections that set ours beside a peer and a limit."""
    limit = "| | | "
    if "limit" in row:
        limit = f"| {row['limit_name']} | {text_of(row['limit'])} | {100 * row['share']:.0f} % "
    return (
        f"| {row['what']} | {text_of(row['ours'])} | {row['peer_name']} "
        f"| {text_of(row['peer'])} | {row['ratio']:.3g}x {limit}|"
    )


PROGRAM_COLUMNS = """\
| program | numbers by | CPU time | elapsed | times as fast | by the lowest | of the bound |
|---|---|---:|---:|---:|---:|---:|"""


def program_line(row):
    """A row of the sections that run whole programs."""
    fast = lowest = share = ""
    if "ratio" in row:
        fast, lowest = ratio.text_of(row["ratio"]), f"{row['ratio_of_lowest']:.3f} x"
    if "share_of_bound" in row:
        low, middle, high = (100 * row["share_of_bound"][k] for k in ("low", "median", "high"))
        share = f"{middle:.1f} % ({low:.1f}..{high:.1f})"
    return (
        f"| {row['program']} | {row['variant']} | {text_of(row['cpu'])} "
        f"| {text_of(row['elapsed'])} | {fast} | {lowest} | {share} |"
    )


WORK_COLUMNS = """\
| between two pieces of work | numbers | ns a step | times as long | rounds slowed by 5 % |
|---|---:|---:|---:|---:|"""


def work_line(row):
    """A row of what neighbour.c prints."""
    return (
        f"| {row['work']} | {row['numbers'] or ''} | {row['ns_a_step']:.4f} "
        f"| {row['ratio']:.3f} x | {100 * row['slowed']:.0f} % |"
    )


# By a key that only rows of that table have: its columns, and what makes a line of it.
TABLES = {
    "program": (PROGRAM_COLUMNS, program_line),
    "work": (WORK_COLUMNS, work_line),
    "what": (PEER_COLUMNS, peer_line),
}


class Report:
    """The rows of a run: what is measured, our figure, a peer's, their ratio, a physical limit and
    our share of it. Sections of an earlier run in the same directory that are not measured again
    are kept."""

    def __init__(self, out, header, sections):
        self.out, self.header, self.rows, self.notes = out, header, [], {}
        earlier = out / "results.json"
        if set(TITLES) - set(sections) and earlier.exists():
            before = json.loads(earlier.read_text())
            self.rows = [r for r in before["rows"] if r["section"] not in sections]
            self.notes = {s: n for s, n in before["notes"].items() if s not in sections}
            for key, value in before["machine"].items():
                if value != header.get(key):
                    header[key] = f"{value}; {header.get(key)}"

    def add(self, section, what, ours, peer, peer_name, limit, limit_name, **place):
        row = {
            "section": section,
            "what": what,
            "ours": ours,
            "peer_name": peer_name,
            "peer": peer,
            "ratio": peer["median"] / ours["median"],
        }
        if limit:
            row |= {
                "limit_name": limit_name,
                "limit": limit,
                "share": limit["median"] / ours["median"],
            }
        self.rows.append(row | place)

    def add_program(self, section, runs, **place):
        """A program's runs; `place` has its ratios to others, as ratio.py makes them."""
        figures = {
            what: figure_of([getattr(run, what) for run in runs]) for what in ("cpu", "elapsed")
        }
        self.rows.append({"section": section} | place | figures)

    def add_work(self, section, row):
        """What a kind of work costs the program around it, as neighbour.c prints it."""
        self.rows.append({"section": section} | row)

    def note(self, section, text):
        self.notes.setdefault(section, []).append(text)

    def save(self):
        self.rows.sort(key=lambda row: row["section"])
        (self.out / "results.json").write_text(
            json.dumps({"machine": self.header, "rows": self.rows, "notes": self.notes}, indent=1)
            + "\n"
        )
        (self.out / "TABLE.md").write_text(self.table())

    def table(self):
        lines = (
            ["# Benchmark", ""]
            + [f"- {key}: {value}" for key, value in self.header.items()]
            + ["", *EXPLANATION]
        )
        section = None
        for row in self.rows:
            if row["section"] != section:
                section = row["section"]
                lines += ["", f"## ({section}) {TITLES[section]}", ""]
                lines += [
                    line for note in self.notes.get(section, []) for line in (f"- {note}", "")
                ]
                columns, line_of = TABLES[next(kind for kind in TABLES if kind in row)]
                lines.append(columns)
            lines.append(line_of(row))
        return "\n".join(lines) + "\n"


# --- The machine ---


def first_line(*command):
    try:
        return (
            subprocess.run(command, capture_output=True, text=True).stdout.splitlines()[0].strip()
        )
    except (OSError, IndexError):
        return None


def compilers(programs):
    """The compilers whose names are in the programs, which another machine may have built."""
    return {
        match.decode()
        for name in ("bulk", "calls-reference")
        for match in re.findall(rb"GCC: \([^)]*\) [0-9.]+", (programs / name).read_bytes())
    }


def machine(programs, cores, clock):
    cpu = dict(
        line.split(":", 1)
        for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines()
        if ":" in line
    )
    cpu = {key.strip(): value.strip() for key, value in cpu.items()}
    level = next(
        (
            name
            for name, flag in (("AVX-512", "avx512dq"), ("AVX2", "avx2"))
            if flag in cpu.get("flags", "").split()
        ),
        "SSE2",
    )
    gpu = first_line(
        "nvidia-smi",
        "--query-gpu=name,driver_version,clocks.max.sm,clocks.max.mem",
        "--format=csv,noheader",
    )
    return {
        "CPU": f"{cpu.get('model name', os.uname().machine)}, {cores} core(s), {level}",
        "clock": f"{clock} GHz measured, {cpu.get('cpu MHz', '?')} MHz as the system says",
        "load": "%.2f %.2f %.2f before the run" % os.getloadavg(),
        "compilers": " and ".join(sorted(compilers(programs))),
        "GPU": f"{gpu} (name, driver, highest clocks)" if gpu else "none",
        "system": " ".join(os.uname()[i] for i in (0, 2)),
        "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d %H:%M UTC"),
        "command": " ".join(["scripts/bench", *sys.argv[1:]]),
    }
