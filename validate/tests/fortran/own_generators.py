"""Generators as programs have them, questions to `gpuranmar which` about them, and programs that
are built as it says: what which.t and which-followed.long.t share."""
import contextlib
import functools
import io
import os
import subprocess
import sys
import unittest.mock

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from tap import BUILD, ROOT, SANITIZE, finish, ok, skip_all  # noqa: E402

if SANITIZE:
    skip_all("a program without the sanitizers cannot load the library with them")
WHICH = f"{ROOT}/csrc/command/gpuranmar-which"
sys.path.insert(0, os.path.dirname(WHICH))
from whichlib import families, report, trial, user_source  # noqa: E402

os.environ.update(LIBRARY_PATH=BUILD, LD_LIBRARY_PATH=BUILD, PYTHONIOENCODING="utf-8:strict")
FC = os.environ.get("FC", "gfortran")
LINK = [FC, "-w", "-o"]
HERE = f"-L{BUILD}"
# The journal's text alone soon ends a skip of laps of 10^9 numbers.
WHOLE = trial.TRIED[3]
SHORT = WHOLE[0], [s for s in WHOLE[1] if s[1:] not in trial.SKIPS and 10**9 not in s]
trial.TRIED[3] = SHORT

STEP = """
      UNI = U(I97)-U(J97)
      IF (UNI.LT.0.) UNI = UNI+1.
      U(I97) = UNI
      I97 = I97-1
      IF (I97.EQ.0) I97 = 97
      J97 = J97-1
      IF (J97.EQ.0) J97 = 97
      C = C-CD
      IF (C.LT.0.) C = C+CM
      UNI = UNI-C
      IF (UNI.LT.0.) UNI = UNI+1.
"""
SEEDING = """
      I = MOD(IJ/177, 177) + 2
      J = MOD(IJ, 177) + 2
      K = MOD(KL/169, 178) + 1
      L = MOD(KL, 169)
      DO 2 II = 1, 97
      S = 0.
      T = .5
      DO 3 JJ = 1, 24
      M = MOD(MOD(I*J, 179)*K, 179)
      I = J
      J = K
      K = M
      L = MOD(53*L+1, 169)
      IF (MOD(L*M, 64) .GE. 32) S = S+T
3     T = .5*T
2     U(II) = S
      C = 362436./16777216.
      CD =  7654321./16777216.
      CM = 16777213./16777216.
      I97 = 97
      J97 = 33
"""
LOOP = f"      DO 1 IVEC = 1,LEN\n{STEP}\n1     RVEC(IVEC) = UNI\n"
ARRAY = "SUBROUTINE RANMAR(RVEC,LEN)"


def routine(head, body, kind="REAL", common="COMMON /RASET1/ U(97),C,CD,CM,I97,J97"):
    array = "      DIMENSION RVEC(*)\n" if "RVEC" in head else ""
    head += f"\n      IMPLICIT {kind} (A-H,O-Z)\n{array}      {common}\n"
    return f"      {head}{body}\n      END\n"


def call(name, statement="CONTINUE"):
    return f"      SUBROUTINE {name}\n      {statement}\n      END\n"


def text(draw=ARRAY, body=LOOP, kind="REAL", start="SUBROUTINE RMARIN(IJ,KL)", seeding=SEEDING):
    """A generator of the program's own."""
    return routine(draw, body, kind) + routine(start, seeding, kind)


DP = "DOUBLE PRECISION"
COMMON = "COMMON /RASET1/ U(97),C,CD,CM,I97,J97"
FUN = "      RMAFUN = UNI"
FIRST = """
      LOGICAL FIRST
      DATA FIRST/.TRUE./
      IF (FIRST) CALL RMARIN(1802,9373)
      FIRST = .FALSE.
"""
X = text("SUBROUTINE RANMAR(X)", f"{STEP}      X = UNI", DP)

# Starts for which some seeds have a meaning of their own.
NULL = "      IA = IJ\n      KA = KL\n      IF (IJ.EQ.0.AND.KL.EQ.0) IA = 1802\n"
NULL += "      IF (IA.NE.IJ) KA = 9373\n"
OWN_SEEDS = SEEDING.replace("IJ", "IA").replace("KL", "KA")
CLAMPED = "      IA = MIN(MAX(IJ,0),31328)\n      KA = MIN(MAX(KL,0),30081)\n"
ONE_SEED = "      IA = IJKL/30082\n      KA = MOD(IJKL,30082)\n"
WRAPPED = f"      IF (IJKL.GT.900000000) IA = 1802\n{OWN_SEEDS}"
REFUSES = "      IF (KL.EQ.0) STOP\n" + SEEDING
HANGS = "4     IF (KL.EQ.0) GOTO 4\n" + SEEDING
ITSELF = "      IF (I97.EQ.0) CALL RMARIN(1802,9373)\n"
BY_JAMES = "SUBROUTINE RMARIN(IJKL)"


