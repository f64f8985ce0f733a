"""Reads Fortran source, for gpuranmar-which and gpuranmar-patch.

A source becomes a list of *items*, statements and preprocessor directives, each with its lines.
Statements are canonical: continuation lines joined, comments and blanks dropped, upper case, and
.LT. written <, so that they can be compared without regard to form and layout.
"""

import re
from dataclasses import dataclass
from functools import cached_property

RELATIONS = {".LT.": "<", ".LE.": "<=", ".EQ.": "==", ".NE.": "/=", ".GE.": ">=", ".GT.": ">"}
RELATION = re.compile(r"\.(?:LT|LE|EQ|NE|GE|GT)\.")
STRING = re.compile(r"""('(?:[^']|'')*'|"(?:[^"]|"")*")""")
# A string, perhaps unterminated, or a comment of the preprocessor.
C_COMMENT = re.compile(r"""('[^'\n]*'?|"[^"\n]*"?)|/\*.*?(\*/|\Z)""", re.S)
# Conditional compilation: -fopenmp compiles these comments, in which only a label may stand before
# column 6. (A line with D in column 1 counts as a statement, though some compilers take it for a
# comment.)
SENTINEL = re.compile(r"[Cc*!]\$(?=[ \d]{0,2}\t|[ \d]{3})")

# The file that an item includes.
INCLUDE = re.compile(r"""(?:#\s*)?(?i:include)\s*(?:"(.+?)"|'(.+?)')""")
_TYPE = (
    r"(?:DOUBLEPRECISION|TYPE\(\w+\)|(?:REAL|INTEGER|LOGICAL|COMPLEX|CHARACTER)"
    r"(?:\*\d+|\*?\([^()]*(?:\([^()]*\)[^()]*)*\))?)"
)
TYPE = re.compile(rf"({_TYPE})(?:,.*(?=::))?(?:::)?([A-Z].*)$")
DIMENSION = re.compile(r"(DIMENSION)(?:::)?(.*)$")
HEADER = re.compile(
    rf"(?:RECURSIVE|PURE|ELEMENTAL)*(?P<type>{_TYPE})?(?:RECURSIVE|PURE|ELEMENTAL)*"
    r"(?P<kind>PROGRAM|SUBROUTINE|FUNCTION|BLOCKDATA|ENTRY|MODULE(?!PROCEDURE))"
    r"(?P<name>[A-Z]\w*)?(?:\((?P<args>[^()]*)\))?"
    r"(?:RESULT\((?P<result>\w+)\)|(?P<bind>BIND\(C.*\)))*$"
)
DECLARATION = re.compile(
    r"INTEGER|REAL|DOUBLEPRECISION|LOGICAL|COMPLEX|CHARACTER|TYPE\(|COMMON|SAVE|"
    r"DIMENSION|PARAMETER|IMPLICIT|EXTERNAL|INTRINSIC"
)
IMPLICIT = re.compile(rf"(?:IMPLICIT|,)({_TYPE})\(([A-Z,-]*)\)")
DOUBLE, REAL, INTEGER = "DOUBLEPRECISION", "REAL", "INTEGER"
SPELLINGS = {
    DOUBLE: r"REAL(?:\*8|\((?:KIND=)?(?:8|DP|\w*REAL64|\w*DOUBLE|R8|KIND\(1\.?0?D0\))\))",
    REAL: r"REAL(?:\*4|\((?:KIND=)?(?:4|SP|\w*REAL32)\))",
    INTEGER: r"INTEGER(?:\*4|\((?:KIND=)?4\))",
}
ASSIGNMENT = re.compile(r"\w+(?:\(.*\))?=")
ELEMENT = re.compile(r"([A-Z]\w*)(?:\((.*)\))?(?:\*(\d+))?")


