"""Describes Fortran, C and C++ sources. They are read as text, not parsed: what is looked for are
declarations and the shape of the recurrence."""
import os
import re
from functools import cached_property

from . import trial
from .families import ALONE, CLASHING, DRAWING, FAMILIES, NAMES, ROUTINES
from .families import about_option, options_in
from .fortran import (
    HEADER,
    IMPLICIT,
    INCLUDE,
    declared_types,
    declares,
    is_free,
    is_preprocessed,
    read_items,
    split_lines,
    split_list,
    type_of,
)

PRECISIONS = {"DOUBLEPRECISION": "DOUBLE", "REAL": "REAL", "INTEGER": "INTEGER"}
# RANMAR's lagged part: two elements of one array are subtracted (LAGGED), and an index goes back to
# the other end after 97 (ROUND).
LAGGED = re.compile(r"([\w%]+)[(\[][\w%()\[\],]+?[)\]]-\1[(\[]")
ROUND = re.compile(r"=97\b|=96\b|97\)|\b97\b")
# A call, or a function in an expression; the words before it tell a declaration.
CALL = re.compile(
    rf"((?:^|\))CALL|[=(),+*/.<>-])({'|'.join(NAMES).upper()})\b"
    r"(\(([^()]*(?:\([^()]*\)[^()]*)*)\))?",
    re.M,
)
INTERFACE = re.compile(r"(END|ABSTRACT)?INTERFACE(?![=(])")
THREADS = re.compile(r"^\s*[!C*]\$OMP\s+THREADPRIVATE", re.I | re.M)
USE = re.compile(r"^USE(?:,\w+::|::)?([A-Z]\w*)(?:$|,)", re.M)
# These two are looked for in C and C++ too.
STEP, MODULUS = (
    re.compile(rf"(?<![\w.]){pattern}(?!\d)", re.I)
    for pattern in (r"(?:7654321|0x0*74cbb1)", r"(?:16777213|0x0*fffffd)")
)


# A name of a card in columns 73 to 80, as in sources of the time of punched cards.
CARD = re.compile(r"([^\t\r\n]{72})(?=.{1,8}\r?$)[A-Z ]*\d+[ \r]*$", re.I)


def without_card_names(lines):
    """Lines of fixed form, cut after column 72 if all statements beyond it end in a card's name."""
    long = [line for line in lines if len(line.rstrip()) > 72 and line[0] not in "Cc*!#"]
    if not long or not all(map(CARD.match, long)):
        return lines
    return [CARD.sub(r"\1", line) for line in lines]


def read_statements(name, text, free, depth=0):
    """The items of a source that are statements, and those of the included files that are found
    from its folder in place of the lines that include them."""
    items = []
    lines = split_lines(text) if free else without_card_names(split_lines(text))
    for item in read_items(lines, is_preprocessed(name), free):
        match = INCLUDE.match(item.text)
        path = match and os.path.join(os.path.dirname(name), match[1] or match[2])
        if match and depth < 4 and os.path.isfile(path):
            with open(path, encoding="latin-1") as file:
                items += read_statements(path, file.read(), free, depth + 1)
        elif match or not item.directive:
            items.append(item)
    return items


