"""Describes objects, archives, executables and shared libraries by their symbols and constants."""
import os
import re
import shutil

from . import code, dwarf, elf
from .families import ALONE, CLASHING, FAMILIES, NAMES, STATES
from .families import about_option, options_in, representations

# Classes, as symbols of their methods have them.
CPLUSPLUS = {"14HepJamesRandom": "clhep", "7RanMars": "class", "7Pythia84Rndm": "class"}
# Only the library, and what is linked with it statically, have such names.
OURS = re.compile(r"gpuranmar_|ranmar_(?!$|get_?$)\w")
# A line of the libraries, in programs that have them in it, stripped ones too.
STATIC = re.compile(rb"original's state: (libgpuranmar\w+) keeps")
# By these the routines of a patched program draw from the library.
HOOKS = re.compile(r"(grn(?:fil|put|set|sta|cnt|vec))_$")
# A routine in a module has such a name, for example __utility_MOD_duni. No library can replace it.
IN_MODULE = re.compile(r"__(\w+)_MOD_(\w+)$")


def family_of_clashing(names, content, blocks, lists):
    """The family of RANMAR or PHORAN in an object that defines it; None if that cannot be seen. The
    argument lists of the debugging information tell it, or else the other names in the object."""
    real = {"real(kind=4)": 0, "real(kind=8)": 1}
    if "phoran" in names:
        sizes = {408: "photos", 412: "photos", 416: "photos", 816: "dphotos"}
        result = lists.get("phoran", (None, []))[0]
        return (
            ("photos", "dphotos")[real[result]]
            if result in real
            else sizes.get(blocks.get("phseed"))
        )
    if b"SKIPPING OVER" in content:
        return "cpc"
    result, arguments = lists.get("ranmar", (None, None))
    if result in real:
        return ("function", "dfunction")[real[result]]
    if arguments and len(arguments) == 1 and arguments[0] == "real(kind=8)":
        return "one"
    if (
        arguments
        and len(arguments) == 2
        and len(lists.get("rmarin", (0, ()))[1]) == 2
        and arguments[0] in real
    ):
        return ("real", "double")[real[arguments[0]]]
    if "rmarut" in names:
        return "cernlib"
    if "rmaset" in names or "rmasave" in names:
        return "one"
    return None


def describe_readers(name, file, blocks, defined, report):
    """Notes COMMON blocks of the generator's state if the routine that draws is not in this file or
    is the library's: whoever reads such a block would find nothing in it."""
    symbols = {symbol.name for symbol in file.symbols + file.dynamic}
    ours = any(OURS.match(name) for name in symbols)
    for block in sorted(set(blocks) & set(STATES)):
        if ours or not STATES[block] & set(defined):
            report.state(name, "code", {block}, False)
            report.note(
                name,
                f"has COMMON /{block.upper()}/, the generator's state: relinked it finds nothing "
                "there",
            )


def family_of_corsika(name, path, file, report):
    """The family that serves the calls of RMMARD and RMMAQD in an object, by the size of their
    INTEGERs. Notes a DOUBLE PRECISION that nothing serves."""
    if not shutil.which("objdump"):
        report.remark(name, "objdump is not found, and so the bytes of an INTEGER are not seen")
    integer, quadruple = code.sizes(path, file) if path else (None, False)
    report.integers[name] = integer
    if quadruple:
        report.note(
            name,
            "has numbers of sixteen bytes in routines that draw: where these are DOUBLE PRECISION "
            "by -fdefault-real-8, -fdefault-double-8 has to be given too",
        )
    if integer == 8:
        report.note(name, "passes INTEGERs of eight bytes, as by -fdefault-integer-8")
    return "ilp64" if integer == 8 else "corsika"


def names_in(file):
    """What a file defines and what it only calls, of the known names; its COMMON blocks of states
    and their sizes; known names in modules; and families whose class it has."""
    defined, wanted, blocks, modules, classes = {}, set(), {}, [], set()
    for symbol in file.symbols or file.dynamic:
        plain = symbol.name[:-1] if symbol.name.endswith("_") else symbol.name
        if plain in NAMES and (symbol.name.endswith("_")):
            if symbol.defined:
                defined[plain] = symbol
            else:
                wanted.add(plain)
        elif symbol.defined and plain in (*STATES, "phseed", "pydatr", "ludatr"):
            blocks[plain] = symbol.size
        elif (module := IN_MODULE.match(symbol.name)) and symbol.defined and module[2] in NAMES:
            modules.append(module)
        if symbol.defined and symbol.function and "9gpuranmar" not in symbol.name:
            classes |= {CPLUSPLUS[part] for part in CPLUSPLUS if part in symbol.name}
    return defined, wanted, blocks, modules, classes


