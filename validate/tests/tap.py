"""TAP for tests in Python, as tap.sh is for those in shell: call the checks, end with finish()."""

import os
import random
import sys

ROOT = os.path.realpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
BUILD = os.path.abspath(os.environ.get("BUILD", os.path.join(ROOT, "build")))
# What a test prints, so that it can be repeated.
SEED = int(os.environ.get("SEED", random.SystemRandom().randrange(1, 10**9)))

COUNTS = {"tests": 0, "failed": 0}

# A library with sanitizers wants them in the program too.
SANITIZE = ["-fsanitize=" + os.environ["SANITIZE"]] if os.environ.get("SANITIZE") else []


def ok(good, name, detail=""):
    """One test; what went wrong, DETAIL, is shown if it failed."""
    COUNTS["tests"] += 1
    print(f"{'ok' if good else 'not ok'} {COUNTS['tests']} - {name}")
    if not good:
        COUNTS["failed"] += 1
        for line in str(detail).strip().splitlines()[:30]:
            print(f"# {line}")
    sys.stdout.flush()


def skip(name, reason):
    """A test that this machine cannot run."""
    COUNTS["tests"] += 1
    print(f"ok {COUNTS['tests']} - {name} # SKIP {reason}", flush=True)


def skip_all(reason):
    """The only call of a test that cannot run here."""
    print(f"1..0 # SKIP {reason}")
    sys.exit()


def finish():
    """The last call; the exit status says whether all went well."""
    print(f"1..{COUNTS['tests']}")
    sys.exit(COUNTS["failed"] > 0)
