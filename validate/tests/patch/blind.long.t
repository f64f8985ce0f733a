#!/usr/bin/env python3
"""Tests that verify alone, without generator_shapes.py, finds an altered generator.

Each alteration of patch/alterations.py with BLIND or SAME is put into the tree, and hooks go in all
the same. verify must find one with BLIND by what the routines do, and nothing in one with SAME.
"""

import os
from concurrent.futures import ProcessPoolExecutor

from alterations import ALTERATIONS, BLIND
from support import BUILD, SEED, make_tree, ok, run_tests

from patchlib.hooks import insert_hooks
from patchlib.hooked_source import Source
from patchlib.tree import Tree
from patchlib.verify import Verification

Source.report_all = lambda source: None  # the shapes once more, of what is preprocessed


def differences(job):
    """What verify finds if `good` is replaced by `bad`, of as many lines, and the hooks of the
    unaltered tree go in all the same."""
    directory, name, good, bad = job
    tree = Tree(directory)
    path = os.path.join(directory, name)
    seen = tree.sources[path]
    assert good in seen.text and good.count("\n") == bad.count("\n")
    altered = Source(path, seen.text.replace(good, bad, 1))
    altered.hooks, altered.shapes = seen.hooks, seen.shapes
    tree.sources[path] = altered
    files = {path: insert_hooks(source.text, source.hooks) for path, source in tree.sources.items()}
    return Verification(tree, files, SEED, BUILD, long_skip=False).differences


def test_blind(work):
    tree = make_tree(work)
    rows = [row for row in ALTERATIONS if row[4]]
    with ProcessPoolExecutor(2) as pool:
        found = pool.map(differences, [(tree, *row[:3]) for row in rows])
        for (name, good, bad, _, wanted), lines in zip(rows, found):
            line = next((b for a, b in zip(good.split("\n"), bad.split("\n")) if a != b), bad)
            what = f"{name}: {line.strip()!r}, {wanted}"
            ok(bool(lines) == (wanted == BLIND), what, "\n".join(lines))


run_tests([test_blind])
