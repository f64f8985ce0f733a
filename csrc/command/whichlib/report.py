"""usage: gpuranmar which [--json] FILE...

Says which RANMAR a program has, and which library of libgpuranmar can take its place.

FILE is Fortran, C or C++ source, an object, an archive, an executable, a shared library, a makefile
(for options that change the size of REAL or INTEGER, or the length of lines in fixed form, which is
72), or a folder of these.

A generator in Fortran source is compiled by $FC, or gfortran, and run alone: from usual seeds, one
of which gives a zero in 24 bits, from the smallest and the largest seeds and beyond, with counters,
and before any start. Its numbers and lines of output are compared with those of the library that
would replace it. One that skips numbers singly takes half a minute. With FC=none the source is only
read. A binary has only names: these show whether it uses the library now, but neither argument
lists nor numbers. If sources and a program are given, the calls in the sources are compared with
the libraries that the program is linked with.

--json prints the answer as JSON.

csrc/families/README.md lists what only a comparison of two runs finds.

exit codes:
  0  something was found
  1  no RANMAR was found
  2  wrong usage, or a file that could not be read, or an answer that could not be written
  3  no library has the argument lists of the sources, or the program is linked with a library that
     has other argument lists"""

import json
import os
import re
import signal
import sys

from launch import version

from . import binary, judge, user_source
from .families import FAMILIES, ROUTINES, STATES, about_option, columns_in, family_with
from .families import options_in

# What reading a damaged file raises.
DAMAGED = (LookupError, OverflowError, RecursionError, TypeError, ValueError)
CHOICE = (
    "cernlib, cpc or cpcnow: RMARIN of cpc skips (NTOT2+1)*NTOT numbers, of the others "
    "NTOT2*10^9 + NTOT; cpc and cpcnow write lines to unit 6 at a start, and cernlib does not"
)


def link_of(family):
    return "-lgpuranmar_ilp64" if family == "ilp64" else FAMILIES[family].link


