"""Verifies by numbers, not by shapes, that routines with hooks do what they did without hooks.

It cuts the generator's routines out of the user's sources, once without and once with hooks, and
compiles both versions; only the second uses the library. A driver calls both with random seeds and
states, in random order. All numbers, counters and states must be the same, bit for bit.
"""

import os
import random
import shlex
import signal
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import zip_longest

from whichlib.fortran import split_lines

from . import cut_routines
from .build import AFTER, BEFORE, SIDES, CannotBuild, Job, Workshop, find_library, first_error
from .hooks import read_hooks
from .driver_input import Orders

NAMED = ("RMMARD", "RMMAQD")  # the driver calls these by their names
END = "name end"  # the last order: a routine may STOP the program before it
TIME_LIMIT = 200  # seconds of CPU time, in case an altered program does not end


class Verification:
    """
    tree         a Tree without problems
    files        {path: text with hooks} of the sources that are to have hooks
    seed         of the orders; the same seed gives the same orders
    library      the directory of libgpuranmar, '' for wherever it is
    long_skip    whether to skip 10**9 numbers, which the original takes seconds for
    progress     called with a step's name, how much of it is done, and the total
    differences  lines on what differs
    left_out     lines on routines that do not compile under some macros
    """

    def __init__(
        self, tree, files, seed, library="", long_skip=True, progress=lambda *how_far: None
    ):
        self.tree, self.files, self.long_skip, self.progress = tree, files, long_skip, progress
        self.random, self.library = random.Random(seed), find_library(library)
        self.jobs, self.differences, self.left_out = [], [], []
        self.site = cut_routines.site_macros(tree.root)
        found = [pair for path in tree.sources for pair in self.cut(path)]
        # RMMARD and RMMAQD share KSEQ, so each program has both compiled under the same macros
        shared = [v for job, variants in found for v in variants if job.keeps_name]
        for job, variants in found:
            sets = list(shared if job.keeps_name else variants)
            sets += [self.site] * (job.runs or bool(self.site))
            self.jobs += [replace(job, defines=defines) for defines in dict.fromkeys(sets)]
        for number, job in enumerate(self.jobs, 1):
            job.number = number
        with tempfile.TemporaryDirectory(prefix="gpuranmar-verify-") as directory:
            self.run(directory)

    def cut(self, path):
        """Cuts the routines with hooks out of one source. Yields a Job for each, and the sets of
        macros under which it is to be compiled."""
        source, hooked_lines = self.tree.sources[path], split_lines(self.files[path])
        _, _, places = read_hooks(self.files[path])
        around = cut_routines.conditions(source.units)
        macros = []  # those that the file defines between its units
        for unit, found in zip(source.units, source.shapes):
            macros += cut_routines.macros_before(unit)
            named = found.constants is not None or unit.name in NAMED
            runs = bool(found.hooks or named)
            hooks = found.hooks or [hook for hook in source.hooks if unit.has(hook.first)]
            if not (hooks or named) or not unit.ended:
                continue
            line = min((hook.first for hook in hooks), default=unit.items[0].first)
            place = f"{path}:{source.line_number(line)}"
            span = cut_routines.cut_out(unit)
            if not span and not runs and {hook.kind for hook in hooks} == {"declaration"}:
                continue
            if not span:
                raise CannotBuild(f"{place}: verify cannot take {unit.name} out of its source")
            first, last = span
            known = [item.text + "\n" for item in macros if unit.stands_in(item)]
            texts = {
                BEFORE: known + source.lines[first : last + 1],
                AFTER: known + hooked_lines[places[first] : places[last] + 1],
            }
            vector = next(((n["vec"], n["n"]) for n in found.names.values() if "vec" in n), ())
            sequence = next((h.sequence for h in found.hooks if h.first == line), "")
            job = Job(place, unit.name, texts, named, runs, vector, sequence)
            yield job, cut_routines.variants(unit) if runs else [around(unit)]

    def run(self, directory):
        workshop = Workshop(directory, self.tree, self.files)
        workshop.build_all(self.jobs, self.progress)
        self.sort_out()
        built = [job for job in self.jobs if job.runs and not job.error]
        sets = list(dict.fromkeys(job.defines for job in built if job.keeps_name)) or [()]
        for done, defines in enumerate(sets):
            self.progress("compared", done, len(sets))
            self.compare_under(workshop, built, defines)
        self.progress("compared", len(sets), len(sets))

    def compare_under(self, workshop, built, defines):
        """Compares the programs with RMMARD and RMMAQD compiled under these macros. The programs
        have the other routines that were compiled under the same macros; if `defines` is empty,
        those of all sets of macros but that of a configured tree (`site`)."""
        named = [job for job in built if job.keeps_name and job.defines == defines]
        routines = [
            job
            for job in built
            if not job.keeps_name
            and (job.defines == defines if defines else job.defines != self.site or not self.site)
        ]
        programs = workshop.link(named + routines, self.library)
        known = self.count_sequences(programs[BEFORE])
        sequences = known or 9
        stops = lambda k: call(programs[BEFORE], ["default", f"draw 1 {k}"])[1]
        others = [k for k in (-1, 0, sequences + 1, sequences + 2) if not stops(k)]
        orders = Orders(self.random, sequences, bool(known), others)
        self.compare(programs, self.ordered(orders, routines), cut_routines.under(defines))
        if self.long_skip and not defines and not self.differences:
            orders = Orders(self.random, sequences, bool(known), others)
            orders.long_skip()
            self.compare(programs, orders, "")

    def sort_out(self):
        """Checks that each routine was built under at least one set of macros."""
        built = {job.place for job in self.jobs if not job.error}
        left_out = {}
        for job in self.jobs:
            if job.error and (job.place not in built or (job.keeps_name and not job.defines)):
                raise CannotBuild(f"{job}: does not compile on its own: {first_error(job.error)}")
            if job.error:
                left_out.setdefault(f"{job.place}: {job.unit}", []).append(
                    cut_routines.under(job.defines)
                )
        self.left_out = [f"{name}{','.join(sets)}" for name, sets in left_out.items()]
        self.routines = [job for job in self.jobs if job.runs and not (job.error or job.keeps_name)]

    @staticmethod
    def count_sequences(program):
        """The number of sequences in the state that RMMAQD writes; 0 if it writes none."""
        output = call(program, ["default", "write 1"])[0]
        return max(0, (output.count("\n") - 3) // 25)

    @staticmethod
    def ordered(orders, routines):
        orders.mixture("RMMARD and RMMAQD", [], 300)
        for job in routines:
            literal = int(job.sequence) if job.sequence.isdigit() else 0
            orders.routine(job.number, str(job), bool(job.interface.vector), literal)
        orders.mixture("all of them in random order", [job.number for job in routines], 1000)
        return orders

    def compare(self, programs, orders, under):
        """Runs both programs at once, and compares what they print, part by part."""
        folder = tempfile.mkdtemp(dir=os.path.dirname(programs[BEFORE]))
        for number, state in enumerate(orders.states, 1):
            with open(os.path.join(folder, f"state{number}"), "w", encoding="ascii") as file:
                file.write(state)
        with ThreadPoolExecutor(2) as pool:
            before, after = pool.map(lambda side: call(programs[side], orders.lines, folder), SIDES)
        parts = [output.split("name ") for output, _ in (before, after)]
        for was, now in zip_longest(*parts, fillvalue=""):
            if was != now:
                name = (was or now).partition("\n")[0]
                name += "" if name.endswith(under) else under
                self.differences.append(f"{name}: with hooks not the same as without")
        for side, (_, wrong) in (("without", before), ("with", after)):
            if wrong:
                self.differences.append(f"{side} hooks the run fails{under}: {wrong}")


def call(program, lines, folder=None):
    """(what a program writes, what went wrong or ''). It runs in a new directory in `folder`."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("GPURANMAR_")}
    folder = tempfile.mkdtemp(dir=folder or os.path.dirname(program))
    result = subprocess.run(
        ["sh", "-c", f"ulimit -t {TIME_LIMIT}; exec {shlex.quote(program)}"],
        input="\n".join([*lines, END, ""]),
        capture_output=True,
        text=True,
        check=False,
        cwd=folder,
        env=environment,
        errors="replace",
    )
    with open(os.path.join(folder, "output"), "a+", errors="replace") as output:
        output.seek(0)
        printed = output.read()
    if result.returncode == 0 and printed.endswith(END + "\n"):
        return printed, ""
    last = (result.stderr.strip().splitlines() or [f"status {result.returncode}"])[-1]
    if result.returncode < 0:
        last = signal.Signals(-result.returncode).name
        if last in ("SIGXCPU", "SIGKILL"):
            last = f"not done after {TIME_LIMIT} s of CPU time"
    return printed, last