def counted(start="IA = IJKL", skipping="N", told="NTOT", unit=6):
    """RANMAR, RMARIN and RMARUT, which start themselves by a GOTO, as the journal has them
    (skipping NTOT), with a corrected loop, or as CERNLIB has them (told 0, unit 0)."""
    zero = "      IF (UNI.EQ.0.) UNI = U(2)*2.**(-24)\n1     RVEC"
    body = f"""
      DATA NRUN,NRUN2,KEEP/-1,0,0/
      IF (NRUN.GE.0) GOTO 9
      IA = 54217137
      N0 = 0
      N2 = 0
      KEEP = 1
      GOTO 8
9     CONTINUE
{LOOP.replace("1     RVEC", zero)}
      NRUN = NRUN+LEN
      IF (NRUN.LT.1000000000) RETURN
      NRUN = NRUN-1000000000
      NRUN2 = NRUN2+1
      RETURN
      ENTRY RMARIN(IJKL,NTOTIN,N2IN)
      {start}
      N0 = MAX(NTOTIN,0)
      N2 = MAX(N2IN,0)
8     I0 = IA
      NTOT = N0
      NTOT2 = N2
      IA = I0/30082
      KA = MOD(I0,30082)
{OWN_SEEDS}
      IF ({unit}.GT.0) WRITE(6,31) I0,NTOT,NTOT2
31    FORMAT(' RANMAR INITIALIZED:',I10,2X,2I10)
32    FORMAT(' RMARIN SKIPPING OVER ',I15)
      N = 1000000000
      DO 6 M = 1,N2+1
      IF (M.GT.N2) N = NTOT
      IF ({unit}.GT.0.AND.N.GT.0) WRITE(6,32) N
      DO 5 NN = 1,{skipping}
{STEP}
5     CONTINUE
6     CONTINUE
      NRUN = {told}
      NRUN2 = {told.replace("NTOT", "NTOT2")}
      IF (KEEP.EQ.0) RETURN
      KEEP = 0
      GOTO 9
      ENTRY RMARUT(IUT,NUT,N2UT)
      IUT = I0
      NUT = NRUN
      N2UT = NRUN2"""
    return routine("SUBROUTINE RANMAR(RVEC,LEN)", body)


AMBER = text(
    "SUBROUTINE AMRAND(Y)",
    f"      IF (I97.EQ.0) CALL AMRSET(54210329)\n{STEP}      Y = UNI",
    DP,
    "SUBROUTINE AMRSET(ISEED)",
    "      IA = MIN(MAX(ISEED/30081+1,1),31328)\n"
    f"      KA = MAX(MOD(ISEED,30081)+1,1)\n{OWN_SEEDS}",
)

IN_LINE = STEP.replace("97)", "97(1),1)")
HEADS = "SUBROUTINE RMMARD(RVEC,LENV,ISEQ)", "FUNCTION RNDM()", "SUBROUTINE GRNDM(RVEC,LENV)"
ITS = IN_LINE, DP, "COMMON /CRRANMA4/ U(97,9),C,I97(9),J97(9)"
CONSTANTS = "COMMON /CRRANMA3/ CD,CM"
CORSIKA = "".join(routine(head, *ITS) for head in HEADS) + call("P", "CALL RMMARD(X,1,1)")


def lund(name, block, kind):
    """RLU and RNDM."""
    body = f"""
      IF (MR(2).EQ.0) THEN
      IJ = MOD(MR(1)/30082,31329)
      KL = MOD(MR(1),30082)
{SEEDING}
      MR(2) = 1
      ENDIF
9     CONTINUE
{STEP}
      IF (UNI.LE.0..OR.UNI.GE.1.) GOTO 9
      MR(3) = MR(3)+1
      {name} = UNI"""
    common = f"COMMON /{block}/ MR(6),U(97),C,CD,CM\n      EQUIVALENCE (I97,MR(4)),(J97,MR(5))"
    return routine(f"FUNCTION {name}(IDUMMY)", body, kind, common)


def data(*statements):
    return routine("BLOCK DATA RB", "\n".join(f"      {line}" for line in statements))


def cards(lines):
    """With the names of cards in columns 73 to 80."""
    lines = filter(None, lines.split("\n"))
    return "".join(f"{line:72}RAN{number:05}\r\n" for number, line in enumerate(lines))


def long_names(lines):
    """With other words there, which would continue the names of routines."""
    return "".join(f"{line:72}RMARIN2K\n" if line else "\n" for line in lines.split("\n"))


def wide(lines):
    """With a seeding that begins behind column 72."""
    return lines.replace("      I = MOD(IJ/177, 177) + 2", f"{' ' * 72}I = MOD(IJ/177, 177) + 2")


