#!/usr/bin/env python3
"""gpuranmar which: every family in source, object and executable, what is linked now, and programs
that have no RANMAR. Sources are short ones of the families' shapes; binaries are those of
families.t."""
import contextlib
import glob
import io
import itertools
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import unittest.mock

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from tap import BUILD, ROOT, SANITIZE, finish, ok  # noqa: E402

WHICH = f"{ROOT}/csrc/command/gpuranmar-which"
sys.path.insert(0, os.path.dirname(WHICH))
from whichlib import report, trial  # noqa: E402

os.environ.update(LIBRARY_PATH=BUILD, LD_LIBRARY_PATH=BUILD)
FC = os.environ.get("FC", "gfortran")
LINK = [FC, "-w", *SANITIZE, "-o"]

RECURRENCE = """
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
CONSTANTS = """
      CD =  7654321./16777216.
      CM = 16777213./16777216.
"""
STATE = "\n      COMMON /RASET1/ U(97),C,CD,CM,I97,J97\n"


def routine(head, body, declarations=""):
    return f"      {head}\n{declarations}{STATE}{body}\n      END\n"


TWO = routine("SUBROUTINE RMARIN(IJ,KL)", CONSTANTS)
THREE = routine("SUBROUTINE RMARIN(IJKL,NTOT,NTOT2)", CONSTANTS)
DP = "      IMPLICIT DOUBLE PRECISION (A-H,O-Z)\n"
VECTOR = f"      DO 1 I = 1,LEN\n{RECURRENCE}\n1     RVEC(I) = UNI"
ONE = routine("SUBROUTINE RANMAR(X)", f"{RECURRENCE}\n      X = UNI", DP) + TWO


# The published start, of words of 24 bits.
START = """
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
      I97 = 97
      J97 = 33