class Unit:
    """A program unit or an ENTRY: its name, argument names, kind and statements."""

    def __init__(self, header):
        """header: its first statement, as HEADER matches it; None where there is none."""
        of = header.groupdict("") if header else {"kind": "PROGRAM"}
        self.kind, self.name = of["kind"].lower(), of.get("name", "").lower()
        self.args = [a.lower() for a in of.get("args", "").split(",") if a]
        self.type, self.result = of.get("type", ""), of.get("result", "").lower() or self.name
        if of.get("bind"):
            self.name += " bind(c)"  # a C name, which no library has
        self.items, self.host, self.module = [], None, None
        self.threads = False  # whether its file has COMMON blocks for each thread

    @property
    def lines(self):
        return [item.text for item in self.items]

    @cached_property
    def text(self):
        return "\n".join((self.host or self).lines)

    @cached_property
    def types(self):
        return declared_types((self.host or self).items)

    def precision(self, name):
        """REAL, DOUBLE or INTEGER, by the declarations of a name; None if they do not tell."""
        declared = self.types.get(name.upper(), ("", ""))[0]
        if declared:
            return PRECISIONS.get(declared)  # or a kind with a name
        for line in self.text.splitlines():
            for kind, ranges in IMPLICIT.findall(line if line.startswith("IMPLICIT") else ""):
                for low, high in re.findall(r"([A-Z])(?:-([A-Z]))?", ranges):
                    if low <= name[0].upper() <= (high or low):
                        return PRECISIONS.get(type_of(kind))
        hidden = r"^(?:#?\s*include|IMPLICITNONE)|^USE[A-Z:,]"  # and what a host module has
        if self.module or re.search(hidden, self.text, re.I | re.M):
            return None
        return "INTEGER" if name[0] in "ijklmn" else "REAL"

    def draws(self):
        return bool(LAGGED.search(self.text) and ROUND.search(self.text))

    def blocks(self):
        """The names of its COMMON blocks; that of blank COMMON is empty."""
        commons = (item.text[6:] for item in (self.host or self).items if is_common(item))
        lists = (names if names[:1] == "/" else f"//{names}" for names in commons)
        return {name.lower() for names in lists for name in re.findall(r"/(\w*)/", names)}

    def elsewhere(self, arrays):
        """Those of the arrays that it names and does not declare, each as (place, array) for each
        module, or included file that was not found, in which it may be declared."""
        module = (self.host or self).module
        places = {f"module {name.upper()}" for name in USE.findall(self.text) + [module] if name}
        included = map(INCLUDE.match, self.text.splitlines())
        places |= {f"file {m[1] or m[2]}" for m in included if m}
        return {
            (place, array)
            for array in arrays
            if re.search(rf"\b{array}\b", self.text, re.I) and array.upper() not in self.types
            for place in places
        }

    def state(self):
        """Where the state may be that it draws from and shares: COMMON blocks, and elsewhere."""
        return self.blocks() | self.elsewhere(
            {a.lower().split("%")[0] for a in LAGGED.findall(self.text)}
        )

    def calls(self):
        """Yields (routine, arguments, type) of each call of a known routine: the type is that of
        the function, or of the first argument of a subroutine; None where it is not declared. The
        arguments are None where the routine itself is passed to another one."""
        for line in self.lines:
            if declares(line) or HEADER.match(line):
                continue
            for how, routine, in_parentheses, arguments in CALL.findall(line):
                given, routine = [a for a in split_list(arguments) if a], routine.lower()
                if how.endswith("CALL"):
                    word = re.match(r"([A-Z]\w*)|\d+$", given[0]) if given else None
                    precision = self.precision(word[1].lower()) if word and word[1] else None
                    if routine == "ranmar" and word and not word[1]:
                        precision = "INTEGER"
                    elif routine != "ranmar" and precision == "INTEGER":
                        precision = None  # a seed, for example
                    yield routine, given, precision
                elif not in_parentheses:
                    if re.search(rf"^EXTERNAL(?:.*[:,])?{routine}\b", self.text, re.I | re.M):
                        yield routine, None, None
                elif len(given) < 2 and any(
                    FAMILIES[family].calls.get(routine, (0, False))[1]
                    for family in ROUTINES[routine]
                ):
                    yield f"{routine}()", given, self.precision(routine)


def is_common(item):
    return item.text.startswith("COMMON") and declares(item.text)


def units_of(items):
    """The program units. Statements outside of them belong to a main program with an empty name,
    and what an interface block declares to the unit that has it."""
    units, module, interface = [Unit(None)], None, False
    for item in items:
        if match := INTERFACE.match(item.text):
            interface = match[1] != "END"
        header = None if interface else HEADER.match(item.text)
        if header:
            unit = Unit(header)
            host = units[-1].host or units[-1]
            if unit.kind == "module":
                module = unit.name
            elif unit.kind == "entry":
                unit.host, unit.module = host, host.module
            else:
                unit.module = module
            units.append(unit)
        elif item.text.startswith("ENDMODULE"):
            module = None
        (units[-1].host or units[-1]).items.append(item)
    return units


