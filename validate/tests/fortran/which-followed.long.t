#!/usr/bin/env python3
"""gpuranmar which, followed: programs that are built as it says print what they printed before, and
fail where it warns. Also what it says of every family's own text, of a tree with copies, and of a
start that skips for too long."""
import os
import re
import subprocess
import sys
import tempfile
import unittest.mock

from own_generators import BUILD, HERE, ROOT, SOURCES, WHOLE, WORDS, cells, content_of, counted
from own_generators import expect, families, finish, follow, known, ok, printed, rows, scene, trial
from own_generators import which, write

sys.path.insert(0, f"{ROOT}/validate/tests/patch")
from support import make_tree  # noqa: E402

# What `which` says of a file, done as it says, and what a program then prints that draws one number
# after these statements: the same as before or something else, or it stops.
# A row: file | statements | same, other or stops
FOLLOWED = r"""
real.f | CALL RMARIN(1802,9373) | same
changes.f | I = 5; CALL RMARIN(I,6); PRINT *, I | other
eight.f | CALL RMARIN(5_8,6_8) | same
eight.f | CALL RMARIN(5_8+2_8**32,6_8) | other
second.f | CALL RMARIN(1802,9373) | stops
entry.f | CALL RMARIN(1802,9373) | same
blockdata.f | CALL RMARIN(1802,9373) | stops
starts-itself.f | CONTINUE | same
starts-56.f | CONTINUE | other
starts-56.f | CALL RMARIN(5,6) | same
null.f | CALL RMARIN(0,0) | other
wrapped.f | CALL RMARIN(900000001) | other
refuses.f | CALL RMARIN(0,0) | other
clamped.f | CALL RMARIN(-1,0) | stops
writes.f | CALL RMARIN(1802,9373) | other
counted-null.f | CALL RMARIN(0,0,0) | other
counted.f | CALL RMARIN(5,7,0); CALL RMARUT(I,J,K); PRINT *, I, J, K | same
counted.f | CONTINUE | same
cumulative.f | CALL RMARIN(5,7,0) | same
tauola.f | CALL RMARIN(5,7,0) | other
inout.f | COMMON /INOUT/ NIN,NOUT; NOUT = 0; CALL RMARIN(5,7,0) | other
inout.f | COMMON /INOUT/ NIN,NOUT; NOUT = 6; CALL RMARIN(5,7,0) | same
unit-16.f | CALL RMARIN(5,7,0) | other
long-names.f | CALL RMARIN(5,6) | same
cumulative.f | CALL RMARIN(5,7,0); CALL RMARUT(I,J,K); PRINT *, I, J, K | other
"""

# Files of programs that follow other words of `which`. A row: file | text
FILES = r"""
draw.f | =main("RMARIN(1802,9373)", "RANMAR(X,2)")
draw-on.f | =main("RMARIN(5,7,0)", "RANMAR(X,2)")
draw-past.f | =main("RMARIN(5,7,1)", "RANMAR(X,2)")
draw-function.f | \tCALL RMARIN(1802,9373)\n\tPRINT *, RANMAR(), RANMAR()\n\tEND
draw-inside.f | =main("RMARIN(1802,9373)", "RANMAR(X,2)", "USE INSIDE")
draw-rmmard.f | =main("RMMAQD((/5,7,0/),1,'S')", "RMMARD(X,2,1)", "IMPLICIT DOUBLE PRECISION (X)")
function.f | =text("FUNCTION RANMAR()", STEP + "      RANMAR = UNI")
draw-states.f | \tDIMENSION I(3)\n\tDATA I/5,0,0/\n\tCALL RMMAQD(I,1,'S')\n\tCALL RMMAQD(I,1,'RV')
 \n\tREWIND 11\n\tDO N=0,999\n\tREAD(11,*,END=1)\n\tENDDO\n1\tPRINT *, N\n\tEND
eight.F | =reference("rmmard.F")
crranma.inc | =reference("crranma.inc").replace("KSEQ = 9", "KSEQ = 8")
interface.f | \tMODULE INSIDE\n\tINTERFACE\n\tSUBROUTINE RANMAR(RVEC,LEN)\n\tREAL RVEC(*)\n\tEND
 SUBROUTINE \n\tSUBROUTINE RMARIN(IJ,KL)\n\tEND SUBROUTINE\n\tEND INTERFACE\n\tEND MODULE
draw.c | #include <stdio.h>\nvoid rmarin_(int *, int *), ranmar_(float *, int *);\nint
 main(void)\n{\n  int i = 1802, k = 9373, n = 2;\n  float x[2] = {0};\n  rmarin_(&i,
 &k);\n  ranmar_(x, &n);\n  printf("%a %a\\n", x[0], x[1]);\n}
"""

