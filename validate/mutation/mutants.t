#!/usr/bin/env python3
"""The mutation run's breaks that are planted by name are still breaks of the code as it is, and its
tests are made with OpenMP where the build makes them with it."""

import os
import re
import subprocess
import sys

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [HERE, os.path.join(ROOT, "validate", "tests")]
import mutants  # noqa: E402
import suite  # noqa: E402
from tap import finish, ok  # noqa: E402

try:
    stale, breaks = "", [m.name for m in mutants.planted(ROOT)]
except SystemExit as said:
    stale, breaks = str(said), []
ok(breaks, "planted breaks", stale)

BUILD = "build"  # nothing is built
PROGRAMS = {f"{BUILD}/{test.replace('fuzz/', 'fuzz/plain/')}": test for test in suite.SOURCES}
said = subprocess.run(
    ["make", "-nB", "CUDA=0", f"BUILD={BUILD}", *PROGRAMS],
    cwd=ROOT,
    env={name: value for name, value in os.environ.items() if not name.startswith("MAKE")},
    check=False,
    capture_output=True,
    text=True,
).stdout
for program, test in PROGRAMS.items():
    made = {
        "-fopenmp" in line for line in said.splitlines() if re.search(rf" -o {program}( |$)", line)
    }
    ok(made == {bool(suite.openmp_of(test))}, f"{test}: OpenMP as in the build", made)
finish()
