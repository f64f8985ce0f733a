"""Cuts the routines with hooks out of a source, so that verify can call each on its own."""

import os
import re
from dataclasses import dataclass, field
from itertools import combinations, takewhile

from whichlib.fortran import ASSIGNMENT, DECLARATION, DOUBLE, HEADER, INTEGER, REAL
from whichlib.fortran import declared_types, read_items, split_lines, type_of

from .declarations import COMMON, which_block
from .program_unit import split_units

FROM_VARIABLE = re.compile(r"(?:IF\((\w+)\))?JSEQ=([A-Z]\w*)$")
SPECIFICATION = re.compile(r"DATA|NAMELIST|INCLUDE|FORMAT|EQUIVALENCE")
ASKED = re.compile(r"(!\s*)?(?:defined\b[\s(]*)?\b([A-Za-z_]\w*)(?:\s*(==|>=?)\s*(\d+))?")
IFS = ("if", "ifdef", "ifndef")
OPENING = (*IFS, "else", "elif")  # directives that begin an #if branch
SITE_MACRO = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)(?:[ \t]+(.+?))??[ \t]*(?:/\*.*)?$", re.M)


def specifies(text):
    """Whether a statement is one of those that may stand among declarations."""
    return SPECIFICATION.match(text) and not ASSIGNMENT.match(text)


def is_routine(item):
    """The parts of a routine's first statement, if verify can call the routine."""
    header = HEADER.match(item.text)
    if not header or header["kind"] in ("PROGRAM", "MODULE"):
        return None
    return header if type_of(header["type"] or REAL) in (DOUBLE, REAL, INTEGER) else None


def cut_out(unit):
    """(First, last) line of a unit without the conditions around it, or None."""
    openers = [item for item in unit.items if is_routine(item)]
    if not openers or not unit.ended:
        return None
    first, end = openers[0], unit.items[-1]
    if first.branch != end.branch:  # the routine's name depends on an #if
        before = unit.items[: unit.items.index(first)]
        inner = [item for item in before if item.directive in IFS and item.branch == end.branch]
        if not inner:
            return None
        first = inner[-1]
    return first.first, end.last


def macros_before(unit):
    """The #define and #undef that stand between a unit and the one before it."""
    items = takewhile(lambda item: item.directive, unit.items)
    return [item for item in items if item.directive in ("define", "undef")]


def macros(item, own):
    """{macro: a value that makes a condition true, or 0 for undefined}, without the unit's `own`
    macros."""
    if item.directive not in (*IFS, "elif"):
        return {}
    text = item.text.split(None, 1)[-1]
    return {
        name: 0 if no or item.directive == "ifndef" else int(number or 1) + (sign == ">")
        for no, name, sign, number in ASKED.findall(text)
        if name not in own
    }


def conditions(units):
    """Returns a function: the macros under which the conditions around a unit are true."""
    items = (item for unit in units for item in unit.items)
    opened = [item for item in items if item.directive in OPENING]
    asked = {number: macros(item, ()) for number, item in enumerate(opened, 1)}

    def around(unit):
        values = (value for number in unit.items[-1].branch for value in asked[number].items())
        return tuple(sorted(f"{name}={value}" for name, value in values if value))

    return around


def variants(unit):
    """Sets of macros under which to compile a unit: none, each one, each pair, and for each #if
    branch all macros that its nested conditions need."""
    texts = (item.text for item in unit.items if item.directive in ("define", "undef"))
    own = {words[1] for words in map(str.split, texts) if len(words) > 1}
    found, around, stack = set(), [], []
    for item in unit.items:
        asked = macros(item, own)
        found |= {f"{name}={value or 1}" for name, value in asked.items()}
        if item.directive in ("else", "elif", "endif") and stack:
            stack.pop()
        if item.directive in OPENING:
            stack.append([f"{name}={value}" for name, value in asked.items() if value])
            around.append(tuple(sorted(set(sum(stack, [])))))
    pairs = [pair for pair in combinations(sorted(found), 2) if len(dict(map(split, pair))) == 2]
    return list(dict.fromkeys([(), *combinations(sorted(found), 1), *pairs, *around]))


def split(define):
    return define.split("=")


def under(defines):
    """A set of macros in words."""
    return f" with {' '.join(defines)}" if defines else ""


def site_macros(root):
    """The macros of include/config.h; none if the tree is not configured."""
    try:
        with open(os.path.join(root, "include", "config.h"), encoding="latin-1") as file:
            found = SITE_MACRO.findall(file.read())
    except OSError:
        return ()
    return tuple(f"{name}={value}" for name, value in dict(found).items())


@dataclass
class Interface:
    """How a routine is called, read from its preprocessed text."""

    name: str
    entries: list  # names of its ENTRYs
    kind: str  # FUNCTION, SUBROUTINE or BLOCKDATA
    result: str  # type of a FUNCTION
    arguments: list
    vector: tuple  # positions of the vector and of its length among the arguments, or ()
    variables: set  # (flag or '', variable that has the sequence if the flag is set)
    setter: list = field(default_factory=list)  # lines of a subroutine that sets the variables


def read_interface(text, name, vector):
    """The Interface of the only unit in a preprocessed text.

    name    for the setter
    vector  the names of the vector that it fills and of its length, if there are any
    """
    lines = split_lines(text)
    unit = split_units(read_items(lines, False))[0]
    header = next(item for item in unit.items if is_routine(item))
    match = is_routine(header)
    arguments = [argument for argument in (match["args"] or "").split(",") if argument]
    own_type = declared_types(unit.items).get(match["name"], ("", ""))[0]
    result = type_of(match["type"] or own_type or REAL)
    positions = tuple(arguments.index(name) for name in vector if name in arguments)
    found = filter(None, (FROM_VARIABLE.match(item.text) for item in unit.items))
    variables = {m.groups(default="") for m in found if m[2] not in arguments}
    headers = filter(None, (HEADER.match(item.text) for item in unit.statements))
    entries = [header["name"] for header in headers if header["kind"] == "ENTRY"]
    name_and_kind = match["name"], entries, match["kind"]
    interface = Interface(*name_and_kind, result, arguments, positions, variables)
    if variables:
        interface.setter = setter(unit, lines, header, interface, name)
    return interface


def setter(unit, lines, header, interface, name):
    """A subroutine with the declarations of a unit. It sets the variables that have the unit's
    sequence to CUTSEQ."""
    start = unit.items.index(header) + 1
    at = next(
        item.first
        for item in unit.items[start:]
        if not (item.directive or DECLARATION.match(item.text) or specifies(item.text))
    )
    out = [f'      SUBROUTINE {name}({",".join(interface.arguments)})\n']
    commons = {  # a program with hooks must not have these
        line
        for item in unit.items
        if COMMON.match(item.text) and which_block(COMMON.match(item.text))
        for line in range(item.first, item.last + 1)
    }
    out += [lines[line] for line in range(header.last + 1, at) if line not in commons]
    out += ["\n", "      INTEGER CUTSEQ\n", "      COMMON /CUTCOM/ CUTSEQ\n"]
    for flag, variable in sorted(interface.variables):
        out.append(f"      {variable} = CUTSEQ\n")
        if flag:
            out.append(f"      {flag} = CUTSEQ .GT. 0\n")
    return out + ["      END\n"]