@dataclass
class Item:
    first: int  # index of its first line
    last: int  # index of its last line
    text: str  # canonical; a directive starts with '#'
    label: str = ""
    alone: bool = True  # no other statement shares its lines
    branch: tuple = ()  # the #if branches it stands in, outermost first
    of_file: str = ""  # says in which included file it stands; '' if in none
    beyond: bool = False  # compilers may ignore some of it: beyond column 72, or after !$ or D

    @cached_property
    def directive(self):
        """'if', 'else', 'endif', 'define', ..., 'line' for a line marker; '' for a statement."""
        if not self.text.startswith("#"):
            return ""
        match = re.match(r"#\s*([a-z]+|\d)", self.text)
        if not match:
            return "null"
        return "line" if match[1].isdigit() else match[1]


def split_lines(text):
    """The lines of a text, each with its own line ending."""
    return text.split("\n") if not text else re.findall(r"[^\n]*\n|[^\n]+", text)


def is_preprocessed(path):
    return not path.endswith((".f", ".for", ".ftn", ".f77", ".f90", ".f95", ".f03", ".f08"))


def is_free(path):
    return path.lower().endswith((".f90", ".f95", ".f03", ".f08"))


def _fixed_columns(line):
    """(label field, continued, statement field) of a line of code."""
    if INCLUDE.match(line.lstrip()):  # gfortran takes INCLUDE in each column
        return "", False, line.lstrip()
    tab = line[:6].find("\t")
    if tab >= 0:  # DEC form: a digit after the tab continues
        label, rest = line[:tab], line[tab + 1 :]
        if rest[:1] in tuple("123456789"):
            return label, True, rest[1:]
        return label, False, rest
    return line[:5], line[5:6] not in ("", " ", "0"), line[6:]


def _free_columns(line, before):
    """(label field, continued, statement field) in free form; `before` ends in '&' if this line
    continues it."""
    if before.endswith("&"):
        line = line.lstrip()
        return "", True, line[line.startswith("&") :]
    label = re.match(r"\s*(\d+)\s", line)
    return (label[1], False, line[label.end() :]) if label else ("", False, line)


def _drop_comment(text):
    """The text up to a '!' that is not inside a string."""
    quote = ""
    for i, char in enumerate(text if "!" in text else ""):
        if quote:
            quote = "" if char == quote else quote
        elif char in "'\"":
            quote = char
        elif char == "!":
            return text[:i]
    return text


def _drop_c_comments(lines, at):
    """(index of the last line, text): line `at` without C comments. As in the preprocessor, a
    comment joins the lines that it begins and ends in."""
    text = whole = lines[at].rstrip("\r\n")
    while "/*" in text:
        found = list(C_COMMENT.finditer(text))
        if all(match[1] or match[2] for match in found):
            return at, C_COMMENT.sub(lambda match: match[1] or "", text)
        begin = at + 1
        at = next((n for n in range(begin, len(lines)) if "*/" in lines[n]), -1)
        if at < 0:
            return begin - 1, whole  # the preprocessor refuses a comment without end
        text = "\n".join([text, *(line.rstrip("\r\n") for line in lines[begin : at + 1])])
    return at, text


def _canonical(text):
    parts = STRING.split(text)
    for i in range(0, len(parts), 2):  # odd ones are strings
        part = re.sub(r"\s+", "", parts[i]).upper()
        parts[i] = RELATION.sub(lambda match: RELATIONS[match[0]], part)
    return "".join(parts)


def _split_statements(text):
    """Statements of one line, separated by ';' outside strings."""
    parts, current = STRING.split(text), [""]
    for i, part in enumerate(parts):
        pieces = [part] if i % 2 else part.split(";")
        current[-1] += pieces[0]
        current += pieces[1:]
    return current


