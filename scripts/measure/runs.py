"""Runs of programs that are to be compared: what each took, whether all wrote the same bytes, and
their order, which is random within each round."""

import fnmatch
import glob
import os
import random
import shutil
import subprocess
import time

DEFAULT = "default"


class Failed(Exception):
    """One line for the user; `code` is the exit status."""

    def __init__(self, line, code=3):
        super().__init__(line)
        self.code = code


def at_level(level):
    """The settings of a run at a SIMD level; the default is what the library picks by itself."""
    return {"GPURANMAR_SIMD": None if level == DEFAULT else level}


def environment(settings):
    """This process's environment with the settings; None removes one."""
    changed = {**os.environ, **settings}
    return {name: value for name, value in changed.items() if value is not None}


class Run:
    """One run of a program: its files stay in `directory`, its times in `cpu` and `elapsed` (s)."""

    def __init__(self, command, card, directory, workdir=None, settings=None):
        self.command, self.directory = command, directory
        os.mkdir(directory)
        for path in glob.glob(os.path.join(glob.escape(workdir), "*")) if workdir else []:
            os.symlink(os.path.abspath(path), os.path.join(directory, os.path.basename(path)))
        prepared = directory + ".prepared"
        settings = {"PREPARED_TIME": prepared, **(settings or {})}
        with open(self.path("stdout"), "wb") as out, open(directory + ".stderr", "wb+") as err:
            start = time.monotonic()
            status, usage = self.start_and_wait(card, out, err, environment(settings))
            self.elapsed = time.monotonic() - start
            self.cpu = usage.ru_utime + usage.ru_stime
            if status != 0:
                err.seek(0)
                said = err.read().decode(errors="replace").strip().splitlines()
                said = said[-1] if said else "nothing on standard error"
                raise Failed(f"{' '.join(command)}: exit status {status}: {said}")
        self.leave_out(prepared)

    def start_and_wait(self, card, out, err, env):
        streams = {"stdin": subprocess.PIPE, "stdout": out, "stderr": err}
        try:
            process = subprocess.Popen(self.command, cwd=self.directory, env=env, **streams)
        except OSError as error:
            raise Failed(f"{self.command[0]}: {error.strerror}") from error
        try:
            process.stdin.write(card)
            process.stdin.close()
        except BrokenPipeError:
            pass
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        return process.returncode, usage

    def leave_out(self, path):
        """Subtracts the times that a program with prepared numbers took to make them
        (prepared.c)."""
        if os.path.exists(path):
            with open(path) as file:
                cpu, elapsed = map(float, file.read().split())
            self.cpu -= cpu
            self.elapsed -= elapsed

    def path(self, name):
        return os.path.join(self.directory, name)

    def outputs(self, skip):
        """Names of the files it wrote, less those that match a pattern in `skip`."""
        found = set()
        for top, _, names in os.walk(self.directory):
            for name in names:
                if not os.path.islink(os.path.join(top, name)):
                    found.add(os.path.relpath(os.path.join(top, name), self.directory))
        return {n for n in found if not any(fnmatch.fnmatch(n, pattern) for pattern in skip)}


def lines_of(path, ignore):
    """A file's lines but those that match `ignore`, if it is given. Binary data has lines too."""
    with open(path, "rb") as file:
        for line in file:
            if not (ignore and ignore.search(line)):
                yield line


def check_same_file(name, first, run, ignore):
    ours, theirs, at = lines_of(first.path(name), ignore), lines_of(run.path(name), ignore), 0
    while True:
        a, b = next(ours, b""), next(theirs, b"")
        if a != b:
            parts = (i for i, (x, y) in enumerate(zip(a, b)) if x != y)
            at += next(parts, min(len(a), len(b)))
            less = " less ignored lines" if ignore else ""
            raise Failed(f"{name}: the outputs differ, first at byte {at}{less}", 1)
        if not a:
            return
        at += len(a)


def check_same(first, run, ignore, skip):
    """Fails unless `run` wrote what `first` did."""
    names = first.outputs(skip)
    if names != run.outputs(skip):
        odd = " ".join(sorted(names ^ run.outputs(skip)))
        raise Failed(f"{odd}: not written by both programs", 1)
    for name in sorted(names):
        check_same_file(name, first, run, ignore)


class Runner:
    """Makes runs on one card that must all write the same files. Only those of the first stay."""

    def __init__(self, card, scratch, workdir=None, ignore=None, skip=()):
        self.card, self.scratch, self.workdir = card, scratch, workdir
        self.ignore, self.skip = ignore, skip
        self.count, self.first = 0, None

    def run(self, *command, settings=None, keep=None):
        """Makes a run and checks its outputs. The file `keep`, which is no output, is moved to the
        scratch directory; `kept` of the run is its path there, None if it was not written."""
        self.count += 1
        directory = os.path.join(self.scratch, f"run{self.count}")
        result = Run(command, self.card, directory, self.workdir, settings)
        result.kept = None
        if keep and os.path.exists(result.path(keep)):
            result.kept = shutil.move(result.path(keep), f"{directory}.{keep}")
        if self.first:
            check_same(self.first, result, self.ignore, self.skip)
            shutil.rmtree(directory)
        else:
            self.first = result
        return result

    def outputs(self):
        return sorted(self.first.outputs(self.skip))


def in_turns(names, rounds, make):
    """{name: [make(name) of each round]}; each round goes through all names in a new order."""
    results = {name: [] for name in names}
    for _ in range(rounds):
        order = list(names)
        random.shuffle(order)
        for name in order:
            results[name].append(make(name))
    return results
