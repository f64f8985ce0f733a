"""Results of TestU01's batteries: how they are read, how suspicious p-values are judged, and the
report with its picture.

A result is a line of JSON of crush-driver's. Its "command" is the arguments that run the test alone
and give the same p-values again, and serves as the test's name. Its "definition" tells which numbers
the flavour had; results before 2026-11-23 have none.
"""
import collections
import glob
import json
import lzma
import math
import os
import statistics
import subprocess

LOW, HIGH = 0.001, 0.999  # p-values outside are suspicious
CLEAR = 1e-10  # closer to 0 or 1 no follow-up is needed
FOLLOW_UPS = 3
FAILURE = 0.01  # a good generator has a failure in one run of a hundred, or fewer
COARSE = ("ClosePairsBitMatch",)  # statistics that take only a few values
SEEDS = 942377568
BATTERIES = {  # their names, and how many p-values a whole one has
    "small": ("SmallCrush", 15),
    "medium": ("Crush", 144),
    "big": ("BigCrush", 160),
    "rabbit": ("Rabbit", 40),
    "alphabit": ("Alphabit", 17),
    "bits": ("single bits", 3528),
}


class Damaged(Exception):
    """A line that is no result, with its file."""


def options(command):
    """The arguments of crush-driver as a dictionary, in their order."""
    found, name = {}, None
    for word in command.split():
        if word.startswith("--"):
            name = word[2:]
            found[name] = ""
        else:
            found[name] = word
    return found


def parsed(line, definitions):
    """The result on a line. `definitions`, flavour -> definition, gets its own, and may have no
    other. Raises ValueError with the reason."""
    try:
        result = json.loads(line)
        o = options(result["command"])
        good = {"battery", "test", "seed", "position"} <= o.keys() and result["seconds"] >= 0
        if not good or not all(name.strip() and 0 <= p <= 1 for name, p in result["p"]):
            raise ValueError
        flavour, definition = o["flavour"], result.get("definition")
    except (ValueError, TypeError, KeyError, AttributeError):
        raise ValueError(f"no result of crush-driver: {line[:60]!r}") from None
    if definition and definitions.setdefault(flavour, definition) != definition:
        raise ValueError(
            f"of another definition of {flavour}, {definition}, than those before, "
            f"{definitions[flavour]}"
        )
    return result


def read(directory, kind, definitions=None):
    """Command -> result, of all files KIND*.jsonl and KIND*.jsonl.xz, KIND "results" or
    "follow-ups"."""
    found, definitions = {}, {} if definitions is None else definitions
    for name in sorted(glob.glob(os.path.join(directory, kind + "*.jsonl*"))):
        opened = lzma.open if name.endswith(".xz") else open
        with opened(name, "rt", encoding="utf-8", errors="replace") as file:
            for number, line in enumerate(file, 1):
                try:
                    result = parsed(line, definitions)
                except ValueError as reason:
                    raise Damaged(f"{name} line {number} is {reason}") from None
                found[result["command"]] = result
    return found


def seconds_of(directory):
    """(battery, test) -> the median of the core seconds that it took in a directory's results."""
    seconds = collections.defaultdict(list)
    for command, result in read(directory, "results").items():
        o = options(command)
        if "first" not in o:  # opens a stream for every few numbers
            seconds[o["battery"], o["test"]].append(result["seconds"])
    return {key: statistics.median(values) for key, values in seconds.items()}


# --- The verdict ---


def suspicious(p):
    return not LOW <= p <= HIGH


def beyond_doubt(p):
    return not CLEAR <= p <= 1 - CLEAR


def follow_up(command, i):
    """The same test on the i-th fresh seed."""
    seed = options(command)["seed"]
    fresh = (int(seed) + i * 100000007) % SEEDS
    return command.replace(f"--seed {seed}", f"--seed {fresh}")


def follow_ups(results):
    """The commands that a set of results calls for: a suspicious p-value is repeated on fresh seeds
    before it is called a failure, unless it is beyond doubt."""
    return [
        follow_up(command, i)
        for command, result in results.items()
        if any(suspicious(p) and not beyond_doubt(p) for _, p in result["p"])
        for i in range(1, FOLLOW_UPS + 1)
    ]


def repeated_values(command, statistic, repeated):
    """The p-values of the follow-ups that are done, of the statistic with that index in the
    test."""
    again = [repeated.get(follow_up(command, i)) for i in range(1, FOLLOW_UPS + 1)]
    return [result["p"][statistic][1] for result in again if result]


def combined(values):
    """The probability that the product of as many p-values is smaller (Fisher 1925)."""
    product = math.prod(values)
    if product == 0:
        return 0.0
    return product * sum((-math.log(product)) ** k / math.factorial(k) for k in range(len(values)))


