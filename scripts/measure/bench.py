"""What the sections of scripts/bench share: programs in turns, rows, and the one format of tables.

A section, a file of scripts/bench.d, has a docstring, whose first line is its title; the programs
that it NEEDS; and rows(bench), which measures and returns rows. Without rows its one program is of
cuda/measure and makes them itself. Figures are nanoseconds; where the title ends in 10^9 numbers a
second, the table shows that.
"""
import os
import pathlib
import re
import statistics
import subprocess
from typing import NamedTuple

from ratio import ROUNDS_NEEDED, Ratio
from runs import Failed, in_turns


class Row(NamedTuple):
    """One line of a table. Figures are times, one for each round."""

    what: str
    ours: list
    beside: str = ""
    peer: list = None
    limit_name: str = ""
    limit: list = None


class Bench:
    """One run: where the programs are, and how thorough it is."""

    def __init__(self, build, rounds):
        self.build = build
        self.rounds, self.program_rounds = rounds or 9, rounds or 15
        self.cores = len(os.sched_getaffinity(0))

    def missing(self, programs):
        """What of these programs, or what for them, is not there, in words."""
        lost = [name for name in programs if not (self.build / name).exists()]
        if lost:
            return f"no program {', '.join(lost)}"
        gpu = any(name.startswith("cuda/") for name in programs)
        return "no GPU" if gpu and not first_line("nvidia-smi", "-L") else ""

    def output_of(self, program, *arguments, **settings):
        """What a program prints. It fails, too, if a GPU was asked for and the CPU went on."""
        env = dict(os.environ, **settings)
        command = [str(self.build / program), *map(str, arguments)]
        result = subprocess.run(command, capture_output=True, text=True, env=env, check=False)
        if result.returncode or "the CPU goes on" in result.stderr:
            said = (result.stderr or result.stdout).strip() or result.returncode
            raise Failed(f"{' '.join(command)}: {said}")
        return result.stdout

    def known(self, what):
        """The flavours, or the SIMD levels that this CPU has, as `gpuranmar info` lists them."""
        line = re.search(rf"^{what}: ([^;\n]*)", self.output_of("gpuranmar", "info"), re.MULTILINE)
        return line[1].split()

    def in_turns(self, commands, rounds=None):
        """{key: figures, one for each round}: each command, (program, arguments...) and perhaps a
        dictionary of settings, prints figures, of which the median counts."""

        def make(key):
            *command, last = commands[key]
            settings = dict(last if isinstance(last, dict) else {}, OMP_PROC_BIND="true")
            command += [] if isinstance(last, dict) else [last]
            return statistics.median(map(float, self.output_of(*command, **settings).split()))

        return in_turns(commands, rounds or self.rounds, make)

    def rows_of(self, program, *arguments):
        """The rows of a program of cuda/measure, which takes turns itself. A line is what was
        measured, who did it, and the figures of the rounds, with tabs between. Who is "ours",
        perhaps with a word on how, a limit, as "limit a copy", or a peer; each of ours is beside
        each peer."""
        found = {}
        for line in filter(
            lambda line: line.count("\t") == 2, self.output_of(program, *arguments).split("\n")
        ):
            what, who, figures = line.split("\t")
            found.setdefault(what, {})[who] = [float(word) for word in figures.split()]
        for what, all_of in found.items():
            parted = {"ours": [], "limit": [], "peer": []}
            for who, figures in all_of.items():
                kind, _, name = who.partition(" ")
                kind, name = (kind, name) if kind in parted else ("peer", who)
                parted[kind].append((name, figures))
            for how, ours in parted["ours"]:
                for peer in parted["peer"] or [("", None)]:
                    name = f"{what}, {how}" if how else what
                    yield Row(name, ours, *peer, *(parted["limit"] or [()])[0])


def scaled(factor, figures):
    return [factor * figure for figure in figures]


def summed(*figures):
    return [sum(row) for row in zip(*figures)]


def figure(values, is_rate):
    """The median, the lowest and the highest; of nanoseconds a number as 10^9 numbers a second, if
    it is a rate."""
    if not values:
        return ""
    values = [1 / value if is_rate else value for value in values]
    digits = ".0f" if statistics.median(values) >= 1000 else ".4g"
    text = format(statistics.median(values), digits)
    if len(values) > 1:
        text += f" ({format(min(values), digits)}..{format(max(values), digits)})"
    return text


def ratio_text(before, after, digits, scale=1):
    """With the interval, unless there are too few rounds for one."""
    if not before:
        return ""
    ratio = Ratio(before, after)
    if ratio.rounds < ROUNDS_NEEDED:
        return format(scale * ratio.median, f".{digits}f")
    return ratio.text(digits, scale) + (ratio.verdict() if scale == 1 else "")


def table(title, rows):
    is_rate = title.endswith("10^9 numbers a second")
    text = f"## {title}"
    text += "\n\n| what | ours | beside it | its figure | times as fast | limit | its figure "
    text += "| % of it |\n|---|---:|---|---:|---:|---|---:|---:|\n"
    for row in rows:
        ours, peer, limit = (figure(values, is_rate) for values in (row.ours, row.peer, row.limit))
        text += (
            f"| {row.what} | {ours} | {row.beside} | {peer} | {ratio_text(row.peer, row.ours, 2)} "
        )
        text += f"| {row.limit_name} | {limit} | {ratio_text(row.limit, row.ours, 1, 100)} |\n"
    return text


def first_line(*command):
    try:
        said = subprocess.run(command, capture_output=True, text=True, check=False).stdout
        return said.splitlines()[0].strip()
    except (OSError, IndexError):
        return ""


def machine():
    """Lines on the hardware, of which another machine may have been the host."""
    info = pathlib.Path("/proc/cpuinfo").read_text()
    model = re.search(r"^model name\s*: (.*)", info, re.MULTILINE)
    query = "--query-gpu=count,name,driver_version,clocks.max.sm,clocks.max.mem"
    gpu = first_line("nvidia-smi", query, "--format=csv,noheader")
    cores = len(os.sched_getaffinity(0))
    load = os.getloadavg()[0]
    yield f"CPU: {model[1] if model else os.uname().machine}, {cores} cores, load {load:.2f} before"
    if gpu:
        yield f"GPU: {gpu} (how many, name, driver, highest clocks)"