def in_unit(unit, declaration="CONTINUE"):
    """The journal's text, which writes to this unit."""
    lines = counted().replace("WRITE(6,", f"WRITE({unit},")
    return lines.replace("      DATA NRUN", f"      {declaration}\n      DATA NRUN")


def free(lines):
    lines = lines.replace("RVEC,LEN)", "RVEC, &\n   LEN)")
    module = "module kinds; integer, parameter :: wp = 8; end module\n"
    return module + lines.replace("IMPLICIT REAL(WP)", "use kinds; implicit real(wp)")


def kinds(digits):
    """With seeds of a kind that a module names."""
    lines = text(seeding="      INTEGER(OWN) IJ,KL\n" + SEEDING)
    module = f"INTEGER,PARAMETER::LONG=SELECTED_INT_KIND({digits})"
    lines = lines.replace("IMPLICIT", "USE KINDS,ONLY:OWN=>LONG\n      IMPLICIT")
    return f"      MODULE KINDS\n      {module}\n      END MODULE\n{lines}"


def inside(lines):
    lines = lines.replace("      END\n", "      END SUBROUTINE\n")
    return f"      MODULE INSIDE\n      CONTAINS\n{lines}      END MODULE\n"


def used(lines):
    """With the state in a module."""
    lines += call("LOOKS", "PRINT *, U").replace("PRINT", "USE M\n PRINT")
    lines = lines.replace(COMMON, "").replace("IMPLICIT", "USE M\n IMPLICIT")
    return "module m\nreal(8) u(97),c,cd,cm\ninteger i97,j97\nend module\n" + lines


