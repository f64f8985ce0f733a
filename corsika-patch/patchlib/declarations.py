"""How the generator's COMMON blocks are declared, and of which types names are."""

import re
from dataclasses import dataclass

from .shapes import CONSTANTS, STATE


@dataclass(frozen=True)
class Block:
    """A COMMON block that all units of the tree must declare alike."""

    name: str  # as CORSIKA calls it
    members: tuple  # in their order
    signs: frozenset  # members that give the block away under another name
    what: str


BLOCKS = (
    Block("CRRANMA4", STATE, frozenset({"I97", "J97"}), "state"),
    Block("CRRANMA3", CONSTANTS, frozenset({"CD", "CINT", "CM"}), "constants"),
)
DECLARATION = re.compile(
    r"(?:INTEGER|REAL|DOUBLEPRECISION|LOGICAL|COMPLEX|CHARACTER|COMMON|SAVE|"
    r"DIMENSION|PARAMETER|IMPLICIT|EXTERNAL|INTRINSIC)"
)
ASSIGNMENT = re.compile(r"\w+(?:\(.*\))?=")
COMMON = re.compile(r"COMMON/(\w+)/([^/]+)$")
DOUBLE, INTEGER = "DOUBLEPRECISION", "INTEGER"
TYPES = {name: DOUBLE for name in ("C", "U", "CD", "CINT", "CM", "TWOM24", "TWOM48")}
TYPES.update((name, INTEGER) for name in STATE[2:] + ("MODCNS",))

SPELLINGS = {"REAL*8": DOUBLE, "INTEGER*4": INTEGER}
TYPE = re.compile(
    r"(DOUBLEPRECISION|REAL(?:\*\d+)?|INTEGER(?:\*\d+)?|LOGICAL|COMPLEX|CHARACTER(?:\*\d+)?)"
    r"(?:::)?([A-Z].*)$"
)
DIMENSION = re.compile(r"(DIMENSION)(.*)$")


def declares(text):
    """Whether a statement does nothing but declare. REALNT=NTOT(2) assigns."""
    return DECLARATION.match(text) and not ASSIGNMENT.match(text)


def split_list(text):
    """The elements of a list, separated by commas outside parentheses."""
    elements, depth = [""], 0
    for char in text:
        depth += {"(": 1, ")": -1}.get(char, 0)
        if char == "," and depth == 0:
            elements.append("")
        else:
            elements[-1] += char
    return elements


def which_block(common):
    """The Block that a match of COMMON declares, rightly or not; None for any other COMMON.

    A generator without numbered sequences is another one, with a COMMON of its own.
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


def declared_types(items):
    """{name: (type, dimensions or '')} of the type, DIMENSION and COMMON statements of a unit."""
    types, dimensions = {}, {}
    for item in items:
        common = COMMON.match(item.text)
        match = TYPE.match(item.text)
        if common or item.text.startswith("DIMENSION"):
            elements = split_list(common[2] if common else item.text[len("DIMENSION") :])
        elif match and "FUNCTION" not in item.text:
            elements = split_list(match[2])
        else:
            continue
        for element in elements:
            name, _, rest = element.partition("(")
            if rest:
                dimensions[name] = rest.rstrip(")")
            if match and not common:
                types[name] = SPELLINGS.get(match[1], match[1])
    return {
        name: (types.get(name, ""), dimensions.get(name, "")) for name in {**types, **dimensions}
    }


def without_state(text):
    """A type statement or DIMENSION without the members of the state, but with JSEQ; None if it has
    none of them."""
    match = TYPE.match(text) or DIMENSION.match(text)
    elements = split_list(match[2]) if match and "FUNCTION" not in text else []
    rest = [e for e in elements if e.split("(")[0] not in STATE[:-1]]
    if len(rest) == len(elements):
        return None
    return f"{match[1]} {', '.join(rest)}" if rest else ""


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
