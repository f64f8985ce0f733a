"""The tests that a mutation run uses: how each is linked with a library's objects, and run."""
import os
import re
import select
import shutil
import signal
import subprocess
import time

OPTIMISED = "-std=gnu11 -O2 -fPIC -fvisibility=hidden".split()
WARNINGS = "-Wall -Wextra -Wconversion -Werror".split()
INCLUDES = "-Icsrc -Icsrc/include -Ivalidate/tests".split()
LIBRARIES = "-fno-lto -lcmocka -lgfortran -lpthread -ldl -lm".split()
FAST_LINK = ["-fuse-ld=gold"] if shutil.which("ld.gold") else []  # takes half the time

# C tests: their sources. One in validate/fuzz is run by plain/main.c.
SOURCES = {
    **{
        f"test_{name}": f"validate/tests/test_{name}.c"
        for name in (
            "definition settings report registry bounds jump proof engine makers memory verify "
            "stream fill"
        ).split()
    },
    **{
        f"fuzz/{name}": f"validate/fuzz/{name}.c"
        for name in "calls saved_state fortran_state".split()
    },
    "test_seeds": "validate/seeds/test_seeds.c",
}
# The C tests that the build makes with OpenMP. The others are without, as the library is.
WITH_OPENMP = {test for test in SOURCES if test.startswith("test_")} - {"test_bounds", "test_proof"}
# What a program has in place of the library's or the system's.
WRAPPED = {
    "test_fill": ["-Wl,--wrap=ranmar_simd_levels"],
    "test_proof": ["-Wl,--wrap=ranmar_goes_past_caches"],
    "test_memory": ["-Wl,--wrap=malloc,--wrap=calloc"],
    "report": ["-Wl,--wrap=exit"],
}
FUZZ_MAIN = "validate/fuzz/plain/main.c"
# Scripts, and the programs of BUILD that they start beside those that are linked anew.
SCRIPTS = {
    "rmmard.t": "replay-reference replay-relinked",
    "misuse.t": "replay-reference replay-relinked replay-cernlib-relinked full_disk.so "
    "libgpuranmar_cernlib.so",
    "threads.t": "threads unload",
    "plugin.t": "plugin-use plugin.so full_disk.so gpuranmar",
    "report.t": "unload report_stop",
    "alone.t": "alone",
}
# Those of a script that are linked anew with the library's objects: their sources.
PROGRAM_OF = {"report.t": "report", "alone.t": "alone-static"}
PROGRAMS = {"report": "validate/tests/report.c", "alone-static": "validate/tests/alone.c"}
# RMMARD and RMMAQD as a Fortran program calls them: the same output as the reference's.
REPLAY = """S 1 1802 9 0
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
NAMES = ["replay", *SOURCES, *SCRIPTS]
FOLDERS = ("csrc", "validate/tests", "validate/fuzz", "validate/seeds", "validate/mutation")


def copy_tree(root, to):
    """A copy of what is compiled and run, so that the sources may be edited meanwhile."""
    for folder in FOLDERS:
        shutil.copytree(os.path.join(root, folder), os.path.join(to, folder))


def place(*names):
    """A file's path; its folder is made."""
    path = os.path.join(*names)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    return path


def openmp_of(test):
    """The option for OpenMP, to compile and to link a test."""
    return ["-fopenmp"] if test in WITH_OPENMP else []


def compile_source(tree, source, to, flags=()):
    """Compiles one source of a tree; the compiler's warnings are errors."""
    command = ["gcc", *OPTIMISED, *WARNINGS, *flags, *INCLUDES, "-c", "-o", to, source]
    subprocess.run(command, check=True, cwd=tree, capture_output=True)


FAILURE = re.compile(rb"^not ok \d+(?: - ([^\n]*))?\n", re.M)


def failure(command, cpu_seconds, seconds, **options):
    """What fails of a command: the first failing test of its TAP, at which it is stopped with
    all that it has started, or 'crash' or 'hangs'; None if it ends well and in time. Its time on
    the CPU is limited apart, since the machine may be busy."""
    limits = f'ulimit -c 0 -f 4000000 -t {int(cpu_seconds) + 1} && exec "$@"'
    end = time.monotonic() + seconds
    with subprocess.Popen(
        ["bash", "-c", limits, "limits", *command],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        **options,
    ) as process:
        try:
            said = b""
            while time.monotonic() < end:
                ready = select.select([process.stdout], [], [], 0.1)[0]
                more = os.read(process.stdout.fileno(), 65536) if ready else b""
                said += more
                if failed := FAILURE.search(said):
                    return (failed[1] or b"a test").decode(errors="replace")
                if not more and process.poll() is not None:
                    return "crash" if process.returncode else None
                if ready and not more:  # its output is closed, it goes on
                    time.sleep(0.01)
            return "hangs"
        finally:
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass


