"""The shapes of RANMAR in CORSIKA and its siblings.

A shape is a list of statements in canonical form (fixedform.py) with variables in braces. A
variable stands for the same text throughout a shape; {k} is the sequence, a literal or JSEQ.
"""

import re

from . import code
from .fixedform import indent_of
from .hooks import Hook

VARIABLES = {
    'k': r'[A-Z]\w*|\d+',
    'label': r'\d*',
    'zero': r'0\.?0*(?:[DE]\+?0+)?',
    'one': r'1\.?0*(?:[DE]\+?0+)?',
    'billion': r'MODCNS|1\.?0*[DE]\+?0*9',
    'dest': r'[A-Z]\w*(?:\(.*\))?',
    'x': r'.+', 'y': r'.+', 'z': r'.+', 'n': r'.+',
}
NAME = r'[A-Z]\w*'                  # what any other variable stands for

VECTOR_LOOP = ['DO{label}{i}=1,{n}']
RECURRENCE = [
    '{uni}=U(I97({k}),{k})-U(J97({k}),{k})',
    'IF({uni}<{zero}){uni}={uni}+{one}',
    'U(I97({k}),{k})={uni}',
    'I97({k})=I97({k})-1',
    'IF(I97({k})==0)I97({k})=97',
    'J97({k})=J97({k})-1',
    'IF(J97({k})==0)J97({k})=97',
    'C({k})=C({k})-CD',
    'IF(C({k})<{zero})C({k})=C({k})+CM',
    '{uni}={uni}-C({k})',
    'IF({uni}<{zero}){uni}={uni}+{one}',
]
AVOID_ZERO = ['IF({uni}=={zero}){uni}=TWOM48']
DELIVERIES = ['{dest}={uni}', '{dest}=SNGL({uni})', '{dest}=REAL({uni})']
COUNT = [
    'NTOT({k})=NTOT({k})+{n}',
    'IF(NTOT({k})>=MODCNS)THEN',
    'NTOT2({k})=NTOT2({k})+1',
    'NTOT({k})=NTOT({k})-MODCNS',
    'ENDIF',
]
SEED = ['IJKL({k})={x}(1)', 'NTOT({k})={x}(2)', 'NTOT2({k})={x}(3)']
SKIP = ['{uni}={w}({ii})-{w}({jj})']
HAND_OVER = ['I97({k})={ii}', 'J97({k})={jj}', 'C({k})={cc}',
             'DO{label}{i}=1,97', 'U({i},{k})={w}({i})']
READ = ['READ({x})IJKL({k}),NTOT({k}),NTOT2({k})', 'READ({y})I97({k}),J97({k}),C({k})',
        'READ({z})U']
WRITE = [statement.replace('READ', 'WRITE') for statement in READ]
REPORT = ['{x}(1)=IJKL({k})', '{x}(2)=NTOT({k})', '{x}(3)=NTOT2({k})']
POSITION = ['{x}=NTOT({k})+{billion}*NTOT2({k})']
COPY_OUT = [['{x}=IJKL({k})'], ['{x}=NTOT({k})'], ['{x}=NTOT2({k})'], ['{x}=C({k})'],
            ['DO{label}{i}=2,98', '{x}=U({i}-1,{k})'],
            ['{x}=DBLE(I97({k}))'], ['{x}=DBLE(J97({k}))']]
COPY_IN = [['IJKL({k})={x}'], ['NTOT({k})={x}'], ['NTOT2({k})={x}'], ['C({k})={x}'],
           ['DO{label}{i}=2,98', 'U({i}-1,{k})={x}'],
           ['I97({k})=NINT({x})'], ['J97({k})=NINT({x})']]

# The state as a statement uses it. IJKL is left out where it is read: it is never out of date.
STATE_USE = re.compile(r'(?<!\w)(?:U|C|I97|J97|NTOT|NTOT2)(?!\w)|^IJKL\(')
NOT_IN_SEEDING = re.compile(r'(?:READ|WRITE|PRINT|GOTO|RETURN|STOP|ENTRY|END$)|'
                            r'.*(?<!\w)(?:U|C|I97|J97)(?!\w)|NTOT')
