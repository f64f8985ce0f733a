"""The families of RANMAR programs: their names, and which library serves them. This is the table of
csrc/families/README.md in another form."""
import re
import struct
from typing import NamedTuple


class Family(NamedTuple):
    """One row of the table."""

    link: str  # the options for the linker, or what to do instead
    says: str  # its calls, precision and rule for zeros


def library(name):
    return f"-lgpuranmar_{name} -lgpuranmar"


FAMILIES = {
    "corsika": Family(
        "-lgpuranmar",
        "RMMARD(RVEC,LENV,ISEQ), RMMAQD: CORSIKA's; 48 bits in DOUBLE, a zero becomes 2^-48",
    ),
    "ilp64": Family(
        "-lgpuranmar_ilp64",
        "RMMARD(RVEC,LENV,ISEQ), RMMAQD with INTEGER of eight bytes: the same numbers",
    ),
    "cernlib": Family(
        library("cernlib"),
        "RANMAR(VEC,LEN) in REAL with RMARIN(IJKL,NTOT,NTOT2), RMMAR, RM48: CERNLIB's; a zero "
        "becomes 2^-24 U(2), in RM48 2^-49",
    ),
    "cpc": Family(
        library("cpc"),
        "RANMAR(RVEC,LENV) in REAL with RMARIN of three: the journal's text, whose skip loop runs "
        "to NTOT; a zero becomes 2^-24 U(2)",
    ),
    "one": Family(library("one"), "RANMAR(X), one number in DOUBLE: 24 bits, zeros kept"),
    "real": Family(
        library("real"),
        "RANMAR(RVEC,LEN) in REAL with RMARIN(IJ,KL): the public text; 24 bits, zeros kept",
    ),
    "double": Family(
        library("double"),
        "RANMAR(RVEC,LEN) in DOUBLE with RMARIN(IJ,KL): the public text; 24 bits, zeros kept",
    ),
    "function": Family(library("function"), "U = RANMAR(), a REAL FUNCTION: 24 bits, zeros kept"),
    "dfunction": Family(
        library("dfunction"), "U = RANMAR(), a DOUBLE PRECISION FUNCTION: 24 bits, zeros kept"
    ),
    "pythia6": Family(
        library("pythia6"),
        "U = PYR(IDUMMY), state in COMMON /PYDATR/: PYTHIA 6; 48 bits, a zero is redrawn",
    ),
    "jetset": Family(
        library("jetset"),
        "U = RLU(IDUMMY), state in COMMON /LUDATR/: JETSET; 24 bits in REAL, a zero is redrawn",
    ),
    "photos": Family(
        library("photos"), "U = PHORAN(IDUM), REAL: PHOTOS; 24 bits, a zero is redrawn"
    ),
    "dphotos": Family(
        library("dphotos"), "U = PHORAN(IDUM), DOUBLE: PHOTOS; 24 bits, a zero is redrawn"
    ),
    "amber": Family(
        library("amber"), "AMRSET(ISEED), AMRAND(Y): Amber's; 24 bits in DOUBLE, zeros kept"
    ),
    "dlpoly": Family(
        library("dlpoly"), "U = DUNI(): DL_POLY Classic; 24 bits in DOUBLE, zeros kept"
    ),
    "clhep": Family(
        "class gpuranmar::HepJamesRandom of gpuranmar_clhep.hpp",
        "HepJamesRandom: CLHEP, Geant4; 24 bits in double, a zero is redrawn",
    ),
    "lammps": Family(
        "LD_PRELOAD=libgpuranmar_lammps.so for LAMMPS with a shared library; elsewhere class "
        "gpuranmar::RanMars of gpuranmar.hpp",
        "RanMars: LAMMPS, SPPARKS; 24 bits in double, zeros kept, the first number dropped",
    ),
    "egs": Family(
        "not served: its numbers are integers in blocks of 128", "ranmar_get: EGSnrc, ompMC"
    ),
    "own": Family(
        "no interface has this name: gpuranmar_engine.h and 20 lines make one",
        "RANMAR's recurrence under a name of the program's own, or inlined",
    ),
}

