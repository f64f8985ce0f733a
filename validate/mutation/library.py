"""The library without a mutation: its objects, what each test costs with it, and the lines that
each test runs."""
import glob
import hashlib
import json
import os
import re
import resource
import subprocess
import time

import suite


def digest(tree, *patterns):
    """A digest of the files of a tree that have these names."""
    sums = hashlib.sha1()
    for pattern in patterns:
        for path in sorted(glob.glob(os.path.join(tree, pattern), recursive=True)):
            if os.path.isfile(path):
                with open(path, "rb") as file:
                    sums.update(path[len(tree) :].encode() + b"\0" + file.read())
    return sums.hexdigest()


class Library:
    """The library of a tree, compiled. What takes long is kept in the folder `kept` for the next
    run: the objects, and the cost and the lines of each test. It is made anew only when the sources
    have changed."""

    def __init__(self, root, build, scratch, kept):
        self.build, self.scratch = build, scratch
        self.tree = os.path.join(scratch, "tree")
        suite.copy_tree(root, self.tree)
        self.state = digest(self.tree, "csrc/**/*.[ch]")
        self.kept = os.path.join(kept, self.state[:12])
        self.known = os.path.join(self.kept, "known.json")
        self.sources = subprocess.run(
            ["make", "-s", "CUDA=0", f"BUILD={build}", "print-CSRC"],
            cwd=root,
            check=True,
            capture_output=True,
            text=True,
        ).stdout.split()
        self.objects = {source: self.compile(source, "objects") for source in self.sources}
        sources = {**suite.SOURCES, **suite.PROGRAMS, "main": suite.FUZZ_MAIN}
        self.tests = {name: self.compile_test(name, source) for name, source in sources.items()}
        self.baseline = self.load()
        self.measure()

    def make(self, source, to, *flags):
        """Compiles a source into the folder that is kept, if it is not there."""
        to = suite.place(self.kept, to)
        if not os.path.exists(to):
            suite.compile_source(self.tree, source, to, ("-MMD", "-MF", f"{to}.d", *flags))
        return to

    def compile(self, source, folder, *flags):
        """Compiles a source of the library."""
        return self.make(source, os.path.join(folder, source[:-2] + ".o"), *flags)

    def compile_test(self, test, source):
        """Compiles a test, against headers that are not mutated."""
        name = f"{os.path.basename(source)}-{self.key(test, source)[:12]}.o"
        flags = [*suite.openmp_of(test), "-Wno-unused-function"]
        return self.make(source, os.path.join("tests", name), *flags)

    def bench(self, folder, tree=None):
        """A place to link and run tests."""
        return suite.Bench(
            os.path.join(self.scratch, folder), tree or self.tree, self.tests, self.build
        )

    # --- What is known of each test ---

    def load(self):
        """The costs and lines of tests that an earlier run has kept."""
        try:
            with open(self.known, encoding="utf-8") as file:
                return json.load(file)
        except OSError:
            return {"has_code": {}, "tests": {}}

    def key(self, test, source):
        """A digest of what a test depends on beside the library, and how it is compiled."""
        parts = [digest(self.tree, source, "validate/tests/*.h"), *suite.openmp_of(test)]
        return hashlib.sha1("".join(parts).encode()).hexdigest()

    def measure(self):
        """Times each test that is not known, and counts the lines that it runs."""
        tests = self.baseline["tests"]
        keys = {t: self.key(t, suite.SOURCES.get(t, f"validate/tests/{t}")) for t in suite.NAMES}
        new = [test for test, key in keys.items() if tests.get(test, {}).get("key") != key]
        if not new:
            return
        counting = [
            self.compile(source, "counting", "--coverage", "-O0") for source in self.sources
        ]
        shim = self.make("validate/mutation/exit.c", "exit.o")
        bench = self.bench("baseline")
        for test in new:
            found = {"key": keys[test], **self.cost(bench, test)}
            found["lines"] = self.lines_run(bench, test, [*counting, shim])
            tests[test] = found
            print(f"# {test}: {found['cpu']:.1f} s", flush=True)
            with open(self.known, "w", encoding="utf-8") as file:
                json.dump(self.baseline, file)

    def cost(self, bench, test):
        """How long a test takes, on the CPU and in all."""
        if not bench.link_test(test, self.objects.values()):
            raise SystemExit(f"mutate: {test} cannot be linked")
        began, before = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
        if failed := bench.failure(test, 600, 600):
            raise SystemExit(f"mutate: {test} fails without a mutation: {failed}")
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        return {"cpu": cpu, "wall": time.monotonic() - began}

    def lines_run(self, bench, test, objects):
        """{file: its lines that a test runs}."""
        for path in glob.glob(f"{self.kept}/counting/**/*.gcda", recursive=True):
            os.remove(path)
        bench.link_test(test, ["--coverage", "-Wl,--wrap=_exit", *objects])
        bench.failure(test, 1200, 1200)
        lines = {}
        for source, path, line, count in counted(os.path.join(self.kept, "counting")):
            holders = self.baseline["has_code"].setdefault(path, {}).setdefault(str(line), [])
            if source not in holders:
                holders.append(source)
            if count and line not in lines.setdefault(path, []):
                lines[path].append(line)
        return lines

    def lines_by_folder(self):
        """{folder of csrc: (lines that some test runs, lines that have code)}."""
        counts = {}
        for path, lines in self.baseline["has_code"].items():
            tests = self.baseline["tests"].values()
            run = set().union(*(test["lines"].get(path, []) for test in tests))
            folder = path.split("/")[1]
            some, every = counts.get(folder, (0, 0))
            counts[folder] = some + sum(int(line) in run for line in lines), every + len(lines)
        return counts

    # --- What it means for a mutant ---

    def users_of(self, mutant):
        """The sources whose objects a mutant can change. For a line of a header these are those
        that have code from it or, where none has, all that include the header."""
        if mutant.path in self.objects:
            return [mutant.path]
        holders = self.baseline["has_code"].get(mutant.path, {}).get(str(mutant.line))
        return holders or [s for s in self.sources if self.includes(s, mutant.path)]

    def includes(self, source, header):
        """Whether a source includes a header."""
        with open(f"{self.objects[source]}.d", encoding="utf-8") as file:
            return re.search(rf"{re.escape(header)}\b", file.read()) is not None

    def tests_of(self, mutant):
        """The tests that run a mutant's line. Where none does, or the line has no code of its own
        (as a line of a table), the tests that run anything of the files that have the line: the
        compiler may count a line as part of another."""
        tests = self.baseline["tests"]
        mine = [t for t in suite.NAMES if mutant.line in tests[t]["lines"].get(mutant.path, [])]
        paths = {mutant.path, *self.users_of(mutant)}
        return mine or [t for t in suite.NAMES if paths & tests[t]["lines"].keys()]

    def seconds(self, test):
        """What a test costs on the CPU."""
        return self.baseline["tests"][test]["cpu"]

    def limits(self, test):
        """Seconds on the CPU and in all, after which a test hangs. The machine may be busy."""
        known = self.baseline["tests"][test]
        return 3 * known["cpu"] + 1, 5 * known["wall"] + 10


def counted(folder):
    """Each line of the library with code, as (source compiled, file, line, how often it was
    run)."""
    data = glob.glob(f"{folder}/**/*.gcda", recursive=True)
    said = subprocess.run(["gcov", "-j", "-t", *data], check=True, capture_output=True).stdout
    for of_object in map(json.loads, said.splitlines()):
        source = os.path.relpath(of_object["data_file"], folder)[: -len(".gcda")] + ".c"
        for file in of_object["files"]:
            if file["file"].startswith("csrc/"):
                for line in file["lines"]:
                    yield source, file["file"], line["line_number"], line["count"]
