#!/usr/bin/env python3
"""Tests that gpuranmar-patch's verify alone, without shapes.py, finds an altered generator.

Each alteration of patch/alterations.py that is to be found so is put into the tree, hooks go in all
the same, and what the routines do must give it away: patch/blind.py.
"""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

from alterations import ALTERATIONS, BLIND
from support import BUILD, FC, SANITIZE, SEED, SOURCES, make_tree, ok, run_tests


def blind(job):
    tree, name, good, bad = job
    return subprocess.run(
        [sys.executable, os.path.join(SOURCES, "blind.py"), tree, name, good, bad, str(SEED)],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "LIBRARY": BUILD, "FC": " ".join(FC + SANITIZE)},
    )


def test_blind(work):
    tree = make_tree(work)
    rows = [row for row in ALTERATIONS if row[4]]
    jobs = [(tree, name, good, bad) for name, good, bad, _, _ in rows]
    with ThreadPoolExecutor(2) as pool:
        for row, result in zip(rows, pool.map(blind, jobs)):
            name, good, bad, _, found = row
            line = next((b for a, b in zip(good.split("\n"), bad.split("\n")) if a != b), bad)
            ok(
                result.returncode == (1 if found == BLIND else 0) and not result.stderr,
                f"{name}: {line.strip()!r}, {found}",
                result.stdout + result.stderr,
            )


run_tests([test_blind])
