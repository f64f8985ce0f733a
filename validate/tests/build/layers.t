#!/usr/bin/env python3
"""Includes and calls lead to the same layer or to one below it (above it in the table of
docs/internals.md). No header of ours hides one of the system's. The public ones cause no
warnings."""
import glob
import os
import re
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from tap import BUILD, ROOT, finish, ok, skip  # noqa: E402

CSRC = os.path.join(ROOT, "csrc")

# Each layer with those below it, the lowest first.
BELOW = {
    "include": "",
    "base": "include",
    "definition": "include base",
    "fill": "include base definition",
    "seeds": "include base definition",
    "settings": "include base definition fill",
    "backends": "include base definition fill settings",
    "devices": "include base definition backends",
    "stream": "include base definition fill settings backends",
    "engine": "include base definition fill settings backends",
    "fortran": "include base definition fill settings backends stream engine",
    "api": "include base definition fill settings backends stream fortran",
}
BELOW = {layer: below.split() for layer, below in BELOW.items()}
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


def symbols(folder):
    """What the objects of a folder define for others, and what they need. A family's are in a folder
    of the family; those of the command are in the static build alone."""
    names = []
    for source in glob.glob(os.path.join(CSRC, folder, "*.c*")):
        name = os.path.splitext(os.path.basename(source))[0] + ".o"
        kind = "shared/family/*" if folder == "families" else "shared/" + folder
        kind = "static/command" if folder == "command" else kind
        names += glob.glob(os.path.join(ROOT, BUILD, kind, name))
    if not names:  # devices, where OpenCL's headers are not found
        return set(), set()
    lines = subprocess.run(["nm", *names], text=True, capture_output=True, check=True).stdout
    found = re.findall(r" ([A-Za-z]) (\w+)$", lines, re.MULTILINE)
    defined = {name for kind, name in found if kind in "TDBRVWC"}
    return defined, {name for kind, name in found if kind in "Uwv"} - defined


def wrong_calls():
    """One line for each symbol that a folder needs of one that stands above it or beside it."""
    objects = {folder: symbols(folder) for folder in [*BELOW, *BESIDE]}
    for layer in BELOW:
        # A plugin's entry is found by name, at run time or by a weak reference.
        needed = objects[layer][1] - {"ranmar_cuda_plugin", "ranmar_opencl_plugin"}
        for other, (defined, _) in objects.items():
            for name in needed & defined if other not in [layer] + BELOW[layer] else ():
                yield f"csrc/{layer} needs {name} of csrc/{other}"


def text_of(*names):
    """The text of files, without comments."""
    text = ""
    for name in names:
        with open(os.path.join(ROOT, name)) as file:
            text += file.read()
    return re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)


def device_functions():
    """The functions of CUDA's headers, and those and the macros with arguments of OpenCL's."""
    cuda, pattern = set(), r"(?:__device__|RANMAR_FUNCTION)\b[^;{}()]*?(operator[^(]+|\w+)\("
    headers = text_of(*glob.glob(os.path.join(ROOT, "cuda/include/*.cuh")))
    # In classes, whose first and last lines alone are not indented.
    for inside in re.split(r"^(?=(?:template <.*> ?)?(?:struct|class) )|^};$", headers, flags=re.M):
        name = re.match(r"(?:template <.*>\s)?(?:struct|class) (\w+)", inside)
        of = name[1] + "::" if name else ""
        cuda |= {of + found for found in re.findall(pattern, inside)}
    opencl = text_of("opencl/include/gpuranmar_device.cl")
    opencl = opencl.replace("__attribute__((always_inline))", "")
    functions = re.findall(r"^(?:static|RANMAR_GIVEN_LOCAL)\b[^;{}()]*?(\w+)\(", opencl, re.M)
    macros = set(re.findall(r"^#define (\w+)\(", opencl, re.M))
    return cuda, {*functions} | macros - {*re.findall(r"^#undef (\w+)", opencl, re.M)}


def wrong_twins():
    """One line for each function that only the headers have, or only internals.md's table."""
    with open(os.path.join(ROOT, "docs", "internals.md")) as file:
        rows = re.findall(r"^\| .*$", file.read().split("\n## Twins\n")[1].split("\n## ")[0], re.M)
    for column, functions in enumerate(device_functions(), 2):
        named = {name for row in rows for name in re.findall(r"`(.+?)`", row.split("|")[column])}
        yield from sorted(functions ^ named)


def shared_names():
    """The static functions that two files of the product define, apart from twins and from what
    loop.h asks of each instruction set: a backtrace should tell functions apart."""
    pattern = r"^(?:__attribute__.*\)\) )?static [^;{}()=]*?\b(\w+)\([^;{}]*\)\s*\{"
    for plugin in ("cuda/*.cu", "opencl/*.c"):
        files = {}
        for name in sum((glob.glob(f"{ROOT}/{p}") for p in ("csrc/*/*.[ch]", plugin)), []):
            text = text_of(name)
            for found in re.findall(pattern, text, re.M) if "fill/loop.h" not in text else ():
                files.setdefault(found, set()).add(name)
        yield from (f"{of}: {sorted(names)}" for of, names in files.items() if len(names) > 1)


wrong = list(wrong_includes())
ok(not wrong, "includes go downwards", "\n".join(wrong))
if os.path.exists(os.path.join(ROOT, BUILD, "libgpuranmar.so")):
    wrong = sorted(wrong_calls())
    ok(not wrong, "calls go downwards", "\n".join(wrong))
    empty = {layer for layer in BELOW if not symbols(layer)[0]}
    ok(empty <= {"include", "devices"}, "every layer's symbols were looked at", str(empty))
else:
    skip("calls go downwards", "nothing is built")
command = [*os.environ.get("CC", "gcc").split(), "-I", CSRC, "-fsyntax-only", "-x", "c", "-"]
program = "#include <limits.h>\nint main(void) { return INT_MAX == 0; }\n"
shadow = subprocess.run(command, input=program, text=True, capture_output=True)
ok(shadow.returncode == 0, "-Icsrc hides no header of the system", shadow.stderr)

# A user's build may include the headers without -isystem.
program = """
#include <sstream>
#include "gpuranmar.hpp"
#include "gpuranmar_definition.h"
#include "gpuranmar_seeds.h"
template class gpuranmar::engine<>;
int main() { gpuranmar::engine<> a; std::stringstream text; return !(text << a && text >> a); }
"""
words = "all extra pedantic shadow conversion sign-conversion double-promotion old-style-cast undef"
words += " zero-as-null-pointer-constant cast-align cast-qual error"
for compiler in filter(shutil.which, ("g++", "clang++")):
    command = [compiler, "-std=c++11", "-fsyntax-only", "-I", f"{CSRC}/include", "-x", "c++", "-"]
    command += [f"-W{word}" for word in words.split()]
    said = subprocess.run(command, input=program, text=True, capture_output=True)
    ok(said.returncode == 0, f"{compiler} warns of nothing in the public headers", said.stderr)
wrong = list(shared_names())
ok(not wrong, "static functions of two files have two names", "\n".join(wrong))
wrong = list(wrong_twins())
ok(not wrong, "the table of twins has the functions of the device headers", "\n".join(wrong))
finish()