WORDS = {
    "DRAWN": "compiled and run, it draws the library's numbers",
    "OTHER_NUMBERS": "it is not that of -lgpuranmar_real",
    "OWN": "no library can take its place: gpuranmar_engine.h",
}
# A row: file | source | what the answer has | what it has not, separated by " ; ". A source that
# begins with = is an expression; \\n in another one ends a line.
SOURCES = r"""
one.f | =X | link: -lgpuranmar_one ; DRAWN | _real
real.f | =text() | link: -lgpuranmar_real ; DRAWN ; has only RANMAR, RMARIN | _double
cards.f | =cards(text()) | link: -lgpuranmar_real |
created.f | =text().replace("      SUB", "*$ CREATE RANMAR.FOR\n      SUB") | link: -lgpuranmar_real ; DRAWN |
free.f90 | =free(text(kind=DP)) | link: -lgpuranmar_double |
kind.f90 | =free(text(kind="REAL(WP)")) | link: -lgpuranmar_double |
shape.f | =inside(text()).replace("DIMENSION RVEC(*)", "DIMENSION RVEC(:)") | is in module inside ;
 README.md), in which RVEC is RVEC(*) ; DRAWN |
shaped.f90 | =free(text(kind=DP)).replace("RVEC(*)", "RVEC(:)") | WRONG: ; with RVEC(:) | link:
attribute.f90 | =free(text(kind=DP)).replace("DIMENSION RVEC(*)", "real(8), dimension(:) :: rvec") | WRONG: ;
 with RVEC(:) | link:
inside.f | =inside(text()) | RANMAR is in module inside ; link: -lgpuranmar_real ; DRAWN |
inside-wraps.f | =inside(text() + call("RMMARD(X,L)", "DIMENSION X(1)\n      CALL RANMAR(X,L)")) | RMMARD is not
 RANMAR here ; RANMAR is in module inside |
calls-rm48.f90 | real(8) x; call rm48(x,1); call rmmar(r,1,1); end | link: -lgpuranmar_cernlib ;
 calls RM48 ; calls RMMAR | no family ; skips
sophia.f | =lund("RLU", "LUDATR", DP) + lund("RNDM", "LUDATR", DP) | do not link -lgpuranmar_sophia:
 RNDM in sophia.f draws from COMMON /LUDATR/ itself: let it call RLU ; DRAWN ; RNDM(IDUMMY) has the
 recurrence itself | link:
ludatr.f | =lund("RLU", "LUDATR", DP) + call("SEEDS", "COMMON /LUDATR/ M(6)\n      M(1) = M(3)+M(6)") +
 call("GIVES", "COMMON /LUDATR/ M(6)\n      M(1) = M(4)") +
 call("TAKES", "COMMON /LUDATR/ M(6),R(9)\n      X = R(1)") | link: -lgpuranmar_sophia ;
 TAKES in ludatr.f reads COMMON ; GIVES in ludatr.f
 reads COMMON /LUDATR/: its words, MRLU(4) and MRLU(5) are up to date after RLUGET only | SEEDS in
own.f | =X.replace("RANMAR", "MYRAN").replace("RMARIN", "MYSET") | OWN ; SUBROUTINE MYRAN(X) has the recurrence itself | DRAWN
bound.f | =text("FUNCTION RMAFUN() BIND(C)", STEP + FUN) | RMAFUN BIND(C) ; OWN | _one
alone.f | =routine("SUBROUTINE LOOKS", STEP) | OWN |
rmaset.f | =X + call("RMASET(ISEED)") | WRONG: rmaset.f: no library has SUBROUTINE RANMAR(X) beside
 RMASET with 1 argument | link:
rmasave.f | =X + call("P", "CALL RMASAVE(5)") | WRONG: ; beside RMASAVE with 1 | link:
unit.f | =text(start="SUBROUTINE RMARIN(IJ,KL,IOUT,I4)") | WRONG: ; OWN | link:
swapped.f | =text("SUBROUTINE RANMAR(LEN,RVEC)") | WRONG: ; OWN | link:
eight.f | =text(seeding="      INTEGER*8 IJ,KL\n" + SEEDING) | WRONG: ; beside RMARIN with 2 arguments
 in INTEGER*8 for INTEGER | link:
inside-eight.f | =inside(text(seeding="      INTEGER*8 IJ,KL\n" + SEEDING)) | WRONG: ; beside RMARIN with 2
 arguments in INTEGER*8 for INTEGER ; or with arguments of | is in module
kind.f | =text(seeding="      PARAMETER (LONG=8)\n      INTEGER(LONG) IJ,KL\n" + SEEDING) | WRONG: ; beside
 RMARIN with 2 arguments in INTEGER(8) for INTEGER | link:
kind-used.f | =kinds(18) | WRONG: ; beside RMARIN with 2 arguments in INTEGER(8) for INTEGER | link:
kind-four.f | =kinds(9) | link: -lgpuranmar_real ; DRAWN |
reals.f | =text(seeding="      REAL IJ,KL\n" + SEEDING) | WRONG: ; in REAL for INTEGER | link:
changes.f | =text(seeding=SEEDING + "      IJ = IJ+1\n") | its start changes its arguments | link:
lag.f | =text().replace("J97 = 33", "J97 = 34") | OTHER_NUMBERS | link:
zeros.f | =text().replace("1     RVEC", "      IF (UNI.EQ.0.) UNI = U(2)\n1     RVEC") | OTHER_NUMBERS | link:
early.f | =text().replace("3     T = .5*T\n2     U(II) = S", "3     X = S\n2     T = .5*T\n      U(1) = S") |
 OTHER_NUMBERS | link:
threads.f | =text().replace("      DIMENSION", "!$OMP THREADPRIVATE(/RASET1/)\n      DIMENSION") |
 OTHER_NUMBERS ; a state for each thread | link:
stops.f | =text().replace("1     RVEC", "      IF (II.GT.900) STOP\n      II = II+1\n1     RVEC") | not compared: it
 stopped before the last number |
broken.f | =text(seeding=SEEDING + "      S = S+\n") | not compared: it did not run alone: Syntax error in
 expression at (1): S=S+ |
lacks.f | =text(seeding="      CALL LACKS\n" + SEEDING) | not compared: it did not run alone: undefined
 reference to `lacks_' |
restarts.f | =text(body=FIRST + LOOP) | OTHER_NUMBERS | link:
starts-itself.f | =text(body=ITSELF + LOOP) | DRAWN ; link: -lgpuranmar_real | before any
starts-56.f | =text(body=ITSELF.replace("1802,9373", "5,6") + LOOP) | DRAWN ; if its numbers are the same, link: ;
 before any start it draws as after RMARIN(5,6), where the library draws 0.116 ; : let the program call RMARIN(5,6) |
starts-hidden.f | =text(body=ITSELF.replace("1802,9373", "2*3-1,6") + LOOP) | DRAWN ; before any start it draws
 0.618 ; let the program call RMARIN | RMARIN(5
starts-amber.f | =AMBER | link: -lgpuranmar_amber ; DRAWN ; before any start it draws as after AMRSET(54210329), where
 the library stops: let the program call AMRSET(54210329) |
null.f | =text(seeding=NULL + OWN_SEEDS) | DRAWN ; if its numbers are the same, link: -lgpuranmar_real ; after RMARIN(0,0)
 it draws 0.116 ; where the library has 0.345 | after RMARIN(1
clamped.f | =text(seeding=CLAMPED + OWN_SEEDS) | DRAWN ; link: -lgpuranmar_real | after RMARIN ; if its
wrapped.f | =text(start=BY_JAMES, seeding=ONE_SEED + WRAPPED) | DRAWN ; if its numbers are the same, link:
 -lgpuranmar_james ; after RMARIN(900000001) it draws ; after RMARIN(2147483647) it draws | after RMARIN(900000000)
james.f | =text(start=BY_JAMES, seeding=ONE_SEED + OWN_SEEDS) | DRAWN ; link: -lgpuranmar_james | after RMARIN ; if its
refuses.f | =text(seeding=REFUSES) | DRAWN ; link: -lgpuranmar_real ; after RMARIN(0,0) it stops, and the library
 draws ; after RMARIN(1802,0) it stops | after RMARIN(0,9373) ; if its
hangs.f | =text(seeding=HANGS) | DRAWN ; link: -lgpuranmar_real | after RMARIN ; if its
writes.f | =text(seeding=SEEDING + "      PRINT *, 'STARTED'\n") | DRAWN ; link: -lgpuranmar_real ; it writes
 ' STARTED' where the library writes nothing more | if its
long-names.f | =long_names(text()) | link: -lgpuranmar_real ; DRAWN ; long-names.f: what stands
 behind column 72 | RANMARIN
wide.f | =wide(text()) | what stands behind column 72 was taken for a comment ; OTHER_NUMBERS |
 DRAWN
tauola.f | =counted().replace("' RANMAR", "'  RANMAR") | -lgpuranmar_cpc or -lgpuranmar_cpcnow ;
 DRAWN ; its output will differ: it writes '  RANMAR INITIALIZED: 872378001 ; where the library
 writes ' RANMAR INI | cernlib or ; its lines go
inout.f | =in_unit("NOUT", "COMMON /INOUT/ NIN,NOUT") | -lgpuranmar_cpc or -lgpuranmar_cpcnow ;
 DRAWN ; its lines go to unit NOUT, the library's to unit 6 | will differ
inout-guarded.f | =in_unit("NOUT", "COMMON /INOUT/ NIN,NOUT").replace("(6.GT.0", "(NOUT.GT.0") |
 -lgpuranmar_cpc or ; its lines go to unit NOUT, the library's to unit 6 | will differ
inout-set.f | =in_unit("NOUT", "COMMON /INOUT/ NIN,NOUT") + data("COMMON /INOUT/ NIN,NOUT", "DATA
 NOUT/6/") | -lgpuranmar_cpc or | its lines ; will differ
unit-16.f | =in_unit("16") | its lines go to unit 16, the library's to unit 6 | will differ ; unit 0
unit-0.f | =in_unit("NOUT", "DATA NOUT/0/") | its lines go to unit 0, the library's to unit 6 | NOUT
logs.f | =text(seeding=SEEDING + "      WRITE(16,*) IJ\n") | link: -lgpuranmar_real ; its lines go
 to unit 16, and the library writes none | will differ ; if its
counted.f | =counted(told="0", unit=0) | link: -lgpuranmar_cernlib ; DRAWN | it reports ; it writes
includes.f | =call("RNORML", "CALL RANMAR(X,1)") + "      INCLUDE 'counted.f'\n" | link: -lgpuranmar_cernlib ;
 DRAWN ; take out the line INCLUDE 'counted.f' | take out RANMAR ; leave the file out
includes-more.f | =call("RNORML") + "      INCLUDE 'wraps.f'\n" | link: -lgpuranmar_one ; take out RANMAR, RMARIN | INCLUDE
counted-null.f | =counted("IA = IJKL\n      IF (IA.EQ.0) IA = 54217137", told="0", unit=0) | if its numbers are the same,
 link: -lgpuranmar_cernlib ; DRAWN ; after RMARIN(0,0,0) it draws 0.116 | it reports ; after RMARIN(1,
counted-silent.f | =counted(unit=0) | -lgpuranmar_cpc or -lgpuranmar_cpcnow | cernlib or
cumulative-null.f | =counted("IA = IJKL\n      IF (IA.EQ.0) IA = 54217137", told="NTOT+1") | draws it reports 872378001
 3008 1 ; after RMARIN(0,0,0) it draws 0.116 | RMARIN(1,
cumulative.f | =counted(told="NTOT+1") | after RMARIN(872378001,7,0) and 2000 draws it reports 872378001 3008 1 where
 the library reports 872378001 3007 0 ; -lgpuranmar_cpc or -lgpuranmar_cpcnow | RMARIN(0
data.bin | =chr(0) + "-i8" | no RANMAR found | -i8
rmmar.f | =text("SUBROUTINE RMMAR(RVEC,LEN)") | WRONG: ; OWN | link:
second.f | =X + routine("FUNCTION MYRAN()", STEP + "      MYRAN = UNI*1E6", DP) | do not link
 -lgpuranmar_one: MYRAN in second.f draws from COMMON /RASET1/ | link:
myblock.f | =X.replace("RASET1", "MY") + call("LOOKS", "COMMON /MY/ U(97)") | do not link
 -lgpuranmar_one: LOOKS in myblock.f has COMMON /MY/ | link:
unused.f | =X.replace(COMMON, "COMMON /PHYS/ P,Q\n      " + COMMON) + call("LOOKS", "COMMON /PHYS/ P,Q") |
 link: -lgpuranmar_one ; DRAWN | PHYS
reads-flag.f | =X.replace(COMMON, COMMON + "\n      COMMON /PHYS/ P,Q").replace("X = UNI", "X = UNI+Q") +
 call("LOOKS", "COMMON /PHYS/ P,Q") | LOOKS in reads-flag.f has COMMON /PHYS/ | link:
blank.f | =X.replace("/RASET1/", "") + call("LOOKS", "COMMON U(97)") | LOOKS in blank.f has COMMON // | link:
listed.f | =X.replace("/RASET1/", "/A/ B, /MY/") + call("LOOKS", "COMMON /MY/ U(97)") | LOOKS in listed.f
 has COMMON /MY/ | link:
used.f90 | =used(X) | has U of module M | link:
file.f | =X.replace(COMMON, "include 'none.inc'") | is declared in file none.inc, which is not found | link:
madevent.f | =X.replace(COMMON, "COMMON /EXTERNAL_RANDOM/ R(9)\n      " + COMMON) | do not link
 -lgpuranmar_one: RANMAR in madevent.f draws from COMMON /EXTERNAL_RANDOM/ | link:
entry.f | =X.replace("X = UNI", "X = UNI\n      RETURN\n      ENTRY LOOKS(I)") | take out RANMAR, RMARIN
 ; nothing takes the place of ENTRY LOOKS then | leave the file out
blockdata.f | =X + data("COMMON /PHYS/ PI", "DATA I97,PI/97,3.1/") | take COMMON /RASET1/ and
 its DATA out of BLOCK DATA RB in blockdata.f ; DRAWN | PHYS
unnamed.f | =X + data("DATA I97/97/").replace(" RB", "") | out of BLOCK DATA without a name in unnamed.f | main program
rmafun.f | =X + routine("FUNCTION RMAFUN()", STEP + FUN, DP) + call("USES") | take out RANMAR, RMARIN, RMAFUN
 ; link: -lgpuranmar_one | do not link
amber.f | =routine("SUBROUTINE AMRAND(Y)", STEP, DP) + routine("SUBROUTINE GAUSS(AM,SD,V)", STEP, DP) |
 do not link -lgpuranmar_amber: GAUSS ; GAUSS(AM,SD,V) has the recurrence itself |
passes.f90 | external ranmar; call vegas(ranmar); end | passes RANMAR on | -lgpuranmar
calls-function.f90 | real(8) ranmar; external ranmar; call rmarin(1,2); x = 2*ranmar(); end | calls
 U = RANMAR() in DOUBLE: -lgpuranmar_dfunction | _function
compares.f90 | real(8) ranmar; if (.5.lt.ranmar()) x = 1; end | RANMAR() in DOUBLE: -lgpuranmar_dfunction |
turned.f90 | real(8) x(3); call ranmar(3,x); call phoran(x); end | 2 arguments in INTEGER: no family has that ;
 WRONG: ; PHORAN with 1 argument in DOUBLE: no family has that | _
kinds.f90 | real(wp) :: x(3); call rmarin(1,2); call ranmar(x,3); end | calls RANMAR with 2 arguments:
 -lgpuranmar_real or -lgpuranmar_double |
star.f | \tREAL X(3)*8\n\tCALL RMARIN(1,2)\n\tCALL RANMAR(X,\n\t1 3)\n\tEND | calls RANMAR with 2 arguments
 in DOUBLE: -lgpuranmar_double | _real
calls-james.f90 | call rmarin(54217137); call ranmar(x,1); end | in REAL: -lgpuranmar_james | own
calls-duni.f90 | real(8), external :: duni; x = duni(); end | link: -lgpuranmar_dlpoly ; calls DUNI |
calls-rmmard.f | \tREAL*8 X\nC CALL RANMAR(X)\n\tCALL RMMARD(X,1,1)\n\tEND | link: -lgpuranmar ;
 calls RMMARD | RANMAR with
module-use.f90 | use RandomNS; call initRandomNS(1); x = ranmarns(0); end | -lgpuranmar_multinest | no family
reader.f90 | common /crranma4/ c(9),u(97,9),ijkl(9); print *, ijkl(1); end | COMMON /CRRANMA4/, the
 generator's state, is in the main program |
peek.f | \tDOUBLE PRECISION X\n\tCOMMON /CRRANMA4/ I(9)\n\tCALL RMMARD(X,I,1)\n\tEND | let it call GRNSTA |
epos.f | =routine(HEADS[0], IN_LINE, DP, f"{ITS[2]}\n      {CONSTANTS}") + call("RANFCV", f"{CONSTANTS}\n
       X = CM") + call("RANFGT", f"{ITS[2]}\n      X = C") + call("RANFST", f"{ITS[2]}\n      U(1,1) = X") +
 call("RANFRD", f"{ITS[2]}\n      READ (5) C") |
 RANFCV in epos.f has COMMON /CRRANMA3/ ; RANFGT in epos.f has COMMON /CRRANMA4/, which the library does not
 update: let it call GRNSTA ; RANFST in epos.f has COMMON /CRRANMA4/ ; RANFRD in epos.f has COMMON /CRRANMA4/ |
 /CRRANMA3/, which the library does not update: ;
 RANFST in epos.f has COMMON /CRRANMA4/, which the library does not update: ;
 RANFRD in epos.f has COMMON /CRRANMA4/, which the library does not update:
corsika.f | =CORSIKA | has copies of RMMARD in line ; use gpuranmar-patch | link
wrapper.f90 | function pyr(i); pyr = rndm(i); end | PYR is not RANMAR here | link:
wraps.f | =X + call("FUNCTION PYR(I)", "CALL RANMAR(PYR)").replace("SUBROUTINE FUN", "FUN") | link: -lgpuranmar_one ;
 DRAWN ; PYR is not RANMAR here | pythia6 ; PYTHIA
interface.f90 | module u; interface; real(8) function duni(); end function; end interface; end module |
 no RANMAR found | DUNI is
prefix.f90 | call ranmartest; call rluxgo(3,1,0,0); end | no RANMAR found |
lagged.f90 | function ran3(idum); common /x/ ma(55); mj = ma(inext)-ma(inextp); end | no RANMAR found |
comment.f | C With -fdefault-real-8\n\tREAL*8 X\n\tCALL RM48(X,1)\n\tEND | link: -lgpuranmar_cernlib |
 -fdefault
makefile | FFLAGS = -fdefault-real-8 -i8 -ff2c | -fdefault-real-8 ; -i8 ; -ff2c: a REAL FUNCTION |
clhep.cc | #include <CLHEP/Random/JamesRandom.h>\nCLHEP::HepJamesRandom e; | gpuranmar_clhep.hpp |
lammps.cpp | random = new RanMars(lmp, seed); | docs/classes.md |
Basics.cc | double Rndm::flat() { return 7654321 - 16777213; } | docs/classes.md |
egs.c | void ranmar_get_(); void f() { ranmar_get_(); } | lgpuranmar_egsnrc |
gsl.c | const gsl_rng_type *t; int step = 7654321; | gsl_rng_ranmar | EGSnrc
ompmc.c | double setRandom() { rng.urndm[0] = 7654321 - 16777213; } | lgpuranmar_ompmc | OWN ; EGSnrc
engine.c | int cd = 7654321, cm = 16777213; gpuranmar_engine_start(&e, 0); | draws from libgpuranmar | OWN
engine.f90 | subroutine fill(e) bind(c, name='gpuranmar_engine_fill') | draws from libgpuranmar |
own.c | int cd = 0x74CBB1, cm = 16777213; | OWN |
seed.c | int seed = 7654321; /* 16777213 */ | no RANMAR found |
ranmar.c | void ranmar_(float *x) { c = 7654321 / 16777216., d = 16777213 / 16777216.; } | defines RANMAR, as cernlib,
 cpc ; compare its argument list | OWN ; calls RANMAR
defines.cpp | extern "C" void ranmar_(float *v, int *n)\n{\n  for (int i = 0; i < *n; ++i) v[i] = rng(); } | RANMAR is
 not RANMAR here | calls RANMAR ; link
defines-rmmard.c | void rmmard_(double *v, int *n, int *s) { *v = 0.5; } | RMMARD is not RANMAR here | link ; 48 bits
declares.h | extern "C" {\n  void ranmar_(float *, int *);\n  float *ranmar_(int *); } | no RANMAR found |
calls.c | void ranmar_(float *, int *); void f() { float v[2]; int n = 2; ranmar_(v, &n); } | calls RANMAR; from C |
calls-function.cc | float f() { return 2 * ranmar_() + g(h(1)); } | calls RANMAR; from C |
"""