def describe_object(name, path, file, report):
    """Describes one object. Returns the known names that it defines, and those that it only
    calls."""
    content = file.contents()
    defined, wanted, blocks, modules, classes = names_in(file)
    if os.path.basename(name).startswith("libgpuranmar"):
        classes = set()
    for family in sorted(classes):
        report.family(name, family)
    constants = representations(content)
    describe_readers(name, file, blocks, defined, report)
    families = ALONE
    if {"rmmard", "rmmaqd"} & (wanted | set(defined)):
        corsika = family_of_corsika(name, path, file, report)
        families = {**ALONE, "rmmard": corsika, "rmmaqd": corsika}
    if any(OURS.match(symbol.name) for symbol in file.symbols + file.dynamic) or (
        STATIC.search(content)
    ):
        return defined, wanted  # the routines in it are the library's
    for plain in sorted(defined):
        if plain in families:
            report.family(name, families[plain], f"defines {plain.upper()}")
    if set(defined) & set(CLASHING):
        lists = dwarf.argument_lists(path, CLASHING) if path else {}
        family = family_of_clashing(set(defined), content, blocks, lists)
        names = ", ".join(sorted(n.upper() for n in set(defined) & set(CLASHING)))
        if family:
            report.family(name, family, f"defines {names}")
        else:
            report.note(
                name,
                f"defines {names}; an object does not show its argument lists: "
                "ask about its source",
            )
    if constants:
        report.note(name, f"has RANMAR's constants, as {' and '.join(constants)}")
        if not defined and not modules and not classes:
            report.family(name, "own")
    for module in modules:
        report.note(
            name,
            f"defines {module[2].upper()} in module {module[1]}, where no library can take its "
            "place: put an interface to the library's there (page on families)",
        )
    if wanted and not defined:
        report.note(name, f"calls {', '.join(sorted(n.upper() for n in wanted))}")
        for plain in sorted(wanted & set(families)):
            report.family(name, families[plain])
        if wanted & {"ranmar", "phoran"}:
            report.note(
                name,
                "an object does not show the argument lists of its calls: ask about its source",
            )
    for option in options_in(file.contents(debug=True)):
        report.note(name, f"compiled with {about_option(option)}")
    return defined, wanted


def describe_linked(name, file, report, defined, wanted):
    """Notes whether an executable or shared library uses the library now."""
    ours = [library for library in file.needed if library.startswith("libgpuranmar")]
    names = {symbol.name for symbol in file.symbols + file.dynamic}
    if os.path.basename(name).startswith("libgpuranmar"):
        report.note(
            name,
            "is libgpuranmar's own"
            + (f": it serves {', '.join(sorted(n.upper() for n in defined))}" if defined else ""),
        )
        return
    static = {f"{library.decode()}.a" for library in STATIC.findall(file.contents())}
    if not ours and (static or any(OURS.match(name) for name in names)):
        report.linked += [(name, library) for library in sorted(static)]
        report.note(
            name,
            "has libgpuranmar in it"
            + (f", with {', '.join(sorted(n.upper() for n in defined))}" if defined else ""),
        )
        return
    if not ours:
        if name in report.found:
            report.note(name, "does not use libgpuranmar")
        if not file.symbols:
            report.remark(
                name,
                "stripped: of what it defines for itself only its exports and constants can be "
                "seen",
            )
        return
    report.linked += [(name, library) for library in ours]
    # A routine of the program's own counts only if a library with that name is linked too.
    linked = {re.sub(r"libgpuranmar_?(\w*)\..*", r"\1", library) or "corsika" for library in ours}
    own = sorted(n.upper() for n in defined if n in CLASHING or ALONE[n] in linked)
    used = sorted(n.upper() for n in wanted)
    hooks = sorted({match[1].upper() for match in map(HOOKS.match, names) if match})
    if own and hooks:
        report.note(
            name,
            f"is patched: {', '.join(own)} are its own and draw from {', '.join(ours)} by "
            f"{', '.join(hooks)} (GPURANMAR_VERBOSE=1 has a run say so)",
        )
    elif own:
        report.note(
            name,
            f"is linked with {', '.join(ours)}, but {', '.join(own)} are its own, which win: take "
            "the original's source off the link line",
        )
    if used:
        report.note(
            name,
            f"uses {', '.join(ours)} for {', '.join(used)}, if the loader finds them "
            "(GPURANMAR_VERBOSE=1 has a run say so)",
        )
    if not own and not used:
        engine = any(symbol.startswith("gpuranmar_") for symbol in names)
        calls = ", ".join(hooks) or ("its C functions" if engine else "none of its functions")
        report.note(name, f"is linked with {', '.join(ours)} and calls {calls}")


def describe(name, data, report):
    """Describes an ELF file or an archive."""
    if data.startswith(b"!<arch>\n"):
        for member, content in elf.members(data):
            try:
                describe_object(f"{name}({member})", None, elf.Elf(content), report)
            except ValueError as error:
                report.note(f"{name}({member})", str(error))
        return
    try:
        file = elf.Elf(data)
    except ValueError as error:
        report.note(name, str(error))
        return
    defined, wanted = describe_object(name, name, file, report)
    if file.kind in (elf.ET_EXEC, elf.ET_DYN):
        describe_linked(name, file, report, defined, wanted)


assert set(ALONE.values()) <= set(FAMILIES)
