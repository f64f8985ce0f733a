"""What the sections of scripts/bench share: programs in turns, rows, and the one format of tables.

A section, a file of scripts/bench.d, has a docstring, whose first line is its title; missing(bench),
which says what it lacks on this machine, or nothing; and rows(bench), which measures and returns
rows. With RATES = True the table shows nanoseconds a number as 10^9 numbers a second.
"""
import dataclasses
import os
import pathlib
import re
import statistics
import subprocess

from ratio import ROUNDS_NEEDED, ratio_of, verdict
from runs import Failed, in_turns


@dataclasses.dataclass
class Row:
    """One line of a table. Figures are times, one for each round."""

    what: str
    ours: list
    beside: str = ""
    peer: list = None
    limit_name: str = ""
    limit: list = None


class Bench:
    """One run: where the programs are, how thorough it is, and where the report goes."""

    def __init__(self, build, quick, rounds, out):
        self.build, self.quick, self.out = build, quick, out
        self.rounds = rounds or (3 if quick else 9)
        self.program_rounds = rounds or (ROUNDS_NEEDED if quick else 15)
        self.cores = len(os.sched_getaffinity(0))

    def has(self, *programs):
        """What of these programs is not there, in words."""
        lost = [name for name in programs if not (self.build / name).exists()]
        return f"no program {', '.join(lost)}" if lost else ""

    def gpu_lacks(self, program):
        return self.has(program) or ("" if first_line("nvidia-smi", "-L") else "no GPU")

    def library_path(self):
        """Where programs find libraries: in a bundle, lib/ has the compilers'."""
        places = (os.environ.get("LD_LIBRARY_PATH"), self.build / "lib")
        return ":".join(str(place) for place in places if place)

    def output_of(self, program, *arguments, **settings):
        """What a program prints. It fails, too, if a GPU was asked for and the CPU went on."""
        env = {**os.environ, **settings, "LD_LIBRARY_PATH": self.library_path()}
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
        """{key: figures}: each command, (program, arguments...) and perhaps a dictionary of
        settings, prints one figure."""

        def make(key):
            *command, last = commands[key]
            settings = {"OMP_PROC_BIND": "true", **(last if isinstance(last, dict) else {})}
            command += [] if isinstance(last, dict) else [last]
            return float(self.output_of(*command, **settings))

        return in_turns(commands, rounds or self.rounds, make)

    def lines_of(self, program, *arguments):
        """{name: figures} of a program that takes turns itself: a line is a name, a tab, figures."""
        said = self.output_of(program, *arguments).splitlines()
        lines = (line.split("\t") for line in said if "\t" in line)
        return {name: [float(word) for word in words.split()] for name, words in lines}


def scaled(factor, figures):
    return [factor * figure for figure in figures]


def summed(*figures):
    return [sum(row) for row in zip(*figures)]


def figure(values):
    if not values:
        return ""
    middle = statistics.median(values)
    digits = ".0f" if middle >= 1000 else ".4g"
    text = format(middle, digits)
    if len(values) > 1:
        text += f" ({format(min(values), digits)}..{format(max(values), digits)})"
    return text


def rate(values):
    """Nanoseconds a number as 10^9 numbers a second."""
    return figure([1 / value for value in values or []])


def ratio_text(before, after, scale=1):
    if not before:
        return ""
    r = ratio_of(before, after)
    digits = ".2f" if scale == 1 else ".1f"
    text = format(scale * r["median"], digits)
    if r["rounds"] >= ROUNDS_NEEDED:
        text += f" ({format(scale * r['low'], digits)}..{format(scale * r['high'], digits)})"
    said = verdict(r) if r["rounds"] >= ROUNDS_NEEDED and scale == 1 else ""
    return f"{text}, {said}" if said else text


def table(section, rows):
    show = rate if getattr(section, "RATES", False) else figure
    lines = [
        "## " + section.__doc__.strip().split("\n")[0],
        "",
        "| what | ours | beside it | its figure | times as fast | limit | its figure | % of it |",
        "|---|---:|---|---:|---:|---|---:|---:|",
    ]
    for row in rows:
        lines.append(
            f"| {row.what} | {show(row.ours)} | {row.beside} | {show(row.peer)} "
            f"| {ratio_text(row.peer, row.ours)} | {row.limit_name} | {show(row.limit)} "
            f"| {ratio_text(row.limit, row.ours, 100)} |"
        )
    return "\n".join(lines) + "\n"


def first_line(*command):
    try:
        said = subprocess.run(command, capture_output=True, text=True, check=False).stdout
        return said.splitlines()[0].strip()
    except (OSError, IndexError):
        return ""


def machine(build):
    """Lines on the hardware and the compilers, of which another machine may have been the host."""
    info = pathlib.Path("/proc/cpuinfo").read_text()
    model = re.search(r"^model name\s*: (.*)", info, re.MULTILINE)
    names = set()
    for program in ("bench/arrays", "cuda/measure-fills"):
        if (build / program).exists():
            found = re.findall(rb"GCC: \([^)]*\) [0-9.]+", (build / program).read_bytes())
            names |= {text.decode() for text in found}
    query = "--query-gpu=count,name,driver_version,clocks.max.sm,clocks.max.mem"
    gpu = first_line("nvidia-smi", query, "--format=csv,noheader")
    cores = len(os.sched_getaffinity(0))
    load = os.getloadavg()[0]
    yield f"CPU: {model[1] if model else os.uname().machine}, {cores} cores, load {load:.2f} before"
    if gpu:
        yield f"GPU: {gpu} (how many, name, driver, highest clocks)"
    yield f"compilers: {', '.join(sorted(names)) or 'not known'}"
