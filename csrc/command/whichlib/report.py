"""usage: gpuranmar which FILE...

Says which RANMAR is in a program, and what of libgpuranmar serves it.

FILE is Fortran, C or C++ source, an object, an archive, an executable, a shared library, a makefile
(for options that change the size of REAL or INTEGER), a profile of a run (perf.data; gmon.out of
gprof, beside its program) or the report of a short run with the library (GPURANMAR_REPORT), which
show what can be gained, or a folder of these.

Sources show most: argument lists, precision, what becomes of a zero. A generator in a source is
also compiled by $FC, or gfortran, and run alone, and its numbers are compared with those of the
library that would take its place; with FC=none it is only read. Binaries show names, constants and
whether the library is used now, argument lists only where they have debugging information, and (on
x86-64) the size of INTEGER and DOUBLE PRECISION where the code of the calls of RMMARD tells it.
Given together, the argument lists of the sources are compared with what the program is linked with.
Neither shows what a preprocessor or a compiler's command line that is not among the files has
changed; nor a generator that was rewritten so that neither its names nor both its constants are
left.

exit codes:
  0  something was found
  1  no RANMAR was found
  2  wrong usage, or a file that could not be read, or an answer that could not be written
  3  a program is linked with a library that its calls do not fit"""
import os
import re
import signal
import struct
import sys

from . import binary, profile, source
from .families import ALONE, FAMILIES, ROUTINES, STATES

# What is raised where a file is read that is not as it should be.
DAMAGED = (LookupError, OverflowError, RecursionError, TypeError, ValueError, struct.error)


def is_data(unit):
    return unit is not None and unit.kind == "blockdata"


