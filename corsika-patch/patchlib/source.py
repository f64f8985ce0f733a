"""One source file: where the state of the generator is declared and in scope, and its hooks."""

import os
import re

from . import code
from .fixedform import STRING, indent_of, presumed_lines, read_items, split_lines, split_units
from .hooks import Hook
from .shapes import STATE_USE, UnitShapes

STATE_COMMON = 'CRRANMA4'
MEMBERS = {'C', 'U', 'IJKL', 'I97', 'J97', 'NTOT', 'NTOT2', 'JSEQ'}

# Nearly all single draws of CORSIKA are calls by the electromagnetic cascade, from sequence 2.
INLINE_SEQUENCES = ('2',)

COMMON = re.compile(r'COMMON/(\w+)/([^/]+)$')
INDEXED = re.compile(r'(?<!\w)U\(I97\(')
CALL = re.compile(r'CALLRMMARD\(([A-Z]\w*)(\(.*\))?,1,(\d+)\)$')
INCLUDE = re.compile(r'''#\s*include\s*"(.+?)"|INCLUDE['"](.+?)['"]$''')
OPENS_UNIT = re.compile(r'(?:[A-Z0-9*]*FUNCTION|SUBROUTINE)[A-Z]\w*(?:\(.*\))?$|IMPLICIT|USE[A-Z]\w*$')
DECLARATION = re.compile(r'(?:INTEGER|REAL|DOUBLEPRECISION|LOGICAL|COMPLEX|CHARACTER|COMMON|SAVE|'
                         r'DIMENSION|PARAMETER|IMPLICIT|EXTERNAL|INTRINSIC|EQUIVALENCE\(JSEQ)')


def problem(path, line, text):
    """The message on a place that the tool does not understand."""
    return f'{path}:{line}: {text}'


def split_list(text):
    """The elements of a list, separated by commas outside parentheses."""
    elements, depth = [''], 0
    for char in text:
        depth += {'(': 1, ')': -1}.get(char, 0)
        if char == ',' and depth == 0:
            elements.append('')
        else:
            elements[-1] += char
    return elements


def stands_in(inner, outer):
    """Whether what stands in the #if branches `outer` is there whenever `inner` is."""
    return inner[:len(outer)] == outer


