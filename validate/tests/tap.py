"""TAP for tests in Python, as tap.sh is for those in shell: call the checks, end with finish()."""

import os
import sys

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


def finish():
    """The last call; the exit status says whether all went well."""
    print(f"1..{COUNTS['tests']}")
    sys.exit(COUNTS["failed"] > 0)