class Report:
    """Collects what was found, file by file, each thing once, and prints it."""

    def __init__(self):
        self.found, self.names, self.remarks = {}, set(), []
        self.states, self.calls, self.originals, self.linked = [], [], {}, []
        self.integers = {}  # bytes of the INTEGERs that a file passes, None where that is not seen
        self.programs = []
        self.others = set()  # routines that have a known name and are not RANMAR
        self.unsure = set()  # (file, family) where the numbers were not compared

    def family(self, name, family, why=""):
        entry = self.found.setdefault(name, {})
        entry.setdefault(family, [])
        if why and why not in entry[family]:
            entry[family].append(why)
        self.names.add(family)

    def note(self, name, text):
        self.found.setdefault(name, {}).setdefault("", [])
        if text not in self.found[name][""]:
            self.found[name][""].append(text)

    def remark(self, name, text):
        """Notes what could not be seen in a file."""
        self.remarks.append(f"{name}: {text}")

    def state(self, name, routine, blocks, draws, unit=None):
        """Remembers the COMMON blocks of a routine, and its text where there is one."""
        self.states.append((name, routine, blocks, draws, unit))

    def original(self, name, family, units):
        """Remembers the program's own routines of a family, which go when it is relinked: their
        COMMON blocks, and what else is to be said of them."""
        going = [u for u in units if u.name in FAMILIES[family].calls]
        if not going:
            return
        blocks, advice = self.originals.setdefault(family, (set(), {}))
        blocks.update(*(u.state() for u in going))
        entries = [u for u in units if u not in going and u.host in going]
        rest = entries + [u for u in units if u not in going and not u.host and any(u.lines)]
        names = ", ".join(u.name.upper() for u in going)
        lines = [f"take out {names}" if rest else f"leave the file out: it has only {names}"]
        writes = re.compile(r"^(?:.*\))?(?:WRITE\(|PRINT\W)", re.M)
        says = [u.name.upper() for u in going if writes.search(u.text)]
        library_says = family in ("cpc", "cpcnow", "kkmc") or (
            "RM48IN" in names and all(name.startswith("RM48") for name in says)
        )
        if library_says and not says:
            lines.append("a log gains the journal's lines on unit 6 at each start")
        elif says and not library_says:
            lines.append(f"a log lacks what {', '.join(says)} writes here")
        lines += [f"ENTRY {u.name.upper()} has nothing in its place then" for u in entries]
        advice[name] = lines

    def call(self, name, routine, arguments, precision):
        self.calls.append((name, routine, len(arguments), precision))

    def blockers(self, family):
        """What else reads or writes a family's state, so that the library must not be linked."""
        of = FAMILIES[family]
        if next(iter(of.calls), "") in self.others:
            return [f"{next(iter(of.calls)).upper()} is another generator's in this program"]
        if of.kept or not of.calls:
            return []
        places = set(of.states) | self.originals.get(family, (set(), {}))[0]
        arrays = {place for place in places if isinstance(place, tuple)}
        lines = [
            f"{array.upper()}, the state, is declared in {place}, which is not found beside it"
            for place, array in sorted(arrays)
            if place.startswith("file ")
        ]
        for name, routine, its, draws, unit in self.states:
            found = its & (places if routine not in of.calls else {"external_random"} & places)
            found = [f"COMMON /{block.upper()}/" for block in sorted(found)]
            if unit and routine not in of.calls:
                named = unit.elsewhere({array for _, array in arrays}) & arrays
                found += [f"{array.upper()} of {place}" for place, array in sorted(named)]
            if not is_data(unit):
                lines += [
                    f"{routine.upper() or 'the main program'} in {name} "
                    f"{'draws from' if draws else 'has'} {where}, where relinked it would find "
                    "nothing"
                    for where in found
                ]
        return lines

    def candidates(self, routine, count, precision, starts):
        """The families whose routine is called in this way; starts: how many arguments RMARIN has
        in the program, or None."""
        function = routine.endswith("()")
        return [
            family
            for family in ROUTINES[routine.rstrip("()")]
            for arguments, is_function in [FAMILIES[family].calls[routine.rstrip("()")]]
            if function == is_function
            and (function or count == arguments or len(ROUTINES[routine]) == 1)
            and precision
            in (None, FAMILIES[family].others.get(routine.rstrip("()"), FAMILIES[family].type))
            and (
                starts is None
                or "rmarin" not in FAMILIES[family].calls
                or FAMILIES[family].calls["rmarin"][0] == starts
            )
        ]

    def compare(self):
        """Says which families the calls fit, and which programs are linked with another one."""
        starts = {count for _, routine, count, _ in self.calls if routine == "rmarin"}
        starts = starts.pop() if len(starts) == 1 else None
        sizes = {"libgpuranmar.so": 4, "libgpuranmar_ilp64.so": 8}
        wrong = [
            f"{program} is linked with {library}, but passes INTEGERs of {size} bytes: "
            + ("-lgpuranmar_ilp64" if size == 8 else "-lgpuranmar")
            for program, library in self.linked
            for size in [self.integers.get(program)]
            if size and sizes.get(re.sub(r"[.]so.*", ".so", library), size) != size
        ]
        for name, routine, count, precision in dict.fromkeys(self.calls):
            plain = routine.rstrip("()")
            if plain in self.others:
                continue
            fit = self.candidates(routine, count, precision, starts)
            if plain in ALONE and fit:
                self.family(name, ALONE[plain], f"calls {plain.upper()}")
            elif plain in ALONE or plain in ("ranmar", "phoran"):
                how = (
                    f"calls U = {plain.upper()}()"
                    if routine != plain
                    else f"calls {plain.upper()} with {count} argument{'s' * (count != 1)}"
                ) + (f" in {precision}" if precision else "")
                libraries = " or ".join(f"-lgpuranmar_{family}" for family in fit)
                self.note(name, f"{how}: {libraries or 'no family has that'}")
                wrong += [
                    f"{program} is linked with {library}, but {name} {how}: "
                    + (libraries or "no family has that")
                    for program, library in self.linked
                    for family in [re.sub(r"libgpuranmar_?(\w*)\..*", r"\1", library)]
                    if plain in FAMILIES.get(family, FAMILIES["own"]).calls and family not in fit
                ]
        return wrong

    def only_calls(self):
        """{family: files that only call it}, for families with more than three such files. These
        files are removed from what was found, so that they are printed in one line."""
        callers = {}
        for name, families in list(self.found.items()):
            if all(
                f and why and all(r.startswith("calls ") for r in why)
                for f, why in families.items()
            ):
                for family in families:
                    callers.setdefault(family, []).append(name)
        for family in [f for f, names in callers.items() if len(names) <= 3]:
            del callers[family]
        for name in {name for names in callers.values() for name in names}:
            if set(self.found[name]) <= set(callers):
                del self.found[name]
        return callers

    def link(self, family, name=None):
        """Prints what to do with a family, or why not."""
        link, blockers = FAMILIES[family].link, self.blockers(family)
        for line in blockers:
            print(f"    do not link {link.split()[0]}: {line}")
        if not blockers:
            how = "if its numbers are the same, link" if (name, family) in self.unsure else "link"
            print(f"    {how}: {link}" if link[0] == "-" else f"    {link}")
            places, advice = self.originals.get(family, (set(), {}))
            for line in advice.get(name, []):
                print(f"    {line}")
            if family == "cernlib":
                print(
                    "    RM48IN with N2 > 0 skips N2*10^9 + N1 numbers, as CERNLIB's manual says; "
                    "its own code skips (N2+1)*N1"
                )
            for place, routine, blocks, _, unit in self.states:
                if is_data(unit) and blocks & places:
                    print(f"    take out BLOCK DATA {routine.upper()} in {place}")

    def print(self, files):
        """Prints all of it. Returns whether a program is linked with a library that does not fit
        its calls."""
        wrong = self.compare()
        for name, routine, blocks, draws, unit in self.states:
            for block in sorted(blocks & set(STATES)):
                if routine not in STATES[block] and not draws and not is_data(unit):
                    self.note(
                        name,
                        f"COMMON /{block.upper()}/, the generator's state, is in "
                        f"{routine.upper() or 'the main program'}: relinked it finds nothing there",
                    )
        callers = self.only_calls()
        for name in dict.fromkeys([*files, *self.found]):
            if name not in self.found:
                continue
            print(f"{name}:")
            for family, reasons in self.found[name].items():
                if family:
                    print(f"  {FAMILIES[family].says}")
                    self.link(family, name)
                for reason in reasons:
                    print(f"    {reason}" if family else f"  {reason}")
        for family, names in callers.items():
            print(f"{len(names)} files that call it ({names[0]} to {names[-1]}):")
            print(f"  {FAMILIES[family].says}")
            self.link(family)
        clash = sorted(f for f in self.names if "ranmar" in FAMILIES[f].calls)
        if len(clash) > 1:
            print(
                f"{' and '.join(clash)} have names in common: "
                "one program can be linked with one of them"
            )
        for line in wrong:
            print(f"WRONG: {line}")
        return bool(wrong)


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
    if not arguments or arguments[0] in ("-h", "--help"):
        print(__doc__, file=sys.stdout if arguments else sys.stderr)
        return 0 if arguments else 2
    report, failed = Report(), False
    files = [f for path in arguments for f in files_in(path)]
    for name in files:
        try:
            if os.path.exists(name) and not os.path.isfile(name):
                raise OSError(0, "it is no file")  # a pipe would be waited for
            with open(name, "rb") as file:
                data = file.read()
        except OSError as error:
            print(f"gpuranmar which: {name}: {error.strerror}", file=sys.stderr)
            failed = True
            continue
        if data.startswith(b"\x7fELF"):
            report.programs.append(name)
        describe = source.describe
        if data.startswith((b"\x7fELF", b"!<arch>\n")):
            describe = binary.describe
        elif profile.is_profile(data):
            describe = profile.describe
        try:
            describe(name, data, report)
        except OSError as error:  # of a file that it includes, for example
            where = f"{name}: {error.filename}" if error.filename else name
            print(f"gpuranmar which: {where}: {error.strerror}", file=sys.stderr)
            failed = True
        except DAMAGED as error:
            print(f"gpuranmar which: {name}: damaged: {error}", file=sys.stderr)
            failed = True
    wrong = report.print(files)
    if not report.found:
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
