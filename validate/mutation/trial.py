"""A mutant's trial: the sources that have it are compiled, and the tests that run its line are run,
until one fails."""
import collections
import os
import shutil
import subprocess

import suite

# Outcomes that are no test's name.
COMPILER, LINKER, EQUIVALENT = "compiler", "linker", "equivalent"
UNTESTED, SURVIVES, LATER = "no test", "survives", "later"


class Trial:
    """A folder with a tree of its own, in which one mutant after the other is tried."""

    def __init__(self, library, number):
        self.library = library
        self.caught = collections.Counter()  # by (file, test)
        self.folder = os.path.join(library.scratch, f"trial{number}")
        self.tree = os.path.join(self.folder, "tree")
        shutil.copytree(library.tree, self.tree)
        self.bench = library.bench(f"trial{number}/bench", self.tree)

    def outcome(self, mutant, most_seconds, least_seconds=-1):
        """The test that notices the mutant, or another outcome. Tests that take more than
        `most_seconds` of CPU time are left for later. Those quicker than `least_seconds` have
        passed before."""
        path = os.path.join(self.tree, mutant.path)
        with open(path, "w", encoding="utf-8") as file:
            file.write(mutant.content)
        try:
            objects = self.compile(mutant)
        except subprocess.CalledProcessError:
            return COMPILER
        finally:
            shutil.copy(os.path.join(self.library.tree, mutant.path), path)
        if not objects:
            return EQUIVALENT
        return self.tested({**self.library.objects, **objects}, mutant, most_seconds, least_seconds)

    def compile(self, mutant):
        """{source: its object}, of those that the mutation changes. None: the compiler makes the
        same code of it, which proves that it is equivalent (trivial compiler equivalence:
        Papadakis, Jia, Harman and Le Traon 2015)."""
        changed = {}
        for source in self.library.users_of(mutant):
            to = suite.place(self.folder, "objects", source[:-2] + ".o")
            suite.compile_source(self.tree, source, to)
            with open(to, "rb") as new, open(self.library.objects[source], "rb") as old:
                if new.read() != old.read():
                    changed[source] = to
        return changed

    def tested(self, objects, mutant, most_seconds, least_seconds):
        """The first test that fails."""
        tests = self.library.tests_of(mutant)
        if not tests:
            return UNTESTED
        for test in sorted(tests, key=lambda test: self.price(test, mutant)):
            if not least_seconds < self.library.seconds(test) <= most_seconds:
                continue
            if not self.bench.link_test(test, objects.values()):
                return LINKER
            failed = self.bench.failure(test, *self.library.limits(test))
            if failed is not None:
                self.caught[mutant.path, test] += 1
                return f"{test}: {failed}"
        return LATER if any(self.library.seconds(t) > most_seconds for t in tests) else SURVIVES

    def price(self, test, mutant):
        """Tests come in the order of this: cheap ones first, and those that have caught mutants
        of the same file."""
        started = 0.1  # seconds that it takes to link and start any
        return (self.library.seconds(test) + started) / (1 + self.caught[mutant.path, test])