# The names of routines that draw or start: ALONE those of one family, CLASHING those of several.
ALONE = {
    "rmmard": "corsika",
    "rmmaqd": "corsika",
    "rmmar": "cernlib",
    "rmmaq": "cernlib",
    "rm48": "cernlib",
    "rm48in": "cernlib",
    "rm48ut": "cernlib",
    "rmaset": "one",
    "rmasave": "one",
    "pyr": "pythia6",
    "pyrget": "pythia6",
    "pyrset": "pythia6",
    "rlu": "jetset",
    "rluget": "jetset",
    "rluset": "jetset",
    "amrand": "amber",
    "amrset": "amber",
    "duni": "dlpoly",
    "ranmar_get": "egs",
}
CLASHING = ("ranmar", "rmarin", "rmarut", "phoran", "phorin")
NAMES = (*ALONE, *CLASHING)

# For each COMMON block with the state: the original's own routines. Any other routine that declares
# the block reads the state.
DRAWING = {
    "crranma4": ("rmmard", "rmmaqd"),
    "ranma1": ("ranmar", "rmarin", "rmarut"),
    "ranma2": ("rmmar", "rmmaq"),
    "raset1": ("ranmar", "rmarin", "rmaset", "rmasave", "amrset", "amrand", "vranmar", "ravmar"),
    "raset2": ("ranmar", "rmarin"),
    "phseed": ("phoran", "phorin"),
}

CONSTANTS = (7654321, 16777213)  # both must be there: the first alone is also a popular seed
FRACTIONS = [n / 2**24 for n in CONSTANTS]


def patterns():
    """Yields the forms in which programs keep the two constants: a name, and the bytes of both."""
    yield "integer", [struct.pack("<i", n) for n in CONSTANTS]
    yield "REAL", [struct.pack("<f", x) for x in FRACTIONS]
    yield "REAL", [struct.pack("<f", float(n)) for n in CONSTANTS]
    yield "DOUBLE", [struct.pack("<d", x) for x in FRACTIONS]
    yield "DOUBLE", [struct.pack("<d", float(n)) for n in CONSTANTS]
    yield "integer, times 2^24", [struct.pack("<q", n << 24) for n in CONSTANTS]
    yield "integer, as a fraction of 2^64", [struct.pack("<Q", n << 40) for n in CONSTANTS]


def representations(data):
    """The names of the forms in which both constants stand in `data`. Integers may be there with a
    minus, since a compiler may turn a subtraction into an addition."""
    found = []
    for name, pair in patterns():
        negative = [struct.pack("<i", -n) for n in CONSTANTS] if name == "integer" else pair
        if all(a in data or b in data for a, b in zip(pair, negative)) and name not in found:
            found.append(name)
    return found


# Compilers' options that change the size of INTEGER or REAL.
SIZES = re.compile(
    rb"-fdefault-(?:real|integer|double)-\d+|-freal-\d-real-\d+|(?<![\w-])-[ir]8\b"
    rb"|-real-size[ =]\d+|-integer-size[ =]\d+|-autodouble"
)


def options_in(data):
    """The compilers' options in `data` that change the size of INTEGER or REAL."""
    return sorted({option.decode() for option in SIZES.findall(data)})


def about_option(option):
    """What such an option means for a program that is to be linked with the libraries."""
    text = f"{option}: the libraries' INTEGER and REAL have four bytes"
    if re.search("integer|i8", option):
        text += "; RMMARD and RMMAQD with INTEGER of eight are in libgpuranmar_ilp64"
    if re.search("real-8|r8|autodouble", option):
        text += "; DOUBLE PRECISION may have sixteen, unless -fdefault-double-8 is given too"
    return text
