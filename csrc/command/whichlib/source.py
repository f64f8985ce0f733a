"""Describes Fortran, C and C++ sources. They are read as text, not parsed: what is looked for are
declarations and the shape of the recurrence."""
import os
import re

from .families import ALONE, CLASHING, FAMILIES, NAMES, ROUTINES, about_option, options_in

UNIT = re.compile(
    r"^\s*(?P<prefix>(?:(?:recursive|pure|elemental|real|double\s*precision|integer|logical)"
    r"(?:\s*\*\s*\d+|\s*\([^)]*\))?\s+)*)"
    r"(?P<kind>program|subroutine|function|entry|block\s*data|module(?!\s*procedure))"
    r"\s*(?P<name>\w*)\s*(?:\((?P<args>[^)]*)\))?(?:\s*result\s*\((?P<result>\w+)\))?",
    re.I,
)
DOUBLE = (
    r"(?:double\s*precision|real\s*\*\s*8|real\s*\(\s*(?:kind\s*=\s*)?"
    r"(?:8|dp|\w*real64|\w*double|r8|kind\s*\(\s*1\.?0?d0\s*\))\s*\))"
)
# RANMAR's lagged part: two elements of one array are subtracted (LAGGED), and an index goes back to
# the other end after 97 (ROUND).
LAGGED = re.compile(r"([\w%]+)\s*[(\[]\s*[\w%()\[\],]+?\s*[)\]]\s*-\s*\1\s*[(\[]", re.I)
ROUND = re.compile(r"=\s*97\b|=\s*96\b|97\s*\)|\b97\b", re.I)
# A call, or a function in an expression; the words before it tell a declaration.
CALL = re.compile(
    rf"(\bcall\s+|[=(),+*/.<>-]\s*)({'|'.join(NAMES)})\b\s*"
    r"(\(([^()]*(?:\([^()]*\)[^()]*)*)\))?",
    re.I,
)
HEAD = re.compile(
    r"^\s*(?:external|real|double|integer|dimension|data|common|save|intrinsic)\b", re.I
)
COMMON = re.compile(r"(?:^|;)\s*common\b[ \t]*([\w/].*)", re.I | re.M)
USE = re.compile(r"^\s*use\b(?:\s*,\s*\w+)?(?:\s*::)?\s*(\w+)", re.I | re.M)
STEP, MODULUS = (
    re.compile(rf"(?<![\w.]){pattern}(?!\d)", re.I)
    for pattern in (r"(?:7654321|0x0*74cbb1)", r"(?:16777213|0x0*fffffd)")
)


INCLUDE = re.compile(r"^(?:\s*include\s*|#\s*include\s+)['\"]([^'\"]+)['\"]", re.I)


def with_includes(name, text, depth=0):
    """The text, with those included files in it that are found from the folder of the file."""
    lines = []
    for line in text.splitlines():
        match = INCLUDE.match(line)
        path = match and os.path.join(os.path.dirname(name), match[1])
        if match and depth < 4 and os.path.isfile(path):
            with open(path, encoding="latin-1") as file:
                lines += with_includes(path, file.read(), depth + 1).splitlines()
        else:
            lines.append(line)
    return "\n".join(lines)


