"""usage: gpuranmar which FILE...

Says which RANMAR a program has, and which library of libgpuranmar can take its place.

FILE is Fortran, C or C++ source, an object, an archive, an executable, a shared library, a makefile
(for options that change the size of REAL or INTEGER), or a folder of these.

A generator in Fortran source is compiled by $FC, or gfortran, and run alone. Its numbers, with a
zero among them, are compared with those of the library that would take its place. With FC=none the
source is only read. A binary has only names, which show neither argument lists nor numbers, and
whether it uses the library now. If sources and a program are given, the calls in the sources are
compared with the libraries that the program is linked with.

The page on families lists what only a compared run finds.

exit codes:
  0  something was found
  1  no RANMAR was found
  2  wrong usage, or a file that could not be read, or an answer that could not be written
  3  no library has the argument lists of the sources, or the program is linked with one that has
     others"""

import os
import re
import signal
import sys

from . import binary, source
from .families import DRAWING, FAMILIES, ROUTINES, STATES

# What reading a damaged file raises.
DAMAGED = (LookupError, OverflowError, RecursionError, TypeError, ValueError)


class Report:
    """Collects what was found, file by file, each thing once, and prints it."""

    def __init__(self):
        self.found, self.names, self.remarks = {}, set(), []
        self.sources = {}  # {file: program units}
        self.calls = {}  # {file: {call: the families that fit}}
        self.states, self.originals, self.linked, self.wrong = [], {}, [], []
        self.others = set()  # routines that have a known name and are not the families'
        self.unsure = set()  # (file, family) where the numbers were not compared

    def family(self, name, family, why=""):
        reasons = self.found.setdefault(name, {}).setdefault(family, [])
        if why and why not in reasons:
            reasons.append(why)
        self.names.add(family)

    def note(self, name, text):
        self.found.setdefault(name, {}).setdefault("", [])
        if text not in self.found[name][""]:
            self.found[name][""].append(text)

    def in_module(self, name, routine, module, shaped=()):
        self.note(
            name,
            f"{routine.upper()} is in module {module}, where no library can take its place: "
            "put an interface to the library's there (page on families)"
            + "".join(f", in which {array} is {array}(*)" for array in shaped),
        )

    def remark(self, name, text):
        """Notes what could not be seen in a file."""
        self.remarks.append(f"{name}: {text}")

    def corsika(self, files, others):
        """Keeps only this of a CORSIKA tree: `files` have copies of RMMARD, `others` another
        RANMAR."""
        self.found = {name: {"": its[""]} for name, its in self.found.items() if "" in its}
        self.names.clear()
        for name in files:
            self.note(
                name,
                "has copies of RMMARD in line, which no library can replace: use gpuranmar-patch "
                "(docs/corsika.md, gpuranmar-patch(1)); its list DIR names each place",
            )
        for name in others:
            self.remark(name, "has another RANMAR: ask about this file by itself")

    def state(self, name, unit):
        """Remembers a program unit and its COMMON blocks."""
        self.states.append((name, unit, unit.blocks()))

    def original(self, name, family, units):
        """Remembers the COMMON blocks of the routines that relinking takes out, and what to do in
        this file."""
        going = [u for u in units if u.name in FAMILIES[family].calls]
        blocks, advice = self.originals.setdefault(family, (set(), {}))
        blocks.update(*(u.state() for u in going))
        entries = [u for u in units if u not in going and u.host in going]
        rest = entries + [u for u in units if u not in going and not u.host and any(u.lines)]
        names = ", ".join(u.name.upper() for u in going)
        lines = [f"take out {names}" if rest else f"leave the file out: it has only {names}"]
        lines += [
            f"{u.name.upper()} calls {start}{seeds} itself, and the library's does not: let the "
            "program call it"
            for u in going
            for start, seeds in re.findall(r"CALL(\w+)(\([^()]*\))", u.text)
            if u.name in DRAWING and start.lower() in FAMILIES[family].calls
        ]
        lines += [f"ENTRY {u.name.upper()} has nothing in its place then" for u in entries]
        advice[name] = lines

    def blockers(self, family):
        """The reasons why a family's library must not be linked: others use the state."""
        of = FAMILIES[family]
        if set(of.drawing) & self.others:
            return [f"{of.drawing[0].upper()} is another generator's in this program"]
        if not of.calls:
            return []
        if of.kept:
            return [
                f"{unit.name.upper() or 'the main program'} in {name} draws from COMMON "
                f"/{block.upper()}/ itself: let it call {of.drawing[0].upper()}"
                for name, unit, its in self.states
                for block in sorted(its & set(of.kept))
                if unit.draws and unit.name not in of.calls
            ]
        places = set(of.states) | self.originals.get(family, (set(), {}))[0]
        arrays = {place for place in places if isinstance(place, tuple)}
        lines = [
            f"{array.upper()}, the state, is declared in {place}, which is not found beside it"
            for place, array in sorted(arrays)
            if place.startswith("file ")
        ]
        for name, unit, its in self.states:
            if unit.kind == "blockdata":
                continue
            found = its & (places if unit.name not in of.calls else {"external_random"} & places)
            found = [f"COMMON /{block.upper()}/" for block in sorted(found)]
            if unit.name not in of.calls:
                named = unit.elsewhere({array for _, array in arrays}) & arrays
                found += [f"{array.upper()} of {place}" for place, array in sorted(named)]
            lines += [
                f"{unit.name.upper() or 'the main program'} in {name} "
                f"{'draws from' if unit.draws else 'has'} {where}, which the library does not "
                "update"
                for where in found
            ]
        return lines

    def compare(self):
        """Says which families the calls fit, and which programs are linked with another one."""
        for name, calls in self.calls.items():
            for call, fit in calls.items():
                routine = call[0]
                if routine in self.others:
                    continue
                how = f"calls {source.written(*call)}"
                if len(fit) == 1 and len(ROUTINES[routine]) == 1:
                    self.family(name, fit[0], f"calls {routine.upper()}")
                    libraries = FAMILIES[fit[0]].link.split()[0]
                else:
                    libraries = " or ".join(FAMILIES[family].link.split()[0] for family in fit)
                    self.note(name, f"{how}: {libraries or 'no family has that'}")
                if not fit:
                    self.wrong.append(f"{name} {how}: no family has that")
                self.wrong += [
                    f"{program} is linked with {library}, but {name} {how}: {libraries}"
                    for program, library in self.linked
                    for family in [re.sub(r"libgpuranmar_?(\w*)\..*", r"\1", library) or "corsika"]
                    if fit and family in ROUTINES[routine] and family not in fit
                ]

    def link(self, family, name):
        """Prints how to link a family's library, or why it must not be linked."""
        link, blockers = FAMILIES[family].link, self.blockers(family)
        for line in blockers:
            print(f"    do not link {link.split()[0]}: {line}")
        if not blockers:
            how = "if its numbers are the same, link" if (name, family) in self.unsure else "link"
            print(f"    {how}: {link}" if link[0] == "-" else f"    {link}")
            places, advice = self.originals.get(family, (set(), {}))
            for line in advice.get(name, []):
                print(f"    {line}")
            places = set() if FAMILIES[family].kept else places | set(FAMILIES[family].states)
            for place, unit, blocks in self.states:
                for block in sorted(blocks & places) if unit.kind == "blockdata" else []:
                    print(
                        f"    take COMMON /{block.upper()}/ and its DATA out of BLOCK DATA "
                        f"{unit.name.upper()} in {place}"
                    )

    def print(self, files):
        """Prints all of it. Returns whether something is wrong."""
        self.compare()
        for name, unit, blocks in self.states:
            for block in sorted(blocks & set(STATES)):
                if unit.name not in STATES[block] and not unit.draws and unit.kind != "blockdata":
                    self.note(
                        name,
                        f"COMMON /{block.upper()}/, the generator's state, is in "
                        f"{unit.name.upper() or 'the main program'}: the library does not update "
                        "it",
                    )
        for name in dict.fromkeys([*files, *self.found]):
            for family, reasons in self.found.get(name, {}).items():
                if family == next(iter(self.found[name])):
                    print(f"{name}:")
                if family:
                    print(f"  {FAMILIES[family].says}")
                    self.link(family, name)
                for reason in reasons:
                    print(f"    {reason}" if family else f"  {reason}")
        clash = sorted(f for f in self.names if "ranmar" in FAMILIES[f].calls)
        if len(clash) > 1:
            print(
                f"{' and '.join(clash)} have names in common: "
                "one program can be linked with one of them"
            )
        for line in dict.fromkeys(self.wrong):
            print(f"WRONG: {line}")
        return bool(self.wrong)