class Source:
    """
    hooks     what find_hooks has found
    problems  places that the tool does not understand
    guards    of an include file: the macros, None if there is none, under which it declares the
              COMMON state
    """

    def __init__(self, path, text):
        """path as messages show it; text without hooks."""
        self.path, self.text = path, text
        self.lines = split_lines(text)
        self.preprocessed = not path.endswith(('.f', '.for', '.ftn', '.f77'))
        self.units = split_units(read_items(self.lines, self.preprocessed))
        self.hooks, self.problems, self.guards = [], [], set()
        self.declarations = {}      # {number of a unit: its declaration of the COMMON state}
        for number, unit in enumerate(self.units):
            self.find_declaration(number, unit)

    def problem(self, item, text):
        number = presumed_lines(self.lines)[item.first]
        where = f'{text}: {self.lines[item.first].strip()}'
        self.problems.append(problem(self.path, number, where))

    def find_declaration(self, number, unit):
        """Hooks the declaration of the COMMON state, in a program unit or an include file."""
        guards = []
        for item in unit.items:
            if item.directive in ('if', 'ifdef', 'ifndef'):
                name = re.search(r'(?!defined\b)\b[A-Za-z_]\w*', item.text.split(None, 1)[-1])
                guards.append(name[0] if name else None)
            elif item.directive == 'endif' and guards:
                guards.pop()
            common = COMMON.match(item.text)
            if not common:
                continue
            members = split_list(common[2])
            names = {member.split('(')[0] for member in members}
            if common[1] != STATE_COMMON and not {'I97', 'J97'} <= names:
                continue
            if names != MEMBERS or not item.alone:
                self.problem(item, 'COMMON state of the generator with other members than known')
                continue
            self.declarations[number] = item
            if not unit.ended:
                self.guards.add(guards[-1] if guards else None)
            self.hooks.append(Hook(item.first, item.last, code.state_common(common[1], members, 6),
                                   'declaration', unit.name))

    def scope(self, number, unit, includes):
        """Whether the COMMON state is in scope: 'yes', 'no', or 'maybe' (under some #if)."""
        if not unit.ended:              # an include file
            return 'no'
        end = unit.items[-1].branch

        def sure(*branches):
            return 'yes' if all(stands_in(end, branch) for branch in branches) else 'maybe'

        if number in self.declarations:
            return sure(self.declarations[number].branch)
        found = 'no'
        for item in unit.items:
            match = INCLUDE.match(item.text)
            for guard in includes.get(os.path.basename(match[1] or match[2]), ()) if match else ():
                if not item.directive:
                    self.problem(item, 'INCLUDE of the COMMON state, which the preprocessor does '
                                       'not see; #include it')
                if guard is None:
                    found = sure(item.branch)
                for other in unit.items:
                    if re.match(rf'#\s*define\s+{guard}\b', other.text):
                        found = sure(item.branch, other.branch)
        return found

    def find_hooks(self, includes):
        """includes: {name of an include file that declares the COMMON state: its guards}."""
        scopes = [self.scope(number, unit, includes) for number, unit in enumerate(self.units)]
        for unit, scope in zip(self.units, scopes):
            shapes = UnitShapes(unit, self.lines)
            self.hooks += shapes.hooks
            self.report_raw_uses(unit, shapes, scope)
            if shapes.hooks and scope == 'no':
                self.problem(unit.items[min(shapes.claimed)],
                             'the COMMON state that this uses is not declared in this tree')
        if self.preprocessed or self.hooks:
            for unit, scope in zip(self.units, scopes):
                self.inline_calls(unit, scope)

    def report_raw_uses(self, unit, shapes, scope):
        """Whatever touches the state and belongs to no shape would fork the sequences."""
        sign = INDEXED if scope == 'no' else STATE_USE
        last = None
        for at, item in enumerate(unit.items):
            if item.directive or at in shapes.claimed or DECLARATION.match(item.text):
                continue
            if sign.search(STRING.sub('', item.text)):
                if last is None or at > last + 1:       # one line for a run of them
                    self.problem(item, "use of the generator's state in no known shape")
                last = at

    def inline_calls(self, unit, scope):
        """Draws in place of CALL RMMARD( X,1,2 ). A call that is left is right, too."""
        calls = []
        for item in unit.items:
            match = CALL.match(item.text)
            if match and match[3] in INLINE_SEQUENCES and item.alone and not item.label:
                target = match[1] + (match[2] or '')
                if not match[2]:
                    if not self.is_array(unit, match[1]):
                        continue
                    target += '(1)'
                calls.append((item, target, match[3]))
        anchor = self.anchor(unit, calls) if scope == 'no' else None
        if not calls or scope == 'maybe' or (scope == 'no' and anchor is None):
            return
        if anchor:
            self.hooks.append(Hook(anchor.last + 1, anchor.last, code.include(), 'declaration',
                                   unit.name))
        for item, target, k in calls:
            hooked = code.draw_inline(target, k, indent_of(self.lines[item.first]))
            self.hooks.append(Hook(item.first, item.last, hooked, 'inline draw', unit.name, k))

    @staticmethod
    def is_array(unit, name):
        """Whether executable statements index the name, so that RMMARD fills its first element."""
        indexed = re.compile(rf'(?<!\w){name}\(')
        return any(indexed.search(item.text) for item in unit.items
                   if not item.directive and not DECLARATION.match(item.text))

    @staticmethod
    def anchor(unit, calls):
        """The statement after which declarations may stand: the unit's first line or IMPLICIT."""
        openers = [item for item in unit.items if not item.directive and OPENS_UNIT.match(item.text)]
        if openers and openers[-1].alone and all(stands_in(item.branch, openers[-1].branch)
                                                 for item, _, _ in calls):
            return openers[-1]
        return None
