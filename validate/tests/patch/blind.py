#!/usr/bin/env python3
"""blind.py TREE FILE GOOD BAD SEED: what verify finds by itself, where shapes.py sees nothing.

TREE is a tree as it should be. Its hooks go in, whatever stands there, after the first GOOD in FILE
was replaced by BAD; both must have the same number of lines. Prints what verify finds, and exits
with 1 if that is anything. LIBRARY in the environment is the directory of libgpuranmar.
"""

import os
import sys

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "../../.."))
sys.path.insert(0, os.path.join(ROOT, "corsika-patch"))

from patchlib.hooks import insert_hooks  # noqa: E402
from patchlib.source import Source  # noqa: E402
from patchlib.tree import Tree  # noqa: E402
from patchlib.verify import Verification  # noqa: E402


def main():
    directory, name, good, bad, seed = sys.argv[1:]
    tree = Tree(directory)
    path = os.path.join(directory, name)
    seen = tree.sources[path]
    if good not in seen.text or good.count("\n") != bad.count("\n"):
        sys.exit(f"{name} has no {good!r}, or {bad!r} has another number of lines")
    altered = Source(path, seen.text.replace(good, bad, 1))
    altered.hooks, altered.shapes = seen.hooks, seen.shapes
    tree.sources[path] = altered
    files = {path: insert_hooks(source.text, source.hooks) for path, source in tree.sources.items()}
    library = os.environ.get("LIBRARY", "")
    Source.report_all = lambda source: None  # the shapes once more, of what is preprocessed
    verification = Verification(tree, files, int(seed), library, long_skip=False)
    print("\n".join(verification.differences))
    sys.exit(1 if verification.differences else 0)


main()
