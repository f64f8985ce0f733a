#!/usr/bin/env python3
"""Tests that gpuranmar-patch's verify alone, without shapes.py, finds an altered generator.

Each alteration is put into the tree of validate/tests/patch/, hooks go in all the same, and what
the routines do must give it away: patch/blind.py. Without an alteration nothing may be found.
"""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

from support import BUILD, FC, SANITIZE, SEED, SOURCES, make_tree, ok, run_tests

# File, what is replaced, by what. Seeding, constants and start values first.
ALTERATIONS = [
    ("rmmaqd.F", "IS    = 33", "IS    = 34"),
    ("rmmaqd.F", "53*ID+1", "55*ID+1"),
    ("rmmaqd.F", "CD     = 7654321.D0", "CD     = 7654323.D0"),
    ("rmmaqd.F", "NN = 1, 48", "NN = 1, 24"),
    (
        "rmmaqd.F",
        "NTOT2(JSEQ) = ISEED(3)\n          IHIGH = IJKL(JSEQ)/30082",
        "NTOT2(JSEQ) = ISEED(3)\n          IHIGH = IJKL(JSEQ)/30083",
    ),
    (
        "rmmaqd.F",
        "IC    = MOD( ILOW/169,178 ) + 1\n          ID    = MOD( ILOW,169 )\n          DO",
        "IC    = MOD( ILOW/169,178 ) + 2\n          ID    = MOD( ILOW,169 )\n          DO",
    ),
    ("rmmaqd.F", "MODCNS = 1000000000", "MODCNS = 100000000"),
    ("rmmaqd.F", "TWOM48 = 2.D0**(-48)", "TWOM48 = 2.D0**(-47)"),
    (
        "rmmaqd.F",
        "IF ( LAP .GT. NTOT2(JSEQ) ) NN = NTOT(JSEQ)",
        "IF ( LAP .GT. NTOT2(JSEQ) ) NN = NTOT(JSEQ)+1",
    ),
    # draws
    ("copies.F", "U(I97(5),5) - U(J97(5),5)", "U(I97(5),5) + U(J97(5),5)"),
    ("copies.F", "IF ( J97(5) .EQ. 0 ) J97(5) = 97", "IF ( J97(5) .EQ. 0 ) J97(5) = 96"),
    ("copies.F", "C(5) = C(5) - CD", "C(5) = C(5) - CINT"),
    (
        "copies.F",
        "IF ( C(5) .LT. 0.D0 ) C(5) = C(5) + CM",
        "IF ( C(5) .LT. 0.D0 ) C(5) = C(5) + CD",
    ),
    ("copies.F", "      U(I97(5),5) = UNI\n", "C     nothing is kept\n"),
    (
        "copies.F",
        "IF ( UNI .EQ. 0.D0 ) UNI = TWOM48\n      DRHERW",
        "IF ( UNI .EQ. 0.D0 ) UNI = TWOM24\n      DRHERW",
    ),
    ("copies.F", "DRHERW = UNI", "DRHERW = 1.D0-UNI"),
    ("copies.F", "NTOT(5) = NTOT(5) + 1", "NTOT(5) = NTOT(5) + 2"),
    ("copies.F", "IF ( NTOT(5) .GE. MODCNS ) THEN", "IF ( NTOT(5) .GT. MODCNS ) THEN"),
    ("copies.F", "NTOT2(5) = NTOT2(5) + 1", "NTOT2(4) = NTOT2(4) + 1"),
    ("copies.F", "DO 10 NR = 1,LENV", "DO 10 NR = 2,LENV"),
    ("copies.F", "IF(Z.EQ.0.)Z=TWOM48", "IF(Z.EQ.1.)Z=TWOM48"),
    ("copies.F", "if ( i97(1) .eq. 0 ) i97(1) = 97", "if ( i97(1) .eq. 1 ) i97(1) = 97"),
    ("copies.F", "DREPOS = SNGL( UNI )", "DREPOS = SNGL( UNI*.5D0 )"),
    ("rmmard.F", "NTOT(JSEQ) = NTOT(JSEQ) + LENV", "NTOT(JSEQ) = NTOT(JSEQ) + 1"),
    ("rmmard.F", "RVEC(IVEC) = UNI", "RVEC(IVEC) = UNI + TWOM24"),
    # what is hooked, and what is around it, as the original has it
    ("copies.F", "WORDS(1)  = C(JSEQ)", "WORDS(1)  = C(JSEQ)"),
    ("rmmaqd.F", "MODCNS = 1000000000", "MODCNS =  1000000000"),
]


def blind(job):
    tree, name, good, bad = job
    return subprocess.run(
        [sys.executable, os.path.join(SOURCES, "blind.py"), tree, name, good, bad, str(SEED)],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "LIBRARY": BUILD, "FC": " ".join(FC + SANITIZE)},
    )


def test_blind(work):
    tree = os.path.join(work, "tree")
    make_tree(tree, seeding="rmmaqd.F")
    jobs = [(tree, *alteration) for alteration in ALTERATIONS]
    with ThreadPoolExecutor(2) as pool:
        for (_, name, good, bad), result in zip(jobs, pool.map(blind, jobs)):
            same = good.split() == bad.split()
            line = next((b for a, b in zip(good.split("\n"), bad.split("\n")) if a != b), bad)
            ok(
                result.returncode == (0 if same else 1) and not result.stderr,
                f'{name}: {line.strip()!r}, {"nothing" if same else "this"} is found',
                result.stdout + result.stderr,
            )


run_tests([test_blind])
