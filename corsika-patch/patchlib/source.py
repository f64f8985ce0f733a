"""One source file: where the state of the generator is declared and in scope, and its hooks."""

import os
import re
from functools import cached_property

from . import code
from .declarations import (
    BLOCKS,
    COMMON,
    DOUBLE,
    declared_types,
    has_start_value,
    is_other_generator,
    split_list,
    type_of,
    which_block,
    wrong_member,
)
from .fixedform import STRING, indent_of, presumed_lines, read_items, split_lines, split_units
from .hooks import Hook
from .shapes import CONSTANT_USE, STATE_USE
from .unit import UnitShapes, start_values, words_made

STATE_BLOCK, CONSTANTS_BLOCK = BLOCKS

# Nearly all single draws of CORSIKA are calls by the electromagnetic cascade, from sequence 2.
INLINE_SEQUENCES = ("2",)

INDEXED = re.compile(r"(?<!\w)U\(I97\(")
CALL = re.compile(r"CALLRMMARD\(([A-Z]\w*)(\(.*\))?,1,(\d+)\)$")
INCLUDE = re.compile(r"""#\s*include\s*"(.+?)"|INCLUDE['"](.+?)['"]$""")
OPENS_UNIT = re.compile(
    r"(?:[A-Z0-9*]*FUNCTION|SUBROUTINE)[A-Z]\w*(?:\(.*\))?$|IMPLICIT|USE[A-Z]\w*$"
)
DECLARATION = re.compile(
    r"(?:INTEGER|REAL|DOUBLEPRECISION|LOGICAL|COMPLEX|CHARACTER|COMMON|SAVE|"
    r"DIMENSION|PARAMETER|IMPLICIT|EXTERNAL|INTRINSIC)"
)
DOUBLES = ("uni", "cc", "s", "t", "w", "vec")  # variables of shapes that hold numbers


def problem(path, line, text):
    """The message on a place that the tool does not understand."""
    return f"{path}:{line}: {text}"


def stands_in(inner, outer):
    """Whether what stands in the #if branches `outer` is there whenever `inner` is."""
    return inner[: len(outer)] == outer


def declares(text):
    """Whether a statement does nothing but declare. One with a start value does more."""
    return DECLARATION.match(text) and not has_start_value(text)


