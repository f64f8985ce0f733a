"""Says which families fit the Fortran sources that user_source.py has read. trial.py runs what fits
by its argument lists."""

import re

from . import trial
from .families import DRAWING, FAMILIES, ROUTINES, in_module
from .user_source import MARKS, STEP, constants

COPY = re.compile(r"=U\(I97\b.*\)-U\(J97\b")  # the lagged part in CORSIKA, RMMARD and its copies
HOOK = "CALLGRNFL1("  # in each routine that draws by hooks of gpuranmar-patch


def fits(family, routine, count, is_function, kind):
    """Whether a call, or a definition, of a routine is as the family has it."""
    if FAMILIES[family].in_module or routine not in FAMILIES[family].calls:
        return True  # the compiler compares the interface in a module
    arguments, function, own_kind = FAMILIES[family].calls[routine]
    return (
        is_function == function
        and (count == len(arguments) or function and {count, len(arguments)} == {0, 1})
        and kind in (None, own_kind)
    )


def written(routine, count, is_function, kind):
    """A call in words."""
    how = f"U = {routine.upper()}()" if is_function else routine.upper()
    if not is_function:
        how += f" with {count} argument{'s' * (count != 1)}"
    return how + (f" in {kind}" if kind else "")


def definitions(units):
    """{routine: what fits() asks} of the known routines that are defined."""
    return {
        u.name: (u.name, len(u.args), u.is_function, u.odd_argument() or u.drawn_type())
        for u in units
        if u.name in ROUTINES
    }


def in_corsika(units):
    """What a source of CORSIKA needs; '' if it only has RMMARD, None for another source."""
    bare = [u for u in units if COPY.search(u.text) and HOOK not in u.text]
    own = any("crranma4" in u.blocks for u in bare)
    if own and any(COPY.search("\n".join(u.lines)) for u in bare if u.name != "rmmard"):
        line = "has copies of RMMARD in line, which no library can replace: use gpuranmar-patch "
        return line + "(docs/corsika.md, gpuranmar-patch(1)); its list DIR names each place"
    if any(HOOK in u.text for u in units):
        line = "has the hooks of gpuranmar-patch: compile with -D__GPURANMAR__, link -lgpuranmar, "
        return line + "and check the build (docs/corsika.md)"
    return "" if own else None


def judge(report):
    """Describes all Fortran sources."""
    corsika = {name: in_corsika(units) for name, units in report.sources.items()}
    if any(corsika.values()):  # of a CORSIKA tree, nothing else is said
        report.found = {name: {"": its[""]} for name, its in report.found.items() if "" in its}
        for name, units in report.sources.items():
            if corsika[name]:
                report.say(name, corsika[name])
            elif corsika[name] is None and any(STEP.search(u.text) for u in units):
                report.say(name, "has another RANMAR: ask about this file by itself")
        report.sources.clear()
        return
    homes, every = {}, [u for units in report.sources.values() for u in units]
    known = constants(u for u in every if u.kind == "module")
    for name, units in report.sources.items():
        for unit in units:
            unit.constants = known
            homes.setdefault(unit.name, []).append((name, unit))
    for name, units in report.sources.items():
        mine = {u.name for u in units}
        others = [
            (file, u)
            for found in homes.values()
            for file, u in found
            if len(found) == 1 and file != name and u.name not in mine and u.name in ROUTINES
        ]
        judge_file(name, units, others, report)


def wraps(unit, units):
    """Whether a routine calls one of other families, which draws."""
    drawing = {u.name for u in units if u.draws} & DRAWING
    others = (n for n in drawing if not set(ROUTINES[n]) & set(ROUTINES[unit.name]))
    return any(name.upper() in unit.words for name in others)