def verdict(name, p, again, count):
    """The verdict on a suspicious p-value of the statistic `name`: "failure", "chance" or, while
    follow-ups are missing from `again`, "suspicious". docs/quality.md has the rule.

    The p-value was chosen as one of the most extreme of `count` in its run, on either side.
    Bonferroni's correction multiplies it by 2 * count, up to 1. The three follow-ups are one-sided,
    on the side of the first. Fisher's method combines the four. It needs uniform p-values, which a
    statistic with only a few values does not have: such a statistic fails if all three follow-ups
    are suspicious on the same side."""
    if beyond_doubt(p):
        return "failure"
    again = [q if p < LOW else 1 - q for q in again]
    if len(again) < FOLLOW_UPS:
        return "suspicious"
    if name.startswith(COARSE):
        return "failure" if max(again) < LOW else "chance"
    first = min(1, 2 * count * min(p, 1 - p))
    return "failure" if combined([first, *again]) < FAILURE else "chance"


# --- The report ---


def configuration(command):
    """What is tested, in the words of the command line: all but battery, test, seed and, where
    tests go on in one sequence, position."""
    o = options(command)
    kept = {"position"} if "first" in o else set()
    left_out = {"battery", "test", "flavour", "seed", "position"} - kept
    return ", ".join(
        [o["flavour"], *(f"{k} {v}".strip() for k, v in o.items() if k not in left_out)]
    )


def gather(found):
    """(configuration, battery, seed) -> its results in the order of the tests."""
    runs = collections.defaultdict(list)
    for command, result in found.items():
        o = options(command)
        runs[configuration(command), o["battery"], int(o["seed"])].append(result)
    for run in runs.values():
        run.sort(key=lambda result: int(options(result["command"])["test"]))
    return dict(sorted(runs.items()))


def show(p):
    """A p-value near 1 by its distance from 1, as TestU01 writes it."""
    return f"1 - {1 - p:.1e}" if p > 0.999 else f"{p:.1e}" if p < 0.001 else f"{p:.4f}"


def suspects_of(run, repeated):
    """(command, name, p, follow-ups, verdict) of each suspicious p-value of a run."""
    count = sum(len(result["p"]) for result in run)
    for result in run:
        for i, (name, p) in enumerate(result["p"]):
            if suspicious(p):
                again = repeated_values(result["command"], i, repeated)
                yield result["command"], name, p, again, verdict(name, p, again, count)


REPORT = """# TestU01's batteries

`validate/crush --report --out DIR` makes this page of the results in DIR. A flavour is written as
crush-driver's arguments. The rule of the verdicts is in docs/quality.md.

| flavour | battery | seed | p-values | in [0.001, 0.999] | failures | chance | not followed up \
| core s | TestU01 |
|---|---|---|---|---|---|---|---|---|---|
%s
## Suspicious p-values

| build/crush-driver | test | p-value | on fresh seeds | verdict |
|---|---|---|---|---|
%s"""


def write_report(directory):
    """Writes report.md and, where there is gnuplot, p-values.svg. Returns how many p-values came to
    each verdict."""
    found, repeated = read(directory, "results"), read(directory, "follow-ups")
    total, table, suspects = collections.Counter(), "", ""
    runs = gather(found)
    for (config, battery, seed), run in runs.items():
        title, whole = BATTERIES[battery]
        count = sum(len(result["p"]) for result in run)
        verdicts = collections.Counter()
        for command, name, p, again, found_to_be in suspects_of(run, repeated):
            verdicts[found_to_be] += 1
            fresh = ", ".join(map(show, again))
            suspects += f"| {command} | {name} | {show(p)} | {fresh} | {found_to_be} |\n"
        total += verdicts
        table += (
            f"| {config} | {title} | {seed} | {count if count == whole else f'{count} of {whole}'} "
            f"| {count - sum(verdicts.values())} | {verdicts['failure']} | {verdicts['chance']} "
            f"| {verdicts['suspicious']} | {round(sum(r['seconds'] for r in run))} "
            f"| {', '.join(sorted({r['testu01'] for r in run}))} |\n"
        )
    with open(os.path.join(directory, "report.md"), "w", encoding="ascii") as file:
        file.write(REPORT % (table, suspects))
    return total


def draw(directory, commands):
    """Draws p-values.svg: a panel for each run of these commands, at each test its p-values by
    their distance from 0 or 1."""
    found = read(directory, "results")
    runs, labels = collections.defaultdict(str), collections.defaultdict(str)
    for command in filter(found.get, commands):
        o = options(command)
        title = f"{BATTERIES[o['battery']][0]}: {configuration(command)}"
        for _, p in found[command]["p"]:
            distance = max(min(p, 1 - p), 1e-16)
            runs[title] += f"{o['test']} {distance}\n"
            if distance < 1e-6:
                labels[title] += f"set label '{o['test']}' at {o['test']}, {distance} @LABEL\n"
    data = "".join(f"$D{i} << E\n{run}E\n" for i, run in enumerate(runs.values()))
    plots = "".join(
        f"DATA = '$D{i}'; set title '{title}'\n{labels[title]}@PLOT\nunset label\n"
        for i, title in enumerate(runs)
    )
    name = os.path.join(directory, "p-values.svg")
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "p-values.gp")
    with open(script, encoding="ascii") as file:
        text = f"{data}N = {len(runs)}; NAME = '{name}'\n{file.read()}{plots}"
    subprocess.run(["gnuplot", "-d"], input=text, text=True, check=True)
    return name
