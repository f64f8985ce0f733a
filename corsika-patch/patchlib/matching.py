"""Compares statements with the shapes of generator_shapes.py."""

import re
from functools import lru_cache

from .generator_shapes import CONSTANTS, DELIVERIES, NAME, STATE, STATE_USE, VARIABLES

PIECES = re.compile(r"([^{}]+)|\{([^{}]+)\}")
NUMBER = r"(?:\d+\.?\d*|\.\d+)(?:[DE][+-]?\d+)?"
INDEX = re.compile(r"DO\{label\}\{(\w+)\}=")


@lru_cache(maxsize=None)
def pieces(template):
    """[(literal, ''), ('', variable), ...]"""
    return PIECES.findall(template)


def match_statement(template, text, bound):
    """The variables' values after this statement, or None if it does not match the template.

    bound  {variable: its value} before the statement
    """
    parts = pieces(template)
    if any(literal not in text for literal, _ in parts):  # rejects most statements cheaply
        return None
    pattern, fresh, numbers = "", [], {}
    for literal, name in parts:
        if literal:
            pattern += re.escape(literal)
        elif name[0].isdigit():
            group = f"number{len(numbers)}"
            numbers[group] = float(name)
            pattern += f"(?P<{group}>{NUMBER})"
        elif name in fresh:
            pattern += f"(?P={name})"
        elif name in bound:
            pattern += re.escape(bound[name])
        else:
            fresh.append(name)
            pattern += f"(?P<{name}>{VARIABLES.get(name, NAME)})"
    match = re.fullmatch(pattern, text)
    if not match:
        return None
    if any(float(match[group].replace("D", "E")) != value for group, value in numbers.items()):
        return None
    taken = {bound[name] for name in bound if name not in VARIABLES}
    for name in fresh:
        value = match[name]
        base = value.split("(")[0]
        if name in ("dest", *"xyz") and (base in (*CONSTANTS, "JSEQ") or STATE_USE.search(value)):
            return None
        if name not in VARIABLES:  # a plain name, which no other variable may stand for
            if value in taken or value in STATE + CONSTANTS:
                return None
            taken.add(value)
    return {**bound, **{name: match[name] for name in fresh}}


def render(template, bound):
    """The statement that a template expects, for messages."""
    known = {"label": " ", **bound}
    return "".join(literal or known.get(name, name) for literal, name in pieces(template))


class Cursor:
    """A position among the items of a unit, and the variables' values so far.

    furthest  index of the first item that did not match, the last template that was tried there,
              and the variables' values
    """

    def __init__(self, items, at, **bound):
        self.items, self.at, self.bound = items, at, bound
        self.loops = []  # (label or '', index variable) of the open DOs
        self.furthest = at, "", {}

    def expected(self):
        """(index of the first item that did not match, the statement expected there)."""
        at, template, bound = self.furthest
        return min(at, len(self.items) - 1), render(template, bound)

    def peek(self):
        """The next item other than line markers, or None."""
        while self.at < len(self.items) and self.items[self.at].directive == "line":
            self.at += 1
        return self.items[self.at] if self.at < len(self.items) else None

    def take(self, shape, may_have_label=True):
        """Moves past the shape if the next items match it and share no line with other statements.
        Only the first statement may have a label."""
        saved = self.at, self.bound
        for number, template in enumerate(shape):
            if not self.take_statement(template, may_have_label and number == 0):
                if self.at >= self.furthest[0]:
                    self.furthest = self.at, template, self.bound
                self.at, self.bound = saved
                return False
        return True

    def take_statement(self, template, may_have_label):
        """Moves past one statement if it matches."""
        item = self.peek()
        if not item or item.directive or not item.alone:
            return False
        if template == "ENDDO":
            label, index = self.loops[-1]
            if item.label != label or item.text != ("CONTINUE" if label else "ENDDO"):
                return False
            self.loops.pop()
            self.bound = {name: value for name, value in self.bound.items() if name != index}
        elif item.label and not may_have_label:
            return False
        else:
            fits = match_statement(template, item.text, self.bound)
            if fits is None:
                return False
            index = INDEX.match(template)
            if index:
                self.loops.append((fits.pop("label"), index[1]))
            self.bound = fits
        self.at += 1
        return True

    def take_delivery(self):
        """Moves past 'dest = uni'. Each branch of an #if may have one."""
        depth = 0
        while item := self.peek():
            if item.directive:
                depth += {"if": 1, "ifdef": 1, "ifndef": 1, "endif": -1}.get(item.directive, 0)
                self.at += 1
            elif any(self.take([form]) for form in DELIVERIES):
                del self.bound["dest"]
            else:
                break
        return depth == 0
