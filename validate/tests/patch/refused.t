#!/usr/bin/env python3
"""Tests of what gpuranmar-patch refuses, and of what it leaves when it cannot go on."""

import os
import re
import resource
import shutil

from alterations import ALTERATIONS
from support import ends, make_tree, ok, read, run_tests, snapshot, tool, write

from patchlib.tree import Tree


def test_interruption(work):
    """A run that cannot finish leaves the originals; so does one that is killed."""
    tree = make_tree(work)
    before = snapshot(tree)
    for way, when in (("rmmard.F.gpuranmar-new", "written"), ("gpuranmar.inc", "put in place")):
        os.makedirs(os.path.join(tree, way))
        ends(f"a file that cannot be {when}: exit 4", 4, "apply", tree, said=way, left=before)
        shutil.rmtree(os.path.join(tree, way))

    victim = os.path.join(work, "victim")
    write(victim, "")
    for link in os.symlink, os.link:
        link(victim, os.path.join(make_tree(work), "rmmard.F.gpuranmar-new"))
        ends(f"a planted {link.__name__}: apply goes on", 0, "apply", tree)
        ok(not read(victim), "and writes no file that it leads to")
    tree = make_tree(work)

    # after any number of its renames, as kill -9 may leave the tree
    tool("apply", tree)
    hooked = snapshot(tree)
    changed = [path for path in hooked if hooked[path] != before.get(path)]
    for done in range(1, len(changed)):
        for path in changed[done:]:
            if path in before:
                write(os.path.join(tree, path), before[path][0])
            else:
                os.remove(os.path.join(tree, path))
        ends(
            f"apply completes what was interrupted after {done} files",
            0,
            "apply",
            tree,
            left=hooked,
        )
    os.remove(os.path.join(tree, "gpuranmar.inc"))
    ends("nor does the include file stay missing", 0, "apply", tree, left=hooked)
    for path in changed[1:3]:
        write(os.path.join(tree, path), before[path][0])
    ends("revert takes back half an apply", 0, "revert", tree, left=before)


def test_links(work):
    """What the tool does not follow is named."""
    tree, real = make_tree(work), os.path.join(work, "real.F")
    os.symlink("copies.F", os.path.join(tree, "same.F"))
    os.symlink(work, os.path.join(tree, "up"))
    said = f"up: not searched, a link to {work}\n"
    ends("a link to a directory elsewhere, and one to a source", 0, "list", tree, said=said)
    path = os.path.join(tree, "copies.F")
    os.rename(path, real)
    os.symlink(real, path)
    said = f"copies.F: a link, which is not followed; replace it by a copy of {real}\n"
    ends("a source elsewhere: nothing is written", 1, "apply", tree, said=said, left=snapshot(tree))


def test_alterations(work):
    """What the shapes see of patch/alterations.py, with the line where it is."""
    directory = make_tree(work)
    for name, good, bad, message, _ in ALTERATIONS:
        path = os.path.join(directory, name)
        text = read(path)
        line = text[: text.index(good)].count("\n") + 1
        write(path, text.replace(good, bad, 1))
        tree = Tree(directory)
        problems = "\n".join(tree.damaged + tree.problems)
        found = [int(n) for n in re.findall(rf"[\w.]+:(\d+): .*(?:{message})", problems)]
        shown = bad.strip().splitlines()[-1].strip() if bad.strip() else "a line missing"
        if message:
            near = any(abs(n - line) < 35 for n in found)
            ok(near, f"{name}: {shown!r} is refused", f"{line} {problems}")
        else:
            hooked = not problems and tree.with_hooks()
            ok(hooked and tree.sources[path].text == text.replace(good, bad, 1), f"{name}: {shown!r} is for verify to find", problems)
        write(path, text)
    os.remove(os.path.join(directory, "rmmard.F"))
    ends(
        "draws without a seeding are refused",
        1,
        "apply",
        directory,
        said="there is no RMMAQD that seeds this generator",
    )


