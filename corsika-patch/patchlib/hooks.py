"""Inserts hooks into a source, and takes them out again.

A hook never changes an original line. It encloses some lines, or stands between two:

    #ifdef __GPURANMAR__        #ifdef __GPURANMAR__
          hooked code                 additional code
    #else                       #endif
    #line 29949                 #line 29833
          original code
    #endif
    #line 29972

The #line directives keep the line numbers of the original. gfortran compiles the line number into
every READ and WRITE, so the object code would differ without these directives. If the preprocessor
skips a hook, it skips the hook's #line too. So another #line follows each #else and #endif of the
conditions around the hook; a comment with the macro's name marks this one.

A text with hooks ends in a line ending if the text without them does.
"""

import re
from dataclasses import dataclass, field

from whichlib.fortran import split_lines

MACRO = "__GPURANMAR__"
OPEN = f"#ifdef {MACRO}"
MARK = f"/* {MACRO} */"
LINE_DIRECTIVE = re.compile(r"#\s*(?:line\s+)?(\d+)")
CONDITION = re.compile(r"#\s*(if|endif|el)")


class HookError(Exception):
    """A source has hooks that insert_hooks cannot have made."""

    def __init__(self, line, text):
        super().__init__(f"line {line}: {text}")
        self.line, self.text = line, text


@dataclass
class Hook:
    first: int  # index of the first original line that it encloses, in the text without hooks
    last: int  # index of the last such line; first - 1 if it stands between two lines
    code: list  # the hooked code, lines without line ending
    kind: str = field(default="", compare=False)  # what it is, as `list` prints it
    unit: str = field(default="", compare=False)  # program unit
    sequence: str = field(default="", compare=False)  # as the source writes it
    line: int = field(default=0, compare=False)  # number of its first line in the text with hooks


def ending_of(text):
    """The line ending of a text's first line."""
    return "\r\n" if text.partition("\n")[0].endswith("\r") else "\n"


def without_ending(text, ending):
    return text[: -len(ending)] if ending and text.endswith(ending) else text


def presumed_lines(lines):
    """The line number that the compiler gives each line, and the next one after the last."""
    numbers = [1]
    for line in lines:
        marker = LINE_DIRECTIVE.match(line)
        numbers.append(int(marker[1]) if marker else numbers[-1] + 1)
    return numbers


def insert_hooks(text, hooks):
    """The text with hooks, which must not overlap."""
    ending = ending_of(text)
    added = "" if text.endswith("\n") else ending
    lines = split_lines(text + added)
    numbers = presumed_lines(lines)
    out, at = [], 0
    conditions = []  # for each open #if: whether it has a hook in it

    def put(*new):
        out.extend(line + ending for line in new)

    def copy_until(end):
        for i in range(at, end):
            out.append(lines[i])
            condition = CONDITION.match(lines[i])
            if not condition:
                continue
            if condition[1] == "if":
                conditions.append(False)
            elif conditions and conditions[-1]:
                put(f"#line {numbers[i + 1]} {MARK}")
            if condition[1] == "endif" and conditions:
                conditions.pop()

    for hook in sorted(hooks, key=lambda h: (h.first, h.last)):
        copy_until(hook.first)
        at = hook.last + 1
        conditions = [True for _ in conditions]
        put(OPEN, *hook.code)
        if hook.last >= hook.first:
            put("#else", f"#line {numbers[hook.first]}")
            out += lines[hook.first : at]
        put("#endif", f"#line {numbers[at]}")
    copy_until(len(lines))
    return without_ending("".join(out), added)


def read_hooks(text):
    """Takes the hooks out of a text.

    Returns the text without hooks, the hooks that were in it, and for each line of the text without
    hooks its index in the text with hooks.
    """
    lines = split_lines(text)
    out, places, present, i = [], [], [], 0

    def expect(what):
        nonlocal i
        if i >= len(lines) or not lines[i].startswith(what):
            raise HookError(i + 1, f"{what} of a hook is missing")
        i += 1

    def branch():
        """The lines up to the #else or #endif of the hook."""
        nonlocal i
        start, depth = i, 0
        while i < len(lines) and not lines[i].startswith("#line"):
            condition = CONDITION.match(lines[i])
            if condition and depth == 0 and condition[1] != "if":
                return lines[start:i]
            depth += {"if": 1, "endif": -1}.get(condition[1], 0) if condition else 0
            i += 1
        raise HookError(start, "the hook has no end")

    while i < len(lines):
        line = lines[i].rstrip()
        i += 1
        if line.startswith("#line") and line.endswith(MARK):
            continue
        if line != OPEN:
            out.append(lines[i - 1])
            places.append(i - 1)
            continue
        opens, first = i, len(out)
        code = [line.rstrip("\r\n") for line in branch()]
        if lines[i].startswith("#else"):
            i += 1
            expect("#line")
            start, original = i, branch()
            places += range(start, start + len(original))
            out += original
        present.append(Hook(first, len(out) - 1, code, line=opens))
        expect("#endif")
        expect("#line")
    added = "" if text.endswith("\n") else ending_of(text)
    return without_ending("".join(out), added), present, places