def judge_file(name, units, others, report):
    """Describes one source. others: known routines that one other file alone defines."""
    pool = units + [u for _, u in others]
    has_step = STEP.search("\n".join(u.text for u in units if not u.host))
    uses = [(name, use) for use in definitions(units).values()]
    uses += [(name, use) for u in units if not u.host for use in u.calls if use[1] is not None]
    uses += [(f, use) for f, u in others for use in definitions([u]).values()]
    for unit in units:
        if unit.name in DRAWING and (unit.draws or has_step and not wraps(unit, units)):
            judge_known(name, unit, units, pool, uses, report)
        elif unit.name in DRAWING:
            report.say(name, f"{unit.name.upper()} is not RANMAR here: it has no recurrence")
            report.others.add(unit.name)
        elif unit.name not in ROUTINES and unit.draws and not unit.host and MARKS.search(unit.text):
            report.say(name, f"{unit.head()} has the recurrence itself", "own")
    for unit in [] if {u.name for u in units if u.draws} & report.others else units:
        if unit.module and unit.name in ROUTINES and (unit.draws or has_step):
            report.say(name, in_module(unit.name, unit.module, unit.shaped()))
    describe_calls(name, units, uses, report)


def describe_calls(name, units, uses, report):
    """Which families serve what a file calls and does not define."""
    defined = {u.name for u in units}
    for unit in units:
        for use in [] if unit.host else unit.calls:
            routine, count = use[:2]
            if count is None:
                report.say(name, f"passes {routine.upper()} on: its argument list is not seen here")
            elif routine not in defined:
                others = [other for file, other in uses if file == name or other[0] != routine]
                fit = [f for f in ROUTINES[routine] if all(fits(f, *other) for other in others)]
                report.calls.setdefault(name, {})[use] = fit


def judge_known(name, unit, units, pool, uses, report):
    """Describes a routine with a known name that has the recurrence. A family fits if its routines
    have these argument lists and its library draws the same numbers."""
    what, draw = f"defines {unit.head()}", unit.name
    own = definitions([unit])[draw]
    first = [f for f in ROUTINES[draw] if fits(f, *own)]
    found = [f for f in first if all(fits(f, *use) for _, use in uses if use[0] != draw)]
    if not found:
        beside = [
            f"{written(*use)} in {file}"
            for file, use in uses
            if first and not any(fits(family, *use) for family in first) and use[0] != draw
        ]
        odd = unit.odd_argument()
        line = f"no library has {unit.head()}" + (f" with {odd}" if odd else "")
        line += f" beside {beside[0]}" if beside else ""
        report.say(name, line, "own")
        report.wrong.append(f"{name}: {line}")
        report.others.add(draw)
        return
    tried = {family: trial.compare(family, unit, pool) for family in found}
    same = [family for family in found if tried[family].same]
    least = min((tried[family].unlike for family in same), default=0)
    same = [family for family in same if tried[family].unlike == least]
    fit = same or [family for family in found if tried[family].same is None]
    if not fit:
        why = tried[found[0]].why
        report.say(name, f"{what}; it is not that of -lgpuranmar_{found[0]}: {why}")
        report.others.add(draw)
        return
    best = tried[fit[0]]
    why = best.why if same else f"not compared: {best.why}"
    if len(fit) > 1:
        for line in (f"{what}: {report.either(fit)}: {why}", *best.others, *best.notes):
            report.say(name, line)
        return
    family = fit[0]
    skips = "how far its start skips was not compared: compare a run that skips"
    keeps = f"run with GPURANMAR_SEQUENCES={unit.sequences}: so many sequences it has, not 9"
    keeps = keeps if draw in ("rmmard", "rmmar") and unit.sequences not in (0, 9) else ""
    for line in filter(None, (what, why, keeps, *best.others, *best.notes, skips * best.skips)):
        report.say(name, line, family)
    for file, use in uses:  # the routines that go with it and are in other files
        if file != name and use[0] in FAMILIES[family].calls:
            report.say(file, f"defines {use[0].upper()}", family)
    if not same or best.others or best.skips:
        report.unsure.add((name, family))