def reference(name):
    with open(f"{ROOT}/fortran/reference/{name}", encoding="ascii") as file:
        return file.read()


def main(start, draw, declaration="CONTINUE"):
    lines = declaration, "DIMENSION X(2)", f"CALL {start}", f"CALL {draw}", "PRINT *, X", "END"
    return "".join(f"      {line}\n" for line in lines if line != "CONTINUE")


def write(name, content):
    with open(name, "w", encoding="latin-1") as file:
        file.write(content)


def which(*files, **settings):
    """What is printed; within this process, since Python takes longer to start than to answer."""
    said = io.StringIO()
    with unittest.mock.patch.dict(os.environ, settings):
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
            status = report.main(files)
    answer = said.getvalue()
    assert (status == 3) == ("WRONG: " in answer) or files[0] == "--json", answer
    return answer


def expect(name, answer, wanted, unwanted=()):
    wrong = [w for w in wanted if w not in answer] + [f"not {u}" for u in unwanted if u in answer]
    ok(not wrong, name, f"wanted: {wrong}\n{answer}")


def known(family):
    """Asks about the family's own text, as the reference has it."""
    command = [FC, "-cpp", "-E", "-P", f"-DFAMILY_{family}", f"{ROOT}/fortran/reference/family.F90"]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    write(f"{family}.f90", run.stdout)
    write(f"main-{family}.f", trial.driver(family, families.FAMILIES[family].drawing[0]))
    link = f"\n    link: {families.FAMILIES[family].link}\n"
    if family in ("cpc", "cpcnow"):  # without a long skip
        link = "-lgpuranmar_cpc or -lgpuranmar_cpcnow: compiled"
    answer = which(f"{family}.f90", f"main-{family}.f")
    expect(f"the text of {family}", answer, [link, WORDS["DRAWN"]])
    if family == "cpc":
        write("cpc.f90", run.stdout.replace("call rmarin(54217137, 0, 0)", "stop 1"))
        answer = which("cpc.f90", "main-cpc.f")
        expect("... without a start of its own", answer, [report.CHOICE, WORDS["DRAWN"]])


