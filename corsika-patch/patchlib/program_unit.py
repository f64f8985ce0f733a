"""Finds the shapes in one program unit, and makes their hooks."""

import re
from dataclasses import dataclass, field
from functools import partial

from whichlib.fortran import DOUBLE, HEADER, INCLUDE, INTEGER, REAL
from whichlib.fortran import declared_types, declares, implicit_type

from . import generator_shapes as shapes
from . import hook_text
from .hook_text import indent_of
from .hooks import Hook
from .matching import Cursor
from .generator_shapes import STATE_USE

# Matches the first statement of each shape, so that others need no comparison.
BEGINS = re.compile(r"^DO\d*\w+=1,|^IF\(\w+\)THEN$|^PARAMETER\(|I97\(|IJKL\(|NTOT|TWOM24")
SPLIT = re.compile(rf"IF\(|EL|EN|DO|GO|SELECT|CASE|RET|EXIT|CYC|\w+:|JSEQ=|.*{STATE_USE.pattern}")
SINGLE, VECTOR = "draw", "vector draw"
PLAIN_DIRECTIVE = re.compile(r"#\s*(?:(?:define|undef)\s+\w+\s*$|include\b|$)")
# A statement that sets a variable or an element of an array.
SET = re.compile(r"(?:IF\(.*\)(?=[A-Z]))?(?!IF\()(?:DO\d*(?=\w+=\d+,))?([A-Z]\w*)(?:\(.*\))?=")
START_VALUES = re.compile(r"([A-Z]\w*)(?:\([^/]*\))?/([^/]*)/")
READ_ONLY = (
    (shapes.WRITE, "states written", lambda _, indent: hook_text.all_states("STA", indent)),
    (shapes.REPORT, "counters reported", hook_text.counters),
    (shapes.POSITION, "position read", hook_text.counters),
)
END = re.compile(r"END(?:PROGRAM|SUBROUTINE|FUNCTION|BLOCKDATA)?(?:[A-Z]\w*)?$")
NOT_END = re.compile(
    r"END(?:DO|IF|FILE|SELECT|WHERE|TYPE|INTERFACE|FORALL|ASSOCIATE|BLOCK(?!DATA)|CRITICAL|ENUM|"
    r"TEAM|STRUCTURE|UNION|MAP)"
)


@dataclass
class Unit:
    """A program unit, or what stands after the last unit of a file, as in an include file."""

    items: list
    name: str = ""
    ended: bool = False  # whether its END was found
    statements: list = field(default_factory=list)

    def has(self, line):
        return self.items[0].first <= line <= self.items[-1].last

    def stands_in(self, item):
        """Whether the unit's END stands in all #if branches that the item stands in."""
        return self.items[-1].branch[: len(item.branch)] == item.branch


def split_units(items):
    """The program units of a source, in order."""
    units, current = [], Unit([])
    for item in items:
        current.items.append(item)
        if item.directive:
            continue
        current.statements.append(item)
        header = HEADER.match(item.text)
        if header and not current.name and header["kind"] not in ("ENTRY", "MODULE"):
            current.name = header["name"] or header["kind"]
        if END.match(item.text) and not NOT_END.match(item.text):
            current.ended = True
            units.append(current)
            current = Unit([])
    if current.items:
        units.append(current)
    return units


def start_values(text):
    """{name: value} of a DATA statement."""
    return dict(START_VALUES.findall(text[4:])) if text.startswith("DATA") else {}


def only_draws(unit):
    """Whether an RMMARD is exactly the known draw, under any macros."""
    items = [item for item in unit.items if item.directive != "line" and not declares(item.text)]
    start = next((at for at, item in enumerate(items) if item.text.startswith("IF(")), 0)
    before = [item for item in items[:start] if not PLAIN_DIRECTIVE.match(item.text)]
    cursor = Cursor(before + items[start:], 0, k="JSEQ")
    parts = (shapes.RMMARD, shapes.VECTOR_LOOP, shapes.RECURRENCE, shapes.AVOID_ZERO)
    parts += shapes.VECTOR_DELIVERY, shapes.COUNT, shapes.RETURN
    return all(map(cursor.take, parts))