class Bench:
    """A folder in which the tests are linked with the objects of a library, one after the other."""

    def __init__(self, folder, tree, tests, build):
        self.folder, self.tree, self.tests, self.build = folder, tree, tests, build
        self.fortran = [
            path
            for name in ("rmmaqd.o", "gpuranmar.o")
            if os.path.exists(path := os.path.join(build, "shared", name))
        ]
        for programs in SCRIPTS.values():
            for name in programs.split():
                self.take(name)
        self.shared = os.readlink(os.path.join(build, "libgpuranmar.so"))
        os.symlink(self.shared, place(folder, "build", "libgpuranmar.so"))

    def take(self, name):
        """A copy of a program or a library of the build, which finds the library beside itself."""
        path = os.path.join(self.build, name)
        if os.path.islink(path):
            name = os.readlink(path)
        shutil.copy(path, place(self.folder, "build", name))

    def scratch(self):
        """An empty folder for what a test writes."""
        path = os.path.join(self.folder, "scratch")
        shutil.rmtree(path, ignore_errors=True)
        os.makedirs(path)
        return path

    def link(self, name, parts, flags=()):
        """Links a program or a library into the folder; False if that fails."""
        to = place(self.folder, "build", name)
        if os.path.exists(to):
            os.remove(to)
        command = ["gcc", *FAST_LINK, "-o", to, *flags, *parts, *self.fortran, *LIBRARIES]
        return subprocess.run(command, capture_output=True, check=False).returncode == 0

    def link_library(self, objects):
        """Links the shared library, for scripts."""
        flags = (
            "-shared",
            f"-Wl,-soname,{self.shared}",
            f"-Wl,--version-script={self.tree}/csrc/libgpuranmar.map",
        )
        return self.link(self.shared, objects, flags)

    def link_test(self, test, objects):
        """Links what a test runs."""
        if test in SCRIPTS:
            program = PROGRAM_OF.get(test)
            return self.link_library(objects) and (
                not program
                or self.link(program, [self.tests[program], *objects], WRAPPED.get(program, ()))
            )
        if test == "replay":
            return self.link(test, [os.path.join(self.build, "reference", "replay.o"), *objects])
        main = [self.tests["main"]] if test.startswith("fuzz/") else []
        flags = [*openmp_of(test), *WRAPPED.get(test, ())]
        return self.link(test, [self.tests[test], *main, *objects], flags)

    def replay(self, program):
        """What a Fortran program prints on REPLAY, and the file that it leaves; None if it
        fails."""
        folder = self.scratch()
        try:
            done = subprocess.run(
                ["bash", "-c", 'ulimit -c 0 -t 5 && exec "$0"', program],
                input=REPLAY,
                text=True,
                cwd=folder,
                capture_output=True,
                timeout=30,
                check=True,
            )
            with open(os.path.join(folder, "one"), encoding="ascii") as file:
                return done.stdout, file.read()
        except (subprocess.SubprocessError, OSError, UnicodeDecodeError):
            return None

    def failure(self, test, cpu_seconds, seconds):
        """What fails of a test that is linked; None if it passes in time. Its random choices are
        always the same."""
        program = os.path.join(self.folder, "build", test)
        if test == "replay":
            right = self.replay(os.path.join(self.build, "replay-reference"))
            return None if self.replay(program) == right else "numbers"
        scratch = self.scratch()
        given = {
            **os.environ,
            "BUILD": os.path.join(self.folder, "build"),
            "TMPDIR": scratch,
            "SEED": "1",
            "VALIDATE_SEED": "1",
            "CMOCKA_MESSAGE_OUTPUT": "TAP",
        }
        command = ["stdbuf", "-oL", program]
        if test in SCRIPTS:
            command = [os.path.join(self.tree, "validate", "tests", test)]
        return failure(command, cpu_seconds, seconds, cwd=scratch, env=given)