def printed(name, *sources):
    """What a program prints, and whether it ends well; None if it does not link."""
    quiet = {"capture_output": True, "check": False}
    if subprocess.run([*LINK, name, *sources], **quiet).returncode:
        return None
    done = subprocess.run(f"./{name}", input=b"1 10\n", timeout=60, **quiet)
    return done.stdout, done.returncode


def compared(what, before, after, wanted):
    """Whether a program that was built so prints what it printed before."""
    after = printed("after", *after)
    if after is None:
        got = "unlinked"
    elif after == before:
        got = "same"
    else:
        got = "stops" if after[1] else "other"
    ok(before and before[1] == 0 and got == wanted, f"{what}: {wanted}", f"{before}\n{after}")


of_scene = functools.lru_cache(maxsize=None)(functools.partial(printed, "before"))


def scene(what, before, after, wanted):
    """Builds and runs a row of SCENES."""
    before = before.replace("RMMARD", f"{ROOT}/fortran/reference/rmmard.F").split()
    after = [f"-lgpuranmar_{w[1:]}" if w[0] == "=" else w for w in after.split()]
    settings = dict(w.split("=") for w in after if w.startswith("GPURANMAR_"))
    after = [w for w in after if w.partition("=")[0] not in settings]
    with unittest.mock.patch.dict(os.environ, settings):
        compared(what, of_scene(*before), [*after, HERE, "-lgpuranmar"], wanted)