class UnitShapes:
    """
    hooks        the hooks of the shapes
    matched      indices of items that belong to a shape
    misses       (index of the item that differs, 'arithmetic', 'constants' or 'state', what is
                 expected there) of each shape that begins as a known one and then differs
    names        {index of a shape's first item: {variable: its value}}
    constants    index of the item at which the unit begins to set the constants, or None
    unset        names of variables that the original sets and hooked code does not
    needs_state  whether hooked code handles a whole state, not only draws
    """

    def __init__(self, unit, lines):
        self.unit, self.items, self.lines = unit, unit.items, lines
        self.hooks, self.misses, self.miss = [], [], None
        self.matched, self.names, self.constants = set(), {}, None
        self.unset, self.needs_state = set(), False
        finders = (
            self.vector_draw,
            self.single_draw,
            self.seeding,
            self.states_read,
            partial(self.copy, parts=shapes.COPY_OUT, kind="state copied out"),
            partial(self.copy, parts=shapes.COPY_IN, kind="state copied in"),
            *(partial(self.read_only, shape=s, kind=k, code_of=c) for s, k, c in READ_ONLY),
            self.set_constants,
            self.set_again,
        )
        at = 0
        while at < len(self.items):
            begins = BEGINS.search(self.items[at].text)
            found = (finder(at) for finder in finders if begins)
            end = next(filter(None, found), None)
            if not end and self.miss:
                end, *miss = self.miss
                self.matched.update(range(at, end))
                self.misses.append(miss)
            at, self.miss = end or at + 1, None

    def line(self, at):
        """Index of the first line of item `at`."""
        return self.items[at].first

    def indent(self, at):
        return indent_of(self.lines[self.line(at)])

    def missed(self, cursor, start, *parts, what="arithmetic"):
        """Notes that a shape of these parts begins at start, but differs at the cursor's furthest
        item. Returns None, because another shape may begin at start too."""
        at, expected = cursor.expected()
        end = min(max(at, start + sum(map(len, parts))) + 1, len(self.items))
        self.miss = self.miss or (end, at, what, expected)

    def claim(self, kind, cursor, start, hooked, where):
        """Claims the items that the cursor has passed as a shape. A hook goes around, before or
        after these items."""
        end = cursor.at
        self.matched.update(range(start, end))
        self.names[start] = cursor.bound
        first, last = self.line(start), self.items[end - 1].last
        if where == "before":
            last = first - 1
            if self.items[start].label:  # a GOTO would pass by the hook
                self.misses.append((start, "state", "no label"))
        elif where == "after":
            first = last + 1
        self.hooks.append(Hook(first, last, hooked, kind, self.unit.name, cursor.bound["k"]))
        self.needs_state |= kind not in (SINGLE, VECTOR)
        if where == "around" and kind != SINGLE:
            texts = (item.text for item in self.items[start:end])
            self.unset |= {match[1] for match in map(SET.match, texts) if match}
            self.unset -= {*shapes.STATE, cursor.bound.get("vec")}
        return end

    def wrong_type(self, cursor, start):
        """Whether the sequence, a vector or its length may have another type than the library's
        routines expect."""
        types, lines = declared_types(self.items), [item.text for item in self.items]
        hidden = any(map(INCLUDE.match, lines))  # what is included may declare it; verify sees that
        byte = any(line.startswith("BYTE") for line in lines)
        for variable, known in (("vec", DOUBLE), ("n", INTEGER), ("k", INTEGER)):
            name = cursor.bound.get(variable, "0")
            usual = INTEGER if name[0] in "IJKLMN" else REAL
            usual = "other" if byte else known if hidden else usual
            found = types.get(name, ("", ""))[0] or implicit_type(lines, name) or usual
            if not name.isdigit() and name != "JSEQ" and found != known:
                cursor.furthest = start, f"{known} {name}", {}
                return True
        return False

    def vector_draw(self, start):
        """As in RMMARD: a loop that fills a vector, then the count."""
        cursor = Cursor(self.items, start)
        if not (cursor.take(shapes.VECTOR_LOOP) and cursor.take(shapes.RECURRENCE[:1])):
            return None
        parts = (shapes.RECURRENCE[1:], shapes.AVOID_ZERO, shapes.VECTOR_DELIVERY, shapes.COUNT)
        if not all(map(cursor.take, parts)):
            return self.missed(cursor, start, *parts)
        if self.wrong_type(cursor, start):
            return self.missed(cursor, start, *parts)
        names = map(cursor.bound.get, ("vec", "n", "k"))
        hooked = hook_text.draw_vector(*names, self.indent(start), self.items[start].label)
        return self.claim(VECTOR, cursor, start, hooked, "around")

    def single_draw(self, start):
        """The recurrence, the delivery of the number, the count."""
        cursor = Cursor(self.items, start, n="1")
        if not cursor.take(shapes.RECURRENCE[:1]):
            return None
        parts = shapes.RECURRENCE, shapes.AVOID_ZERO, shapes.COUNT
        if not cursor.take(shapes.RECURRENCE[1:]):
            return self.missed(cursor, start, *parts)
        avoids_zero = cursor.take(shapes.AVOID_ZERO)
        cursor.peek()
        delivery = cursor.at
        if not cursor.take_delivery():
            return self.missed(cursor, start, *parts)
        delivered = self.items[cursor.at - 1].last
        if not cursor.take(shapes.COUNT) or self.wrong_type(cursor, start):
            return self.missed(cursor, start, *parts)
        uni, k, indent = cursor.bound["uni"], cursor.bound["k"], self.indent(start)
        hooked = hook_text.draw(uni, k, indent, self.items[start].label)
        if not avoids_zero:
            hooked += hook_text.restore_zero(uni, k, indent)
            self.needs_state = True
        hooked += [line.rstrip("\r\n") for line in self.lines[self.line(delivery) : delivered + 1]]
        return self.claim(SINGLE, cursor, start, hooked, "around")

    def seeding(self, start):
        """In RMMAQD: from the assignment of the seed to the storing of the new state."""
        cursor = Cursor(self.items, start)
        if not cursor.take(shapes.SEED):
            return None
        first = cursor.at
        cursor.bound["ijkl"] = f'IJKL({cursor.bound["k"]})'
        parts = (shapes.WORDS, shapes.START, shapes.SKIP, shapes.SKIP_ONE, shapes.HAND_OVER)
        if not all(map(cursor.take, parts)):
            return self.missed(cursor, start, shapes.SEED, *parts)
        hooked = hook_text.seed(cursor.bound["k"], self.indent(first))
        self.matched.update(range(start, first))
        return self.claim("seeding", cursor, first, hooked, "around")

    def set_constants(self, start):
        """The constants, set by the first call, and perhaps the current sequence."""
        cursor = Cursor(self.items, start)
        if not cursor.take(shapes.SET_CONSTANTS[:2]):
            return None
        whole = cursor.take(shapes.SET_CONSTANTS[2:])
        if whole:
            cursor.take(shapes.SET_SEQUENCE)
        if not (whole and cursor.take(shapes.CONSTANTS_SET)):
            return self.missed(cursor, start, shapes.SET_CONSTANTS, what="constants")
        first = cursor.bound["first"]
        if not any(start_values(item.text).get(first) == ".TRUE." for item in self.items):
            cursor.furthest = start, f"DATA {first}/.TRUE./", {}
            return self.missed(cursor, start, shapes.SET_CONSTANTS, what="constants")
        self.matched.update(range(start, cursor.at))
        self.constants = start
        return cursor.at

    def set_again(self, start):
        cursor = Cursor(self.items, start)
        if any(cursor.take([statement]) for statement in shapes.SET_AGAIN):
            self.matched.add(start)
            return cursor.at
        return None

    def states_read(self, start):
        """READ sets the words of all sequences, but the indices of only one. So all states are
        copied into CORSIKA's COMMON before the READ, and back after it."""
        cursor = Cursor(self.items, start)
        if not cursor.take(shapes.READ):
            return None
        rest = Cursor(self.items, cursor.at, ijkl=f'IJKL({cursor.bound["k"]})')
        if rest.take(shapes.SMALL_SEEDS[:1]) and not rest.take(shapes.SMALL_SEEDS[1:]):
            return self.missed(rest, start, shapes.READ, shapes.SMALL_SEEDS)
        self.matched.update(range(cursor.at, rest.at))
        indent = self.indent(start)
        out, back = hook_text.all_states("STA", indent), hook_text.all_states("PUT", indent)
        self.claim("states before they are read", cursor, start, out, "before")
        return self.claim("states read", cursor, start, back, "after")

    def copy(self, start, parts, kind):
        """A copy of the whole state by CONEX or EPOS. Other statements may stand between its parts,
        but none that can skip a part."""
        cursor = Cursor(self.items, start)
        for number, shape in enumerate(parts):
            while not cursor.take(shape, may_have_label=number == 0):
                item = cursor.peek()
                if not (number and item) or item.directive or item.label or SPLIT.match(item.text):
                    return None
                cursor.at += 1
            cursor.bound = {"k": cursor.bound["k"]}
        verb, where = ("STA", "before") if parts is shapes.COPY_OUT else ("PUT", "after")
        hooked = hook_text.state(verb, cursor.bound["k"], self.indent(start))
        return self.claim(kind, cursor, start, hooked, where)

    def read_only(self, start, shape, kind, code_of):
        """Statements that read the state. A hook before them puts it into CORSIKA's COMMON.
        code_of: the function of hook_text.py that makes the hooked code of a sequence."""
        cursor = Cursor(self.items, start)
        if not cursor.take(shape):
            return None
        hooked = code_of(cursor.bound["k"], self.indent(start))
        return self.claim(kind, cursor, start, hooked, "before")
