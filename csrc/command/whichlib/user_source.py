"""Reads Fortran, C and C++ sources as text, and looks for routines with known names, their argument
lists, and the form of the recurrence. judge.py says which families fit the Fortran ones."""

import os
import re
from functools import cached_property, lru_cache

from .families import DRAWING, FAMILIES, ROUTINES
from .fortran import HEADER, INCLUDE, declared_types, declares, implicit_type, is_free
from .fortran import is_preprocessed, read_items, split_lines, split_list, type_of

PRECISIONS = {"DOUBLEPRECISION": "DOUBLE", "REAL": "REAL", "INTEGER": "INTEGER"}
# RANMAR's lagged part: two elements of one array are subtracted (LAGGED), and an index goes back to
# the other end after 97 (ROUND).
LAGGED = re.compile(r"([\w%]+)[(\[][\w%()\[\],]+?[)\]]-\1[(\[]")
ROUND = re.compile(r"=97\b|=96\b|97\)|\b97\b")
# A CALL, or a function in an expression.
ARGUMENTS = r"(\(([^()]*(?:\([^()]*\)[^()]*)*)\))?"
CALL = rf"((?:^|\))CALL|[=(),+*/.<>-])({'|'.join(ROUTINES).upper()})\b{ARGUMENTS}"
CALL = re.compile(CALL, re.M)
# The type of a number that is not an INTEGER of four bytes.
ODD = re.compile(r"REAL|DOUBLEPRECISION|(?:REAL|INTEGER)(?:\*|\((?:KIND=)?)\d+\)?")
# The definition of a Fortran routine in C, and a call of RANMAR, which is no declaration: no type
# stands before it.
C_DEFINITION = re.compile(rf"\b({'|'.join(ROUTINES)})_\s*\([^(){{}};]*\)\s*(?:noexcept\s*)?\{{")
C_CALL = re.compile(r"(?:[;{}()=,+/<>!&|?:-]|[\d.)\]]\s*\*|\breturn|\belse)\s*\branmar_\s*\(")
# A name that PARAMETER gives a value, or USE another name, and that value or name.
CONSTANT = re.compile(r"[,:(]([A-Z]\w*)=>?(\w+(?:\((?:R=)?\d+\))?)(?=[,)]|$)")
INTERFACE = re.compile(r"(END|ABSTRACT)?INTERFACE(?![=(])")
THREADS = re.compile(r"^[ \t]*[!C*]\$OMP\s+THREADPRIVATE", re.I | re.M)
USE = re.compile(r"^USE(?:,\w+::|::)?([A-Z]\w*)(?:$|,)", re.M)
LONG = re.compile(r"^(?![Cc*!#])[^!\n]{72} *[^!\s]", re.M)  # more than 72 columns
# The unit of a WRITE, if a variable says it.
OUTPUT = re.compile(r"(?:^|\))WRITE\((?:UNIT=)?([A-Z]\w*)[,)]", re.M)
# RANMAR's constants, in C and C++ too.
STEP, MODULUS = (
    re.compile(rf"(?<![\w.]){pattern}(?!\d)", re.I)
    for pattern in (r"(?:7654321|0x0*74cbb1)", r"(?:16777213|0x0*fffffd)")
)
# What tells RANMAR from other lagged generators.
MARKS = re.compile(rf"{STEP.pattern}|\b(?:c|cc|ranc|cran)-\w*cd|\b[ij]97\b|raset|crranma", re.I)


@lru_cache(maxsize=None)
def read_included(path, free, columns, depth):
    """The statements of an included file, which many files may include."""
    with open(path, encoding="latin-1") as file:
        items = read_statements(path, file.read(), free, columns, depth)
    for item in items:
        item.of_file = item.of_file or f" of {path}"
    return items