DO_OR_IF = re.compile(r'DO\d*[A-Z]\w*=|DOWHILE|IF\(.*\)THEN$')


def match_statement(template, text, bound):
    """What the variables stand for with this statement taken in, or None if it does not fit."""
    pattern, fresh = '', set()
    for literal, name in re.findall(r'([^{}]+)|\{(\w+)\}', template):
        if literal:
            pattern += re.escape(literal)
        elif name in fresh:
            pattern += f'(?P={name})'
        elif name in bound and name not in ('zero', 'one'):     # 0. and 0.D0 may stand side by side
            pattern += re.escape(bound[name])
        else:
            fresh.add(name)
            pattern += f'(?P<{name}>{VARIABLES.get(name, NAME)})'
    match = re.fullmatch(pattern, text)
    return {**bound, **match.groupdict()} if match else None


class Cursor:
    """A place among the items of a unit, and what variables stand for so far."""

    def __init__(self, items, at, **bound):
        self.items, self.at, self.bound = items, at, bound

    def peek(self):
        """The next item other than line markers, or None."""
        while self.at < len(self.items) and self.items[self.at].directive == 'line':
            self.at += 1
        return self.items[self.at] if self.at < len(self.items) else None

    def take(self, shape):
        """Moves past the shape if it stands here, on lines of its own, its first label apart."""
        at, bound = self.at, self.bound
        for number, template in enumerate(shape):
            item = self.peek()
            fits = item and not item.directive and item.alone and not (number and item.label) \
                and match_statement(template, item.text, self.bound)
            if not fits:
                self.at, self.bound = at, bound
                return False
            self.bound = fits
            self.at += 1
        return True

    def take_loop_end(self):
        """Moves past the end of the DO loop whose {label}, perhaps empty, is bound."""
        item, label = self.peek(), self.bound['label']
        if not (item and item.alone and item.label == label
                and item.text == ('CONTINUE' if label else 'ENDDO')):
            return False
        self.at += 1
        return True

    def take_delivery(self):
        """Moves past 'dest = uni', of which there may be one in each branch of an #if."""
        depth, deliveries = 0, 0
        while item := self.peek():
            if item.directive:
                depth += {'if': 1, 'ifdef': 1, 'ifndef': 1, 'endif': -1}.get(item.directive, 0)
                self.at += 1
            elif any(self.take([form]) for form in DELIVERIES):
                del self.bound['dest']
                deliveries += 1
            else:
                break
        return deliveries > 0 and depth == 0


