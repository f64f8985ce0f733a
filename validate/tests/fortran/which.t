#!/usr/bin/env python3
"""gpuranmar which: sources, binaries, what a program is linked with, and programs that have no
RANMAR. which-followed.long.t builds more programs as it says."""
import glob
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import unittest.mock

from own_generators import ARRAY, BUILD, CORSIKA, FC, HERE, LINK, LOOP, ROOT, SEEDING, SHORT
from own_generators import SOURCES, WHICH, WHOLE, WORDS, X, counted, expect, families, finish
from own_generators import follow, known, main, ok, routine, rows, scene, trial, which, write

sys.path.insert(0, f"{ROOT}/validate/tests/patch")
from support import make_tree, tool  # noqa: E402

# Programs that are linked with libgpuranmar.
BESIDE = r"""
own | \tINTEGER I(3)\n\tCALL RMMAQD(I,1,'S')\n\tCALL RMMARD(X,1,1)\n\tEND\n\tSUBROUTINE RMMARD(X,N,K)\n\tEND | RMMARD
 are its own, which win ; for RMMAQD |
hooked | \tCALL RMMARD(X,1,1)\n\tEND\n\tSUBROUTINE RMMARD(X,N,K)\n\tCALL GRNFL1(K)
 \n\tCALL GRNVEC(X,N,K)\n\tEND\n\tSUBROUTINE PYR\n\tEND | uses libgpuranmar.so.1 for GRNFL1,
 GRNVEC ; link: -lgpuranmar_pythia6 | RMMARD
reads | \tCOMMON /CRRANMA4/ C(9),U(97,9),IJKL(9)\n\tCALL RMMARD(X,1,1)\n\tPRINT *, IJKL(1)\n\tEND | has
 COMMON /CRRANMA4/ |
other | \tCALL RMARIN(1802,9373)\n\tCALL RANMAR(X,1)\n\tEND\n\tSUBROUTINE PYR\n\tEND | _pythia6 ; uses
 libgpuranmar_real.so.1 ; for RANMAR, RMARIN | which win
"""


def build(*command):
    subprocess.run(command, check=True)