def test_bare_beside_hooked(work):
    """Whether a copy has its hook is asked of each copy, not of each file."""
    tree = make_tree(work)
    path = os.path.join(tree, "copies.F")
    bare = read(path)
    tool("apply", tree)
    hooked = snapshot(tree)

    begin = read(path).rindex(
        "#ifdef __GPURANMAR__", 0, read(path).index("CALL GRNFIL( 5, GRNPOS )")
    )
    end = read(path).index("\n", read(path).index("#line", read(path).index("#endif", begin))) + 1
    draw = bare[
        bare.index("      UNI = U(I97(5),5)") : bare.index("      RETURN\n      ENTRY DRHSET")
    ]
    write(path, read(path)[:begin] + draw + read(path)[end:])
    result = tool("list", tree)
    bare_lines = re.findall(r"DRHERW .* bare\n", result.stdout)
    good = len(bare_lines) == result.stdout.count(" bare\n") == 1
    ok(good, "list shows a hook undone by hand as bare", result.stdout)
    ends("and apply puts it in again", 0, "apply", tree, left=hooked)

    unit = bare[
        bare.index("      DOUBLE PRECISION FUNCTION DRHERW") : bare.index("      FUNCTION DREPOS")
    ]
    unit = unit.replace("DRHERW", "DRNEWX").replace("DRHSET", "DRNSET")
    write(path, read(path) + unit)
    said = [re.compile(r"DRNEWX .* bare\n")]
    ends("list shows a new copy as bare", 0, "list", tree, said=said)
    ends("apply hooks it", 0, "apply", tree)
    hooks = [text.count("#ifdef __GPURANMAR__") for text in (hooked["copies.F"][0], read(path))]
    ok(hooks[1] == hooks[0] + 2, "with its declaration", hooks)
    tool("revert", tree)
    ok(read(path) == bare + unit, "and revert takes that out, too")

    tool("apply", tree)
    good = snapshot(tree)
    write(path, read(path) + unit.replace("DRN", "DRM").replace("J97(5) = 97", "J97(5) = 96"))
    line = read(path)[: read(path).rindex("J97(5) = 96")].count("\n") + 1
    ends(
        "a new copy that is altered is refused, by its line in the hooked file",
        1,
        "apply",
        tree,
        said=f"copies.F:{line}: the generator's arithmetic in no known shape; IF(J97(5)==0)J97(5)=97",
    )
    write(path, good["copies.F"][0])


def test_edits(work):
    """What was edited inside of a hook is not lost without a word."""
    tree = make_tree(work)
    mine = os.path.join(tree, "gpuranmar.inc")
    write(mine, "C  mine\n")
    ends("an include file of that name stays", 1, "apply", tree, said=".inc:1: this file differs")
    os.remove(mine)
    before = snapshot(tree)
    tool("apply", tree)
    hooked = snapshot(tree)
    path = os.path.join(tree, "copies.F")
    lines = read(path).splitlines(True)
    at = next(i for i, line in enumerate(lines) if "CALL GRNFIL" in line)
    write(path, "".join(lines[:at] + ["C  my own line\n"] + lines[at:]))
    edited = snapshot(tree)
    for verb in ("apply", "revert"):
        ends(
            f"an edit inside a hook: {verb} names it, changes nothing",
            1,
            verb,
            tree,
            said=f"copies.F:{at}: this hook differs",
            left=edited,
        )
    ok(f"copies.F:{at}: this hook differs" in tool("list", tree).stdout, "list names it")
    ends(
        "--discard-edits takes it out all the same",
        0,
        "revert",
        tree,
        "--discard-edits",
        left=before,
    )
    tool("apply", tree)
    write(path, edited["copies.F"][0])
    ends("or puts the hook back", 0, "apply", tree, "--discard-edits", left=hooked)
    write(mine, "C  mine\n")
    ends(
        "the include file is not lost either", 1, "revert", tree, said="gpuranmar.inc:1: this file"
    )


def limit_files():
    """No file may grow beyond this, as on a full disk."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))


def test_full_disk(work):
    tree = make_tree(work)
    before = snapshot(tree)
    said = [re.compile(r"\A(?!.*None).*\.F\.gpuranmar-new: \w")]
    how = {"left": before, "first": limit_files}
    ends("a full disk: the file is named", 4, "apply", tree, said=said, **how)


run_tests(
    [test_interruption, test_links, test_alterations, test_bare_beside_hooked, test_edits, test_full_disk]
)
