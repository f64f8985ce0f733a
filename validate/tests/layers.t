#!/usr/bin/env python3
"""Includes go downwards only: a file includes what is in its own layer or in one below it. And no
header of ours stands in the way of the system's."""
import os
import re
import subprocess

from tap import finish, ok

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
CSRC = os.path.join(ROOT, "csrc")

# Each layer with those below it. What is below everything comes first.
BELOW = {
    "include": [],
    "definition": ["include"],
    "fill": ["include", "definition"],
    "seeds": ["include", "definition"],
    "stream": ["include", "definition", "fill"],
    "engine": ["include", "definition", "fill", "stream"],
    "fortran": ["include", "definition", "fill", "stream"],
    "api": ["include", "definition", "fill", "stream", "fortran"],
}
# Folders that stand beside the layers and may use all of them.
BESIDE = ["command", "families", "python"]
INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.MULTILINE)


def layer_of(included, folder):
    """The layer of an included file: by its folder, or its own if it has none."""
    if os.path.exists(os.path.join(CSRC, "include", included)):
        return "include"
    return included.split("/")[0] if "/" in included else folder


def wrong_includes():
    """One line for each include that goes upwards or nowhere."""
    for folder in sorted(os.listdir(CSRC)):
        path = os.path.join(CSRC, folder)
        if not os.path.isdir(path) or folder in BESIDE:
            continue
        if folder not in BELOW:
            yield f"csrc/{folder}: a layer that {os.path.basename(__file__)} does not know"
            continue
        for name in sorted(os.listdir(path)):
            if not name.endswith((".c", ".h")):
                continue
            with open(os.path.join(path, name)) as file:
                for included in INCLUDE.findall(file.read()):
                    if layer_of(included, folder) not in [folder] + BELOW[folder]:
                        yield f'csrc/{folder}/{name} includes "{included}"'


wrong = list(wrong_includes())
ok(not wrong, "includes go downwards", "\n".join(wrong))
compiler = os.environ.get("CC", "gcc").split()
program = "#include <limits.h>\nint main(void) { return INT_MAX == 0; }\n"
shadow = subprocess.run(
    compiler + ["-I", CSRC, "-fsyntax-only", "-x", "c", "-"],
    input=program,
    text=True,
    capture_output=True,
)
ok(shadow.returncode == 0, "-Icsrc hides no header of the system", shadow.stderr)
finish()
