"""Replaces calls of RMMARD for one number by inline draws, and says why other calls stay calls.

A draw replaces CALL RMMARD( X,1,2 ) where the tool sees everything that the call depends on, and
where an assignment to X may do what the call did. A call may do more: it passes an address, which
may be beyond the bounds of X, or have another name too.
"""

import re

from whichlib.fortran import DOUBLE, HEADER, SENTINEL, declared_types, declares, split_list

from . import hook_text
from .cut_routines import OPENING, cut_out
from .hooks import Hook

# The electromagnetic cascade makes nearly all single draws of CORSIKA, from sequence 2.
INLINE_SEQUENCE = "2"

# A call that could be a draw, and one that is a draw if its target allows that.
CANDIDATE = re.compile(rf"(?:IF\(.*\))?CALLRMMARD\(.*,1,{INLINE_SEQUENCE}\)$")
CALL = re.compile(r"CALLRMMARD\(([A-Z]\w*)(\([-\d,]*\))?,1,\d+\)$")
# Calls of RMMARD stay calls in a unit with such a statement. It may give another meaning to RMMARD,
# or to KIND, which inline draws use. It may give dimensions that declared_types() cannot read. Or
# it may make a target COMPLEX: a draw tests the KIND of its target, and COMPLEX has the KIND of
# REAL.
OTHER_RMMARD = re.compile(
    r"USE(?:,|::|[A-Z]\w*(?:,|$))|(?:\w+:)?(?:ASSOCIATE\(|BLOCK$)|ALLOCATABLE|POINTER|IMPL.*COMPLEX"
    r"|(?!(?:IF\(.*\))?CALLRMMARD\((?!.*RMMARD)).*RMMARD|.*(?:,DIMENS|KIND(?!=))"
)
# A statement whose names cannot be assigned to, so that none may be the target of a draw.
CONSTANT = re.compile(r".*(?:INTENT\(IN\)|PARAMETER)")
BOUNDS = re.compile(r"(?:(-?\d+):)?(-?\d+)")  # those of a dimension, if they are numbers
NAMED_KIND = re.compile(r"REAL\*?\((?:KIND=)?[A-Z]")  # the size depends on the value of a name
# A statement which shows that units may be nested. From there on the tool cannot tell which unit a
# declaration belongs to.
HOST = re.compile(r"CONTAINS$|(?:ABSTRACT)?INTERFACE|(?:SUB)?MODULE|IMPORT")
BEFORE_DECLARATIONS = re.compile(
    r"(?:[A-Z0-9*]*FUNCTION|SUBROUTINE)[A-Z]\w*(?:\(.*\))?$|IMPLICIT[^=]*$|USE[A-Z]\w*$"
)
# A condition that is always false, and one that is false unless one of its macros is defined.
NEVER = re.compile(r"#\s*if\s*0$")
POSITIVE = re.compile(r"#\s*(?:ifdef|if)\b((?:defined\b|&&|\|\||[\s()]|\b[A-Za-z_]\w*)+)$")
QUOTED = re.compile(r"""'[^']*'?|"[^"]*"?""")  # a string of the preprocessor ends with its line


class Stays(Exception):
    """A call stays a call, for this reason."""


def with_headers(items, header):
    """These items and those of the files that they include; None if a file is not in the tree."""
    found = [header(item) for item in items]
    return None if None in found else sum(found, list(items))


def stands_in(inner, outer):
    """Whether code in the #if branches `outer` is compiled whenever code in `inner` is."""
    return inner[: len(outer)] == outer


def declarations(items):
    """{name: ({types}, {dimensions})}, all that the statements declare for a name that may be
    assigned to."""
    found = {}
    for item in items:
        for name, (kind, shape) in declared_types([item]).items():
            kind = item.text if kind and NAMED_KIND.match(item.text) else kind
            types, shapes = found.setdefault(name, (set(), set()))
            types |= {kind} - {""}
            shapes |= {shape} - {""}
    constant = " ".join(item.text for item in items if CONSTANT.match(item.text))
    return {name: found[name] for name in found.keys() - re.findall(r"\w+", constant)}