class UnitShapes:
    """The hooks that the shapes in a program unit ask for."""

    def __init__(self, unit, lines):
        self.unit, self.items, self.lines = unit, unit.items, lines
        self.hooks = []
        self.claimed = set()        # indices of items that belong to a shape
        finders = (self.vector_draw, self.single_draw, self.seeding, self.status_read,
                   self.status_written, self.copy_out, self.copy_in, self.report, self.position)
        at = 0
        while at < len(self.items):
            at = next(filter(None, (finder(at) for finder in finders)), at + 1)

    def line(self, at):
        """Index of the first line of item `at`."""
        return self.items[at].first

    def indent(self, at):
        return indent_of(self.lines[self.line(at)])

    def claim(self, kind, k, start, end, hooked, where):
        """Items start..end-1 are a shape, with a hook around it, or before or after it."""
        self.claimed.update(range(start, end))
        first, last = self.line(start), self.items[end - 1].last
        if where == 'before':
            last = first - 1
        elif where == 'after':
            first = last + 1
        self.hooks.append(Hook(first, last, hooked, kind, self.unit.name, k))
        return end

    def vector_draw(self, start):
        """As in RMMARD: a loop that fills a vector, then the count."""
        cursor = Cursor(self.items, start)
        if not (cursor.take(VECTOR_LOOP) and cursor.take(RECURRENCE) and cursor.take(AVOID_ZERO)
                and cursor.take(['{vec}({i})={uni}']) and cursor.take_loop_end()
                and cursor.take(COUNT)):
            return None
        k = cursor.bound['k']
        hooked = code.draw_vector(cursor.bound['vec'], cursor.bound['n'], k,
                                  self.indent(start), self.items[start].label)
        return self.claim('vector draw', k, start, cursor.at, hooked, 'around')

    def single_draw(self, start):
        """The recurrence, the delivery of the number, the count."""
        cursor = Cursor(self.items, start, n='1')
        if not cursor.take(RECURRENCE):
            return None
        avoids_zero = cursor.take(AVOID_ZERO)
        cursor.peek()
        delivery = cursor.at
        if not cursor.take_delivery():
            return None
        delivered = self.items[cursor.at - 1].last
        if not cursor.take(COUNT):
            return None
        k, indent = cursor.bound['k'], self.indent(start)
        hooked = code.draw(cursor.bound['uni'], k, indent, self.items[start].label)
        if not avoids_zero:
            hooked += code.restore_zero(cursor.bound['uni'], k, indent)
        hooked += [line.rstrip('\r\n') for line in self.lines[self.line(delivery):delivered + 1]]
        return self.claim('draw', k, start, cursor.at, hooked, 'around')

    def seeding(self, start):
        """In RMMAQD: from the assignment of the seed to where the new state is handed over."""
        cursor = Cursor(self.items, start)
        if not cursor.take(SEED):
            return None
        first, skips, depth = cursor.at, False, 0
        while not cursor.take(HAND_OVER):
            item = cursor.peek()
            if item is None or item.directive or NOT_IN_SEEDING.match(item.text):
                return None
            skips = skips or match_statement(SKIP[0], item.text, {})
            depth += bool(DO_OR_IF.match(item.text)) - (item.text in ('ENDDO', 'ENDIF'))
            cursor.at += 1
        if not (cursor.take_loop_end() and skips and depth == 0):
            return None
        k = cursor.bound['k']
        self.claimed.update(range(start, first))
        return self.claim('seeding', k, first, cursor.at, code.seed(k, self.indent(first)),
                          'around')

    def status_read(self, start):
        """The words of all sequences are read, but the indices of one: all must be there before."""
        cursor = Cursor(self.items, start)
        if not cursor.take(READ):
            return None
        k, indent = cursor.bound['k'], self.indent(start)
        self.claim('status before it is read', k, start, cursor.at, code.all_states('GET', indent),
                   'before')
        return self.claim('status read', k, start, cursor.at, code.all_states('PUT', indent), 'after')

    def status_written(self, start):
        cursor = Cursor(self.items, start)
        if not cursor.take(WRITE):
            return None
        k = cursor.bound['k']
        return self.claim('status written', k, start, cursor.at,
                          code.all_states('GET', self.indent(start)), 'before')

    def copy_out(self, start):
        return self.copy(start, COPY_OUT, 'state copied out')

    def copy_in(self, start):
        return self.copy(start, COPY_IN, 'state copied in')

    def copy(self, start, shapes, kind):
        """A copy of the whole state by CONEX or EPOS, in which other statements may stand."""
        cursor = Cursor(self.items, start)
        for number, shape in enumerate(shapes):
            while not (cursor.take(shape) and (len(shape) == 1 or cursor.take_loop_end())):
                item = cursor.peek()
                if number == 0 or not item or item.directive or STATE_USE.search(item.text):
                    return None
                cursor.at += 1
            k = cursor.bound['k']
            cursor.bound = {'k': k}
        verb, where = ('GET', 'before') if shapes is COPY_OUT else ('PUT', 'after')
        return self.claim(kind, k, start, cursor.at, code.state(verb, k, self.indent(start)), where)

    def report(self, start):
        return self.counters(start, REPORT, 'counters reported')

    def position(self, start):
        return self.counters(start, POSITION, 'position read')

    def counters(self, start, shape, kind):
        cursor = Cursor(self.items, start)
        if not cursor.take(shape):
            return None
        k = cursor.bound['k']
        return self.claim(kind, k, start, cursor.at, code.counters(k, self.indent(start)),
                          'before')