def follow(name, statements, wanted):
    """Takes out what `which` names, links what it names, and compares what is printed."""
    answer = which(name)
    draw, real = "RANMAR(X,1)", "REAL X"
    if "RANMAR(X)" in answer:
        draw, real = "RANMAR(X)", DP + " X"
    lines = [*statements.split("; "), f"CALL {draw}", "PRINT *, X", "END"]
    write("main.f", "".join(f"      {line}\n" for line in [real, *lines]))
    with open(name, encoding="latin-1") as file:
        text = file.read().splitlines(keepends=True)
    read = user_source.read_statements(name, "".join(text), name.endswith("0"))
    for unit in user_source.units_of(read):
        if unit.name in families.ROUTINES and not unit.host:
            for line in range(unit.items[0].first, unit.items[-1].last + 1):
                text[line] = "\n"
    rest = f"rest-{name}"
    write(rest, "".join(text))
    libraries = [w for w in answer.split() if w.startswith("-lgpuranmar_")]
    family = (libraries or ["-lgpuranmar_one" if DP in real else "-lgpuranmar_real"])[-1]
    after = [rest, "main.f", HERE, family.rstrip(":"), "-lgpuranmar"]
    compared(f"{name}: {statements}", printed("before", name, "main.f"), after, wanted)


def content_of(cell):
    if cell[0] == "=":
        return eval(cell[1:])
    return cell.replace("\\n", "\n").replace("\\t", "\t")


def cells(table):
    """The cells of each row."""
    for line in table.strip().replace("\n ", " ").split("\n"):
        yield (line[:-2] if line.endswith(" |") else line).split(" | ")


def rows(table):
    """Of each row the file, its content, and what the answer has and has not."""
    for name, content, *lists in cells(table):
        wanted, unwanted = (
            [WORDS.get(word.strip(), word.strip()) for word in part.split(" ;") if word.strip()]
            for part in [*lists, ""][:2]
        )
        yield name, content_of(content), wanted, unwanted
