"""A mutant's trial: its file is compiled alone, and the tests that cover it run until one fails."""
import os
import re
import shutil
import signal
import subprocess
import time

CFLAGS = "-std=gnu11 -O1 -Wall -Wextra -Wconversion -fvisibility=hidden -MMD".split()
LIBRARIES = "-fno-lto -lcmocka -lgfortran -lpthread -ldl -lm".split()
INCLUDES = ("-Icsrc", "-Icsrc/include")

# Test programs, those with a source in validate/tests and those in validate/fuzz, ...
TESTS = "definition settings registry bounds jump proof engine makers verify stream fill".split()
FUZZED = "calls saved_state fortran_state".split()
# ... and for each folder those that cover it, quick ones first.
COVERED_BY = {
    "definition": "definition bounds fortran_state replay calls registry jump stream proof",
    "fill": "bounds proof calls fill stream",
    "stream": "settings bounds saved_state calls registry makers verify stream",
    "fortran": "bounds replay registry engine",
    "api": "bounds saved_state calls registry stream",
    "include": "definition replay jump proof",
}
# RMMARD and RMMAQD as a Fortran program calls them: the same output as the reference's.
SCRIPT = """S 1 1802 9 0
S 9 942377567 777777 0
draw 1 100
draw 9 1
draw 99 1000
R 9 1 2 3
file one
RV 1 1 2 3
draw 1 97
file one
SV 9 1 2 3
draw 9 999
draw 9 999
SR 2 5 5 0
draw 2 3
R 2 1 2 3
"""


def run(command, seconds, **options):
    """Whether a command ends well and in time; at the first failing test of its TAP it is stopped."""
    with subprocess.Popen(
        ["stdbuf", "-oL", *command],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        **options,
    ) as process:
        watch = subprocess.Popen(["sleep", str(seconds)], start_new_session=True)
        try:
            os.set_blocking(process.stdout.fileno(), False)
            rest = b""
            while process.poll() is None and watch.poll() is None:
                rest = (rest + (process.stdout.read() or b""))[-1000:]
                if rest.startswith(b"not ok") or b"\nnot ok" in rest:
                    return False
                time.sleep(0.005)
            return process.returncode == 0
        finally:
            for child in (process, watch):
                try:
                    os.killpg(child.pid, signal.SIGKILL)
                except ProcessLookupError:
                    pass
            watch.wait()


class Trial:
    """The library's objects and the tests, compiled once, in a scratch folder."""

    def __init__(self, root, build, scratch):
        self.root, self.build, self.scratch = root, build, scratch
        self.objects, self.limits = {}, {}
        self.includes = (f"-I{scratch}/mutated", *INCLUDES, f"-I{scratch}/mutated/include")
        sources = subprocess.run(
            ["make", "-s", "CUDA=0", f"BUILD={build}", "print-CSRC"],
            cwd=root,
            check=True,
            capture_output=True,
            text=True,
        ).stdout.split()
        for source in sources:
            self.objects[source] = self.place(source[:-2] + ".o")
            self.compile(source, self.objects[source], ())
        fortran = [os.path.join(build, "static", name) for name in ("rmmaqd.o", "gpuranmar.o")]
        self.fortran = [path for path in fortran if os.path.exists(path)]
        for test in TESTS:
            self.compile(f"validate/tests/test_{test}.c", self.place(f"test_{test}.o"), ())
        for test in FUZZED:
            self.compile(f"validate/fuzz/{test}.c", self.place(f"test_{test}.o"), ())
        self.compile("validate/fuzz/plain/main.c", self.place("plain.o"), ())
        self.replay = os.path.join(build, "reference", "replay.o")
        self.expected = self.said([os.path.join(build, "replay-reference")])

    def place(self, name):
        """A file in the scratch folder."""
        path = os.path.join(self.scratch, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        return path

    def compile(self, source, to, includes):
        """Compiles one file; the compiler's warnings are errors."""
        subprocess.run(
            ["gcc", *CFLAGS, "-Werror", *includes, *INCLUDES, "-c", "-o", to, source],
            check=True,
            cwd=self.root,
            capture_output=True,
        )

    def said(self, command):
        """What a Fortran program prints on SCRIPT, and the file that it leaves; None if it fails."""
        folder = self.place("said/x")[:-2]
        shutil.rmtree(folder)
        os.makedirs(folder)
        try:
            done = subprocess.run(
                command, input=SCRIPT, text=True, cwd=folder, capture_output=True, timeout=20
            )
            with open(os.path.join(folder, "one"), encoding="ascii") as file:
                return done.returncode, done.stdout, file.read()
        except (subprocess.TimeoutExpired, OSError, UnicodeDecodeError):
            return None

    def users_of(self, path):
        """The objects that a source or a header is a part of."""
        if path.endswith(".c"):
            return [path]
        name = re.escape(path)
        users = []
        for source, compiled in self.objects.items():
            with open(compiled[:-2] + ".d", encoding="utf-8") as file:
                if re.search(rf"{name}\b", file.read()):
                    users.append(source)
        return users

    def caught_by(self, mutant):
        """Who notices the mutant: the compiler, or a test; None if it survives."""
        objects = dict(self.objects)
        shutil.rmtree(self.place("mutated/x")[:-2], ignore_errors=True)
        changed = self.place("mutated/" + mutant.path[len("csrc/") :])
        with open(changed, "w", encoding="utf-8") as file:
            file.write(mutant.content)
        includes = (f"-I{self.scratch}/mutated", f"-I{self.scratch}/mutated/include")
        try:
            for source in self.users_of(mutant.path):
                objects[source] = self.place("mutant/" + source[:-2] + ".o")
                from_file = changed if source == mutant.path else source
                self.compile(from_file, objects[source], includes)
        except subprocess.CalledProcessError:
            return "compiler"
        return self.failing_test([*objects.values(), *self.fortran], mutant.path)

    def failing_test(self, objects, path=""):
        """The first test that fails with these objects; None if all pass."""
        folder = path.split("/")[1] if path else ""
        for test in COVERED_BY.get(folder, " ".join([*TESTS, *FUZZED, "replay"])).split():
            program = self.place(f"program-{test}")
            parts = [self.replay if test == "replay" else self.place(f"test_{test}.o")]
            if test in FUZZED:
                parts.append(self.place("plain.o"))
            if test == "proof":
                parts.append("-Wl,--wrap=ranmar_goes_past_caches")
            link = ["gcc", "-o", program, *parts, *objects, *LIBRARIES]
            if subprocess.run(link, capture_output=True, check=False).returncode:
                return "linker"
            began = time.monotonic()
            if test == "replay":
                good = self.said([program]) == self.expected
            else:
                given = {**os.environ, "VALIDATE_SEED": "1", "CMOCKA_MESSAGE_OUTPUT": "TAP"}
                good = run([program], self.limits.get(test, 600), cwd=self.scratch, env=given)
            if not good:
                return test
            if not path:
                self.limits[test] = 3 * (time.monotonic() - began) + 3
        return None
