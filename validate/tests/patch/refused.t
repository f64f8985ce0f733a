#!/usr/bin/env python3
"""Tests of what gpuranmar-patch refuses, and of what it leaves when it cannot go on."""

import errno
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

    def fails(*_):
        raise OSError(errno.EIO, "Input/output error")

    how = {"first": lambda: vars(os).update(open=fails), "said": "patch: Input/output error; "}
    ends("an error without the name of a file: exit 4", 4, "apply", tree, left=before, **how)
    renamed, rename = [], os.replace

    def breaks(old, new):
        """Renames one file, and after it none but the include file."""
        if renamed and not new.endswith(".inc"):
            raise OSError(errno.EIO, "Input/output error", old)
        renamed.append(rename(old, new))

    for verb, left, remove in (("apply", None, fails), ("revert", before, os.remove)):
        said = re.compile(r"\A(?!.*nothing is).*gpuranmar-new: .*; some files are changed; .*\n\Z")
        how = {"said": [said], "first": lambda: vars(os).update(replace=breaks, remove=remove)}
        ends(f"{verb} that can be neither finished nor undone: exit 4", 4, verb, tree, **how)
        ok(not os.path.exists(f"{tree}/gpuranmar.inc"), "hooked code does not compile then")
        ends(f"{verb} again", 0, verb, tree, left=left)

    victim = os.path.join(work, "victim")
    write(victim, "")
    for link in os.symlink, os.link:
        link(victim, os.path.join(make_tree(work), "rmmard.F.gpuranmar-new"))
        ends(f"a planted {link.__name__}: apply goes on", 0, "apply", tree)
        ok(not read(victim), "and writes no file that it leads to")


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
            ok(
                hooked and tree.sources[path].text == text.replace(good, bad, 1),
                f"{name}: {shown!r} is for verify to find",
                problems,
            )
        write(path, text)


def line_of(text, part):
    return text[: text.index(part)].count("\n") + 1


def test_states(work):
    """What each verb does with a tree that was edited after apply, or half applied."""
    tree = make_tree(work)
    before = snapshot(tree)
    tool("apply", tree)
    hooked = snapshot(tree)
    bare, full, calls = before["copies.F"][0], hooked["copies.F"][0], hooked["calls.F"][0]
    draw = re.search(r"      UNI = U\(I97\(5\),5\)(.|\n)*?      ENDIF\n", bare)[0]
    undone = re.sub(r"#ifdef.*\n.*GRNPOS\(5\)(.|\n)*?#endif\n#line.*\n", draw, full, count=1)
    copy = re.search(r" +DOUBLE PRECISION FUNCTION DRHERW(.|\n)*?      END\n", bare)[0]
    copy = copy.replace("DRH", "DRX")
    altered = full + copy.replace("J97(5) = 97", "J97(5) = 96")
    short = re.sub(r"(?<=[(,])5(?=\))", "KS", copy)
    short = short.replace("UNI,", "UNI\n      INTEGER*2 KS\n      REAL*8 ")
    edited = re.sub(r"^(.*CALL GRNFL1)", r"C  my own line\n\1", full, count=1, flags=re.M)
    mine = {"gpuranmar.inc": "C  mine\n"}

    def put(state, changes):
        for path in {**snapshot(tree), **state, **changes}:
            text = changes.get(path, state.get(path, [None])[0])
            write(os.path.join(tree, path), text or "")
            if text is None:
                os.remove(os.path.join(tree, path))

    def row(name, state, changes, code, verb, *options, said=(), left=None):
        put(state, changes)
        ends(name, code, verb, tree, *options, said=said, left=left or snapshot(tree))

    said = re.compile(r"DRDPMJ +draw +sequence 1\n(.|\n)*DRHERW +draw +sequence 5 +bare\n")
    row("a hook undone by hand is bare", hooked, {"copies.F": undone}, 0, "list", said=[said])
    row("apply puts it in again", hooked, {"copies.F": undone}, 0, "apply", left=hooked)
    said = [re.compile(r"DRXERW .* bare\n")]
    row("a new copy is bare", hooked, {"copies.F": full + copy}, 0, "list", said=said)
    tool("apply", tree)
    new = snapshot(tree)
    hooks = [state["copies.F"][0].count("#ifdef __GPURANMAR__") for state in (hooked, new)]
    ok(hooks[1] == hooks[0] + 2, "apply hooks it, and its declaration", hooks)
    left = {**before, "copies.F": (bare + copy, before["copies.F"][1])}
    row("revert takes that out, too", new, {}, 0, "revert", left=left)
    line = line_of(altered, "J97(5) = 96")
    said = f"copies.F:{line}: the generator's arithmetic in no known shape; IF(J97(5)==0)J97(5)=97"
    row("one that is altered is refused", hooked, {"copies.F": altered}, 1, "apply", said=said)
    said = "INTEGER KS is expected here"
    for text in short, short.replace("INTEGER*2", "BYTE"):
        row("or has a short sequence", hooked, {"copies.F": full + text}, 1, "apply", said=said)

    said = f"copies.F:{line_of(edited, 'C  my own') - 1}: this hook differs"
    for verb, code in (("apply", 1), ("revert", 1), ("list", 0)):
        row(f"an edit in a hook: {verb}", hooked, {"copies.F": edited}, code, verb, said=said)
    for verb, left in (("apply", hooked), ("revert", before)):
        how = 0, verb, "--discard-edits"
        row(f"{verb} --discard-edits", hooked, {"copies.F": edited}, *how, left=left)
    said = "gpuranmar.inc:1: this file differs"
    row("an include file of the user's before apply", before, mine, 1, "apply", said=said)
    row("or after it", hooked, mine, 1, "revert", said=said)
    other = bare.replace("C  REAL, drawn", "C  edited, REAL, drawn")
    left = {**before, "copies.F": (other, before["copies.F"][1])}
    changes = {"copies.F": full.replace("C  REAL, drawn", "C  edited, REAL, drawn")}
    row("revert keeps what was edited elsewhere", hooked, changes, 0, "revert", left=left)
    line = line_of(before["calls.F"][0], "CALL RMMARD( RD,1,2 )")
    first, after = f"#line {line}\n", f"#line {line + 1}\n"
    for part, kept in (("#else\n", first), (after, ""), ("#endif\n" + after, "")):
        changes = {"calls.F": calls.replace(part + kept, kept, 1)}
        row(f"a hook without its {part!r}", hooked, changes, 1, "revert", said="calls.F:")

    # after any number of its renames, as kill -9 may leave the tree
    changed = [path for path in hooked if hooked[path] != before.get(path)]
    for done in range(1, len(changed)):
        late = {path: before.get(path, [None])[0] for path in changed[done:]}
        row(f"apply, interrupted after {done} files", hooked, late, 0, "apply", left=hooked)
    row("revert, interrupted", hooked, late, 0, "revert", left=before)
    row("an include file that is missing", hooked, {"gpuranmar.inc": None}, 0, "apply", left=hooked)


def limit_files():
    """No file may grow beyond this, as on a full disk."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))


def test_full_disk(work):
    tree = make_tree(work)
    before = snapshot(tree)
    said = [re.compile(r"\A(?!.*None).*\.F\.gpuranmar-new: \w")]
    how = {"left": before, "first": limit_files}
    ends("a full disk: the file is named", 4, "apply", tree, said=said, **how)


run_tests([test_interruption, test_links, test_alterations, test_states, test_full_disk])