def family_of_ranmar(unit, units):
    """The family of a RANMAR, and what the text does not show; the family is then None."""
    start = next((u for u in units if u.name == "rmarin"), None)
    if len(start.args if start else "12") not in (2, 3):
        return "own", None
    if unit.kind == "function":
        precision = PRECISIONS.get(type_of(unit.type)) if unit.type else unit.precision(unit.result)
        return {"REAL": "function", "DOUBLE": "dfunction"}.get(
            precision
        ), "the type of the FUNCTION"
    if len(unit.args) == 1:
        precision = unit.precision(unit.args[0])
        return {"DOUBLE": "one", None: None}.get(
            precision, "own"
        ), "whether the number is REAL or DOUBLE"
    if len(unit.args) != 2:
        return "own", None
    precision = unit.precision(unit.args[0])
    if start and len(start.args) == 3:
        text = (unit.text + start.text).lower()
        if precision == "DOUBLE" or "179" in text and "30082" not in text:
            return "own", None
        journal = "skipping" in text or start.host
        if "common/ranma1/" in text:
            return "cernlib", None
        # The loop that skips one by one: to its lap's count, or to NTOT as the journal has it.
        if re.search(r"^do,?\w+=1,\w*ntot\w*$", text, re.M):
            return "cpc", None
        if re.search(r"^do,?\w+=1,now\b", text, re.M):
            return ("cpcnow" if journal else "cernlib"), None
        return (
            None if journal else "cernlib"
        ), "how far RMARIN skips, to NTOT (cpc) or NOW (cpcnow),"
    return {"REAL": "real", "DOUBLE": "double", None: None}.get(
        precision, "own"
    ), "whether the array is REAL or DOUBLE"


def zero_rule(unit):
    """What the text seems to do with a zero, for a reader to check."""
    if re.search(r"<=0\.?(?:[DE]0)?\b.*GOTO|WHILE\([^)]*<=0", unit.text):
        return "redrawn"
    if re.search(r"==0\.0*(?:[DE]0)?\)", unit.text):
        return "replaced"
    return "kept"


def describe_fortran(name, text, report):
    if re.search(r"\.(?:inc|car|par|sta|com)$", name, re.I):
        return  # it is read where it is included
    units = units_of(read_statements(name, text, is_free(name)))
    for unit in units:
        unit.threads = bool(THREADS.search(text))
    everything = "\n".join(u.text for u in units if not u.host)
    defined = {u.name for u in units}
    for unit in units:
        if unit.name in ALONE or unit.name in CLASHING:
            describe_known(name, unit, units, report, bool(STEP.search(everything)))
        elif (
            unit.draws()
            and not unit.host
            and (
                STEP.search(unit.text)
                or re.search(r"\b(?:c|cc|ranc|cran)-\w*cd", unit.text, re.I)
                or re.search(r"\b[ij]97\b|raset|crranma", unit.text, re.I)
            )
        ):
            report.family(
                name,
                "own",
                f"{unit.kind.upper()} {unit.name.upper() or '(main)'} has the recurrence itself; "
                f"a zero seems to be {zero_rule(unit)}",
            )
            if unit.name in ("rand", "ran", "irand"):
                report.note(
                    name,
                    f"gfortran has an intrinsic {unit.name.upper()}, which a caller without "
                    f"EXTERNAL {unit.name.upper()} draws from, and not from this",
                )
    for unit in units:
        if not unit.host:
            report.state(name, unit.name, unit.blocks(), unit.draws(), unit)
        for routine, arguments, precision in unit.calls():
            if routine.rstrip("()") in defined:
                continue
            if arguments is None:
                report.note(
                    name, f"passes {routine.upper()} on: its argument list is not seen here"
                )
            else:
                report.call(name, routine, arguments, precision)


def describe_original(name, unit, units, report, family, what):
    """Describes a routine that draws as the family's, unless its numbers are others."""
    same, found = False, "it has a state for each thread"
    if not unit.threads:
        same, found = trial.compare(family, unit.name, units)
    if same is False:
        report.note(name, f"{what}; it is not that of -lgpuranmar_{family}: {found}")
        report.others.add(unit.name)
    else:
        report.family(name, family, what)
        report.family(name, family, found)
        report.original(name, family, units)
        if same is None:
            report.unsure.add((name, family))