class Report:
    """Collects what was found, file by file, each thing once, and prints it."""

    def __init__(self):
        self.found = {}  # {file: {family, or '' for none: what was found}}
        self.remarks = []  # what could not be seen
        self.sources = {}  # {file: program units}
        self.calls = {}  # {file: {call: the families that fit}}
        self.linked = []  # (program, library of a family)
        self.columns = columns_in(os.fsencode(os.environ.get("FC", "")))
        self.options = {}  # {a compiler's option that changes sizes: a file that has it}
        self.wrong = []
        self.others = set()  # routines that have a known name and are not the families'
        self.unsure = set()  # (file, family) where not all numbers were compared

    def say(self, name, text, family=""):
        """Notes a text on a file, and the family whose routines it has or calls, if any."""
        lines = self.found.setdefault(name, {}).setdefault(family, [])
        if text and text not in lines:
            lines.append(text)

    def read_options(self, name, data, how=""):
        """Notes the compilers' options in a file."""
        self.columns = max(self.columns, columns_in(data))
        for option in options_in(data):
            if option != "-ff2c":  # which changes a result, but no size
                self.options.setdefault(option, name)
            self.say(name, how + about_option(option))

    def either(self, families):
        """The libraries of several families, and a remark on how to choose."""
        if {"cpc", "cpcnow"} <= {*families} and CHOICE not in self.remarks:
            self.remarks.append(CHOICE)
        return " or ".join(link_of(family).split()[0] for family in families)

    def units(self):
        """(file, unit) for each program unit of all sources."""
        return [(f, u) for f, units in self.sources.items() for u in units if not u.host]

    def originals(self, family):
        """{file: (the units that the family's library replaces, the other units)}"""
        found = {}
        for name, units in self.sources.items():
            going = [u for u in units if u.name in FAMILIES[family].calls]
            if going and family in self.found.get(name, {}):
                found[name] = going, [u for u in units if u not in going]
        return found

    def places(self, family):
        """The COMMON blocks with the state, and (place, array) for an array in another place."""
        going = [u for units, _ in self.originals(family).values() for u in units]
        return set(FAMILIES[family].states).union(*(u.state() for u in going))

    def advice(self, family, name):
        """What to do with a source when the family's library is linked."""
        of, (going, others) = FAMILIES[family], self.originals(family).get(name, ([], []))
        entries = [u for u in others if u.host in going]
        rest = entries + [u for u in others if not u.host and any(u.lines)]
        if going:
            kept = {item.of_file for unit in rest for item in unit.items[:1]}
            source_of = {u: (u.host or u).items[0].of_file for u in going}
            # Files that only have what goes.
            included = {*source_of.values()} - kept - {""} if rest else set()
            names = ", ".join(u.name.upper() for u in going if source_of[u] not in included)
            if names:
                yield f"take out {names}" if rest else f"leave the file out: it has only {names}"
            for path in sorted(included):
                path = os.path.relpath(path[len(" of ") :], os.path.dirname(name) or ".")
                yield f"take out the line INCLUDE '{path}'"
        for unit in entries:
            yield f"nothing takes the place of ENTRY {unit.label} then"
        places = set() if of.kept else self.places(family)
        for place, unit in self.units():
            for block in sorted(unit.blocks & places) if unit.kind == "blockdata" else []:
                data = f"BLOCK DATA {unit.name.upper() or 'without a name'} in {place}"
                yield f"take COMMON /{block.upper()}/ and its DATA out of {data}"
            is_other = unit.name not in of.calls and unit.kind != "blockdata"
            for block in {"ludatr", "pydatr"} & {*of.kept} if going and is_other else ():
                if unit.reads_words(block):
                    block, after = block.upper(), [*of.calls][1].upper()
                    words = f"its words, MR{block[:2]}(4) and MR{block[:2]}(5) are up to date after"
                    yield f"{unit.label} in {place} reads COMMON /{block}/: {words} {after} only"

    def blockers(self, family):
        """The reasons against linking a family's library, such as a routine that uses the state."""
        of = FAMILIES[family]
        if set(of.drawing) & self.others:
            return [f"{of.drawing[0].upper()} is another generator's in this program"]
        if not of.calls:
            return []
        if of.kept:
            return [
                f"{unit.label} in {name} draws from COMMON /{block.upper()}/ itself: let it call "
                f"{of.drawing[0].upper()}"
                for name, unit in self.units()
                for block in sorted(unit.blocks & set(of.kept))
                if unit.draws and unit.name not in of.calls
            ]
        places = self.places(family)
        arrays = {place for place in places if isinstance(place, tuple)}
        lines = [
            f"{array.upper()}, the state, is declared in {place}, which is not found beside it"
            for place, array in sorted(arrays)
            if place.startswith("file ")
        ]
        for name, unit in self.units():
            if unit.kind == "blockdata":
                continue
            own = unit.name in of.calls
            found = unit.blocks & ({"external_random"} & places if own else places)
            can_call = family == "corsika" and not unit.draws and unit.only_reads("crranma4")
            how = {"crranma4": ": let it call GRNSTA"} if can_call else {}
            found = [(f"COMMON /{block.upper()}/", how.get(block, "")) for block in sorted(found)]
            if not own:
                named = unit.elsewhere({array for _, array in arrays}) & arrays
                found += [(f"{array.upper()} of {place}", "") for place, array in sorted(named)]
            lines += [
                f"{unit.label} in {name} {'draws from' if unit.draws else 'has'} {where}, which "
                f"the library does not update{how}"
                for where, how in found
            ]
        return lines

    def compare(self):
        """Says which families the calls fit, and which programs are linked with another one."""
        for name, calls in self.calls.items():
            for call, fit in calls.items():
                routine = call[0]
                if routine in self.others:
                    continue
                how = f"calls {judge.written(*call)}"
                is_sure = len(fit) == len(ROUTINES[routine]) == 1
                if is_sure:
                    self.say(name, f"calls {routine.upper()}", fit[0])
                fit = list(filter(None, (family_with(self.options, family) for family in fit)))
                libraries = self.either(fit)
                if not is_sure:
                    self.say(name, f"{how}: {libraries or 'no family has that'}")
                if not fit:
                    self.wrong.append(f"{name} {how}: no family has that")
                self.wrong += [
                    f"{program} is linked with {library}, but {name} {how}: {libraries}"
                    for program, library in self.linked
                    for family in [re.sub(r"libgpuranmar_?(\w*)\..*", r"\1", library) or "corsika"]
                    if fit and family in ROUTINES[routine] and family not in fit
                ]

    def link(self, family, name):
        """(the options that link a family's library, "" if it must not be linked; lines that say so
        and why)"""
        link, blockers = FAMILIES[family].link, self.blockers(family)
        fits, lines = family_with(self.options, family), []
        if fits != family:
            by = ", ".join(f"{option} ({file})" for option, file in self.options.items())
            lines.append(f"do not link {link.split()[0]}: its arguments have other sizes with {by}")
            link = link_of(fits) if fits else ""
        lines += [f"do not link {link.split()[0]}: {line}" for line in blockers]
        if blockers or not link:
            return "", lines
        if link[0] != "-":
            return "", [*lines, link, *self.advice(family, name)]
        how = "if its numbers are the same, link" if (name, family) in self.unsure else "link"
        return link, [*lines, f"{how}: {link}", *self.advice(family, name)]

    def answer(self, files):
        """All of it, as JSON has it."""
        self.compare()
        for name, unit in self.units():
            for block in sorted(unit.blocks & set(STATES)):
                if unit.name not in STATES[block] and not unit.draws and unit.kind != "blockdata":
                    state = f"COMMON /{block.upper()}/, the generator's state, is in {unit.label}"
                    self.say(name, f"{state}: the library does not update it")
        found = []
        for name in dict.fromkeys([*files, *self.found]):
            for family, reasons in self.found.get(name, {}).items():
                link, lines = self.link(family, name) if family else ("", [])
                found.append({"file": name, "family": family, "link": link})
                found[-1]["sure"] = bool(link) and (name, family) not in self.unsure
                found[-1]["says"] = FAMILIES[family].says if family else ""
                found[-1]["lines"] = lines + reasons
        named = set().union(*self.found.values()) - {""}
        clash = sorted(f for f in named if "ranmar" in FAMILIES[f].calls)
        wrong = list(dict.fromkeys(self.wrong))
        return {"found": found, "clash": clash, "wrong": wrong, "remarks": self.remarks}


