"""The statement on a production: one page of text, for a paper's appendix, and the same in HTML
with a picture of the numbers that were drawn of each seed."""

from collections import defaultdict
from html import escape

from .audit import KINDS
from .runs import ENDS

PICTURES, BARS, WIDTH, HEIGHT = 12, 400, 900, 112  # seeds; bars and size of a picture

PAGE = """<!DOCTYPE html>
<html lang="en"><meta charset="utf-8"><title>Random numbers of a production</title>
<style>
body {{ font: 15px/1.45 sans-serif; max-width: 60em; margin: 2em auto; padding: 0 1em; color: #222 }}
h1 {{ font-size: 1.4em }} h2 {{ font-size: 1.1em; margin: 1.5em 0 .3em }}
.verdict {{ border-left: 5px solid {colour}; padding: .4em .8em; background: #f4f4f4 }}
li {{ overflow-wrap: anywhere }} svg {{ display: block; margin: .2em 0 }}
</style>
<h1>Random numbers of a production</h1>
{body}
</html>
"""
FREE, SHARED, ASSUMED = "#4477aa", "#cc3311", "#bbccdd"


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


def name_of(run):
    return (run["files"] or run["sources"])[0]


def sequence(of):
    return f"sequence {of['sequence']}" if of["sequence"] else "a stream"


def who(found, of):
    run, events = found["runs"][of["run"]], of["events"]
    number = "" if run["run"] is None else f", run {run['run']}"
    which = f", event{'s' * (len(events) > 1)} {spans(events)}" if events else ""
    return f"{name_of(run)}{number}{which}, {sequence(of)}"


def heading(found):
    read, runs = found["read"], found["runs"]
    files = ", ".join(
        many(read[kind], kind) if kind == "log" else f"{read[kind]} {kind}"
        for kind in sorted(read)
        if kind != "other"
    )
    seeds = {s["seed"] for run in runs for s in run["sequences"]}
    return [
        f"gpuranmar production audit {found['version']}, {found['date']}",
        f"Files: {files or 'none'}; {read.get('other', 0)} others passed over, "
        f"{len(found['damaged'])} damaged.",
        f"{many(len(runs), 'run')}, {many(sum(run['showers'] for run in runs), 'shower')}, "
        f"{many(len(seeds), 'seed')}.",
        "Looked for: equal numbers, and numbers tied by shifts of the seeding's bits; not: sums of "
        "several numbers.",
    ]


def open_questions(found):
    """Whether numbers may have been drawn that were not looked at. Ends are assumed, and counted."""
    return bool(found["damaged"]) or any(what != ENDS for what in found["unknown"])


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
        f"{'' if pair['exact'] else 'up to '}{many(pair['numbers'], 'number')} from position {pair['from']} on"
    )


def not_known(found):
    lines = [f"{what}: {n}" for what, n in sorted(found["unknown"].items())]
    if ENDS in found["unknown"]:
        lines.append(
            f"where no header or log says it, an event is taken to draw {found['assumed']:g} "
            f"numbers of a sequence at most"
        )
    if found["pairs"] > len(found["shared"]):
        lines.append(f"pairs that were not looked at: {found['pairs'] - len(found['shared'])}")
    return lines + found["damaged"]


def parts(found, most):
    """(heading, lines) of the statement's parts."""
    shared = [sentence(found, pair) for pair in found["shared"][:most]]
    if len(found["shared"]) > most:
        shared.append(
            f"... and {many(len(found['shared']) - most, 'pair')} more: --json lists them"
        )
    return [
        ("", counts(found)),
        ("What is shared", shared),
        ("What could not be known", not_known(found)),
    ]


def text(found, most=20):
    lines = heading(found) + ["", verdict(found)]
    for title, part in parts(found, most):
        lines += ["", title + ":"] * bool(title and part) + [f"  {line}" for line in part]
    return "\n".join(lines)


# --- The picture ---


def lanes(bars):
    """Puts bars (first, end, ...) into as few lanes as they need without covering each other."""
    ends, placed = [], []
    for bar in sorted(bars):
        lane = next((i for i, end in enumerate(ends) if end <= bar[0]), len(ends))
        ends[lane : lane + 1] = [bar[1]]
        placed.append((lane, bar))
    return placed, len(ends)


def picture(seed, bars):
    """The stretches of one seed: (first, end, known, whether shared, who)."""
    low, high = min(bar[0] for bar in bars), max(bar[2] for bar in bars)
    if any(end > known for _, end, known, *_ in bars):  # of what is not known, the beginning
        high += max(1, (high - low) // 10)
    scale = WIDTH / max(1, high - low)
    placed, count = lanes(bars)
    step = min(14, HEIGHT / count)
    lines = [
        f'<svg width="{WIDTH}" height="{step * count + 18:.0f}">',
        f'<text y="{step * count + 14:.0f}" font-size="11">position {low}</text>',
        f'<text x="{WIDTH}" y="{step * count + 14:.0f}" font-size="11" text-anchor="end">{high}</text>',
    ]
    for lane, (first, end, known, shared, name) in placed[:BARS]:
        for a, b, colour in (
            (first, known, SHARED if shared else FREE),
            (known, min(end, high), ASSUMED),
        ):
            if b > a:
                lines.append(
                    f'<rect x="{(a - low) * scale:.2f}" y="{step * lane:.2f}" '
                    f'width="{max(1.5, (b - a) * scale):.2f}" height="{0.8 * step:.2f}" '
                    f'fill="{colour}"><title>{escape(name)}: {first} to {end}</title></rect>'
                )
    note = f", the first {BARS} of them" if len(placed) > BARS else ""
    return f"<h2>Seed {seed}: {many(len(bars), 'interval')}{note}</h2>{''.join(lines)}</svg>"


def pictures(found):
    """The seeds of which something is shared first, then those of which most was drawn."""
    shared = {
        (of["run"], of["sequence"], of["seed"]) for pair in found["shared"] for of in pair["of"]
    }
    seeds = defaultdict(list)
    for i, run in enumerate(found["runs"]):
        for s in run["sequences"]:
            is_shared = (i, s["sequence"], s["seed"]) in shared
            name = f"{name_of(run)}, {sequence(s)}"
            seeds[s["seed"]].append((s["first"], s["end"], s["known"], is_shared, name))
    order = sorted(seeds, key=lambda k: (-sum(bar[3] for bar in seeds[k]), -len(seeds[k]), k))
    html = [picture(seed, seeds[seed]) for seed in order[:PICTURES]]
    if len(order) > PICTURES:
        html.append(f"<p>{len(order) - PICTURES} more seeds are not drawn.</p>")
    key = " ".join(
        f'<span style="color:{colour}">&#9632;</span> {what}'
        for colour, what in ((FREE, "drawn"), (SHARED, "in common or tied"), (ASSUMED, "not known"))
    )
    return f"<h2>Which numbers were drawn</h2><p>{key}</p>" + "\n".join(html)


def html(found, most=20):
    sound = bool(found["runs"]) and not found["shared"]
    body = ["<p>" + "<br>".join(map(escape, heading(found))) + "</p>"]
    body.append(f'<p class="verdict">{escape(verdict(found))}</p>')
    for title, part in parts(found, most):
        if part:
            items = "".join(f"<li>{escape(line)}</li>" for line in part)
            body.append(f"<h2>{title}</h2><ul>{items}</ul>" if title else f"<ul>{items}</ul>")
    body.append(pictures(found))
    return PAGE.format(colour="#228833" if sound else SHARED, body="\n".join(body))
