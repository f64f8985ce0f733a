"""The statement on a production: one page of text, for a paper's appendix."""

from collections import defaultdict

from .audit import KINDS
from .corsika_runs import ENDS


def many(count, noun):
    return f"{count} {noun}{'s' * (count != 1)}"


def spans(numbers):
    """Numbers as text: 1 2 3 7 becomes 1-3, 7."""
    ranges = []
    for n in sorted(set(numbers)):
        if ranges and n == ranges[-1][1] + 1:
            ranges[-1][1] = n
        else:
            ranges.append([n, n])
    return ", ".join(f"{a}-{b}" if a < b else f"{a}" for a, b in ranges)


def some(names, most=3):
    """The first names of a list, and how many there are more."""
    more = f" and {len(names) - most} more (--json)" if len(names) > most else ""
    return ", ".join(names[:most]) + more


def name_of(run):
    return (run["files"] or run["sources"])[0]


def who(found, of):
    run, events = found["runs"][of["run"]], of["events"]
    number = "" if run["run"] is None else f", run {run['run']}"
    which = f", event{'s' * (len(events) > 1)} {spans(events)}" if events else ""
    return f"{name_of(run)}{number}{which}, sequence {of['sequence']}"


def heading(found):
    read, runs = found["read"], found["runs"]
    counted = lambda kind, n: many(n, kind) if kind == "log" else f"{n} {kind}"
    files = ", ".join(counted(*item) for item in sorted(read.items()) if item[0] != "other")
    seeds = {s["seed"] for run in runs for s in run["sequences"]}
    return [
        f"gpuranmar production audit {found['version']}, {found['date']}",
        f"Files: {files or 'none'}; {read.get('other', 0)} others passed over, "
        f"{len(found['damaged'])} damaged.",
        *[f"Interrupted: {many(found['unread'], 'file')} not read."] * bool(found["unread"]),
        f"{many(len(runs), 'run')}, {many(sum(run['showers'] for run in runs), 'shower')}, "
        f"{many(len(seeds), 'seed')}.",
        *showers_there(found),
        "Looked for: equal numbers, and numbers tied by shifts of the seeding's bits; not: sums of "
        "several numbers.",
    ]


def showers_there(found):
    """Whether the showers are there, and each once, as a line; none if no file has showers."""
    if not any(run["files"] for run in found["runs"]):
        return []
    lines, twice = ["Each shower is there once"], len(found["twice"])
    if twice:
        lines = [f"{many(twice, 'shower')} {'are' if twice > 1 else 'is'} there more than once"]
    missing = sum(1 + gap["last"] - gap["first"] for gap in found["missing"])
    if missing:
        lines.append(
            f"{many(missing, 'shower')} that cards ask for {'are' if missing > 1 else 'is'} missing"
        )
    elif any(run["steered"] for run in found["runs"]):
        lines.append("none that a card asks for is missing")
    return ["; ".join(lines) + "."]


def open_questions(found):
    """Whether numbers may have been drawn that were not compared. Assumed ends do not count."""
    left = found["damaged"] or found["unread"] or found["pairs"] > len(found["shared"])
    return bool(left) or any(row["what"] != ENDS for row in found["unknown"])


def verdict(found):
    if not found["runs"]:
        return "There is nothing to audit."
    if not found["shared"]:
        known = ", as far as these files tell" if open_questions(found) else ""
        return f"No two of these runs have random numbers in common, or tied ones{known}."
    touched = found["touched"]
    what = f"{many(touched['showers'], 'shower')} of {many(touched['runs'], 'run')}"
    if any(pair["sure"] for pair in found["shared"]):
        return f"{what} have random numbers that another has too, or that are tied to another's."
    return f"{what} may have random numbers that another has too: it is not known where runs ended."


def counts(found):
    rows = defaultdict(lambda: [0, 0])
    for pair in found["shared"]:
        rows[pair["kind"]][0] += 1
        rows[pair["kind"]][1] += pair["sure"]
    return [f"{many(n, 'pair')}, {sure} of them sure: {KINDS[k]}" for k, (n, sure) in rows.items()]


def sentence(found, pair):
    first, second = (who(found, of) for of in pair["of"])
    return (
        f"{pair['how']}{'' if pair['sure'] else ' (perhaps)'}: {first}, and {second}: "
        f"{'' if pair['exact'] else 'up to '}{many(pair['numbers'], 'number')} "
        f"from position {pair['from']} on"
    )


def not_known(found):
    lines = [f"{row['what']}: {row['count']}: {some(row['files'])}" for row in found["unknown"]]
    if any(row["what"] == ENDS for row in found["unknown"]):
        lines.append(
            f"an event of unknown end is assumed to draw at most {found['assumed']:g} numbers of a "
            "sequence, and none beyond the segment that a plan gives the sequence"
        )
    if found["pairs"] > len(found["shared"]):
        lines.append(f"pairs that were not looked at: {found['pairs'] - len(found['shared'])}")
    return lines + found["damaged"]


def there_twice(found):
    """Lines with the showers that are there more than once, those of the same files together."""
    events = defaultdict(list)
    for row in found["twice"]:
        events[row["run"], tuple(row["files"])].append(row["event"])
    return [f"shower {spans(numbers)}: {some(files)}" for (_, files), numbers in events.items()]


def missing(found):
    """Lines with the showers that no file has, if files have others."""
    if not any(run["files"] for run in found["runs"]):
        return []
    gaps = ((found["runs"][gap["run"]], gap["first"], gap["last"]) for gap in found["missing"])
    return [
        f"shower {a}{f'-{b}' * (a < b)} of run {run['run']}: {name_of(run)}" for run, a, b in gaps
    ]


def text(found, most=20):
    lines = heading(found) + ["", verdict(found)] + [f"  {line}" for line in counts(found)]
    for title, part in (
        ("shared", [sentence(found, pair) for pair in found["shared"][:most]]),
        ("there more than once", there_twice(found)),
        ("missing", missing(found)),
        ("not known", not_known(found)),
    ):
        total = len(found["shared"]) if title == "shared" else len(part)
        lines += ["", f"What is {title}:"] * bool(part) + [f"  {line}" for line in part[:most]]
        lines += [f"  ... and {total - most} more: --json lists them"] * (total > most)
    return "\n".join(lines)
