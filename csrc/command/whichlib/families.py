"""The families of RANMAR programs: those of families.def, and those for which there is no
library."""

import os
import re
from typing import NamedTuple

TABLE = os.path.join(os.path.dirname(os.path.realpath(__file__)), "../../families/families.def")


class Family(NamedTuple):
    """A family, as a row of families.def describes it."""

    link: str  # the options for the linker, or what to do instead
    says: str  # its calls, precision and rule for zeros
    calls: dict = {}  # {routine: (names of its arguments, whether it is a FUNCTION, type)}
    states: tuple = ()  # COMMON blocks with the state, which the library does not update
    kept: tuple = ()  # COMMON blocks in which the library updates the state or its seeds
    drawing: tuple = ()  # the routines that draw
    in_module: bool = False  # programs use its routines through a module, with interfaces


def rows():
    """The rows of families.def: {name: Family}."""
    with open(TABLE, encoding="utf-8") as file:
        text = re.sub(r'"\s+"', "", file.read().partition("*/")[2])
    found = {}
    for row in text.split("FAMILY(")[1:]:
        name, calls, types, words, zero, who, state, _ = row.split('"')[1::2]
        others = dict(re.findall(r"(\w+): (\w+)", types.lower()))
        routines = {
            match[2].lower(): (
                [a for a in match[3].split(",") if a],
                bool(match[1]),
                others.get(match[2].lower(), types.split()[0].lower()).upper(),
            )
            for match in re.finditer(r"(U = )?(\w+)\(([^)]*)\)", calls)
        }
        blocks = tuple(re.findall(r"/(\w+)/", state.lower()))
        found[name] = Family(
            f"-lgpuranmar_{name} -lgpuranmar",
            f"{calls.replace(') ', '), ')}: {who}; {words} bits in {types}; a zero "
            + (f"is {zero}" if zero in ("kept", "redrawn") else f"becomes {zero}"),
            routines,
            () if "kept up" in state else blocks,
            blocks if "kept up" in state else (),
            tuple(r for r in routines if r in (*list(routines)[:1], *others, "rmmar", "rmafun")),
            "module" in state,
        )
    return found


FAMILIES = {
    "corsika": Family(
        "-lgpuranmar",
        "RMMARD(RVEC,LENV,ISEQ), RMMAQD: CORSIKA's; 48 bits in DOUBLE, a zero becomes 2^-48",
        {
            "rmmard": (["RVEC", "LENV", "ISEQ"], False, "DOUBLE"),
            "rmmaqd": (["ISEED", "ISEQ", "CHOPT"], False, "DOUBLE"),
        },
        ("crranma4",),
        drawing=("rmmard",),
    ),
    **rows(),
    "clhep": Family(
        "class gpuranmar::HepJamesRandom of gpuranmar_clhep.hpp",
        "HepJamesRandom: CLHEP, Geant4; 24 bits in double, a zero is redrawn",
    ),
    "class": Family(
        "no library can take its place: an engine in the program's own source can "
        "(docs/classes.md)",
        "a class of PYTHIA 8 (Rndm), LAMMPS (RanMars) or egs++ (EGS_Ranmar)",
    ),
    "own": Family(
        "no library can take its place: gpuranmar_engine.h and 20 lines can",
        "RANMAR's recurrence under a name or with arguments of the program's own, or inlined",
    ),
}

# {routine: the families that have it}
ROUTINES = {}
for _name, _family in FAMILIES.items():
    for _routine in _family.calls:
        ROUTINES.setdefault(_routine, []).append(_name)
DRAWING = {routine for family in FAMILIES.values() for routine in family.drawing}

# {COMMON block with a state: the routines that relinking replaces}
STATES = {}
for _family in FAMILIES.values():
    for _block in _family.states:
        STATES.setdefault(_block, set()).update(_family.calls)

# Compilers' options that change the size of INTEGER or REAL, or how a REAL FUNCTION returns.
SIZES = rb"-fdefault-(?:real|integer|double)-\d+|-freal-\d-real-\d+|(?<![\w-])-[ir]8\b"
SIZES = re.compile(SIZES + rb"|-(?:real|integer)-size[ =]\d+|-autodouble|-ff2c\b")

# Options for the length of lines in fixed form. A bare -132 counts only in a compiler's flags.
LENGTHS = (
    rb"(?<![\w-])-(?:ffixed-line-length|qfixed)[-=](\w+)|(?<![\w-])-(?:extend[-_]source|Mextend)"
)
LENGTHS = re.compile(LENGTHS + rb"|(?:FLAGS|ifort|ifx|\bflang)[^\n]*\s-132(?!\S)")


def columns_in(data):
    """How many columns of a line in fixed form compilers read with the options in `data`."""
    given = [match[1] or b"132" for match in LENGTHS.finditer(data)]
    return max((int(n) if n.isdigit() and int(n) else 10**6 for n in given), default=72)


def options_in(data):
    """The compilers' options in `data` that change what an argument or a result is."""
    return sorted({option.decode() for option in SIZES.findall(data)})


def family_with(options, name):
    """The family whose library takes this family's arguments in the sizes that the options give
    them; '' if none does. 'ilp64' is for RMMARD with INTEGER of eight bytes."""
    calls = FAMILIES[name].calls
    kind = next((call[2] for call in calls.values()), "")
    text = " ".join(options)
    if kind and re.search(r"integer-8|-i8|integer-size.64", text):
        return "ilp64" if name == "corsika" else ""
    if kind == "REAL" and re.search(r"default-real|real-4-|-r8|real-size.(?!32)|autodouble", text):
        calls = {routine: (*call[:2], "DOUBLE") for routine, call in calls.items()}
        wide = [other for other, family in FAMILIES.items() if family.calls == calls]
        return "" if re.search(r"real-1[06]|real-size.128", text) or not wide else wide[0]
    sixteen = "default-real" in text and "default-double-8" not in text
    return "" if kind == "DOUBLE" and (sixteen or "real-8-" in text) else name


def about_option(option):
    if option == "-ff2c":
        return "-ff2c: a REAL FUNCTION of the libraries would return wrong numbers: leave it out"
    text = f"{option}: the libraries' INTEGER and REAL have four bytes"
    if re.search("integer|i8", option):
        text += "; RMMARD and RMMAQD with INTEGER of eight are in libgpuranmar_ilp64"
    if re.search("default-real-8|r8|autodouble", option):
        text += "; DOUBLE PRECISION may have sixteen, unless -fdefault-double-8 is given too"
    return text


def in_module(routine, module, shaped=()):
    """What to do with a routine in a module; shaped: its arguments of assumed shape."""
    text = f"{routine.upper()} is in module {module}, where no library can take its place: put an "
    text += "interface to the library's routine into the module (csrc/families/README.md)"
    return text + "".join(f", in which {array} is {array}(*)" for array in shaped)
