"""What the sections of scripts/bench share: running the programs that measure, in turns."""
import json
import os
import pathlib
import subprocess
import sys

from report import figure_of
from runs import Failed, in_turns

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = ROOT / os.environ.get("BUILD", "build")
PROGRAMS = BUILD / "bench"
CORES = len(os.sched_getaffinity(0))
IN_CACHE = 2048  # numbers: half of an L1 cache
MANY = 262144  # numbers, from which on the library uses all cores
REQUEST = 10
WINDOW = 1024  # numbers that RMMARD's window is refilled with
RMMARD = "sequential RMMARD"


def library_path(libraries=None):
    """Where programs find libraries: in a bundle, lib/ has the compilers'."""
    places = [libraries, os.environ.get("LD_LIBRARY_PATH"), BUILD / "lib"]
    return ":".join(str(place) for place in places if place)


def output_of(command, libraries=None, **settings):
    """What one of our programs prints. `libraries` is a directory that is searched first."""
    env = os.environ | settings | {"LD_LIBRARY_PATH": library_path(libraries)}
    command = [PROGRAMS / command[0], *map(str, command[1:])]
    try:
        result = subprocess.run(command, capture_output=True, text=True, env=env)
    except OSError as error:
        raise Failed(f"{command[0]}: {error.strerror}") from error
    if result.returncode or "the CPU goes on" in result.stderr:  # a GPU was asked for
        raise Failed(f"{' '.join(map(str, command))}: {result.stderr.strip() or result.returncode}")
    return result.stdout


def measured(command):
    return float(output_of(command, OMP_PROC_BIND="true"))


def take_turns(commands, rounds):
    """{key: command} -> {key: figure}; a command is (divisor, program, arguments...)."""

    def make(key):
        divisor, *command = commands[key]
        return measured(command) / divisor

    return {key: figure_of(values) for key, values in in_turns(commands, rounds, make).items()}


class Bench:
    """One run: its report, how thorough it is, and the limits that several sections share."""

    def __init__(self, quick, report, gpu, device, program_rounds=None):
        self.quick, self.report, self.gpu = quick, report, gpu
        self.program_rounds = program_rounds
        self.rounds = 5
        self.by_section = {}
        for record in json.loads(device.read_text()) if device else []:
            self.by_section.setdefault(record["section"], {})[record["name"]] = record
        self.store_of = {}

    @staticmethod
    def find(program):
        """Where a program is that may be among the measurements or beside the library."""
        return next(
            (p for p in (PROGRAMS / program, BUILD / program) if p.exists()), PROGRAMS / program
        )

    library_path = staticmethod(library_path)

    def stores(self, n, threads=CORES):
        """What storing n numbers takes, ns a number; on all cores where the library uses them."""
        n = min(n, 10**8)
        threads = threads if n >= MANY else 1
        if (n, threads) not in self.store_of:
            repeats = 101 if n < MANY else 3
            figures = take_turns(
                {how: (1, "bulk", how, n, threads, repeats) for how in ("store", "stream-store")},
                self.rounds,
            )
            self.store_of[n, threads] = min(figures.values(), key=lambda f: f["median"])
        return self.store_of[n, threads]

    def per_number(self, style, lenv):
        return take_turns({style: (lenv, f"calls-{style}", lenv)}, self.rounds)[style]

    def requests(self, how, backend, sizes, instances=1, sequences=1, work=0, one_warp=False):
        """{size: figure}, ns a number; {} and a line on standard error if a GPU refuses."""
        try:
            lines = output_of(
                (
                    "requests",
                    how,
                    backend,
                    instances,
                    sequences,
                    work,
                    self.rounds,
                    10 if self.quick else 40,
                    *sizes,
                ),
                libraries=PROGRAMS / "one-warp" if one_warp else None,
            )
        except Failed as failure:
            if backend != "cuda":
                raise
            print(f"bench: {failure}", file=sys.stderr)
            return {}
        rows = [[float(word) for word in line.split()] for line in lines.splitlines()]
        return {int(size): figure_of(values) for size, *values in rows}

    def record(self, section, name):
        """A figure of build/cuda/measure-all, or None."""
        r = self.by_section.get(section, {}).get(name)
        if not r:
            return None
        ns = 1e9 / r["numbers"]
        return {
            "median": r["seconds"] * ns,
            "low": r.get("low", r["seconds"]) * ns,
            "high": r.get("high", r["seconds"]) * ns,
        }