def element(index, shape):
    """The index of the element that a call names, or of an array's first element if the call has no
    index; None unless numbers show that it is within the bounds. The compiler takes an assignment
    beyond them for one that never happens."""
    found = [BOUNDS.fullmatch(dimension) for dimension in split_list(shape)]
    places = re.findall(r"-?\d+", index or "")
    if None in found or (index and len(places) != len(found)):
        return None
    bounds = [(int(match[1] or 1), int(match[2])) for match in found]
    places = list(map(int, places)) or [low for low, _ in bounds]
    within = all(low <= place <= high for place, (low, high) in zip(places, bounds))
    return f"({','.join(map(str, places))})" if within else None


def is_off(condition, macros):
    """Whether this directive's condition is false if only these macros are defined."""
    positive = POSITIVE.match(condition.text)
    words = re.findall(r"[A-Za-z_]\w*", positive[1]) if positive else []
    known = {name.rstrip("(") for name in macros}
    return bool(NEVER.match(condition.text) or (words and not known.intersection(words)))


def code_words(lines):
    """The words of these lines that may be uses of macros: those outside comments and strings, and
    each word before a '(' with this '(', because a macro with arguments takes what follows even
    from a comment."""
    found = set()
    for line in (line for line in lines if line[:1] != "#"):
        found |= {word + "(" for word in re.findall(r"\b([A-Za-z_]\w*)\s*\(", line)}
        text = SENTINEL.sub("  ", line)
        if text[:1] not in tuple("Cc*!"):
            found |= set(re.findall(r"[A-Za-z_]\w*", QUOTED.sub("", text).partition("!")[0]))
    return found