def print_answer(answer):
    before = None
    for part in answer["found"]:
        if part["file"] != before:
            before = part["file"]
            print(f"{before}:")
        if part["says"]:
            print(f"  {part['says']}")
        for line in part["lines"]:
            print(f"    {line}" if part["family"] else f"  {line}")
    if len(answer["clash"]) > 1:
        line = f"{' and '.join(answer['clash'])} have names in common: one program can be linked "
        print(line + "with one of them")
    for line in answer["wrong"]:
        print(f"WRONG: {line}")
    if answer["status"] == 1:
        print("no RANMAR found")
    for remark in answer["remarks"]:
        print(remark)


def files_in(path):
    """The files of a folder, but no pipes, sockets, devices and links that lead nowhere."""
    if not os.path.isdir(path):
        return [path]
    return sorted(
        file
        for folder, folders, names in os.walk(path)
        for file in (os.path.join(folder, name) for name in names)
        if f"{os.sep}.git{os.sep}" not in os.path.join(folder, "") and os.path.isfile(file)
    )


def main(arguments):
    as_json = "--json" in arguments[:1]
    arguments = arguments[as_json:]
    if not arguments:
        print("gpuranmar which: no FILE: see --help", file=sys.stderr)
        return 2
    if arguments[0] in ("-h", "--help"):
        print(__doc__)
        return 0
    report, failed = Report(), False
    files = [f for path in arguments for f in files_in(path)]
    for name in sorted(files, key=user_source.is_fortran):  # which options change the reading of
        try:
            if os.path.exists(name) and not os.path.isfile(name):
                raise OSError(0, "it is no file")  # a pipe would be waited for
            with open(name, "rb") as file:
                data = file.read()
            is_binary = data.startswith((b"\x7fELF", b"!<arch>\n"))
            (binary if is_binary else user_source).describe(name, data, report)
        except OSError as error:  # of a file that it includes, for example
            where = name if error.filename in (None, name) else f"{name}: {error.filename}"
            print(f"gpuranmar which: {where}: {error.strerror}", file=sys.stderr)
            failed = True
        except DAMAGED as error:
            print(f"gpuranmar which: {name}: damaged: {error}", file=sys.stderr)
            failed = True
    judge.judge(report)
    answer = report.answer(files)
    # A file that was not read may have one.
    status = 2 if failed else 3 if answer["wrong"] else int(not report.found)
    answer = {"version": version(), "status": status, **answer}
    print(json.dumps(answer, indent=1)) if as_json else print_answer(answer)
    return status


def run():
    # A signal ends it as an exception does, so that a trial's folder is removed.
    for number in signal.SIGHUP, signal.SIGINT, signal.SIGTERM:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, lambda which, _: sys.exit(128 + which))
    return main(sys.argv[1:])