def read_statements(name, text, free, columns=72, depth=0):
    """The statements of a source, of whose lines in fixed form the compiler reads so many columns.
    Those of an included file take the place of the line that includes it, if the file is found
    from the source's folder."""
    items = []
    for item in read_items(split_lines(text), is_preprocessed(name), free, columns):
        match = INCLUDE.match(item.text)
        path = match and os.path.join(os.path.dirname(name), match[1] or match[2])
        if match and depth < 4 and os.path.isfile(path):
            items += read_included(path, free, columns, depth + 1)
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
        self.constants = {}  # what modules of the program say, as constants() has it

    @property
    def is_function(self):
        return (self.host or self).kind == "function"

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
            return PRECISIONS.get(declared)  # None for a kind given by a name
        implicit = implicit_type(self.text.splitlines(), name.upper())
        if implicit:
            return PRECISIONS.get(implicit)
        hidden = r"^(?:#?\s*include|IMPLICITNONE)|^USE[A-Z:,]"  # what may declare it
        if self.module or re.search(hidden, self.text, re.I | re.M):
            return None
        return "INTEGER" if name[0] in "ijklmn" else "REAL"

    def drawn_type(self):
        """The type of the number that it draws; None if that is not declared."""
        if self.name not in DRAWING:
            return None
        if self.is_function:
            kind = type_of((self.host or self).type or self.type)
            return PRECISIONS.get(kind) if kind else self.precision(self.result)
        return self.precision(self.args[0]) if self.args else None

    def odd_argument(self):
        """The declaration, in words, of an argument that the libraries cannot take: they expect an
        INTEGER of four bytes, and an address. None if there is no such argument."""
        if self.shaped() and not self.module:
            return f"{self.shaped()[0]}(:)"
        for family in [] if self.is_function else ROUTINES.get(self.name, []):
            for own, known in zip(self.args, FAMILIES[family].calls[self.name][0]):
                kind = self.sized(self.types.get(own.upper(), ("",))[0])
                if known[0] in "IJKLMN" and ODD.fullmatch(kind):
                    return f"{kind} for INTEGER"
        return None

    def sized(self, kind):
        """A type, such as INTEGER(LONG), with the number for which a name of its kind stands."""
        known = {**self.constants, **constants([self.host or self])}
        return type_of(re.sub(r"(?<=\()(?:KIND=)?(.+)(?=\))", lambda m: size(m[1], known), kind))

    def shaped(self):
        """The arguments that are assumed-shape arrays: their callers pass a descriptor."""
        lines = "\n".join(line for line in self.lines if declares(line))
        return [
            a.upper()
            for a in self.args
            if self.types.get(a.upper(), ("", ""))[1].startswith(":")
            or re.search(rf"DIMENSION\(:.*::(?:.*,)?{a}\b", lines, re.I)
        ]

    @property
    def label(self):
        return self.name.upper() or "the main program"

    def head(self):
        arguments = f"({','.join(a.upper() for a in self.args)})" if self.args else ""
        return f"{self.kind.upper()} {self.name.upper() or '(main)'}{arguments}"

    @cached_property
    def words(self):
        """Its words, and what follows CALL and USE: canonical statements have no blanks."""
        found = set(re.findall(r"\w+", self.text))
        used = {w[3:] for w in found if w[:3] == "USE"}
        return found | used | {w[4:] for w in found if w[:4] == "CALL"}

    @cached_property
    def outputs(self):
        """The variables from elsewhere that say to which unit it writes."""
        items = (self.host or self).items
        given = {a.upper() for a in self.args}.union(*(names for _, names in members_of(items)))
        return [
            name
            for name in dict.fromkeys(OUTPUT.findall(self.text))
            if (name in given or self.elsewhere({name}))
            and not self.types.get(name, ("",))[0].startswith("CHARACTER")
        ]

    @cached_property
    def draws(self):
        return bool(LAGGED.search(self.text) and ROUND.search(self.text))

    @cached_property
    def sequences(self):
        """How many numbered sequences it keeps: the second extent of an array of 97 words; 0 if
        that is not known."""
        extents = (re.match(r"97,(\w+)$", size) for _, size in self.types.values())
        name = next((extent[1] for extent in extents if extent), "0")
        given = re.search(rf"^PARAMETER.*[(,]{name}=(\d+)", self.text, re.M)
        return int(name if name.isdigit() else given[1] if given else 0)

    @cached_property
    def blocks(self):
        """The names of its COMMON blocks; that of blank COMMON is empty."""
        return {block for block, _ in members_of((self.host or self).items)}

    def elsewhere(self, arrays):
        """{(place, array)} for those of the arrays that the unit names and does not declare. A
        place is a module, or an included file that was not found, which may declare them."""
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
        """The COMMON blocks and modules that may have the state it draws from. A block counts if
        the routine uses one of its names, since an included file may declare hundreds of blocks."""
        items = (self.host or self).items
        rest = "\n".join(re.sub(r"^DO\d+", "", i.text) for i in items if not declares(i.text))
        used = set(re.findall(r"\w+", rest))
        blocks = {block for block, names in members_of(items) if names & used}
        return blocks | self.elsewhere({a.lower().split("%")[0] for a in LAGGED.findall(self.text)})

    def reads_words(self, block):
        """Whether it uses more of a COMMON block of PYR or RLU than seed and counters."""
        return self.has(block, r"\b(?![I-N]\w*\([1-36]\))(?:{})\b")

    def only_reads(self, block):
        """Whether it uses a COMMON block, and neither assigns to its names nor reads them in."""
        writes = r"(?:^|\))(?:(?:{0})(?:\(.*?\))?=(?!=)|READ[(*\d].*\b(?:{0})\b)"
        return self.has(block, r"\b(?:{})\b") and not self.has(block, writes)

    def has(self, block, pattern):
        """Whether a pattern, with a COMMON block's names in it, is in what it does."""
        items = (self.host or self).items
        names = set().union(*(names for its, names in members_of(items) if its == block))
        rest = "\n".join(i.text for i in items if not declares(i.text))
        return bool(names and re.search(pattern.format("|".join(names)), rest, re.M))

    @cached_property
    def calls(self):
        """A list of (routine, number of arguments, whether it is a function, type) of each call of
        a known routine. The type is that of the number that it draws, None if that is not declared.
        The number of arguments is None if the routine itself is passed to another one."""
        found = []
        for line in self.lines:
            if declares(line) or HEADER.match(line):
                continue
            for how, routine, in_parentheses, arguments in CALL.findall(line):
                given, routine = [a for a in split_list(arguments) if a], routine.lower()
                functions = [FAMILIES[f].calls[routine][1] for f in ROUTINES[routine]]
                if how.endswith("CALL"):
                    word = re.match(r"([A-Z]\w*)|\d+$", given[0]) if given else None
                    kind = "INTEGER" if word and not word[1] else None
                    kind = self.precision(word[1].lower()) if word and word[1] else kind
                    found.append((routine, len(given), False, kind if routine in DRAWING else None))
                elif not in_parentheses:
                    if re.search(rf"^EXTERNAL(?:.*[:,])?{routine}\b", self.text, re.I | re.M):
                        found.append((routine, None, False, None))
                elif len(given) < 2 and any(functions):
                    found.append((routine, len(given), True, self.precision(routine)))
        return found


