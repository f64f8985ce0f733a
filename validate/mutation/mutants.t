#!/usr/bin/env python3
"""The mutation run's breaks that are planted by name are still breaks of the code as it is."""

import os
import sys

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [HERE, os.path.join(ROOT, "validate", "tests")]
import mutants  # noqa: E402
from tap import finish, ok  # noqa: E402

try:
    stale, breaks = "", [m.name for m in mutants.planted(ROOT)]
except SystemExit as said:
    stale, breaks = str(said), []
ok(breaks, "planted breaks", stale)
finish()