"""


def started(old="", new="", head="SUBROUTINE RMARIN(IJ,KL)"):
    """A RANMAR with that start."""
    text = routine("SUBROUTINE RANMAR(RVEC,LEN)", VECTOR, "      REAL RVEC(*)\n")
    return text.replace(old, new) + routine(head, (START + CONSTANTS).replace(old, new))


def journal(skips):
    return (
        f"      SUBROUTINE RANMAR(RVEC,LEN)\n      DIMENSION RVEC(*)\n{STATE}"
        f"      ENTRY RMARIN(IJKL,NTOT,NTOT2)\n{CONSTANTS}{skips}{VECTOR}"
        "\n      IF (UNI.EQ.0.) RVEC(I) = 2.**(-24)*U(2)\n      END\n"
    )


OTHERS = {  # what a RANMAR has otherwise: the text before and after
    "words of 48 bits": ("JJ = 1, 24", "JJ = 1, 48"),
    "another bit": (".GE. 32", ".GT. 32"),
    "another lag": ("J97 = 33", "J97 = 34"),
    "zeros": ("1     RVEC(I) = UNI", "      IF (UNI.EQ.0.) UNI = U(2)\n1     RVEC(I) = UNI"),
    "the arithmetic part": ("C = C-CD", "C = C-CM"),
    "the other end": ("RVEC(I) = UNI", "RVEC(I) = 1.-UNI"),
    "a loop that ends early": (
        "3     T = .5*T\n2     U(II) = S",
        "3     X = S\n2     T = .5*T\n      U(1) = S",
    ),
    "threads": ("      REAL RVEC", "!$OMP THREADPRIVATE(/RASET1/)\n      REAL RVEC"),
}


SOURCES = {  # name: (text, what the answer must have, what it must not)
    "one.f": (
        ONE,
        ["gpuranmar_one "],
        ["gpuranmar_real"],
    ),
    "real.f": (
        routine("SUBROUTINE RANMAR(RVEC,LEN)", VECTOR, "      REAL RVEC(*)\n") + TWO,
        ["gpuranmar_real "],
        ["_double"],
    ),
    "double.f": (
        routine("SUBROUTINE RANMAR(RVEC,LEN)", VECTOR, "      REAL*8 RVEC(*)\n") + TWO,
        ["gpuranmar_double "],
        ["_real"],
    ),
    "cards.f": (  # with the names of cards in columns 73 to 80
        "".join(
            f"{line:72}RAN{number:05}\r\n"
            for number, line in enumerate(
                routine(
                    "SUBROUTINE RANMAR(R,LEN)", VECTOR.replace("RVEC", "R"), "      REAL R(*)\n"
                )
                .replace("\n\n", "\n")
                .splitlines()
                + TWO.replace("\n\n", "\n").splitlines()
            )
        ),
        ["gpuranmar_real ", "SUBROUTINE RANMAR(R,LEN)"],
        ["of the program's own"],
    ),
    "double.f90": (
        "subroutine ranmar(rvec, &\n   len)\n real(8) :: rvec(*)\n"
        + STATE
        + RECURRENCE.replace("\n      C =", " ! 97\n c =")
        + " end subroutine\n"
        + TWO,
        ["gpuranmar_double "],
        ["_real"],
    ),
    "function.f": (
        routine("FUNCTION RANMAR()", f"{RECURRENCE}\n      RANMAR = UNI", "      REAL U\n") + TWO,
        ["gpuranmar_function "],
        [],
    ),
    "dfunction.f": (
        routine("DOUBLE PRECISION FUNCTION RANMAR()", f"{RECURRENCE}\n      RANMAR = UNI") + TWO,
        ["gpuranmar_dfunction "],
        [],
    ),
    "cernlib.f": (
        routine(
            "SUBROUTINE RANMAR(RVEC,LEN)", VECTOR + "\n      IF (UNI.EQ.0.) UNI = 2.**(-24)*U(2)"
        )
        + THREE,
        ["gpuranmar_cernlib ", "a zero seems to be replaced"],
        ["_cpc"],
    ),
    "ranma1.f": (
        journal("      DO 40 I = 1, NITER\n40    X = 1\n").replace("RASET1", "RANMA1"),
        ["gpuranmar_cernlib "],
        ["not declared"],
    ),
    "cpc.f": (
        journal(
            "      WRITE(6,*) ' RMARIN SKIPPING OVER ',NOW\n      DO 40 I = 1, NTOT\n40    X = 1\n"
        ),
        ["gpuranmar_cpc ", "leave the file out: it has only RANMAR, RMARIN"],
        ["_cernlib", "_cpcnow", "a log"],
    ),
    "cpcnow.f": (
        journal(
            "C     WRITE(6,*) ' RMARIN SKIPPING OVER ',NOW\n      DO 40 I = 1, NOW\n40    X = 1\n"
        ),
        ["gpuranmar_cpcnow ", "a log gains the journal's lines"],
        ["_cernlib", "gpuranmar_cpc "],
    ),
    "skips.f": (
        journal(""),
        ["how far RMARIN skips, to NTOT (cpc) or NOW (cpcnow), is not declared"],
        ["link:"],
    ),
    # A routine of the program's own on the same state: nothing is told to be linked.
    "second.f": (
        ONE + routine("FUNCTION MYRAN()", f"{RECURRENCE}\n      MYRAN = UNI", DP),
        ["do not link -lgpuranmar_one: MYRAN in second.f draws from COMMON /RASET1/"],
        ["link:"],
    ),
    "myblock.f": (
        ONE.replace("RASET1", "MY")
        + "      SUBROUTINE LOOKS\n      COMMON /MY/ U(97)\n      PRINT *, U\n      END\n",
        ["do not link -lgpuranmar_one: LOOKS in myblock.f has COMMON /MY/"],
        ["link:"],
    ),
    # The state is shared in blank COMMON, in the second block of a statement, in a module, or in a
    # file that is not there.
    **{
        f"shared-{name}.f90": (
            before
            + "".join(
                unit.replace(STATE, declaration).replace("      END\n", "      END SUBROUTINE\n")
                for unit in (
                    routine("SUBROUTINE RANMAR(X)", f"REAL*8 X\n{RECURRENCE}\nX=UNI"),
                    TWO,
                    routine("SUBROUTINE LOOKS", "      PRINT *, U"),
                )
            )
            + after,
            ["do not link -lgpuranmar_one: ", said],
            ["link: "],
        )
        for name, before, declaration, after, said in (
            ("blank", "", "COMMON U(97),C\n", "", "has COMMON //"),
            ("second", "", "COMMON /A/ B, /MY/ U(97)\n", "", "has COMMON /MY/"),
            ("used", "module m\nreal(8) u(97)\nend module\n", "use m\n", "", "has U of module M"),
            (
                "host",
                "module m\nreal u(97)\ncontains\n",
                "\n",
                "end module\n",
                "has U of module M",
            ),
            ("file", "", "include 'elsewhere.inc'\n", "", "in file elsewhere.inc"),
        )
    },
    "blockdata.f": (
        ONE + routine("BLOCK DATA RB", "      DATA I97/97/"),
        ["link: -lgpuranmar_one", "take out BLOCK DATA RB in blockdata.f"],
        ["do not link"],
    ),
    "entry.f": (
        f"      SUBROUTINE RANMAR(X)\n{DP}{STATE}{RECURRENCE}\n      X = UNI\n"
        f"      ENTRY RMARIN(IJ,KL)\n{CONSTANTS}      ENTRY LOOKS(I)\n      END\n",
        ["take out RANMAR, RMARIN\n", "ENTRY LOOKS has nothing in its place then"],
        ["leave the file out"],
    ),
    "madevent.f": (
        routine(
            "SUBROUTINE RANMAR(X)",
            f"      COMMON/EXTERNAL_RANDOM/ R(9)\n{RECURRENCE}\n      X = UNI",
            DP,
        )
        + TWO,
        ["do not link -lgpuranmar_one: RANMAR in madevent.f draws from COMMON /EXTERNAL_RANDOM/"],
        ["link:"],
    ),
    "rmafun.f": (
        ONE
        + routine("FUNCTION RMAFUN()", f"{RECURRENCE}\n      RMAFUN = UNI", DP)
        + "      SUBROUTINE USES\n      END\n",
        ["link: -lgpuranmar_one", "take out RANMAR, RMARIN, RMAFUN\n"],
        ["do not link"],
    ),
    "prefix.f": (
        "      PROGRAM P\n      CALL RANMARTEST\n      CALL RLUXGO(3,1,0,0)\n      END\n",
        ["no RANMAR found"],
        [],
    ),
    "module-use.f90": (
        "program p\n use RandomNS\n call initRandomNS(1)\n x = ranmarns(0)\nend program\n",
        ["link: -lgpuranmar_multinest"],
        ["no family has that"],
    ),
    "rand.f": (
        routine("FUNCTION RAND()", f"{CONSTANTS}{RECURRENCE}\n      RAND = UNI"),
        ["gfortran has an intrinsic RAND"],
        [],
    ),
    "calls-function.f": (
        "      PROGRAM CALLS\n      REAL*8 RANMAR\n      EXTERNAL RANMAR\n"
        "      CALL RMARIN(1,2)\n      X = 2*RANMAR()\n      END\n",
        ["calls U = RANMAR() in DOUBLE: -lgpuranmar_dfunction\n"],
        ["_function"],
    ),
    "compares.f": (
        "      REAL*8 RANMAR\n      IF (.5.LT.RANMAR()) X = 1\n      END\n",
        ["calls U = RANMAR() in DOUBLE: -lgpuranmar_dfunction\n"],
        [],
    ),
    "turned.f": (
        "      REAL*8 X(3)\n      CALL RANMAR(3,X)\n      CALL RANMAR(N+1,X)\n      END\n",
        ["calls RANMAR with 2 arguments in INTEGER: no family has that\n"],
        ["_"],
    ),
    "onekind.f90": (
        f"module m\n{STATE}contains\nsubroutine ranmar(x)\nreal(wp) x\n{RECURRENCE}"
        "x = uni\nend subroutine\nend module\n",
        ["whether the number is REAL or DOUBLE is not declared"],
        ["link:"],
    ),
    "bound.f90": (
        f"function rmafun() bind(c)\nreal(8) rmafun\n{STATE}{RECURRENCE}rmafun = uni\nend\n",
        ["FUNCTION RMAFUN BIND(C) has the recurrence itself"],
        ["_one"],
    ),
    "passes.f": (
        "      EXTERNAL RANMAR\n      CALL VEGAS(RANMAR)\n      END\n",
        ["passes RANMAR on"],
        ["-lgpuranmar"],
    ),
    "kind.f90": (
        "integer, parameter :: wp = kind(1d0)\nreal(wp) :: x(3)\n"
        "call rmarin(1, 2)\ncall ranmar(x, 3)\nend\n",
        ["calls RANMAR with 2 arguments: -lgpuranmar_real or -lgpuranmar_double\n"],
        [],
    ),
    "star.f": (
        "      REAL X(3)*8\n\tCALL RANMAR(X,\n\t1 3)\n      END\n",
        ["calls RANMAR with 2 arguments in DOUBLE: -lgpuranmar_double\n"],
        [],
    ),
    "interface.f90": (
        "module utility\n interface\n  real(8) function duni()\n  end function\n"
        " end interface\nend module\n",
        ["no RANMAR found"],
        ["DUNI is"],
    ),
    "calls-duni.f90": (
        "program calls\n real(8), external :: duni\n x = duni()\nend program\n",
        ["link: -lgpuranmar_dlpoly", "calls DUNI"],
        [],
    ),
    "calls-double.f": (
        "      PROGRAM CALLS\n      REAL*8 X(3)\n      CALL RMARIN(1,2)\n"
        "      CALL RANMAR(X(1),3)\n      PRINT *, X\n      END\n",
        ["calls RANMAR with 2 arguments in DOUBLE: -lgpuranmar_double\n"],
        ["_real"],
    ),
    "pyr.f": (
        "      FUNCTION PYR(IDUMMY)\n      COMMON/PYDATR/MRPY(6),RRPY(100)\n"
        f"{CONSTANTS}{RECURRENCE}      PYR = UNI\n      END\n",
        ["gpuranmar_pythia6 "],
        [],
    ),
    "wrapper.f": (
        "      FUNCTION PYR(IDUMMY)\n      PYR = RNDM(IDUMMY)\n      END\n",
        ["PYR is not RANMAR here"],
        ["link:"],
    ),
    "rndm.f": (
        "      DOUBLE PRECISION FUNCTION DT_RNDM(V)\n      DT_RNDM = RNDM(V)\n      END\n",
        ["DT_RNDM is not RANMAR here"],
        ["link:"],
    ),
    "pseumar.f": (
        f"      SUBROUTINE PseuMar_MakeVec(RVEC,LEN)\n{STATE}{CONSTANTS}{VECTOR}\n      END\n"
        "      SUBROUTINE PseuMar_Initialize(I,J,K)\n      WRITE(6,*) I\n      END\n",
        ["leave the file out: it has only PSEUMAR_MAKEVEC, PSEUMAR_INITIALIZE"],
        ["a log"],
    ),
    "rm48.f": (
        f"      SUBROUTINE RM48(RVEC,LEN)\n{STATE}      ENTRY RM48IN(I,J,K)\n"
        f"      WRITE(6,*) I\n{CONSTANTS}{VECTOR}\n      END\n",
        ["gpuranmar_cernlib ", "leave the file out: it has only RM48, RM48IN"],
        ["a log"],
    ),
    "calls-rm48.f": (
        "      PROGRAM P\n      REAL*8 X\n      CALL RM48(X,1)\n      CALL RMMAR(R,1,1)\n      END\n",
        ["link: -lgpuranmar_cernlib", "calls RM48", "calls RMMAR", "its own code skips (N2+1)*N1"],
        ["no family has that"],
    ),
    "calls-pyr.f": (
        "      PROGRAM P\n      REAL*8 PYR\n      X = PYR(0)\n      END\n",
        ["link: -lgpuranmar_pythia6"],
        [],
    ),
    "phoran.f": (
        "      FUNCTION PHORAN(IDUM)\n      REAL*8 PHORAN,UNI\n"
        f"{CONSTANTS}{RECURRENCE}      PHORAN = UNI\n      END\n",
        ["gpuranmar_dphotos "],
        [],
    ),
    "amber.f": (
        routine("SUBROUTINE AMRAND(Y)", f"{RECURRENCE}\n      Y = UNI")
        + routine("SUBROUTINE AMRSET(ISEED)", CONSTANTS)
        + routine("SUBROUTINE GAUSS(AM,SD,V)", f"{RECURRENCE}\n      V = UNI"),
        ["do not link -lgpuranmar_amber: GAUSS", "SUBROUTINE GAUSS has the recurrence itself"],
        [],
    ),
    "module.f90": (
        "module utility\ncontains\n"
        + routine("function duni()", f"{CONSTANTS}{RECURRENCE} duni = uni")
        + "end module\n",
        ["DUNI is in module utility"],
        [],
    ),
    "inlined.f": (
        routine("FUNCTION MYOWN()", f"{CONSTANTS}{RECURRENCE}\n      MYOWN = UNI"),
        ["MYOWN has the recurrence itself"],
        [],
    ),
    "reader.f": (
        "      PROGRAM READS\n      COMMON /CRRANMA4/ C(9),U(97,9),IJKL(9)\n"
        "      PRINT *, IJKL(1)\n      END\n",
        ["COMMON /CRRANMA4/, the generator's state, is in READS"],
        [],
    ),
    "calls.f": (
        "      PROGRAM CALLS\n      CALL RANMAR(X(1,2))\nC     CALL RMMARD(X,1,1)\n      END\n",
        ["calls RANMAR with 1 argument"],
        ["RMMARD"],
    ),
    "rmmard.f": (
        "      PROGRAM CALLS\n      REAL*8 X\n      CALL RMMARD(X,1,1)\n      END\n",
        ["link: -lgpuranmar\n", "calls RMMARD"],
        [],
    ),
    "makefile": (
        "FFLAGS = -O2 -fdefault-real-8 -i8 -ff2c\n",
        ["-fdefault-real-8", "-i8", "-ff2c: a REAL FUNCTION"],
        [],
    ),
    "clhep.cc": (
        "#include <CLHEP/Random/JamesRandom.h>\nCLHEP::HepJamesRandom engine;\n",
        ["gpuranmar_clhep.hpp"],
        [],
    ),
    "lammps.cpp": ("random = new RanMars(lmp, seed);\n", ["docs/classes.md"], []),
    "egs.c": ("void ranmar_get_() {}\n", ["lgpuranmar_egsnrc"], []),
    "gsl.c": ("const gsl_rng_type *t; int step = 7654321;\n", ["gsl_rng_ranmar"], ["EGSnrc"]),
    "ompmc.c": (
        "double setRandom() { rng.urndm[0] = 7654321 - 16777213; }\n",
        ["lgpuranmar_ompmc"],
        ["no interface", "EGSnrc"],
    ),
    "Basics.cc": ("double Rndm::flat() { return 7654321 - 16777213; }\n", ["docs/classes.md"], []),
    "engine.c": (
        "int cd = 7654321, cm = 16777213; gpuranmar_engine_start(&e, 0, 0, 0, 0, 0);\n",
        ["draws from libgpuranmar"],
        ["no interface"],
    ),
    "engine.f90": (
        "interface\n subroutine fill(e) bind(c, name='gpuranmar_engine_fill')\n end subroutine\n"
        "end interface\nend\n",
        ["draws from libgpuranmar"],
        [],
    ),
    "own.c": ("int cd = 0x74CBB1, cm = 16777213;\n", ["no interface has this name"], []),
    # Without RANMAR: a popular seed, another lagged Fibonacci generator, a comment.
    "seed.c": ("int seed = 7654321; /* 16777213 */\n", ["no RANMAR found"], []),
    "lagged.f": (
        "      FUNCTION RAN3(IDUM)\n      COMMON /X/ MA(55)\n"
        "      MJ = MA(INEXT)-MA(INEXTP)\n      END\n",
        ["no RANMAR found"],
        [],
    ),
    "oneseed.f": (started(head="SUBROUTINE RMARIN(IJKL)"), ["no interface"], ["link:"]),
    "unit.f": (started(head="SUBROUTINE RMARIN(IA,KA,IOUT)"), ["no interface"], ["link:"]),
    "ranmar.c": (
        "void ranmar_(float *x) { c = 7654321 / 16777216., d = 16777213 / 16777216.; }\n",
        ["no interface"],
        ["calls RANMAR"],
    ),
    "swapped.f": (
        routine("SUBROUTINE RANMAR(LEN,RVEC)", VECTOR, "      REAL RVEC(*)\n") + TWO,
        ["no interface"],
        ["link:"],
    ),
    "plain.f90": ("program p\n call random_number(x)\nend program\n", ["no RANMAR found"], []),
}
WORDS = {"cpc": "_cpc ", "photos": "_photos "}
for family in "one real double function dfunction pythia6 dphotos amber dlpoly cernlib".split():
    WORDS[family] = f"gpuranmar_{family} "


def which(*files, **settings):
    """What is printed; within this process, since Python takes longer to start than to answer."""
    said = io.StringIO()
    with unittest.mock.patch.dict(os.environ, settings):
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
            report.main(files)
    return said.getvalue()


def expect(name, answer, wanted, unwanted=()):
    wrong = [w for w in wanted if w not in answer] + [f"not {u}" for u in unwanted if u in answer]
    ok(not wrong, name, f"wanted: {wrong}\n{answer}")


with tempfile.TemporaryDirectory() as scratch:
    os.chdir(scratch)
    for name, (text, wanted, unwanted) in SOURCES.items():
        with open(name, "w", encoding="ascii") as file:
            file.write(text)
        expect(name, which(name), wanted, unwanted)
    for number, (name, change) in enumerate({"nothing": ("", ""), **OTHERS}.items()):
        with open(f"other{number}.f", "w", encoding="ascii") as file:
            file.write(started(*change))
        link, other = "link: -lgpuranmar_real", "it is not that of -lgpuranmar_real"
        drawn = "compiled and run, it draws the library's numbers"
        if not SANITIZE:
            expect(
                f"RANMAR as published, but for: {name}",
                which(f"other{number}.f"),
                [other] if number else [link, drawn],
                [link, drawn] if number else [other],
            )
    with open("inside.f", "w", encoding="ascii") as file:
        text = started().replace("      END\n", "      END SUBROUTINE\n")
        file.write(f"      MODULE INSIDE\n      CONTAINS\n{text}      END MODULE\n")
    if not SANITIZE:
        expect("... in a module", which("inside.f"), ["RANMAR is in module inside", link, drawn])
    unsure = ["if its numbers are the same, link:", "not compared"]
    for name in "nothing", "'nothing":
        answer = which("other0.f", FC=name)
        expect(f"without a compiler: {name}", answer, [*unsure, f"no Fortran compiler {name}\n"])
    with open("stops.f", "w", encoding="ascii") as file:
        file.write(started("1     RVEC", "      IF ((N+1).GT.900) STOP\n      N = N+1\n1     RVEC"))
    if not SANITIZE:
        expect("... or one that stops", which("stops.f"), [*unsure, "it stopped before"], [other])
    with open("letter.f", "w", encoding="latin-1") as file:
        file.write(started("      C = 362436", "      C\xb5 = 362436"))
    with unittest.mock.patch.object(trial, "FOLDERS", []):
        trial.numbers.cache_clear()
        nowhere = dict.fromkeys(["LIBRARY_PATH", "LD_LIBRARY_PATH"], "")
        lacking = "the library was not found: put its folder into LIBRARY_PATH"
        expect("... or a library", which("other0.f", **nowhere), [*unsure, lacking])
        with open("gpuranmar.pc", "w", encoding="ascii") as file:
            file.write(f"libdir={BUILD}\nName: gpuranmar\nDescription: x\nVersion: 1\n")
        trial.numbers.cache_clear()
        if not SANITIZE and shutil.which("pkg-config"):
            answer = which("other0.f", PKG_CONFIG_PATH=".", **nowhere)
            expect("... which pkg-config knows", answer, [link, drawn])
    with open("endless.f", "w", encoding="ascii") as file:
        file.write(started("1     RVEC", "4     GOTO 4\n1     RVEC"))
    with unittest.mock.patch.object(trial, "LIMIT", 0.1):
        answer = which("endless.f")
        expect("... or one without end", answer, [*unsure, "it took more than 0.1 s"])
    os.mkdir("temporary")
    with subprocess.Popen([WHICH, "endless.f"], env={**os.environ, "TMPDIR": "temporary"}) as run:
        while run.poll() is None and not glob.glob("temporary/*/numbers"):
            time.sleep(0.01)
        run.terminate()
    ended = (run.returncode, os.listdir("temporary"))
    ok(ended == (143, []), "... which is ended by a signal and leaves nothing", ended)
    expect("... or that cannot be compiled", which("letter.f"), [*unsure, "it did not run alone"])
    expect("families that clash", which("real.f", "one.f"), ["one and real have names in common"])

    for family, word in WORDS.items():
        reference = f"{BUILD}/replay-{family}-reference"
        expect(f"{family}, executable", which(reference), [word, "does not use libgpuranmar"])
        if family != "cernlib":
            expect(f"{family}, object", which(f"{BUILD}/reference/{family}/family.o"), [word])
        expect(
            f"{family}, relinked",
            which(f"{BUILD}/replay-{family}-relinked"),
            ["uses libgpuranmar", f"libgpuranmar_{family}.so"],
        )
        if family != "cernlib":
            expect(
                f"{family}, static",
                which(f"{BUILD}/replay-{family}-static"),
                ["has libgpuranmar in it"],
                ["link:"],
            )
    subprocess.run(["strip", "-g", "-o", "nodebug", f"{BUILD}/replay-real-reference"], check=True)
    expect(
        "without debugging information",
        which("nodebug"),
        ["argument lists: ask about its source", "has RANMAR's constants"],
        ["link:"],
    )
    subprocess.run(["strip", "-o", "stripped", f"{BUILD}/replay-real-reference"], check=True)
    expect("stripped", which("stripped"), ["has RANMAR's constants", "stripped"])
    expect("the library itself", which(f"{BUILD}/libgpuranmar.so"), ["is libgpuranmar's own"])
    expect("a program without", which("/bin/ls"), ["no RANMAR found"])
    expect(
        "an archive without",
        which(
            subprocess.run(
                [FC, "-print-libgcc-file-name"], capture_output=True, text=True, check=True
            ).stdout.strip()
        ),
        ["no RANMAR found"],
    )

    # The size of INTEGER and DOUBLE PRECISION, from the code that passes the arguments.
    sized = {
        "stack.f": "      INTEGER I(3),K\n      I(1) = 1802\n      I(2) = 5\n      I(3) = 0\n"
        "      K = 2\n      CALL RMMAQD(I,K,'S')\n      CALL RMMARD(X,1,K)\n      PRINT *,X\n"
        "      CALL RMMAQD(I,K,'R')\n      PRINT *,K\n",
        "static.f": "      INTEGER I(3)\n      DATA I/1802,5,0/\n"
        "      CALL RMMAQD(I,1,'S')\n      CALL RMMARD(X,1,1)\n      PRINT *,X\n",
        "constants.f": "      INTEGER I(3)\n      READ *,I\n"
        "      CALL RMMAQD(I,2,'S')\n      CALL RMMARD(X,1,2)\n      PRINT *,X+X**2\n",
    }
    answers = {  # what the answer has, and what it has not
        (): (["link: -lgpuranmar\n"], ["eight", "sixteen"]),
        ("-fdefault-integer-8",): (["eight bytes", "link: -lgpuranmar_ilp64\n"], ["sixteen"]),
        ("-fdefault-real-8",): (["sixteen bytes", "-fdefault-double-8"], ["eight"]),
        ("-fdefault-real-8", "-fdefault-double-8"): ([], ["eight", "sixteen"]),
    }
    machine = subprocess.run(
        [FC, "-dumpmachine"], capture_output=True, text=True, check=True
    ).stdout
    if "x86_64" in machine and not SANITIZE:
        for name, text in sized.items():
            with open(name, "w", encoding="ascii") as file:
                file.write("      DOUBLE PRECISION X\n" + text + "      END\n")
            for options, how in itertools.product(answers, (["-O0"], ["-O2", "-c"])):
                command = [FC, "-w", *options, *how, "-o", "sized", name]
                link = [] if "-c" in how else [f"-L{BUILD}", "-lgpuranmar"]
                subprocess.run([*command, *link], check=True)
                expect(" ".join([name, *options, *how]), which("sized"), *answers[options])
        with open("neighbours.f", "w", encoding="ascii") as file:
            file.write(
                "      DOUBLE PRECISION X\n      COMMON /PLACES/ I(3),K,N\n      K = 3\n      N = 1\n"
                "      CALL RMMAQD(I,K,'S')\n      CALL RMMARD(X,N,K)\n      END\n"
            )
        subprocess.run([FC, "-w", "-O2", "-c", "neighbours.f"], check=True)
        expect(
            "two INTEGERs that one instruction writes",
            which("neighbours.o"),
            *answers[()],
        )
        for options, library, wrong in (
            ([], "", ""),
            ([], "_ilp64", "INTEGERs of 4 bytes: -lgpuranmar\n"),
            (["-fdefault-integer-8"], "", "INTEGERs of 8 bytes: -lgpuranmar_ilp64\n"),
            (["-fdefault-integer-8"], "_ilp64", ""),
        ):
            command = [FC, "-w", *options, "-o", "sized", "stack.f", f"-L{BUILD}"]
            subprocess.run([*command, f"-lgpuranmar{library}"], check=True)
            expect(
                f"{' '.join(options)} with libgpuranmar{library}",
                which("sized"),
                [f"WRONG: sized is linked with libgpuranmar{library}.so.1, but passes {wrong}"]
                if wrong
                else [],
                [] if wrong else ["WRONG"],
            )

    # What a profile shows that can be gained. The program does little else than draw.
    with open("busy.f", "w", encoding="ascii") as file:
        file.write(
            "      PROGRAM P\n      REAL X(1000)\n      DO I = 1,20000\n"
            "      CALL RANMAR(X,1000)\n      ENDDO\n      END\n      SUBROUTINE RANMAR(X,N)\n"
            "      REAL X(N)\n      DO I = 1,N\n      X(I) = MOD(7.*I+.5,1.)\n      ENDDO\n      END\n"
        )
    made = subprocess.run([FC, "-w", "-pg", "-o", "busy", "busy.f"], check=False).returncode == 0
    if made and not SANITIZE and shutil.which("gprof"):
        subprocess.run(["./busy"], check=True)
        expect(
            "a profile by gprof", which("busy", "gmon.out"), ["% of the time is the generator's"]
        )
        expect(
            "a profile without its program",
            which("gmon.out"),
            ["a profile, which needs its program"],
        )

    # ... and the report of a run with the library.
    subprocess.run(
        [f"{BUILD}/replay-real-relinked"],
        input="start 1 1\ndraw 100000\n",
        stdout=subprocess.DEVNULL,
        env={**os.environ, "GPURANMAR_REPORT": "run.json"},
        text=True,
        check=True,
    )
    expect("a report", which("run.json"), [" numbers in 0.", "with the original, at about 11 ns"])
    with open("run.json", encoding="utf-8") as file:
        run = json.load(file)
    numbers = run["engines"]["made"]
    ok(numbers in range(100000, 102000), "... of so many numbers", numbers)
    run["process"]["cpu_seconds"] = 1e-8 * numbers
    run["streams"] = [{"drawn": numbers}]
    with open("run.json", "w", encoding="utf-8") as file:
        json.dump(run, file)  # on one line
    expect("... and streams", which("run.json"), [f"{2 * numbers} numbers in", ", 3.20 times that"])
    with open("wrong.json", "w", encoding="utf-8") as file:
        json.dump({**run, "engines": None}, file)
    expect("a damaged report", which("wrong.json"), ["wrong.json: damaged"], ["Traceback"])

    # Calls compared with what a program is linked with.
    for family, expected in {
        "real": "WRONG: called is linked with libgpuranmar_real.so.1, but calls-double.f calls "
        "RANMAR with 2 arguments in DOUBLE: -lgpuranmar_double",
        "one": "WRONG: called is linked with libgpuranmar_one.so.1",
        "double": "uses libgpuranmar_double.so.1",
    }.items():
        subprocess.run(
            [*LINK, "called", "calls-double.f", f"-L{BUILD}", f"-lgpuranmar_{family}"], check=True
        )
        expect(
            f"calls of a program linked with {family}",
            which("calls-double.f", "called"),
            [expected],
            ["WRONG"] if family == "double" else [],
        )
    static = [f"{BUILD}/libgpuranmar_real.a", f"{BUILD}/libgpuranmar.a", "-lpthread", "-ldl", "-lm"]
    for how in [], ["-s"]:
        subprocess.run([*LINK, "called", "calls-double.f", "-fno-lto", *how, *static], check=True)
        expect(
            f"calls of a static program {' '.join(how)}",
            which("calls-double.f", "called"),
            ["WRONG: called is linked with libgpuranmar_real.a", "has libgpuranmar in it"],
            ["no interface has this name"],
        )
    with open("pyrget.f", "w", encoding="ascii") as file:
        file.write("      SUBROUTINE PYRGET(LFN,MOVE)\n      END\n")
    expect(
        "an original in another file",
        which("wrapper.f", "calls-pyr.f", "pyrget.f"),
        ["PYR is not RANMAR here", "do not link -lgpuranmar_pythia6: PYR is another generator's"],
        ["link:"],
    )

    # What is linked in beside the library, and how things were compiled.
    with open("own.f", "w", encoding="ascii") as file:
        file.write(
            "      INTEGER I(3)\n      DATA I/1,0,0/\n      CALL RMMAQD(I,1,'S')\n"
            "      CALL RMMARD(X,1,1)\n      END\n"
            "      SUBROUTINE RMMARD(X,N,K)\n      X = 0\n      END\n"
        )
    subprocess.run([*LINK, "own", "own.f", f"-L{BUILD}", "-lgpuranmar"], check=True)
    expect("an RMMARD of its own", which("own"), ["RMMARD are its own, which win", "for RMMAQD"])
    with open("hooked.f", "w", encoding="ascii") as file:
        file.write(
            "      DOUBLE PRECISION X\n      CALL RMMARD(X,1,1)\n      END\n"
            "      SUBROUTINE RMMARD(X,N,K)\n      DOUBLE PRECISION X\n"
            "      CALL GRNVEC(X,N,K)\n      END\n"
        )
    subprocess.run([*LINK, "hooked", "hooked.f", f"-L{BUILD}", "-lgpuranmar"], check=True)
    with open("hooks.f", "w", encoding="ascii") as file:
        file.write(
            "      DOUBLE PRECISION X\n      CALL GRNSET(1,0,0,1)\n      CALL GRNVEC(X,1,1)\n"
            "      END\n"
        )
    subprocess.run([*LINK, "hooks", "hooks.f", f"-L{BUILD}", "-lgpuranmar"], check=True)
    expect("hooks alone", which("hooks"), ["libgpuranmar.so.1 and calls GRNSET, GRNVEC"])
    expect(
        "a patched program",
        which("hooked"),
        ["is patched: RMMARD are its own and draw from libgpuranmar.so.1 by GRNVEC"],
        ["which win"],
    )
    subprocess.run([FC, "-w", "-g", "-fdefault-real-8", "-c", "real.f"], check=True)
    expect("compiled with -fdefault-real-8", which("real.o"), ["compiled with -fdefault-real-8"])
    subprocess.run([FC, "-w", "-c", "reader.f"], check=True)
    expect("an object that reads the state", which("reader.o"), ["has COMMON /CRRANMA4/"])
    with open("reads.f", "w", encoding="ascii") as file:
        file.write(
            "      PROGRAM READS\n      COMMON /CRRANMA4/ C(9),U(97,9),IJKL(9)\n"
            "      DOUBLE PRECISION C,U,X\n      INTEGER I(3)\n      DATA I/1,0,0/\n"
            "      CALL RMMAQD(I,1,'S')\n      CALL RMMARD(X,1,1)\n"
            "      PRINT *, IJKL(1)\n      END\n"
        )
    for how, libraries in {
        "relinked": [f"-L{BUILD}", "-lgpuranmar"],
        "static": ["-fno-lto", f"{BUILD}/libgpuranmar.a", "-lpthread", "-ldl", "-lm"],
    }.items():
        subprocess.run([*LINK, "reads", "reads.f", *libraries], check=True)
        expect(f"a program that reads the state, {how}", which("reads"), ["has COMMON /CRRANMA4/"])
    with open("other.f", "w", encoding="ascii") as file:
        file.write(
            "      CALL RMARIN(1802,9373)\n      CALL RANMAR(X,1)\n"
            "      PRINT *, X, RLU(0)\n      END\n      FUNCTION RLU(IDUMMY)\n"
            f"{STATE}{CONSTANTS}{RECURRENCE}      RLU = UNI\n      END\n"
        )
    subprocess.run(
        [*LINK, "other", "other.f", f"-L{BUILD}", "-lgpuranmar_real", "-lgpuranmar"],
        check=True,
    )
    expect(
        "a routine of another family beside the library",
        which("other"),
        ["uses libgpuranmar_real.so.1", "for RANMAR, RMARIN"],
    )
    subprocess.run(["ar", "rc", "both.a", "real.o", "reader.o"], check=True)
    expect("an archive", which("both.a"), ["both.a(real.o)", "both.a(reader.o)", "CRRANMA4"])
    old = "import sys; sys.version_info = (2, 7, 1); exec(open(sys.argv[1]).read())"
    run = subprocess.run([sys.executable, "-c", old, WHICH], text=True, capture_output=True)
    line = "gpuranmar which: this is Python 2.7; 3.8 or later is needed\n"
    with open(WHICH, encoding="utf-8") as file:
        ok(run.stderr == line and ' f"' not in file.read(), "an old Python", run.stderr)
    expect("no such file", which("nothing.f"), ["gpuranmar which: nothing.f: No such file"])
    with open("damaged.o", "wb") as file:
        file.write(b"\x7fELF\2\1" + b"\xff" * 100)
    os.mkdir("piped")
    os.mkfifo("piped/pipe.f")
    shutil.copy("real.f", "piped")
    expect("a pipe in a folder", which("piped"), ["piped/real.f"])
    expect("a pipe", which("piped/pipe.f"), ["gpuranmar which: piped/pipe.f: it is no file"])
    expect("a damaged object", which("damaged.o"), ["damaged"], ["Traceback"])
    with open("/dev/full", "w", encoding="ascii") as full:
        run = subprocess.run([WHICH, "other"], stdout=full, stderr=subprocess.PIPE, text=True)
    line = "gpuranmar which: standard output: No space left on device\n"
    ok((run.returncode, run.stderr) == (2, line), "a full disk", run.stderr)
    os.chdir("/")
finish()
