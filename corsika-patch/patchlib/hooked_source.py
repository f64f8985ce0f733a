"""One source file: where the state of the generator is declared and in scope, and its hooks."""

import os
import re

from whichlib.fortran import DIMENSION, HEADER, INCLUDE, STRING, TYPE
from whichlib.fortran import declared_types, declares
from whichlib.fortran import is_preprocessed, read_items, split_lines, split_list

from . import hook_text
from .cut_routines import specifies
from .declarations import BLOCKS, COMMON
from .declarations import is_other_generator, which_block, without_state, wrong_member
from .hooks import CONDITION, MACRO, Hook
from .inline import INLINE_SEQUENCE, code_words, stands_in, with_headers
from .generator_shapes import CONSTANT_SET, STATE_USE, STATE_WITHIN
from .program_unit import UnitShapes, only_draws, split_units

STATE_BLOCK, CONSTANTS_BLOCK = BLOCKS

SAVED = re.compile(r"(?!COMMON).*/CRRANMA4/")
# Directives for OpenMP or the compiler.
DIRECTED = re.compile(r"[C*!](?:\$(?:OMP|ACC)|(?:DIR|GCC|DEC)\$)", re.I)
# A line that the tool refuses: a directive that names a COMMON of the generator, as THREADPRIVATE
# does, or a preprocessor line that names the hooks' macro. Such a line may leave RMMARD or
# hooks out of a build. Only #if defined is allowed, for a program's own code (docs/corsika.md).
COMPILER_DIRECTIVE = re.compile(
    rf"(?i:[C*!](?:\w{{3}})?\$.*CRRANMA[34])|#(?!\s*if\s*defined\b).*\b{MACRO}\b"
)
MOST_SEQUENCES = 256  # GRNMAX of gpuranmar.inc
KSEQ = re.compile(r".*PARAMETER.*[(,:]KSEQ=([^,)]+)")


def problem(path, line, text):
    """The message about code that the tool does not understand."""
    return f"{path}:{line}: {text}"


def includes_only_declarations(unit, header):
    """Whether all included files of a unit, in any #if branch, have only declarations."""
    whole = with_headers(unit.items, header)
    return whole is not None and all(
        item.directive or item.text[:1] == "&" or declares(item.text) or specifies(item.text)
        for item in whole[len(unit.items) :]
    )


def included(item):
    """The name of the file that an item includes, without its directory; '' if none."""
    match = INCLUDE.match(item.text)
    return os.path.basename(match[1] or match[2]) if match else ""


