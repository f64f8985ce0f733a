"""The families of RANMAR programs, as families.def has them; what is no
library there; and the marks by which the generator is known."""
import os
import re
import struct
from typing import NamedTuple

TABLE = os.path.join(os.path.dirname(os.path.realpath(__file__)), "../../families/families.def")


class Family(NamedTuple):
    """One row."""

    link: str  # the options for the linker, or what to do instead
    says: str  # its calls, precision and rule for zeros
    calls: dict = {}  # {routine: (number of arguments, whether it is a FUNCTION)}
    type: str = ""  # REAL or DOUBLE
    states: tuple = ()  # COMMON blocks with the state that relinked programs find empty
    kept: bool = False  # the state, or its seeds, are kept up in the original's COMMON block
    others: dict = {}  # {routine: type} of those that have another one


def rows():
    """The rows of families.def that are libraries: {name: Family}."""
    with open(TABLE, encoding="utf-8") as file:
        text = re.sub(r'"\s+"', "", file.read().partition("*/")[2])
    found = {}
    for row in text.split("FAMILY(")[1:]:
        name, calls, numbers, words, zero, who, state, _ = row.split('"')[1::2]
        routines = {
            match[2].lower(): (len([a for a in match[3].split(",") if a]), bool(match[1]))
            for match in re.finditer(r"(U = )?(\w+)\(([^)]*)\)", calls)
        }
        found[name] = Family(
            f"-lgpuranmar_{name} -lgpuranmar",
            f"{calls.replace(') ', '), ')}: {who}; {words} bits in {numbers}; a zero "
            + (f"is {zero}" if zero in ("kept", "redrawn") else f"becomes {zero}"),
            routines,
            numbers.split(",")[0],
            () if "kept up" in state else tuple(re.findall(r"/(\w+)/", state.lower())),
            "kept up" in state,
            {match[1].lower(): match[2] for match in re.finditer(r"of (\w+) (\w+)", numbers)},
        )
    return found


FAMILIES = {
    "corsika": Family(
        "-lgpuranmar",
        "RMMARD(RVEC,LENV,ISEQ), RMMAQD: CORSIKA's; 48 bits in DOUBLE, a zero becomes 2^-48",
        {"rmmard": (3, False), "rmmaqd": (3, False)},
        "DOUBLE",
        ("crranma4",),
    ),
    "ilp64": Family(
        "-lgpuranmar_ilp64",
        "RMMARD(RVEC,LENV,ISEQ), RMMAQD with INTEGER of eight bytes: the same numbers",
    ),
    **rows(),
    "clhep": Family(
        "class gpuranmar::HepJamesRandom of gpuranmar_clhep.hpp",
        "HepJamesRandom: CLHEP, Geant4; 24 bits in double, a zero is redrawn",
    ),
    "class": Family(
        "no library can take its place: an engine in the program's own source can (docs/classes.md)",
        "a class of PYTHIA 8 (Rndm), LAMMPS (RanMars) or egs++ (EGS_Ranmar)",
    ),
    "own": Family(
        "no interface has this name: gpuranmar_engine.h and 20 lines make one",
        "RANMAR's recurrence under a name of the program's own, or inlined",
    ),
}

# Each routine of the table with its families: one, or several whose argument lists differ.
ROUTINES = {}
for _name, _family in FAMILIES.items():
    for _routine in _family.calls:
        ROUTINES.setdefault(_routine, []).append(_name)
ALONE = {routine: names[0] for routine, names in ROUTINES.items() if len(names) == 1}
CLASHING = tuple(routine for routine, names in ROUTINES.items() if len(names) > 1)
NAMES = (*ALONE, *CLASHING)

# The routines that have the recurrence: the first of each row, and what else draws.
DRAWING = {"rmmar", "rm48", "rmafun"} | {next(iter(f.calls)) for f in FAMILIES.values() if f.calls}

# The COMMON blocks with a state, and the routines that go when a program is relinked.
STATES = {block: set() for family in FAMILIES.values() for block in family.states}
for _family in FAMILIES.values():
    for _block in _family.states:
        STATES[_block].update(_family.calls)

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


# Compilers' options that change the size of INTEGER or REAL, or how a REAL FUNCTION returns.
SIZES = re.compile(
    rb"-fdefault-(?:real|integer|double)-\d+|-freal-\d-real-\d+|(?<![\w-])-[ir]8\b"
    rb"|-real-size[ =]\d+|-integer-size[ =]\d+|-autodouble|-ff2c\b"
)


def options_in(data):
    """The compilers' options in `data` that change the size of INTEGER or REAL."""
    return sorted({option.decode() for option in SIZES.findall(data)})


def about_option(option):
    """What such an option means for a program that is to be linked with the libraries."""
    if option == "-ff2c":
        return (
            f"{option}: a REAL FUNCTION of the libraries would return wrong numbers: leave it out"
        )
    text = f"{option}: the libraries' INTEGER and REAL have four bytes"
    if re.search("integer|i8", option):
        text += "; RMMARD and RMMAQD with INTEGER of eight are in libgpuranmar_ilp64"
    if re.search("real-8|r8|autodouble", option):
        text += "; DOUBLE PRECISION may have sixteen, unless -fdefault-double-8 is given too"
    return text