def constants(units):
    """{name: value} of each PARAMETER and name that USE gives, unless they differ."""
    found = {}
    for line in (line for unit in units for line in unit.lines):
        for name, value in CONSTANT.findall(line) if re.match("USE|.*PARAMETER", line) else ():
            found.setdefault(name, set()).add(value)
    return {name: values.pop() for name, values in found.items() if len(values) == 1}


def size(kind, known):
    """The size of an INTEGER's kind, which may be a name of a name; as it is, if not known."""
    for _ in known:
        kind = known.get(kind, kind)
    if match := re.fullmatch(r"SELECTED_INT_KIND\((?:R=)?(\d{1,3})\)", kind):
        return str(next((n for n in (1, 2, 4, 8) if 10 ** int(match[1]) < 2 ** (8 * n - 1)), 16))
    match = re.fullmatch(r"(?:C_)?INT(\d+)(?:_T)?", kind)
    return str(int(match[1]) // 8) if match else kind


def members_of(items):
    """Yields the name of each COMMON block and the names in it."""
    for text in (i.text for i in items if i.text.startswith("COMMON") and declares(i.text)):
        parts = re.split(r"/(\w*)/", text[6:] if text[6:7] == "/" else f"//{text[6:]}")
        for block, names in zip(parts[1::2], parts[2::2]):
            yield block.lower(), set(re.findall(r"[A-Z]\w*", re.sub(r"\([^()]*\)", "", names)))


def units_of(items):
    """The program units. Statements outside of them belong to a main program with an empty name.
    What an interface block declares belongs to the unit around it."""
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


def read_fortran(name, text, report):
    """Reads a source, for judge.py. Included files are read where a source includes them."""
    threads = bool(THREADS.search(text))
    if report.columns == 72 and not is_free(name) and LONG.search(text):
        line = (
            "what stands behind column 72 was taken for a comment: give the makefile too, if it has"
        )
        report.remarks.append(f"{name}: {line} an option such as -ffixed-line-length-132")
    report.sources[name] = units_of(read_statements(name, text, is_free(name), report.columns))
    for unit in report.sources[name]:
        unit.threads = threads


def describe_c_routines(name, text, is_ranmar, report):
    """Describes the families' routines that a C source defines. Returns whether it defines any."""
    found = dict.fromkeys(C_DEFINITION.findall(text))
    for routine in found:
        if is_ranmar and routine in DRAWING:
            families = ", ".join(ROUTINES[routine])
            line = f"defines {routine.upper()}, as {families} do: C is not compiled and run here"
            report.say(name, line + ": compare its argument list, and a run before and after")
        elif routine in DRAWING:
            report.say(name, f"{routine.upper()} is not RANMAR here: it has no recurrence")
            report.others.add(routine)
    return bool(found)


def describe_c(name, text, report):
    text = re.sub(r"/\*.*?\*/|//[^\n]*", "", text, flags=re.S)
    if re.search(r"gpuranmar_(?:engine|stream)_\w+\s*\(|gpuranmar::\w", text):
        report.say(name, "draws from libgpuranmar by its own functions: nothing else to do")
        return
    is_ranmar = STEP.search(text) and MODULUS.search(text)
    found = describe_c_routines(name, text, is_ranmar, report)
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
            report.say(name, "", family)
            found = True
    if is_ranmar and not found:
        report.say(name, "", "own")
    elif not found and C_CALL.search(text):
        line = "calls RANMAR; from C the argument list does not tell the family: "
        report.say(name, line + "ask about the Fortran source")


def is_fortran(name):
    return bool(re.search(r"\.(?:f|for|ftn|f77|f90|f95|f03|f08|fpp|mf)$", name, re.I))


def describe(name, data, report):
    text = data.decode("latin-1")
    if is_fortran(name):
        read_fortran(name, text, report)
        uses = r"^[ \t]*use\s+gpuranmar\b|^[^!\n]*['\"]gpuranmar_(?:engine|stream)_\w+['\"]"
        if re.search(uses, text, re.I | re.M):
            report.say(name, "draws from libgpuranmar by its own functions")
    elif re.search(r"\.(?:c|h|cc|cpp|cxx|hpp|hh|hxx|cu|cuh|icc|mortran|macros)$", name, re.I):
        describe_c(name, text, report)
    elif b"\0" not in data and not name.lower().endswith(".inc"):
        report.read_options(name, data)  # sources have options in comments only