class Source:
    """
    hooks       what find_hooks has found
    problems    messages about code that the tool does not understand
    notes       messages about code that is left alone
    guards      for an include file, {block: the macros under which it declares the block}; None
                stands for no macro
    shapes      what find_shapes has found, unit by unit
    """

    def __init__(self, path, text, places=None):
        """path as messages show it; text without hooks; places: see read_hooks."""
        self.path, self.text, self.places = path, text, places
        self.lines = split_lines(text)
        self.preprocessed = is_preprocessed(path)
        self.units = split_units(read_items(self.lines, self.preprocessed))
        self.hooks, self.problems, self.notes, self.shapes = [], [], [], []
        self.low_kseq = []  # messages about a KSEQ that may be below INLINE_SEQUENCE
        self.scopes = []  # for each unit, whether COMMON /CRRANMA4/ is in scope
        self.guards = {block: set() for block in BLOCKS}
        self.declarations = {}  # {(number of a unit, block): its COMMON and types of its members}
        for number, unit in enumerate(self.units):
            self.find_declarations(number, unit)
        for line, text in enumerate(self.lines):
            if COMPILER_DIRECTIVE.match(text):
                what = f"a directive for the generator's COMMON or for hooks: {text.strip()}"
                self.problems.append(problem(path, self.line_number(line), what))

    def line_number(self, line):
        """The line number in the file, for an index in the text without hooks."""
        return (self.places[line] if self.places and line < len(self.places) else line) + 1

    def message(self, item, text):
        return problem(
            self.path, self.line_number(item.first), f"{text}: {self.lines[item.first].strip()}"
        )

    def problem(self, item, text):
        self.problems.append(self.message(item, text))

    def find_declarations(self, number, unit):
        """The declarations of the COMMON blocks, in a program unit or an include file."""
        guards = []
        for item in unit.items:
            if item.directive in ("if", "ifdef", "ifndef"):
                condition = item.text.split(None, 1)[-1]
                guards.append(re.findall(r"(?!defined\b)\b[A-Za-z_]\w*", condition) or [None])
            elif item.directive == "endif" and guards:
                guards.pop()
            if SAVED.match(item.text):
                self.problem(item, "the generator's COMMON in a statement other than COMMON")
            most = KSEQ.match(item.text)
            if most and not (most[1].isdigit() and int(most[1]) >= int(INLINE_SEQUENCE)):
                line = f"KSEQ may be less than {INLINE_SEQUENCE}"
                self.low_kseq.append(self.message(item, line))
            if most and most[1].isdigit() and int(most[1]) > MOST_SEQUENCES:
                self.problem(item, f"KSEQ is above {MOST_SEQUENCES}, the most that there can be")
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
                self.problem(item, wrong or "the generator's COMMON beside another statement")
                continue
            typed = [other for other in near if without_state(other.text) is not None]
            self.declarations[number, block] = [item, *typed]
            if not unit.ended:
                self.guards[block].update(guards[-1] if guards else [None])
                if block is STATE_BLOCK:
                    self.hook_declarations(unit, [item, *typed])

    def hook_declarations(self, unit, items, whole=None):
        """Hooks the declarations of the state. whole: whether the unit needs the whole state; None
        for an include file, to which each unit tells this by a macro."""
        for item in items:
            common, others = COMMON.match(item.text), without_state(item.text)
            plain = [line.rstrip("\r\n") for line in self.lines[item.first : item.last + 1]]
            state = hook_text.state_common(split_list(common[2])) if common else plain
            draws = (
                hook_text.no_state(split_list(common[2]))
                if common
                else hook_text.statement(others) * bool(others)
            )
            if whole is None:
                hooked = hook_text.on_demand(state, draws, plain)
            elif whole and not common:
                continue
            else:
                hooked = state if whole else draws
            hook = Hook(item.first, item.last, hooked, "declaration", unit.name)
            if hook not in self.hooks:  # a statement may declare members of two COMMONs
                self.hooks.append(hook)

    def scope(self, number, unit, block, includes):
        """Whether a COMMON block is in scope: 'yes', 'no', or 'maybe' (under some #if), and the
        items that include its declaration."""
        if not unit.ended:  # an include file
            for item in unit.items:
                if block is STATE_BLOCK and None in includes[block].get(included(item), ()):
                    self.problem(item, "move this INCLUDE of the generator into each routine")
            return "no", []
        end = unit.items[-1].branch

        def sure(*branches):
            return "yes" if all(stands_in(end, branch) for branch in branches) else "maybe"

        if (number, block) in self.declarations:
            return sure(self.declarations[number, block][0].branch), []
        found, items = "no", []
        for item in unit.items:
            for guard in includes[block].get(included(item), ()):
                if not item.directive:
                    self.problem(
                        item,
                        f"INCLUDE of the COMMON {block.what}, which the preprocessor does not "
                        "see; #include it",
                    )
                defines = [
                    other.branch
                    for other in unit.items
                    if guard and re.match(rf"#\s*define\s+{guard}\b", other.text)
                ]
                if guard is None or defines:
                    found = sure(item.branch, *defines)
                    items.append(item)
        return found, items

    def find_shapes(self):
        self.shapes = [UnitShapes(unit, self.lines) for unit in self.units]

    def words(self, unit=None):
        """The words in all statements that belong to shapes; with the name of a unit, in all its
        statements."""
        items = [
            item
            for found in self.shapes
            for at, item in enumerate(found.items)
            if (at in found.matched if not unit else found.unit.name == unit and not item.directive)
        ]
        lines = (self.lines[n] for item in items for n in range(item.first, item.last + 1))
        return {word.upper() for word in code_words(lines)}

    def obstacles(self, header):
        """Messages about what makes calls of RMMARD stay calls: a low KSEQ, or an RMMARD that does
        more than draw, or that may do so since it includes other code."""
        found = [(unit, *self.defining_rmmard(unit)) for unit in self.units]
        return self.low_kseq + [
            self.message(starts[0], "RMMARD does more than draw")
            for unit, *starts in found
            if starts
            and not (
                starts == unit.statements[:1]
                and only_draws(unit)
                and includes_only_declarations(unit, header)
            )
        ]

    @staticmethod
    def defining_rmmard(unit):
        """The statements of a unit that begin a routine or ENTRY of the name RMMARD."""
        headers = (item for item in unit.statements if "RMMARD" in item.text)
        return [i for i in headers if (match := HEADER.match(i.text)) and match["name"] == "RMMARD"]

    def find_hooks(self, includes, header):
        """includes: {block: {name of an include file that declares it: its guards}}
        header: Tree.header"""
        nested = False
        for number, unit in enumerate(self.units):
            scope, declaring = self.scope(number, unit, STATE_BLOCK, includes)
            constants, _ = self.scope(number, unit, CONSTANTS_BLOCK, includes)
            self.scopes.append(scope)
            found = self.shapes[number]
            self.hooks += found.hooks
            if unit.ended:
                declared = self.declarations.get((number, STATE_BLOCK), ())
                self.hook_declarations(unit, declared, found.needs_state)
            for item in declaring:
                macro = hook_text.STATE if found.needs_state else hook_text.DRAWS
                hooked = hook_text.include_for(macro, self.lines[item.first].rstrip())
                self.hooks.append(Hook(item.first, item.last, hooked, "declaration", unit.name))
            self.report_uses(unit, found, scope, constants)
            self.report_unset(unit, found)
            start = unit.items[min(found.matched, default=0)]
            nested |= any(item.text == "CONTAINS" for item in unit.statements)
            if nested and found.unset:
                why = f"its host may use {', '.join(sorted(found.unset))}, which hooks do not set"
                self.problem(start, f"the generator after CONTAINS: {why}")
            if found.hooks and self.has_directives(unit):
                self.problem(start, "OpenMP or a directive for the compiler beside the generator")
            own = hook_text.NAMES.fullmatch(unit.name)
            if found.hooks or declaring or (number, STATE_BLOCK) in self.declarations or own:
                self.report_names(unit, header)
            if scope != "no" and any(i.text.startswith("BLOCKDATA") for i in unit.statements):
                self.problem(unit.statements[0], "the generator's COMMON in BLOCK DATA")
            draws = [hook for hook in found.hooks if "draw" in hook.kind]
            if (found.hooks and scope == "no") or (draws and constants == "no"):
                what = "the generator's COMMON that this uses is not declared in this tree"
                self.problem(start, what)

    def report_names(self, unit, header):
        """Reports the hooks' names in the unit and what it includes, unless they follow CALL."""
        for item in unit.items:
            for part in [item, *(header(item) or ())]:
                name = hook_text.NAMES.search(STRING.sub("", part.text))
                if name and not part.directive:
                    self.problem(item, f"{name[1]} is a name of the hooks")

    def report_uses(self, unit, found, scope, constants):
        """Reports statements that use the state or set constants, and belong to no shape."""
        for at, what, expected in found.misses:
            if what != "constants" or constants != "no":
                text = f"the generator's {what} in no known shape; {expected} is expected here"
                self.problem(unit.items[at], text)
        signs = {"state": STATE_USE} if scope != "no" else {}
        if constants != "no":
            signs["constants"] = CONSTANT_SET
        last = None
        for at, item in enumerate(unit.items):
            declared = declares(item.text) and not STATE_WITHIN.search(item.text)
            if item.directive or at in found.matched or declared:
                continue
            for what, sign in signs.items():
                if sign.search(STRING.sub("", item.text)):
                    if last is None or at > last + 1:  # one message for successive items
                        self.problem(
                            item,
                            f"use of the generator's {what} in no known shape; code that reads "
                            "it can call GRNSTA",
                        )
                    last = at
                    break

    def has_directives(self, unit):
        return any(map(DIRECTED.match, self.lines[unit.items[0].first : unit.items[-1].last + 1]))

    def report_unset(self, unit, found):
        """Reports uses, outside the shapes, of variables that only the original sets."""
        for at, item in enumerate(unit.items):
            typed = (TYPE.match(item.text) or DIMENSION.match(item.text)) and declares(item.text)
            if item.directive or at in found.matched or (typed and not HEADER.match(item.text)):
                continue
            words = re.findall(r"[A-Z]\w*", STRING.sub("", item.text))
            for name in sorted(found.unset.intersection(words)):
                self.problem(item, f"use of {name}, which hooked code does not set")

    def report_all(self):
        """As report_uses and report_unset, for a preprocessed text."""
        nothing = {block: {} for block in BLOCKS}
        for number, (unit, found) in enumerate(zip(self.units, self.shapes)):
            scopes = (self.scope(number, unit, block, nothing)[0] for block in BLOCKS)
            self.report_uses(unit, found, *scopes)
            self.report_unset(unit, found)

    def joins_lines(self, first, last):
        """Whether a backslash joins the first of these lines to the line before, or the last of
        them to the line after: a hook there would be lost."""
        return any(
            line.rstrip().endswith("\\")
            for line in (self.lines[max(first - 1, 0)], self.lines[max(last, 0)])
        )

    def refuse_conditions(self):
        """Reports hooks, #else and #endif on joined lines, an #if that does not begin them, and
        #line inside #if. A line inserted between joined lines is lost, and insert_hooks() adds
        lines around hooks and after #else and #endif. Reports #else and #endif without #if too."""
        at = {item.first: item for unit in self.units for item in unit.items if item.directive}
        depth = 0
        for line, text in enumerate(self.lines if self.hooks else ()):
            condition, item = CONDITION.match(text), at.get(line)
            if condition and condition[1] != "if" and depth == 0:
                what = f"there is no #if to this line: {text.strip()}"
                self.problems.append(problem(self.path, self.line_number(line), what))
            elif condition:
                depth += {"if": 1, "el": 0, "endif": -1}[condition[1]]
            joined = condition and not (item and (condition[1] == "if" or item.last == line))
            if joined or (item and item.directive == "line" and item.branch):
                what = f"#if, #else or #endif on joined lines, or #line inside #if: {text.strip()}"
                self.problems.append(problem(self.path, self.line_number(line), what))
        for hook in self.hooks:
            if self.joins_lines(hook.first, hook.last):
                line = self.lines[max(hook.last, 0)].strip()
                where = self.line_number(max(hook.last, 0))
                text = f"a line that ends in a backslash beside the generator: {line}"
                self.problems.append(problem(self.path, where, text))