# What `which` said | a program before | the program with the library | what this prints: the same,
# or something else. =NAME is a family's library.
SCENES = r"""
-fdefault-real-8: link _double | -fdefault-real-8 draw.f real.f | -fdefault-real-8 draw.f =double |
 same
-fdefault-real-8: do not link _real | -fdefault-real-8 draw.f real.f | -fdefault-real-8 draw.f
 =real | other
-freal-4-real-8: link _double | -freal-4-real-8 draw.f real.f | -freal-4-real-8 draw.f =double |
 same
INTEGER of eight are in _ilp64 | -fdefault-integer-8 draw-rmmard.f RMMARD | -fdefault-integer-8
 draw-rmmard.f -lgpuranmar_ilp64 | same
the libraries' INTEGER have four | -fdefault-integer-8 draw-rmmard.f RMMARD | -fdefault-integer-8
 draw-rmmard.f -lgpuranmar | other
DOUBLE PRECISION may have sixteen | -fdefault-real-8 draw-rmmard.f RMMARD | -fdefault-real-8
 draw-rmmard.f -lgpuranmar | other
unless -fdefault-double-8 | -fdefault-real-8 -fdefault-double-8 draw-rmmard.f RMMARD |
 -fdefault-real-8 -fdefault-double-8 draw-rmmard.f -lgpuranmar | same
run with GPURANMAR_SEQUENCES=8 | draw-states.f eight.F | draw-states.f GPURANMAR_SEQUENCES=8 | same
so many it has, not 9 | draw-states.f eight.F | draw-states.f | other
-ff2c: would return wrong numbers | -ff2c draw-function.f function.f | -ff2c draw-function.f
 =function | other
-ff2c: leave it out | -ff2c draw-function.f function.f | draw-function.f =function | same
put an interface into the module | inside.f draw-inside.f | interface.f draw-inside.f =real | same
no library can take its place there | inside.f draw-inside.f | inside.f draw-inside.f =double | same
from C: ask about the source, real.f | draw.c real.f | draw.c =real | same
from C the argument list does not tell | draw.c real.f | draw.c =double | other
cernlib writes no lines | draw-on.f counted.f | draw-on.f =cernlib | same
cpc writes lines | draw-on.f counted.f | draw-on.f =cpc | other
cpc skips (NTOT2+1)*NTOT | draw-past.f journal.f | draw-past.f =cpc | same
the others NTOT2*10^9 + NTOT | draw-past.f journal.f | draw-past.f =cpcnow | other
"""


with tempfile.TemporaryDirectory() as scratch:
    os.chdir(scratch)
    for name, content, *_ in rows(SOURCES):
        write(name, content)
    for row in cells(FOLLOWED):
        follow(*row)
    write("journal.f", counted(skipping="NTOT"))
    for name, content in cells(FILES):
        write(name, content_of(content))
    word = "    run with GPURANMAR_SEQUENCES=8: so many"
    expect("RMMARD with another KSEQ", which("eight.F"), [word, WORDS["DRAWN"]])
    name = f"{ROOT}/fortran/reference/rmmard.F"
    expect("RMMARD with CORSIKA's", which(name), [WORDS["DRAWN"]], ["run with"])
    for row in cells(SCENES):
        scene(*row)
    tree = make_tree(scratch)
    words = "use gpuranmar-patch (docs/corsika.md, gpuranmar-patch(1)); its list DIR names"
    expect("a tree with copies", which(tree), [f"{tree}/copies.F", words], ["link"])
    listing = [f"{ROOT}/corsika-patch/gpuranmar-patch", "list", tree]
    said = subprocess.run(listing, text=True, capture_output=True, check=False)
    for unit in "DRFLUK", "DRGHEI", "DRDPMJ", "DRHERW", "DREPOS", "DRVENU", "DRQGSA", "DRSIBY":
        ok(re.search(rf" {unit} .*draw", said.stdout), f"... {unit} is in the list", said)
    options = "-std=legacy", "-D__CONEX__=1", f"-I{tree}"
    sources = [f"{tree}/{name}.F" for name in ("driver", "calls", "copies")]
    before = printed("before", *options, *sources, f"{tree}/rmmard.F")
    after = printed("after", *options, *sources, HERE, "-lgpuranmar")
    ok(before == (b"", 0) and after and after[1], "... relinked it stops", (before, after))

    with unittest.mock.patch.dict(trial.TRIED, {3: WHOLE}):
        runs = trial.runs_of(3)
        runs = tuple(r._replace(limit=0) if "1000000000 0 0\n" in r.starts else r for r in runs)
        with unittest.mock.patch.object(trial, "runs_of", lambda takes: runs):
            answer = which("journal.f")
    wanted = ["how far its start skips was not compared", "if its numbers are the same, link"]
    expect("a start that skips for too long", answer, wanted)

    # Every family; families.t relinks its programs.
    made = [f for f in families.rows() if f"replay-{f}-reference" in os.listdir(BUILD)]
    made = [f for f in made if families.FAMILIES[f].calls]
    for family in made:
        known(family)
    os.chdir("/")
finish()
