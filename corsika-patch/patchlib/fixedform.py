"""Reads fixed-form Fortran that goes through the C preprocessor.

A source becomes a list of *items*, statements and preprocessor directives, each with its lines.
Statements are canonical: continuation lines joined, comments and blanks dropped, upper case, and
.LT. written <, so that shapes.py can compare them without regard to layout.
"""

import re
from dataclasses import dataclass, field
from functools import cached_property

LAST_COLUMN = 72  # of what this tool writes; other lines count as far as they go

RELATIONS = {".LT.": "<", ".LE.": "<=", ".EQ.": "==", ".NE.": "/=", ".GE.": ">=", ".GT.": ">"}
RELATION = re.compile(r"\.(?:LT|LE|EQ|NE|GE|GT)\.")
STRING = re.compile(r"""('(?:[^']|'')*'|"(?:[^"]|"")*")""")
C_COMMENT = re.compile(r"/\*.*?\*/")
# Comments that -fopenmp makes statements. Lines with D, a comment to some, are statements too.
SENTINEL = re.compile(r"[Cc*!]\$(?=[ \d])")
LINE_DIRECTIVE = re.compile(r"#\s*(?:line\s+)?(\d+)")


@dataclass
class Item:
    first: int  # index of its first line
    last: int  # index of its last line
    text: str  # canonical; a directive starts with '#'
    label: str = ""
    alone: bool = True  # no other statement shares its lines
    branch: tuple = ()  # the #if branches it stands in, outermost first

    @cached_property
    def directive(self):
        """'if', 'else', 'endif', 'define', ..., 'line' for a line marker; '' for a statement."""
        if not self.text.startswith("#"):
            return ""
        match = re.match(r"#\s*([a-z]+|\d)", self.text)
        if not match:
            return "null"
        return "line" if match[1].isdigit() else match[1]


@dataclass
class Unit:
    """A program unit, or the part of an include file after its last one."""

    items: list
    name: str = ""
    ended: bool = False  # it has its END
    statements: list = field(default_factory=list)


def split_lines(text):
    """The lines of a text, each with its own line ending."""
    return text.split("\n") if not text else re.findall(r"[^\n]*\n|[^\n]+", text)


def indent_of(line):
    """The columns before a line's statement, within bounds that leave room for a statement."""
    line = line.expandtabs(6)
    return min(max(len(line) - len(line[6:].lstrip()), 6), 24)


def _columns(line):
    """(label field, continued, statement field) of a line of code."""
    line = line.rstrip("\r\n")
    tab = line[:6].find("\t")
    if tab >= 0:  # DEC form: a digit after the tab continues
        label, rest = line[:tab], line[tab + 1 :]
        if rest[:1] in tuple("123456789"):
            return label, True, rest[1:]
        return label, False, rest
    return line[:5], line[5:6] not in ("", " ", "0"), line[6:]


def _drop_comment(text):
    """The text up to a '!' that is not inside a string."""
    quote = ""
    for i, char in enumerate(text):
        if quote:
            quote = "" if char == quote else quote
        elif char in "'\"":
            quote = char
        elif char == "!":
            return text[:i]
    return text


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


def _logical_lines(lines, preprocessed):
    """Yields (first, last, label, text) of each statement with its continuation lines, and of each
    directive, whose text is its line."""
    pending, comment, i = None, False, 0
    while i < len(lines):
        line = SENTINEL.sub("$ ", lines[i])
        if comment:
            comment = "*/" not in line
        elif line.startswith("#"):
            if pending:
                yield pending
                pending = None
            first = i
            while lines[i].rstrip("\r\n").endswith("\\") and i + 1 < len(lines):
                i += 1
            yield first, i, "", line.rstrip()
        elif line[:1] in tuple("Cc*!") or not line.strip():
            pass
        elif preprocessed and line.lstrip().startswith("/*"):
            comment = "*/" not in line
        else:
            if preprocessed:
                line = C_COMMENT.sub(" ", line)
            label, continued, text = _columns(line)
            text = text if label.strip().startswith("!") else _drop_comment(text)
            if label.strip().startswith("!") or not (label + text).strip():
                pass
            elif continued and pending:
                pending = (pending[0], i, pending[2], pending[3] + text)
            else:
                if pending:
                    yield pending
                pending = (i, i, label.strip(), text)
        i += 1
    if pending:
        yield pending


def read_items(lines, preprocessed):
    """The statements and directives of a source.

    lines         with or without line endings
    preprocessed  whether C comments are to be skipped as the preprocessor does
    """
    items, branch, counter = [], [], 0
    for first, last, label, text in _logical_lines(lines, preprocessed):
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
        for number, statement in enumerate(statements):
            items.append(
                Item(
                    first,
                    last,
                    statement,
                    label if number == 0 else "",
                    len(statements) == 1,
                    tuple(branch),
                )
            )
    return items


HEADER = re.compile(
    r"(?:RECURSIVE|PURE|ELEMENTAL)*"
    r"(?:(?:INTEGER|REAL|DOUBLEPRECISION|LOGICAL|COMPLEX|CHARACTER)[*0-9()]*)?"
    r"(PROGRAM|SUBROUTINE|FUNCTION|BLOCKDATA)([A-Z]\w*)?(\(.*\))?$"
)
END = re.compile(r"END(?:PROGRAM|SUBROUTINE|FUNCTION|BLOCKDATA)?(?:[A-Z]\w*)?$")
NOT_END = re.compile(r"END(?:DO|IF|FILE|SELECT|WHERE|TYPE|INTERFACE|FORALL)")


def split_units(items):
    """The program units of a source, in order."""
    units, current = [], Unit([])
    for item in items:
        current.items.append(item)
        if item.directive:
            continue
        current.statements.append(item)
        header = HEADER.match(item.text)
        if header and not current.name:
            current.name = header[2] or header[1]
        if END.match(item.text) and not NOT_END.match(item.text):
            current.ended = True
            units.append(current)
            current = Unit([])
    if current.items:
        units.append(current)
    return units


def presumed_lines(lines):
    """The line number that the compiler gives each line, and the next one after the last."""
    numbers = [1]
    for line in lines:
        marker = LINE_DIRECTIVE.match(line)
        numbers.append(int(marker[1]) if marker else numbers[-1] + 1)
    return numbers