class Unit:
    """A program unit or an ENTRY: its name, argument names, kind and lines."""

    def __init__(self, match, fallback=""):
        self.kind = re.sub(r"\s", "", match["kind"].lower()) if match else "program"
        self.name = (match["name"] or "").lower() if match else fallback
        self.args = (
            [a.strip().lower() for a in (match["args"] or "").split(",") if a.strip()]
            if match
            else []
        )
        self.prefix = (match["prefix"] or "").lower() if match else ""
        self.result = (match["result"] or self.name).lower() if match else ""
        if match and re.search(r"\bbind\s*\(\s*c\b", match.string, re.I):
            self.name += " bind(c)"  # a C name, which no library has
        self.lines, self.host = [], None

    @property
    def text(self):
        return "\n".join(self.host.lines if self.host else self.lines)

    def precision(self, name):
        """REAL, DOUBLE or INTEGER, by the declarations of a name; None if they do not tell."""
        text = self.text
        own = rf"real\b[^!\n]*\b{name}\s*(?:\([^)]*\)\s*)?\*\s*8\b"  # REAL X*8
        if re.search(rf"^\s*(?:{DOUBLE}[^!\n]*\b{name}\b|{own})", text, re.I | re.M):
            return "DOUBLE"
        if re.search(
            rf"^\s*real(?:\s*\*\s*4|\s*\(\s*(?:4|sp|\w*real32)\s*\))?[\s:,][^!\n]*\b{name}\b",
            text,
            re.I | re.M,
        ):
            return "REAL"
        if other := re.search(rf"^\s*(real|integer|type)\b[^!\n]*\b{name}\b", text, re.I | re.M):
            return "INTEGER" if other[1].lower() == "integer" else None  # a kind with a name
        if implicit := re.search(rf"implicit\s+(?:{DOUBLE})\s*\(\s*([^)]*)\)", text, re.I):
            ranges = re.findall(r"(\w)\s*(?:-\s*(\w))?", implicit[1].lower())
            if any(low <= name[0] <= (high or low) for low, high in ranges):
                return "DOUBLE"
        hidden = r"^\s*(?:#?\s*include|use)\b|implicit\s+none"  # and what a host module has
        if getattr(self, "module", None) or re.search(hidden, text, re.I | re.M):
            return None
        return "INTEGER" if name[0] in "ijklmn" else "REAL"

    def draws(self):
        return bool(LAGGED.search(self.text) and ROUND.search(self.text))

    def blocks(self):
        """The names of its COMMON blocks; that of blank COMMON is empty."""
        lists = (names if names[:1] == "/" else f"//{names}" for names in COMMON.findall(self.text))
        return {name.lower() for names in lists for name in re.findall(r"/\s*(\w*)\s*/", names)}

    def elsewhere(self, arrays):
        """Those of the arrays that it names and does not declare, each as (place, array) for each
        module, or included file that was not found, in which it may be declared."""
        text, module = self.text.lower(), getattr(self.host or self, "module", None)
        places = {f"module {name.upper()}" for name in USE.findall(text) + [module] if name}
        places |= {f"file {m[1]}" for m in map(INCLUDE.match, text.splitlines()) if m}
        declaration = r"^\s*(?:real|double|dimension|common|integer|type)\b[^\n]*\b"
        return {
            (place, array)
            for array in arrays
            if re.search(rf"\b{array}\b", text)
            and not re.search(declaration + rf"{array}\b", text, re.M)
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
            if HEAD.match(line) or UNIT.match(line):
                continue
            for how, routine, in_parentheses, arguments in CALL.findall(line):
                given, routine = split_arguments(arguments), routine.lower()
                if how.strip().lower() == "call":
                    word = re.match(r"\s*(?:([a-z]\w*)|\d+\s*$)", given[0], re.I) if given else None
                    precision = self.precision(word[1].lower()) if word and word[1] else None
                    if routine == "ranmar" and word and not word[1]:
                        precision = "INTEGER"
                    elif routine != "ranmar" and precision == "INTEGER":
                        precision = None  # a seed, for example
                    yield routine, given, precision
                elif not in_parentheses:
                    if re.search(rf"^\s*external\b.*\b{routine}\b", self.text, re.I | re.M):
                        yield routine, None, None
                elif len(given) < 2 and any(
                    FAMILIES[family].calls.get(routine, (0, False))[1]
                    for family in ROUTINES[routine]
                ):
                    yield f"{routine}()", given, self.precision(routine)


def statements(text, fixed):
    """The lines without comments, with continuation lines joined."""
    joined = []
    for line in text.splitlines():
        if fixed:
            if line[:1] in "cC*!dD" and line[:1] or not line.strip() or line.startswith("#"):
                continue
            line = re.sub(r"^\t([1-9])", r"     \1", line)  # a continuation after a tab
            line = line.split("!")[0][:132]
            if len(line) > 5 and line[5] not in " 0" and not line[:5].strip() and joined:
                joined[-1] += line[6:].rstrip()
                continue
        else:
            line = re.sub(r"!.*", "", line)
            if joined and joined[-1].rstrip().endswith("&"):
                joined[-1] = joined[-1].rstrip()[:-1] + line.strip().lstrip("&")
                continue
        joined.append(line.rstrip())
    return joined


def units_of(lines):
    """The program units. Lines outside of them belong to a main program with an empty name, and
    what an interface block declares to the unit that has it."""
    units, module, interface = [Unit(None)], None, False
    for line in lines:
        if match := re.match(r"\s*(end\s*|abstract\s+)?interface\b(?!\s*[=(])", line, re.I):
            interface = not (match[1] or "").lower().startswith("end")
        match = UNIT.match(line)
        if match and not interface and not re.match(r"\s*end\b", line, re.I):
            unit = Unit(match)
            if unit.kind == "entry":
                unit.host = units[-1] if not units[-1].host else units[-1].host
                unit.host.lines.append(line)
                unit.module = getattr(unit.host, "module", None)
                units.append(unit)
                continue
            if unit.kind == "module":
                module = unit.name
            unit.module = module if unit.kind != "module" else None
            units.append(unit)
        elif re.match(r"\s*end\s*module\b", line, re.I):
            module = None
        (units[-1].host or units[-1]).lines.append(line)
    return units


def family_of_ranmar(unit, units):
    """The family of a RANMAR, and what the text does not show; the family is then None."""
    start = next((u for u in units if u.name == "rmarin"), None)
    if unit.kind == "function":
        precision = (
            "DOUBLE"
            if re.search(DOUBLE, unit.prefix)
            else "REAL"
            if unit.prefix.strip() == "real"
            else unit.precision(unit.result)
        )
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
        if precision == "DOUBLE":
            return "own", None
        journal = "skipping" in text or start.host
        # The loop that skips one by one: to its lap's count, or to NTOT as the journal has it.
        if re.search(r"\bdo\s*\d*\s*,?\s*\w+\s*=\s*1\s*,\s*\w*ntot\w*\s*$", text, re.M):
            return "cpc", None
        if re.search(r"\bdo\s*\d*\s*,?\s*\w+\s*=\s*1\s*,\s*now\b", text):
            return ("cpcnow" if journal else "cernlib"), None
        return (
            None if journal else "cernlib"
        ), "how far RMARIN skips, to NTOT (cpc) or NOW (cpcnow),"
    return {"REAL": "real", "DOUBLE": "double"}.get(
        precision
    ), "whether the array is REAL or DOUBLE"


def zero_rule(unit):
    """What the text seems to do with a zero, for a reader to check."""
    text = unit.text.lower()
    if re.search(r"(?:<=|\.le\.)\s*0\.?(?:[de]0)?\b.*go\s*to|while\s*\([^)]*<=\s*0", text):
        return "redrawn"
    if re.search(r"(?:==|\.eq\.)\s*0\.(?:0*)?(?:[de]0)?\s*\)", text):
        return "replaced"
    return "kept"


def describe_fortran(name, text, report):
    fixed = not re.search(r"\.f(?:90|95|03|08)$", name, re.I)
    if re.search(r"\.(?:inc|car|par|sta|com)$", name, re.I):
        return  # it is read where it is included
    units = units_of(statements(with_includes(name, text), fixed))
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
                or re.search(r"\b(?:c|cc|ranc|cran)\s*-\s*\w*cd", unit.text, re.I)
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


def describe_known(name, unit, units, report, constants):
    """Describes a routine with a known name. If the file has RANMAR's constants, the routine counts
    as RANMAR even without the recurrence: it may draw through another routine."""
    if getattr(unit, "module", None) or (unit.host and getattr(unit.host, "module", None)):
        report.note(
            name,
            f"{unit.name.upper()} is in module {unit.module}, where no library can take its place: "
            "put an interface to the library's there (page on families)",
        )
    if unit.name in ALONE:
        drawing = {"rmmard", "rmmar", "rm48", "pyr", "rlu", "amrand", "duni", "rmafun"}
        if unit.name not in drawing or unit.draws() or constants:
            report.family(name, ALONE[unit.name], f"defines {unit.name.upper()}")
            if unit.name in drawing:
                report.original(name, ALONE[unit.name], units)
        else:
            report.note(name, f"{unit.name.upper()} is not RANMAR here: it has no recurrence")
            report.others.add(unit.name)
    elif unit.name == "ranmar" and (unit.draws() or constants):
        family, unseen = family_of_ranmar(unit, units)
        argument_list = f"{unit.kind.upper()} RANMAR({','.join(a.upper() for a in unit.args)})"
        if family:
            report.family(
                name, family, f"defines {argument_list}; a zero seems to be {zero_rule(unit)}"
            )
            report.original(name, family, units)
        else:
            report.note(
                name, f"defines {argument_list}; {unseen} is not declared where this could see it"
            )
    elif unit.name == "phoran" and (unit.draws() or constants):
        precision = unit.precision("phoran")
        family = "dphotos" if precision == "DOUBLE" else "photos"
        report.family(name, family, "defines PHORAN")
        report.original(name, family, units)
    elif unit.name == "ranmar":
        report.note(name, "RANMAR is not RANMAR here: it has no recurrence")
        report.others.add(unit.name)


def split_arguments(text):
    """The arguments in a list: the text is split at commas outside parentheses."""
    depth, parts = 0, [""]
    for character in text:
        depth += {"(": 1, ")": -1}.get(character, 0)
        if character == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return [part for part in parts if part.strip()]


def describe_c(name, text, report):
    text = re.sub(r"/\*.*?\*/|//[^\n]*", "", text, flags=re.S)
    if re.search(r"gpuranmar_(?:engine|stream)_\w+\s*\(|gpuranmar::engine", text):
        report.note(name, "draws from libgpuranmar by its C or C++ functions: nothing to do")
        return
    found = False
    for pattern, family in (
        (r"\bHepJamesRandom\b", "clhep"),
        (r"\bRanMars\b", "lammps"),
        (r"\bgsl_rng_type\b", "gsl" if STEP.search(text) or "ranmar" in text else None),
        (r"\bsetRandom\b", "ompmc" if re.search(r"\burndm\b", text) else None),
        (r"\branmar_get_?\b|\burndm\b", "egsnrc"),
        (r"\brandom_get_ranmar\b|\bEGS_Ranmar\b", "egs"),
        (r"\bRndm::(?:flat|init)\b", "pythia8"),
        (r"\brmmard_?\s*\(", "corsika"),
        (r"\brm48_?\s*\(", "cernlib"),
        (r"\bpyr_?\s*\(", "pythia6"),
    ):
        if family and not found and re.search(pattern, text):
            report.family(name, family)
            found = True
    if re.search(r"\bPythia8Engine\b", text) and re.search(r"\b(?:dump|read)State\b", text):
        report.note(
            name,
            "has Pythia8Engine and Rndm::dumpState or readState, which keep PYTHIA's idle "
            "generator: call those of the engine",
        )
    if re.search(r"\branmar_\s*\(", text):
        report.note(
            name,
            "calls RANMAR; from C the argument list does not tell the family: "
            "ask about the Fortran source",
        )
        found = True
    if STEP.search(text) and MODULUS.search(text) and not found:
        report.family(name, "own")


def describe(name, data, report):
    text = data.decode("latin-1")
    if re.search(r"\.(?:f|for|ftn|f77|f90|f95|f03|f08|fpp|inc|car|mf)$", name, re.I):
        describe_fortran(name, text, report)
    elif re.search(r"\.(?:c|h|cc|cpp|cxx|hpp|hh|hxx|cu|cuh|icc|mortran|macros)$", name, re.I):
        describe_c(name, text, report)
    for option in options_in(data):
        report.note(name, about_option(option))
