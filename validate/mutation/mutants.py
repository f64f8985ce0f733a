"""The mutants of a source file: what is replaced by what, and the breaks that are planted by
name."""
import collections
import hashlib
import os
import re

FOLDERS = ("definition", "fill", "stream", "fortran", "api", "engine", "seeds")
HEADERS = (
    "csrc/include/gpuranmar_definition.h",
    "csrc/definition/error.h",
    "csrc/definition/interleave.h",
    "csrc/definition/fortran_state.h",
    "csrc/fill/levels.h",
    "csrc/fill/loop.h",
    "csrc/fill/purposes.h",
    "csrc/fortran/window.h",
    "csrc/stream/states.h",
    "csrc/stream/stream.h",
)

# Comparisons lose or gain their bound, arithmetic turns round, constants are one off, conditions
# are inverted.
REPLACEMENTS = (
    (r" < ", (" <= ", " >= ")),
    (r" <= ", (" < ", " > ")),
    (r" > ", (" >= ", " <= ")),
    (r" >= ", (" > ", " < ")),
    (r" == ", (" != ",)),
    (r" != ", (" == ",)),
    (r" && ", (" || ",)),
    (r" \|\| ", (" && ",)),
    (r" \+ ", (" - ",)),
    (r" - ", (" + ",)),
    (r" \* ", (" + ",)),
    (r" / ", (" * ",)),
    (r" % ", (" / ",)),
    (r" << ", (" >> ",)),
    (r" >> ", (" << ",)),
    (r" & ", (" | ",)),
    (r" \^ ", (" | ",)),
    (r" \+= ", (" = ", " -= ")),
    (r" -= ", (" = ", " += ")),
    (r"\+\+", ("--",)),
    (r"if \(!", ("if (",)),
    (r"return 0;", ("return 1;",)),
    (r"return 1;", ("return 0;",)),
    (r"\b(\d+)\b", (lambda n: str(int(n) + 1),)),
)
COMMENT = re.compile(
    r"/\*.*?\*/|\"(?:[^\"\\]|\\.)*\"|^\s*#\s*(?:include|if|pragma).*?$", re.S | re.M
)
# Lines whose numbers are not changed: they steer the compiler, and are no constants of the code.
NO_CONSTANT = re.compile(r"UNROLL|_Static_assert|__attribute__\(\((?:aligned|always)")

# Breaks of the code that no test noticed at some time: name, file, text, and what replaces it.
PLANTED = (
    ("signal mask of a helper", "csrc/fill/team.c", "sigfillset(&all)", "sigemptyset(&all)"),
    (
        "last position",
        "csrc/definition/error.h",
        "n > RANMAR_POSITION_MAX - position",
        "n >= RANMAR_POSITION_MAX - position",
    ),
    (
        "a draw of exactly the prefetch",
        "csrc/stream/stream.c",
        "n <= prefetch && !refill(s)",
        "n < prefetch && !refill(s)",
    ),
    (
        "last error of a thread",
        "csrc/definition/error.c",
        "static _Thread_local char last",
        "static char last",
    ),
    (
        "misaligned streaming stores",
        "csrc/fill/levels.c",
        "return (uintptr_t)out % size == 0",
        "return 1",
    ),
    ("J97 at I97 = 64", "csrc/definition/fortran_state.c", "i97 > AHEAD", "i97 >= AHEAD"),
    (
        "C equal to the modulus",
        "csrc/definition/fortran_state.c",
        "c < f->modulus",
        "c <= f->modulus",
    ),
    (
        "bound of NTOT2 in a state",
        "csrc/definition/fortran_state.c",
        "s->ntot2 <= RANMAR_NTOT2_MAX",
        "s->ntot2 < RANMAR_NTOT2_MAX",
    ),
    (
        "bound of NTOT2 in a start",
        "csrc/fortran/fortran.c",
        "ntot2 > RANMAR_NTOT2_MAX",
        "ntot2 >= RANMAR_NTOT2_MAX",
    ),
    (
        "GRNVEC with ISEQ = 65",
        "csrc/fortran/hooks.c",
        ">= RANMAR_SEQUENCES_MAX",
        "> RANMAR_SEQUENCES_MAX",
    ),
    (
        "state of two instances",
        "csrc/fortran/registry.c",
        "sequences[id - 1].stream->options.instances > 1",
        "sequences[id - 1].stream->options.instances > 2",
    ),
    (
        "reading a state with two instances",
        "csrc/fortran/registry.c",
        "if (options.instances > 1)",
        "if (options.instances > 2)",
    ),
    (
        "ISEQ = KSEQ before any start",
        "csrc/fortran/rmmard.c",
        "iseq <= ranmar_settings()->sequences",
        "iseq < ranmar_settings()->sequences",
    ),
    (
        "FLAVOUR against EXTENDED",
        "csrc/stream/settings.c",
        " || (settings.flavour != UNSET && settings.flavour != code)",
        "",
    ),
)

# A mutant's name is the same for the same change, wherever the line has moved to.
Mutant = collections.namedtuple("Mutant", "name path line text content")


def source_files(root):
    """The files that are mutated: the core's sources, and headers that hold code."""
    sources = [
        os.path.join("csrc", folder, name)
        for folder in FOLDERS
        for name in sorted(os.listdir(os.path.join(root, "csrc", folder)))
        if name.endswith(".c")
    ]
    return [*sources, *HEADERS]


def read(root, path):
    """The text of a source file."""
    with open(os.path.join(root, path), encoding="utf-8") as file:
        return file.read()


def mutants_of(root, path):
    """The mutants of one file."""
    text = read(root, path)
    hidden = [m.span() for m in COMMENT.finditer(text)]
    seen, made = collections.Counter(), {text}
    for pattern, results in REPLACEMENTS:
        for match in re.finditer(pattern, text):
            line = text.count("\n", 0, match.start())
            old = text.split("\n")[line].strip()
            if any(start <= match.start() < end for start, end in hidden) or NO_CONSTANT.search(
                old
            ):
                continue
            for result in results:
                new = result(match.group(1)) if callable(result) else result
                content = text[: match.start()] + new + text[match.end() :]
                if content in made:
                    continue
                made.add(content)
                changed = content.split("\n")[line].strip()
                seen[old, changed] += 1
                key = f"{path}|{old}|{changed}|{seen[old, changed]}"
                name = hashlib.sha1(key.encode()).hexdigest()[:12]
                yield Mutant(name, path, line + 1, changed, content)


def planted(root):
    """The breaks of PLANTED; an error if the code has changed, so that one is no longer there."""
    for name, path, old, new in PLANTED:
        text = read(root, path)
        if old not in text:
            raise SystemExit(f"mutate: {path} has no '{old}': bring PLANTED up to date")
        line = text.count("\n", 0, text.index(old)) + 1
        yield Mutant(f"planted: {name}", path, line, new, text.replace(old, new, 1))