def _logical_lines(lines, preprocessed, free, columns):
    """Yields (first, last, label, text, beyond) of each statement and of each directive, with their
    continuation lines; beyond: as in Item."""
    pending, i = None, 0
    width = None if free or not columns else columns - 6
    while i < len(lines):
        first, directive = i, lines[i].startswith("#")
        i, line = _drop_c_comments(lines, i) if preprocessed else (i, lines[i].rstrip("\r\n"))
        while directive and line.endswith("\\") and i + 1 < len(lines):
            i += 1
            line = line[:-1] + lines[i].rstrip("\r\n")
        conditional = not free and (SENTINEL.match(line) or line[:1] in ("D", "d"))
        line = line if free else SENTINEL.sub("$ ", line)
        if directive:
            if pending:
                yield pending
                pending = None
            yield first, i, "", line.rstrip(), False
        elif not line.strip() or (not free and line[0] in "Cc*!"):
            pass
        else:
            before = pending[3] if pending else ""
            fields = _free_columns(line, before) if free else _fixed_columns(line)
            label, continued, text = fields
            text = text if label.strip().startswith("!") else _drop_comment(text)
            beyond = not free and (len(text.rstrip()) > 66 or bool(conditional))
            text = text[:width]
            if free:
                text = text.rstrip()
            if label.strip().startswith("!") or not (label + text).strip():
                pass
            elif continued and pending:
                before = before[:-1] if free else before
                pending = (pending[0], i, pending[2], before + text, pending[4] or beyond)
            else:
                if pending:
                    yield pending
                # What continues the statement before a directive becomes an item with a '&'.
                pending = (first, i, label.strip(), "&" * (continued and not free) + text, beyond)
        i += 1
    if pending:
        yield pending


def read_items(lines, preprocessed, free=False, columns=None):
    """The statements and directives of a source.

    lines         with or without line endings
    preprocessed  whether C comments are to be skipped as the preprocessor does
    free          whether it is in free form
    columns       how many columns of fixed form are read; those behind are a comment. None: all
    """
    items, branch, counter = [], [], 0
    for first, last, label, text, beyond in _logical_lines(lines, preprocessed, free, columns):
        if text.startswith("#"):
            item = Item(first, last, text, branch=tuple(branch))
            if item.directive in ("if", "ifdef", "ifndef", "else", "elif"):
                counter += 1
                if item.directive in ("else", "elif") and branch:
                    branch.pop()
                branch.append(counter)
            elif item.directive == "endif" and branch:
                branch.pop()
            items.append(item)
            continue
        statements = [s for s in map(_canonical, _split_statements(text)) if s]
        alone, within = len(statements) == 1, tuple(branch)
        for number, statement in enumerate(statements):
            its_label = "" if number else label
            items.append(Item(first, last, statement, its_label, alone, within, beyond=beyond))
    return items


def declares(text):
    """Whether a statement only declares. REALNT=NTOT(2), REALS%N=NTOT(2) and REALS(1::2)=NTOT(2)
    are assignments."""
    if not DECLARATION.match(text):
        return False
    text, inner = STRING.sub("", text), 1
    while inner:
        text, inner = re.subn(r"\([^()]*\)", "", text)
    return "=" not in text.partition("::")[0]


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


def type_of(text):
    """The canonical spelling of a type: DOUBLEPRECISION for REAL*8, for instance."""
    return next((name for name, as_ in SPELLINGS.items() if re.fullmatch(as_, text)), text)


def implicit_type(lines, name):
    """The type that an IMPLICIT gives a name; '' if none does."""
    for line in lines:
        for kind, ranges in IMPLICIT.findall(line if line.startswith("IMPLICIT") else ""):
            for low, high in re.findall(r"([A-Z])(?:-([A-Z]))?", ranges):
                if low <= name[0] <= (high or low):
                    return type_of(kind)
    return ""


def _elements(text):
    """The name, the dimensions and the size of each element of a declaration."""
    return (m.groups("") for m in map(ELEMENT.match, split_list(text)) if m)


def declared_types(items):
    """{name: (type, dimensions)} from type statements, DIMENSION and COMMON; '' if none of them
    declares it."""
    types = {}
    for item in items:
        kind, elements = "", ""
        match = declares(item.text) and (TYPE.match(item.text) or DIMENSION.match(item.text))
        if item.text.startswith("COMMON"):
            elements = re.sub(r"/\w*/", ",", item.text[len("COMMON") :])
        elif match and not HEADER.match(item.text):
            kind, elements = type_of(match[1]).replace("DIMENSION", ""), match[2]
        for name, dimensions, size in _elements(elements):
            own = type_of(f"{kind}*{size}") if size else kind
            before = types.get(name, ("", ""))
            types[name] = own or before[0], dimensions or before[1]
    return types