with tempfile.TemporaryDirectory() as scratch:
    os.chdir(scratch)
    table = list(rows(SOURCES))
    for name, content, *_ in table:
        write(name, content)
    for name, _, wanted, unwanted in table:
        expect(name, which(name), wanted, unwanted)

    expect("clashing families", which("real.f", "one.f"), ["one and real have names in common"])

    # What it says, followed to its end.
    follow("one.f", "CALL RMARIN(1802,9373)", "same")
    follow("real.f", "CONTINUE", "other")
    follow("second.f", "CALL RMARIN(1802,9373); PRINT *, MYRAN()", "stops")
    follow("entry.f", "CALL RMARIN(1802,9373); CALL LOOKS(I)", "unlinked")
    write("draw.f", main("RMARIN(54217137)", "RANMAR(X,2)"))
    scene("link _james", "draw.f james.f", "draw.f =james", "same")
    scene("james, not real", "draw.f james.f", "draw.f =real", "stops")
    known("one")

    # How far a start skips.
    write("journal.f", counted(skipping="NTOT"))
    skipping = WHOLE[0], [*SHORT[1], (54217137, *trial.SKIPS[1])]
    with unittest.mock.patch.dict(trial.TRIED, {3: skipping}):
        answer = which("journal.f")
    wanted = ["\n    link: -lgpuranmar_cpc -", WORDS["DRAWN"]]
    expect("a start that skips", answer, wanted, ["cpcnow", "it reports", "it writes"])

    # A start in another file goes too.
    write("draws.f", routine(ARRAY, LOOP))
    write("starts.f", routine("SUBROUTINE RMARIN(IJ,KL)", SEEDING))
    wanted = ["leave the file out: it has only RANMAR", "leave the file out: it has only RMARIN"]
    expect("a start in another file", which("draws.f", "starts.f"), [*wanted, WORDS["DRAWN"]])

    # Options that change sizes change the library.
    for options, wanted in (
        ("-fdefault-real-8", ["do not link -lgpuranmar_real: its arg", "link: -lgpuranmar_double"]),
        ("-i8", ["do not link -lgpuranmar_real: ", "WRONG: call.f calls RMARIN"]),
        ("-real-size 32 -fdefault-double-8", ["link: -lgpuranmar_real"]),
    ):
        write("options.mk", f"FFLAGS = {options}")
        write("call.f", "      CALL RMARIN(1,2)\n      END")
        answer = which("real.f", "call.f", "options.mk", FC="none")
        expect(f"sources with {options}", answer, wanted, ["  link: "] * (options == "-i8"))
    none = "-ffixed-line-length-none"
    for flags in none, "= -ffixed-line-length-132", "FFLAGS = -O2 -132", "-extend-source":
        write("options.mk", flags)
        wanted = ["link: -lgpuranmar_real", WORDS["DRAWN"]]
        expect(flags, which("wide.f", "options.mk"), wanted, ["behind column"])
    pairs = [families.family_with(["-r8"], f) for f in ("function", "photos", "jetset", "cernlib")]
    ok(pairs == ["dfunction", "dphotos", "sophia", ""], "families in REAL of eight bytes", pairs)
    sixteen = [families.family_with(o, "corsika") for o in (["-fdefault-real-8"], ["-i8"], ["-r8"])]
    ok(sixteen == ["", "ilp64", "corsika"], "RMMARD under options that change sizes", sixteen)

    # A tree with hooks, and what the preprocessor makes of it.
    hooked = "has the hooks of gpuranmar-patch: compile with -D__GPURANMAR__, link -lgpuranmar"
    unwanted = ["use gpuranmar-patch", "-fdefault", "do not link"]
    tool("apply", make_tree(scratch))
    expect("a tree with hooks", which("tree"), [f"tree/copies.F:\n  {hooked}"], unwanted)
    build(FC, "-cpp", "-E", "-D__GPURANMAR__", "-Itree", "-o", "hooked.f", "tree/copies.F")
    expect("... preprocessed", which("hooked.f"), [hooked], unwanted)
    with open("hooked.f", encoding="ascii") as file:
        write("tree/half.f", file.read() + CORSIKA)
    wanted = ["tree/half.f:\n  has copies", f"tree/copies.F:\n  {hooked}"]
    expect("... with copies without hooks", which("tree"), wanted)

    # Generators that cannot be tried.
    unsure = ["if its numbers are the same, link:", "not compared: "]
    for name in "nothing", "'nothing":
        answer = which("one.f", FC=name)
        expect(f"without a compiler: {name}", answer, [*unsure, f"no Fortran compiler {name}\n"])
    write("letter.f", X.replace("C = 362436", "C\xb5 = 362436"))
    write("endless.f", X.replace("      X = UNI", "4     GOTO 4"))
    write("fc", "#!/bin/sh\n>trial\n")  # as if TMPDIR were mounted noexec
    os.chmod("fc", 0o700)
    trial.outcomes.cache_clear()
    answer = which("one.f", FC=os.path.abspath("fc"))
    expect("... or where nothing can be run", answer, [*unsure, "no program can be run in TMPDIR"])
    trial.outcomes.cache_clear()
    expect("... or that cannot be compiled", which("letter.f"), [*unsure, "it did not run alone"])
    with unittest.mock.patch.object(trial, "LIMIT", 0.1):
        expect("... or without end", which("endless.f"), [*unsure, "it took more than 0.1 s"])
    # As if no library were there. One may be installed in the linker's own folders.
    write("fc", f'#!/bin/sh\ncase $* in *-lgpuranmar*) exit 1; esac\nexec {FC} "$@"\n')
    trial.outcomes.cache_clear()
    lacking = [*unsure, "the library was not found: put its folder into LIBRARY_PATH"]
    expect("... or without a library", which("one.f", FC=os.path.abspath("fc")), lacking)
    trial.outcomes.cache_clear()
    os.mkdir("temporary")
    with subprocess.Popen([WHICH, "endless.f"], env={**os.environ, "TMPDIR": "temporary"}) as run:
        while run.poll() is None and not glob.glob("temporary/*/numbers"):
            time.sleep(0.01)
        run.terminate()
    ended = (run.returncode, os.listdir("temporary"))
    ok(ended == (143, []), "... which is ended by a signal and leaves nothing", ended)

    # Binaries: names, and what is linked.
    for family, said in (
        ("one", ["if its numbers are the same, link: -lgpuranmar_one", "compare a run"]),
        ("real", ["names do not show the argument lists: ask about its source"]),
    ):
        program = f"{BUILD}/replay-{family}"
        expect(f"{family}, executable", which(f"{program}-reference"), said)
        expect(f"{family}, object", which(f"{BUILD}/reference/{family}/family.o"), said)
        uses = ["uses libgpuranmar", f"libgpuranmar_{family}.so"]
        expect(f"{family}, relinked", which(f"{program}-relinked"), uses, ["link:"])
        answer = which(f"{program}-static")
        expect(f"{family}, static", answer, ["has libgpuranmar in it"], ["link:"])
    build("strip", "-o", "stripped", f"{BUILD}/replay-one-relinked")
    expect("stripped", which("stripped"), ["is stripped: only", "uses libgpuranmar_one"])
    expect("the library itself", which(f"{BUILD}/libgpuranmar.so"), ["is libgpuranmar's own"])
    expect("a program without", which("/bin/ls"), ["no RANMAR found"])
    archive = subprocess.check_output([FC, "-print-libgcc-file-name"], text=True).strip()
    expect("an archive without", which(archive), ["no RANMAR found"])
    answer = which("inside.f", f"{BUILD}/replay-cernlib-reference")
    expect("a source and the original's program", answer, [], ["do not link"])

    # Calls compared with what a program is linked with.
    wrong = "calls-double.f90 calls RANMAR with 2 arguments in DOUBLE: -lgpuranmar_double"
    source = "real(8) x(3); call rmarin(1,2); call ranmar(x(1),3); print *, x; end\n"
    write("calls-double.f90", source)
    for family in "real", "one", "double":
        build(*LINK, "called", "calls-double.f90", HERE, f"-lgpuranmar_{family}")
        answer, so = which("calls-double.f90", "called"), f"libgpuranmar_{family}.so.1"
        line = f"WRONG: called is linked with {so}, but {wrong}"
        good = family == "double"
        expect(f"linked with {family}", answer, [f"uses {so}" if good else line], ["WRONG"] * good)
    static = [f"{BUILD}/libgpuranmar_real.a", f"{BUILD}/libgpuranmar.a", "-lpthread", "-ldl", "-lm"]
    for how in [], ["-s"]:
        build(*LINK, "called", "calls-double.f90", "-fno-lto", *how, *static)
        line = f"WRONG: called is linked with libgpuranmar_real.a, but {wrong}"
        answer = which("calls-double.f90", "called")
        expect(f"static {how}", answer, [line, "has libgpuranmar in it"])

    # What is linked in beside the library.
    for name, content, wanted, unwanted in rows(BESIDE):
        write(f"{name}.f", content)
        library = ["-lgpuranmar_real"] * (name == "other")
        build(*LINK, name, f"{name}.f", HERE, *library, "-lgpuranmar")
        expect(f"a program: {name}", which(name), wanted, unwanted)
    build(*LINK, "reads", "reads.f", "-fno-lto", *static[1:])
    expect("a static program that reads the state", which("reads"), ["has COMMON /CRRANMA4/"])
    build(FC, "-w", "-g", "-fdefault-real-8", "-c", "real.f", "reads.f")
    expect("-fdefault-real-8", which("real.o"), ["compiled with -fdefault-real-8"])
    with open("real.o", "ab") as file:
        file.write(b"\0-i8\0")  # as machine code may have it
    expect("... and -i8 in no text", which("real.o"), ["-fdefault-real-8"], ["-i8"])
    build(FC, "-w", "-c", "inside.f")
    expect("an object with a module", which("inside.o"), ["RANMAR is in module inside"])
    build("ar", "rc", "both.a", "real.o", "reads.o")
    expect("an archive", which("both.a"), ["both.a[real.o]", "both.a[reads.o]", "CRRANMA4"])

    # The command.
    old = "import runpy, sys; sys.version_info = (2, 7, 1); runpy.run_path(sys.argv[1])"
    run = subprocess.run([sys.executable, "-c", old, WHICH], text=True, capture_output=True)
    line = "gpuranmar which: this is Python 2.7; 3.8 or later is needed\n"
    with open(f"{os.path.dirname(WHICH)}/launch.py", encoding="utf-8") as file:
        ok(run.stderr == line and ' f"' not in file.read(), "an old Python", run.stderr)
    ok(which() == "gpuranmar which: no FILE: see --help\n", "no FILE")
    answer = which("-h")
    usage = "usage: gpuranmar which [--json] FILE"
    ok(answer == which("--help") and usage in answer, "-h")
    said = json.loads(which("--json", "null.f", "lagged.f90", FC="none"))
    real = {"file": "null.f", "family": "real", "link": "-lgpuranmar_real -lgpuranmar"}
    ok(said["found"][0].items() >= {**real, "sure": False}.items(), "JSON: a family", said)
    said = json.loads(which("--json", "unit.f"))
    ok("WRONG: " + said["wrong"][0] in which("unit.f"), "JSON: what is wrong", said)
    ok((said["status"], said["found"][0]["link"]) == (3, ""), "JSON: no library", said)
    ok(json.loads(which("--json", "lagged.f90"))["status"] == 1, "JSON: nothing found")
    answer = which("nothing.f")
    expect("no such file", answer, ["gpuranmar which: nothing.f: No such file"], ["RANMAR found"])
    with open("damaged.o", "wb") as file:
        file.write(b"\x7fELF\2\1" + b"\xff" * 100)
    expect("a damaged object", which("damaged.o"), ["damaged"], ["Traceback"])
    os.mkdir("piped")
    os.mkfifo("piped/pipe.f")
    os.symlink("nowhere", "piped/link.f")
    shutil.copy("real.f", "piped")
    answer = which("piped", FC="none")
    expect("a pipe and a link in a folder", answer, ["piped/real.f"], ["No such"])
    expect("a pipe", which("piped/pipe.f"), ["gpuranmar which: piped/pipe.f: it is no file"])
    odd = [shutil.copy(f"real.{suffix}", f"\udcff.{suffix}") for suffix in "fo"]
    without = {"env": {**os.environ, "FC": "none"}, "capture_output": True, "text": True}
    run = subprocess.run([WHICH, *odd, "\33[2J\r"], **without)
    said = [r"\udcff.f:", r"\udcff.o:", r"\x1b[2J\x0d: No such file"]
    expect("names of any bytes", run.stdout + run.stderr, said, ["damaged"])
    os.chdir("/")
finish()
