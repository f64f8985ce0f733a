"""Describes objects, archives, executables and shared libraries by the names that nm prints."""

import os
import re
import subprocess

from .families import DRAWING, FAMILIES, ROUTINES, STATES, in_module

# Parts of the C++ symbols of classes, and the family.
CPLUSPLUS = {"14HepJamesRandom": "clhep", "7RanMars": "class", "7Pythia84Rndm": "class"}
# Names that the library defines.
OURS = re.compile(r"gpuranmar_|ranmar_(?!$|get_?$)\w")
# Part of a message in each family's library. It tells which one a static program has.
STATIC = re.compile(rb"original's state: (libgpuranmar\w+) keeps")
# The library's other calls: hooks of a patched program, and C.
HOOKS = re.compile(r"(grn(?:fl1|put|set|sta|cnt|vec)(?=_$)|gpuranmar_\w+)")
# The symbol of a routine in a Fortran module.
IN_MODULE = re.compile(r"__(\w+)_MOD_(\w+)$")
RUN = "names show no numbers: compare a run before and after"


def output_of(*command):
    environment = {**os.environ, "LC_ALL": "C"}
    run = subprocess.run(command, capture_output=True, env=environment, check=False)
    return os.fsdecode(run.stdout), os.fsdecode(run.stderr).strip().splitlines()


def names_in(path):
    """{member of an archive, or '': (names that it defines, names that it only calls)}."""
    lines, errors = output_of("nm", "-PA", path)
    if not lines:
        lines, errors = output_of("nm", "-PAD", path)
    if not lines and errors and "no symbols" not in errors[0]:
        raise ValueError(errors[0].split(": ", 2)[-1])
    found = {}
    for line in lines.splitlines():
        member, _, rest = line[len(path) :].partition(": ")
        name, kind = rest.split()[:2]
        defined, wanted = found.setdefault(member, (set(), set()))
        (wanted if kind in "Uvw" else defined).add(name.partition("@")[0])
    return found


def plain(names):
    """The names of the families' routines among linker names, as a Fortran source writes them."""
    return {n[:-1] for n in names if n.endswith("_") and n[:-1] in ROUTINES}


def upper(names):
    return ", ".join(sorted(n.upper() for n in names))


def candidates(names):
    """Yields each routine that draws, and its families that have all of its kin. Kin are the names
    that any of its families has."""
    for draw in sorted(names & DRAWING):
        families = set(ROUTINES[draw])
        kin = {name for name in names if families & set(ROUTINES[name])}
        yield draw, [f for f in ROUTINES[draw] if kin <= set(FAMILIES[f].calls)]


def describe_member(name, defined, wanted, uses_ours, report):
    """Describes one object, or what is linked, by what it defines and what it only calls."""
    ours = any(OURS.match(n) for n in defined | wanted)
    own, used = plain(defined), plain(wanted) - plain(defined)
    if uses_ours and any(map(HOOKS.match, wanted)):
        own -= {*FAMILIES["corsika"].calls}  # which draw from the library
    for mark, family in CPLUSPLUS.items():
        if any(mark in n and "9gpuranmar" not in n for n in defined):
            report.say(name, "", family)
    for module in filter(None, map(IN_MODULE.match, sorted(defined))):
        if module[2] in ROUTINES:
            report.say(name, in_module(module[2], module[1]))
    blocks = {n[:-1] for n in defined if n.endswith("_") and n[:-1] in STATES}
    for block in sorted(blocks):
        if ours or not STATES[block] & own:
            state = f"has COMMON /{block.upper()}/, the generator's state"
            report.say(name, f"{state}, which the library does not update")
    for verb, names in ("defines", own), ("calls", set() if uses_ours else used):
        for draw, families in [] if ours else candidates(names):
            if len(families) == 1:
                report.say(name, f"{verb} {upper(names)}; {RUN}", families[0])
                report.unsure.add((name, families[0]))
            else:
                line = f"{verb} {draw.upper()}, which {', '.join(families)} have: names do not "
                report.say(name, line + "show the argument lists: ask about its source")


def describe_linked(name, data, needed, defined, wanted, report):
    """Notes which of the families' libraries an executable or shared library uses now."""
    own = plain(defined)
    static = sorted({f"{library.decode()}.a" for library in STATIC.findall(data)})
    report.linked += [(name, library) for library in needed or static]
    if not needed:
        if static or any(OURS.match(n) for n in defined):
            report.say(name, "has libgpuranmar in it" + (f", with {upper(own)}" if own else ""))
        elif name in report.found:
            report.say(name, "does not use libgpuranmar")
        return
    library = ", ".join(needed)
    linked = {re.sub(r"libgpuranmar_?(\w*)\..*", r"\1", lib) or "corsika" for lib in needed}
    hooks = {match[1] for match in map(HOOKS.match, wanted) if match}
    # A routine of the program's own counts only if a linked library has a routine of that name.
    own = {n for n in own if set(ROUTINES[n]) & linked}
    if own and not hooks:
        line = f"is linked with {library}, but {upper(own)} are its own, which win: take the "
        report.say(name, line + "original's source off the link line")
    used = upper(plain(wanted) | hooks)
    report.say(name, f"uses {library} for {used}" if used else f"calls nothing of {library}")


def describe(name, data, report):
    """Describes an ELF file or an archive."""
    if os.path.basename(name).startswith("libgpuranmar"):
        report.say(name, "is libgpuranmar's own")
        return
    found, needed = names_in(name), []
    is_linked = data.startswith(b"\x7fELF") and data[16:17] in (b"\2", b"\3")
    if is_linked:
        dynamic = output_of("readelf", "-dW", name)[0]
        needed = re.findall(r"\(NEEDED\).*\[(libgpuranmar.*)\]", dynamic)
    for member, (defined, wanted) in found.items():
        describe_member(name + member, defined, wanted, needed, report)
    if is_linked:
        describe_linked(name, data, needed, *found.get("", (set(), set())), report)
        if not output_of("nm", "-P", name)[0]:
            report.remarks.append(f"{name}: is stripped: only the names that it exports are seen")
    # Only in text: machine code of some megabytes may have the three bytes of -i8.
    texts = re.findall(rb"[ -~]{12,}|-autodouble|-ff2c", data)
    report.read_options(name, b"\n".join(texts), "compiled with ")