class InlineDraws:
    """
    hooks  of the draws, and the declarations that they need
    stays  (item, reason) of each call that could be a draw and stays a call
    """

    def __init__(self, source, tree, homes, macros, why):
        """
        homes   the #if branches that a call must stand in, so that a build with the call has each
                RMMARD. That of an RMMARD under #if in another file is (0,): no call stands in it
        macros  the macros that the source, or a file that it includes, defines
        why     a reason that keeps all calls, '' if there is none
        """
        self.source, self.lines, self.tree = source, source.lines, tree
        self.homes, self.macros = homes, macros
        self.hooks, self.stays = [], []
        items = [item for unit in source.units for item in unit.items]
        opened = (item for item in items if item.directive in OPENING)
        self.openers = dict(enumerate(opened, 1))  # {number of an #if branch: its directive}
        self.never = {n for n, item in self.openers.items() if NEVER.match(item.text)}
        if not why and not (source.preprocessed or source.hooks):
            why = "the file is not preprocessed"
        for unit, scope, nested in zip(source.units, source.scopes, self.nesting()):
            calls = [item for item in self.alive(unit.items) if CANDIDATE.match(item.text)]
            if calls:
                self.find_draws(unit, scope, calls, why or nested)

    def find_draws(self, unit, scope, calls, why):
        try:
            if why:
                raise Stays(why)
            whole = self.clear_items(unit, scope)
            anchor = self.anchor(unit, whole, calls) if scope == "no" else None
            declared = declarations(whole)
        except Stays as reason:
            self.stays += [(item, str(reason)) for item in calls]
            return
        draws = []
        for item in calls:
            try:
                draws.append(self.draw(unit, item, declared))
            except Stays as reason:
                self.stays.append((item, str(reason)))
        if draws and anchor:
            place = anchor.last + 1, anchor.last
            draws.append(Hook(*place, hook_text.include(), "declaration", unit.name))
        self.hooks += draws

    def alive(self, items):
        """These items of the source without those in an #if 0."""
        return [item for item in items if not self.never.intersection(item.branch)]

    def nesting(self):
        """Yields for each unit why it may be nested in another, or why a file that is not in the
        tree may define macros; '' if neither. Such a file does no harm while its #if is off, unless
        calls stand there too, but it may have the CONTAINS that explains a unit without END, or
        with nothing but an END."""
        units, why = self.source.units, ""
        calls = (i for unit in units for i in unit.items if CANDIDATE.match(i.text))
        shared = {number for item in calls for number in item.branch}
        unbalanced = any(
            unit.statements and (not unit.ended or unit.statements[0] is unit.items[-1])
            for unit in units
        )
        for unit in units:
            for item in [] if why else unit.items:
                branches = set(item.branch) - shared
                off = any(is_off(self.openers[n], self.macros) for n in branches)
                asked = unbalanced or (item.directive and not off)
                if asked and self.tree.header(item) is None:
                    why = f"{item.text} is not in the tree, and may nest routines or define macros"
                elif HOST.match(item.text):
                    why = f"{item.text} may nest routines"
            yield why

    def clear_items(self, unit, scope):
        """The items of a unit and of the files that it includes, if no statement, macro or directive
        there may change what a call of RMMARD or a draw means."""
        items = self.alive(unit.items)
        whole = with_headers(items, self.tree.header)
        if whole is None:
            absent = next(item for item in items if self.tree.header(item) is None)
            raise Stays(f"{absent.text} is not in the tree")
        if not cut_out(unit):
            raise Stays("they are in no SUBROUTINE or FUNCTION")
        if scope == "maybe":
            raise Stays("the generator's COMMON is declared under an #if")
        if self.source.has_directives(unit):
            raise Stays("the routine has directives for OpenMP or the compiler")
        dead = {n for i in unit.items if i not in items for n in range(i.first, i.last + 1)}
        lines = range(unit.items[0].first, unit.items[-1].last + 1)
        texts = [self.lines[n] for n in lines if n not in dead]
        texts += [i.text if i.directive else " " * 6 + i.text for i in whole[len(items) :]]
        used = sorted(self.macros.keys() & code_words(texts + hook_text.draw_inline("X", "2", 6)))
        if used:
            raise Stays(f"{used[0].rstrip('(')} is a macro, and a word in the routine")
        for item in whole:
            beyond = item.beyond and declares(item.text)
            signs = OTHER_RMMARD.match, HOST.match, hook_text.NAMES.search
            if beyond or any(sign(item.text) for sign in signs):
                raise Stays(f"the routine has {item.text}")
        return whole

    def draw(self, unit, item, declared):
        """The hook of a draw that replaces a call. The call must have lines of its own, and draw
        into one element of a DOUBLE PRECISION array that no other name may stand for."""
        match, first, last = CALL.match(item.text), item.first, item.last
        if not all(stands_in(item.branch, home) for home in self.homes):
            raise Stays("a build may have the call without RMMARD")
        if item.label or item.beyond or not item.alone or item.text.startswith("IF"):
            raise Stays("the call has a label, an IF, or no lines of its own")
        name, index = (
            match.groups() if match else (re.match(r"CALLRMMARD\((\w*)", item.text)[1], "")
        )
        types, shapes = declared.get(name, ((), ()))
        if types != {DOUBLE} or not shapes:
            raise Stays(f"{name} is no DOUBLE PRECISION array that may be assigned to")
        places = {element(index, shape) for shape in shapes} if match else {None}
        if None in places or len(places) > 1:
            raise Stays(f"no numbers show that the element of {name} is within the bounds")
        headers = [header for i in unit.statements if (header := HEADER.match(i.text))]
        arguments = {name for header in headers for name in (header["args"] or "").split(",")}
        if name in arguments:
            raise Stays(f"{name} is a dummy argument, and another variable may be the same")
        passing = [h["name"] for h in headers if h["args"] and self.tree.passes(name, h["name"])]
        if passing:
            raise Stays(f"{name} is also an argument of {passing[0]}, which draws into it")
        target, indent = name + places.pop(), hook_text.indent_of(self.lines[first])
        hooked = hook_text.draw_inline(target, INLINE_SEQUENCE, indent)
        if max(map(len, hooked)) > hook_text.LAST_COLUMN:
            raise Stays(f"a draw into {target} has more than {hook_text.LAST_COLUMN} columns")
        if self.source.joins_lines(first, last):
            raise Stays("a backslash joins the call to another line")
        return Hook(first, last, hooked, "inline draw", unit.name, INLINE_SEQUENCE)

    @staticmethod
    def anchor(unit, whole, calls):
        """The statement after which declarations may stand: the last IMPLICIT, or else the line
        that begins a SUBROUTINE or FUNCTION. It must not be in an included file, go on in the next
        line, or be left out by an #if that has not the calls too."""
        openers = [item for item in whole if BEFORE_DECLARATIONS.match(item.text)]
        if openers and openers[-1] in unit.statements:
            anchor = openers[-1]
            following = unit.statements[unit.statements.index(anchor) + 1]
            sure = all(stands_in(item.branch, anchor.branch) for item in calls)
            if sure and anchor.alone and following.text[0] != "&":
                return anchor
        raise Stays("the tool finds no sure place for a draw's declarations")
