"""The generator's share of a program's time, as profilers see it."""

import os
import re
import shutil
import subprocess

# RMMARD, its inlined copies in CORSIKA, CERNLIB's names, and what hooked code calls.
ROUTINES = (
    r"rmmard|rmmaqd|flrndm|grndm|ranf|rndm|hwrgen|rangen|drangen|dranegs|pyr|psran|qgran|s_rndm|"
    r"ranmar|rmmar|rmmaq|rm48|grnfil|grnvec|grnset|grncnt|grnsta|grnput|(gpu)?ranmar_\w+"
)
# The routines of -pg itself, whose time is no part of the program's.
MCOUNT = re.compile(r"_*(mcount|fentry)(_internal)?(@.*)?")


def output_of(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def library_routines(path):
    """Every routine that a library defines."""
    return {
        line.split()[-1]
        for line in output_of("nm", path).splitlines()
        if re.search(r" [tTwWi] ", line)
    }


class Generator:
    """Knows which routines make random numbers."""

    def __init__(self, pattern, libraries):
        self.pattern = re.compile(rf"(?:{pattern})_?", re.IGNORECASE)
        self.routines = set().union(*map(library_routines, libraries))
        self.shared = {"libgpuranmar"} | {
            os.path.basename(path).split(".")[0] for path in libraries
        }

    def has(self, routine, dso=""):
        # gfortran calls the body of a routine with ENTRYs master.0.NAME_.
        name = re.sub(r"^master\.\d+\.|(@plt|\.\w+)+$", "", routine)
        return (
            name in self.routines
            or bool(self.pattern.fullmatch(name))
            or any(dso.startswith(s) for s in self.shared)
        )

    def is_shared(self, program):
        libraries = subprocess.run(
            ["ldd", program], capture_output=True, text=True, check=False
        ).stdout
        return any(library in libraries for library in self.shared)

    def gprof(self, program, data):
        """Seconds that gprof saw in the generator, and in all."""
        seconds = [0.0, 0.0]
        for line in output_of("gprof", "-b", "-p", program, data).splitlines():
            field = line.split()
            if (
                len(field) >= 4
                and re.fullmatch(r"[\d.]+", field[2])
                and not MCOUNT.fullmatch(field[-1])
            ):
                seconds[0] += float(field[2]) * self.has(field[-1])
                seconds[1] += float(field[2])
        return seconds

    def perf(self, data):
        """Samples that perf took in the generator, and in all."""
        samples = [0, 0]
        for line in output_of(
            "perf",
            "report",
            "-i",
            data,
            "--stdio",
            "--no-children",
            "--percent-limit",
            "0",
            "-F",
            "sample,dso,symbol",
            "-t",
            ";",
        ).splitlines():
            field = [text.strip() for text in line.split(";", 2)]
            if len(field) == 3 and field[0].isdigit():
                routine = re.sub(r"^\[.\] ", "", field[2])
                if not MCOUNT.fullmatch(routine):
                    samples[0] += int(field[0]) * self.has(routine, field[1])
                    samples[1] += int(field[0])
        return samples


def perf_works(scratch):
    trial = ["perf", "record", "-q", "-o", os.path.join(scratch, "perf.trial"), "true"]
    return (
        shutil.which("perf")
        and subprocess.run(trial, capture_output=True, check=False).returncode == 0
    )