def describe_known(name, unit, units, report, constants):
    """Describes a routine with a known name. If the file has RANMAR's constants, the routine counts
    as RANMAR even without the recurrence: it may draw through another routine."""
    if unit.module:
        report.note(
            name,
            f"{unit.name.upper()} is in module {unit.module}, where no library can take its place: "
            "put an interface to the library's there (page on families)",
        )
    if unit.name in ALONE:
        if unit.name not in DRAWING:
            report.family(name, ALONE[unit.name], f"defines {unit.name.upper()}")
        elif unit.draws() or constants:
            what = f"defines {unit.name.upper()}"
            describe_original(name, unit, units, report, ALONE[unit.name], what)
        else:
            report.note(name, f"{unit.name.upper()} is not RANMAR here: it has no recurrence")
            report.others.add(unit.name)
    elif unit.name == "ranmar" and (unit.draws() or constants):
        family, unseen = family_of_ranmar(unit, units)
        argument_list = f"{unit.kind.upper()} RANMAR({','.join(a.upper() for a in unit.args)})"
        what = f"defines {argument_list}; a zero seems to be {zero_rule(unit)}"
        if family == "own":
            report.family(name, family, what)
        elif family:
            describe_original(name, unit, units, report, family, what)
        else:
            report.note(
                name, f"defines {argument_list}; {unseen} is not declared where this could see it"
            )
    elif unit.name == "phoran" and (unit.draws() or constants):
        family = "dphotos" if unit.precision("phoran") == "DOUBLE" else "photos"
        describe_original(name, unit, units, report, family, "defines PHORAN")
    elif unit.name == "ranmar":
        report.note(name, "RANMAR is not RANMAR here: it has no recurrence")
        report.others.add(unit.name)


def describe_c(name, text, report):
    text = re.sub(r"/\*.*?\*/|//[^\n]*", "", text, flags=re.S)
    if re.search(r"gpuranmar_(?:engine|stream)_\w+\s*\(|gpuranmar::\w", text):
        report.note(name, "draws from libgpuranmar by its own functions: nothing else to do")
        return
    found = False
    for pattern, family in (
        (r"\bHepJamesRandom\b", "clhep"),
        (r"\bRanMars\b|\brandom_get_ranmar\b|\bEGS_Ranmar\b|\bRndm::(?:flat|init)\b", "class"),
        (r"\bgsl_rng_type\b", "gsl" if STEP.search(text) or "ranmar" in text else None),
        (r"\bsetRandom\b", "ompmc" if re.search(r"\burndm\b", text) else None),
        (r"\branmar_get_?\b|\burndm\b", "egsnrc"),
        (r"\brmmard_?\s*\(", "corsika"),
        (r"\brm48_?\s*\(", "cernlib"),
        (r"\bpyr_?\s*\(", "pythia6"),
    ):
        if family and not found and re.search(pattern, text):
            report.family(name, family)
            found = True
    if STEP.search(text) and MODULUS.search(text) and not found:
        report.family(name, "own")
    elif re.search(r"\branmar_\s*\(", text):
        report.note(
            name,
            "calls RANMAR; from C the argument list does not tell the family: "
            "ask about the Fortran source",
        )


def describe(name, data, report):
    text = data.decode("latin-1")
    if re.search(r"\.(?:f|for|ftn|f77|f90|f95|f03|f08|fpp|inc|car|mf)$", name, re.I):
        describe_fortran(name, text, report)
        uses = r"^[ \t]*use\s+gpuranmar\b|^[^!\n]*['\"]gpuranmar_(?:engine|stream)_\w+['\"]"
        if re.search(uses, text, re.I | re.M):
            report.note(name, "draws from libgpuranmar by its own functions")
    elif re.search(r"\.(?:c|h|cc|cpp|cxx|hpp|hh|hxx|cu|cuh|icc|mortran|macros)$", name, re.I):
        describe_c(name, text, report)
    for option in options_in(data):
        report.note(name, about_option(option))