class Source:
    """
    hooks       what find_hooks has found
    problems    places that the tool does not understand
    notes       lines on what is left alone
    guards      of an include file, {block: the macros, None if there is none, under which it
                declares the block}
    types       of an include file, {name: (type, dimensions)} of what it declares with the state
    shapes      what find_shapes has found, unit by unit
    """

    def __init__(self, path, text):
        """path as messages show it; text without hooks."""
        self.path, self.text = path, text
        self.lines = split_lines(text)
        self.preprocessed = not path.endswith((".f", ".for", ".ftn", ".f77"))
        self.units = split_units(read_items(self.lines, self.preprocessed))
        self.hooks, self.problems, self.notes, self.shapes = [], [], [], []
        self.guards, self.types = {block: set() for block in BLOCKS}, {}
        self.declarations = {}  # {(number of a unit, block): its declaration}
        for number, unit in enumerate(self.units):
            self.find_declarations(number, unit)

    @cached_property
    def numbers(self):
        """Of each line, the number that the compiler gives it."""
        return presumed_lines(self.lines)

    def message(self, item, text):
        number = self.numbers[item.first]
        return problem(self.path, number, f"{text}: {self.lines[item.first].strip()}")

    def problem(self, item, text):
        self.problems.append(self.message(item, text))

    def find_declarations(self, number, unit):
        """The declarations of the COMMON blocks, in a program unit or an include file."""
        guards = []
        for item in unit.items:
            if item.directive in ("if", "ifdef", "ifndef"):
                name = re.search(r"(?!defined\b)\b[A-Za-z_]\w*", item.text.split(None, 1)[-1])
                guards.append(name[0] if name else None)
            elif item.directive == "endif" and guards:
                guards.pop()
            common = COMMON.match(item.text)
            if not common:
                continue
            block = which_block(common)
            if not block:
                if is_other_generator(common):
                    self.notes.append(
                        f"{self.path}: {unit.name} left alone, a generator of its own in "
                        f"COMMON /{common[1]}/"
                    )
                continue
            near = [other for other in unit.items if stands_in(other.branch, item.branch)]
            types = declared_types(near)
            wrong = wrong_member(common, block, types)
            if wrong or not item.alone:
                self.problem(item, wrong or "COMMON of the generator beside another statement")
                continue
            self.declarations[number, block] = item
            if not unit.ended:
                self.guards[block].add(guards[-1] if guards else None)
                self.types.update(types)
            if block is STATE_BLOCK:
                hooked = code.state_common(common[1], split_list(common[2]), 6)
                self.hooks.append(Hook(item.first, item.last, hooked, "declaration", unit.name))

    def scope(self, number, unit, block, includes):
        """Whether a COMMON block is in scope: 'yes', 'no', or 'maybe' (under some #if)."""
        if not unit.ended:  # an include file
            return "no"
        end = unit.items[-1].branch

        def sure(*branches):
            return "yes" if all(stands_in(end, branch) for branch in branches) else "maybe"

        if (number, block) in self.declarations:
            return sure(self.declarations[number, block].branch)
        found = "no"
        for item in unit.items:
            match = INCLUDE.match(item.text)
            name = os.path.basename(match[1] or match[2]) if match else ""
            for guard in includes[block].get(name, ()):
                if not item.directive:
                    self.problem(
                        item,
                        f"INCLUDE of the COMMON {block.what}, which the preprocessor does not "
                        "see; #include it",
                    )
                if guard is None:
                    found = sure(item.branch)
                for other in unit.items:
                    if re.match(rf"#\s*define\s+{guard}\b", other.text):
                        found = sure(item.branch, other.branch)
        return found

    def find_shapes(self):
        self.shapes = [UnitShapes(unit, self.lines) for unit in self.units]

    def find_hooks(self, includes, types, makers):
        """
        includes  {block: {name of an include file that declares it: its guards}}
        types     {name: (type, dimensions)} that include files declare with the state
        makers    {name of a subroutine: what keeps it from making the words of a seed, or ''}
        """
        scopes = []
        for number, unit in enumerate(self.units):
            scope, constants = (self.scope(number, unit, block, includes) for block in BLOCKS)
            scopes.append(scope)
            found = self.shapes[number]
            self.hooks += found.hooks
            self.report_uses(unit, found, scope, constants)
            self.report_types(unit, found, types)
            for item, name in found.calls:
                if name not in makers:
                    self.problem(item, f"{name}, which makes the words of a seed, is not found")
                elif makers[name]:
                    self.problems.append(makers[name])
            draws = [hook for hook in found.hooks if "draw" in hook.kind]
            if (found.hooks and scope == "no") or (draws and constants == "no"):
                self.problem(
                    unit.items[min(found.claimed)],
                    "the COMMON state that this uses is not declared in this tree",
                )
        if self.preprocessed or self.hooks:
            for unit, scope in zip(self.units, scopes):
                self.inline_calls(unit, scope)

    def report_uses(self, unit, found, scope, constants):
        """Reports what uses state or constants and belongs to no shape: it would go on with numbers
        of its own, beside the library's."""
        covered = self.report_near_misses(unit, found, constants)
        signs = {"state": INDEXED if scope == "no" else STATE_USE}
        if constants != "no":
            signs["constants"] = CONSTANT_USE
        last = None
        for at, item in enumerate(unit.items):
            if item.directive or at in found.claimed or at in covered or declares(item.text):
                continue
            text = STRING.sub("", item.text).removeprefix("DATA")
            for what, sign in signs.items():
                if sign.search(text):
                    if last is None or at > last + 1:  # one line for a run of them
                        self.problem(item, f"use of the generator's {what} in no known shape")
                    last = at
                    break
            if scope != "no" and (
                start_values(item.text).get("JSEQ", "1") != "1" or has_start_value(item.text)
            ):
                self.problem(item, "a start value for the generator in no known shape")

    def report_near_misses(self, unit, found, constants):
        """Names the first statement by which a shape differs. Returns the items this explains."""
        covered = set()
        for miss in found.near_misses:
            if miss.start in covered | found.claimed or (
                miss.what == "constants" and constants == "no"
            ):
                continue
            covered.update(range(miss.start, miss.end))
            self.problem(
                unit.items[miss.at],
                f"the generator's {miss.what} in no known shape; {miss.expected} is expected here",
            )
        return covered

    def report_types(self, unit, found, include_types):
        """Reports variables that are not double precision: then the arithmetic is not exact."""
        types = {**include_types, **declared_types(unit.items)}
        for start, names in found.names.items():
            for name in {names[variable] for variable in DOUBLES if variable in names}:
                actual = type_of(name, types, unit.items)
                if actual not in ("", DOUBLE):
                    where = [item for item in unit.items if name in declared_types([item])]
                    self.problem(
                        (where or unit.items[start:])[0],
                        f"{name} is {actual} instead of DOUBLE PRECISION",
                    )

    def makers(self):
        """{name of a subroutine: what keeps it from making the words of a seed, or ''}."""
        makers = {}
        for unit in self.units:
            items = [item for item in unit.items if not (item.directive or declares(item.text))]
            if not items or not items[0].text.startswith("SUBROUTINE"):
                continue
            cursor, types = words_made(items), declared_types(unit.items)
            at, expected = cursor.expected()
            wrong = ""
            if cursor.at < len(items) or not cursor.bound.keys() >= set("wst"):
                wrong = f"words of a seed made in no known shape; {expected} is expected here"
            for variable in "wst" if not wrong else "":
                name = cursor.bound[variable]
                if type_of(name, types, unit.items) != DOUBLE:
                    wrong = f"{name} is not DOUBLE PRECISION"
            makers[unit.name] = wrong and self.message(items[at], wrong)
        return makers

    def inline_calls(self, unit, scope):
        """Puts draws in place of CALL RMMARD( X,1,2 ). A call that is left is right, too."""
        calls = []
        for item in unit.items:
            match = CALL.match(item.text)
            if match and match[3] in INLINE_SEQUENCES and item.alone and not item.label:
                target = match[1] + (match[2] or "")
                declared, bounds = declared_types(unit.items).get(match[1], ("", ""))
                if declared not in ("", DOUBLE) or ":" in bounds:
                    continue
                if not match[2]:
                    if not self.is_array(unit, match[1]):
                        continue
                    target += "(1)"
                calls.append((item, target, match[3]))
        anchor = self.anchor(unit, calls) if scope == "no" else None
        if not calls or scope == "maybe" or (scope == "no" and anchor is None):
            return
        if anchor:
            self.hooks.append(
                Hook(anchor.last + 1, anchor.last, code.include(), "declaration", unit.name)
            )
        for item, target, k in calls:
            hooked = code.draw_inline(target, k, indent_of(self.lines[item.first]))
            self.hooks.append(
                Hook(item.first, item.last, hooked, "inline draw", unit.name, k, target)
            )

    @staticmethod
    def is_array(unit, name):
        """Whether executable statements index the name, so that RMMARD fills its first element."""
        indexed = re.compile(rf"(?<!\w){name}\(")
        return any(
            indexed.search(item.text)
            for item in unit.items
            if not item.directive and not declares(item.text)
        )

    @staticmethod
    def anchor(unit, calls):
        """The statement after which declarations may stand: the unit's first line or IMPLICIT."""
        openers = [
            item for item in unit.items if not item.directive and OPENS_UNIT.match(item.text)
        ]
        if (
            openers
            and openers[-1].alone
            and all(stands_in(item.branch, openers[-1].branch) for item, _, _ in calls)
        ):
            return openers[-1]
        return None
