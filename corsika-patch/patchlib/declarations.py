"""How the generator's COMMON blocks are declared."""

import re
from dataclasses import dataclass

from whichlib.fortran import DIMENSION, DOUBLE, HEADER, INTEGER, TYPE, split_list

from .generator_shapes import CONSTANTS, STATE


@dataclass(frozen=True)
class Block:
    """A COMMON block that all units of the tree must declare alike."""

    name: str  # as CORSIKA calls it
    members: tuple  # in their order
    signs: frozenset  # members that identify the block under another name
    what: str


BLOCKS = (
    Block("CRRANMA4", STATE, frozenset({"I97", "J97"}), "state"),
    Block("CRRANMA3", CONSTANTS, frozenset({"CD", "CINT", "CM"}), "constants"),
)
COMMON = re.compile(r"COMMON/(\w+)/([^/]+)$")
TYPES = {name: DOUBLE for name in ("C", "U", "CD", "CINT", "CM", "TWOM24", "TWOM48")}
TYPES.update((name, INTEGER) for name in STATE[2:] + ("MODCNS",))


def which_block(common):
    """The Block that a match of COMMON declares, even if wrongly; None for any other COMMON.

    A generator without numbered sequences is not RMMARD's: it has a COMMON of its own.
    """
    names = {member.split("(")[0] for member in split_list(common[2])}
    for block in BLOCKS:
        if common[1] == block.name:
            return block
        if block.signs <= names and (block.what == "constants" or "JSEQ" in names):
            return block
    return None


def is_other_generator(common):
    names = {member.split("(")[0] for member in split_list(common[2])}
    return {"I97", "J97"} <= names and which_block(common) is None


def without_state(text):
    """A type statement or DIMENSION without the members of the state other than JSEQ, '' if nothing
    is left; None if it has no such member."""
    match = TYPE.match(text) or DIMENSION.match(text)
    elements = split_list(match[2]) if match and not HEADER.match(text) else []
    rest = [e for e in elements if e.split("(")[0] not in STATE[:-1]]
    if len(rest) == len(elements):
        return None
    return f"{text[:match.start(2)]} {', '.join(rest)}" if rest else ""


def wrong_member(common, block, types):
    """What is wrong with the declaration of a block, in words, or None."""
    if common[1] != block.name:
        return f"COMMON {block.what} of the generator is /{common[1]}/ instead of /{block.name}/"
    names = tuple(member.split("(")[0] for member in split_list(common[2]))
    if names != block.members:
        return f"COMMON {block.what} of the generator with other members than known"
    for name in names:
        declared = types.get(name, ("", ""))[0]
        if declared and declared != TYPES[name]:
            return f"{name} of the generator is {declared} instead of {TYPES[name]}"
    words = types.get("U", ("", ""))[1]
    if "U" in names and not re.fullmatch(r"97,\w+", words):
        return f"the generator has U({words}) instead of U(97,KSEQ)"
    return None