def files_in(path):
    """The files of a folder, but no pipes, sockets and devices."""
    if not os.path.isdir(path):
        return [path]
    return sorted(
        file
        for folder, folders, names in os.walk(path)
        for file in (os.path.join(folder, name) for name in names)
        if f"{os.sep}.git{os.sep}" not in os.path.join(folder, "")
        and (os.path.isfile(file) or not os.path.exists(file))
    )


def main(arguments):
    if not arguments:
        print("gpuranmar which: no FILE: see --help", file=sys.stderr)
        return 2
    if arguments[0] in ("-h", "--help"):
        print(__doc__)
        return 0
    report, failed = Report(), False
    files = [f for path in arguments for f in files_in(path)]
    for name in files:
        try:
            if os.path.exists(name) and not os.path.isfile(name):
                raise OSError(0, "it is no file")  # a pipe would be waited for
            with open(name, "rb") as file:
                data = file.read()
            is_binary = data.startswith((b"\x7fELF", b"!<arch>\n"))
            (binary if is_binary else source).describe(name, data, report)
        except OSError as error:  # of a file that it includes, for example
            where = name if error.filename in (None, name) else f"{name}: {error.filename}"
            print(f"gpuranmar which: {where}: {error.strerror}", file=sys.stderr)
            failed = True
        except DAMAGED as error:
            print(f"gpuranmar which: {name}: damaged: {error}", file=sys.stderr)
            failed = True
    source.judge(report)
    wrong = report.print(files)
    if not report.found and not failed:  # a file that was not read may have one
        print("no RANMAR found")
    for remark in report.remarks:
        print(remark)
    return 2 if failed else 3 if wrong else int(not report.found)


def run():
    # A signal ends it as an exception does, so that a trial's folder is removed.
    for number in signal.SIGHUP, signal.SIGINT, signal.SIGTERM:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, lambda which, _: sys.exit(128 + which))
    try:
        ended = main(sys.argv[1:])
        print(end="", flush=True)
        sys.exit(ended)
    except BrokenPipeError:
        sys.stderr.close()
    except OSError as no_room:
        print(f"gpuranmar which: standard output: {no_room.strerror}", file=sys.stderr, flush=True)
        os._exit(2)  # since sys.exit() would write to standard output once more
