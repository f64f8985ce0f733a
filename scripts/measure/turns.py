"""Runs of programs that are to be compared: what each took, whether all wrote the same bytes, and
their order, which is random within each round."""

import fnmatch
import glob
import os
import random
import shutil
import subprocess
import time


class Failed(Exception):
    """One line for the user; `code` is the exit status."""

    def __init__(self, line, code=3):
        super().__init__(line)
        self.code = code


class Run:
    """One run of a program: its files stay in `directory`, its times in `cpu` and `elapsed` (s).
    `settings` are environment variables."""

    def __init__(self, command, card, directory, workdir=None, settings=None):
        self.directory = directory
        os.mkdir(directory)
        for path in glob.glob(os.path.join(glob.escape(workdir), "*")) if workdir else []:
            os.symlink(os.path.abspath(path), os.path.join(directory, os.path.basename(path)))
        env = dict(os.environ, **settings or {})
        with open(self.path("stdout"), "wb") as out, open(directory + ".stderr", "wb+") as err:
            start = time.monotonic()
            how = {"stdin": subprocess.PIPE, "stdout": out, "stderr": err}
            try:
                process = subprocess.Popen(command, cwd=directory, env=env, **how)
            except OSError as error:
                raise Failed(f"{command[0]}: {error.strerror}") from error
            try:
                process.stdin.write(card)
                process.stdin.close()
            except BrokenPipeError:
                pass
            _, status, usage = os.wait4(process.pid, 0)
            self.elapsed = time.monotonic() - start
            self.cpu = usage.ru_utime + usage.ru_stime
            signal = os.WTERMSIG(status)
            process.returncode = -signal if signal else os.WEXITSTATUS(status)
            if process.returncode:
                err.seek(0)
                said = err.read().decode(errors="replace").strip().splitlines()
                said = said[-1] if said else "nothing on standard error"
                raise Failed(f"{' '.join(command)}: exit status {process.returncode}: {said}")

    def path(self, name):
        return os.path.join(self.directory, name)

    def outputs(self, skip):
        """Names of the files that the run wrote, without those that match a pattern in `skip`."""
        found = set()
        for top, _, names in os.walk(self.directory):
            paths = [os.path.join(top, name) for name in names]
            found |= {os.path.relpath(p, self.directory) for p in paths if not os.path.islink(p)}
        return {n for n in found if not any(fnmatch.fnmatch(n, pattern) for pattern in skip)}


def lines_of(path, ignore):
    """A file's lines, without those that match `ignore`, if given. Binary data has lines too."""
    with open(path, "rb") as file:
        for line in file:
            if not (ignore and ignore.search(line)):
                yield line


def check_same_file(name, first, run, ignore):
    ours, theirs, at = lines_of(first.path(name), ignore), lines_of(run.path(name), ignore), 0
    a = True
    while a:
        a, b = next(ours, b""), next(theirs, b"")
        if a != b:
            at += len(os.path.commonprefix([a, b]))
            less = " less ignored lines" if ignore else ""
            raise Failed(f"{name}: the outputs differ, first at byte {at}{less}", 1)
        at += len(a)


class Runner:
    """Makes runs on one card that must all write the same files. Only those of the first stay."""

    def __init__(self, card, scratch, workdir=None, ignore=None, skip=()):
        self.card, self.scratch, self.workdir = card, scratch, workdir
        self.ignore, self.skip = ignore, skip
        self.count, self.first = 0, None

    def run(self, *command, settings=None, keep=None):
        """Makes a run and checks its outputs. The file `keep` is no output: it is moved to the
        scratch directory, and run.kept is its path there, or None if the run did not write it."""
        self.count += 1
        directory = os.path.join(self.scratch, f"run{self.count}")
        run = Run(command, self.card, directory, self.workdir, settings)
        run.kept = None
        if keep and os.path.exists(run.path(keep)):
            run.kept = shutil.move(run.path(keep), f"{directory}.{keep}")
        if not self.first:
            self.first = run
            return run
        names = self.outputs()
        odd = set(names) ^ run.outputs(self.skip)
        if odd:
            raise Failed(f"{' '.join(sorted(odd))}: not written by both programs", 1)
        for name in names:
            check_same_file(name, self.first, run, self.ignore)
        shutil.rmtree(directory)
        return run

    def outputs(self):
        return sorted(self.first.outputs(self.skip))


def in_turns(names, rounds, make):
    """{name: [make(name) of each round]}; each round goes through all names in a new order."""
    results = {name: [] for name in names}
    for _ in range(rounds):
        for name in random.sample(list(names), len(names)):
            results[name].append(make(name))
    return results
