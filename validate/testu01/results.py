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
    """The result on a line, with its "options". Its definition becomes definitions[flavour], which
    must not be another one already. Raises ValueError with the reason."""
    try:
        result = json.loads(line)
        o = result["options"] = options(result["command"])
        good = {"battery", "test", "seed", "position"} <= o.keys() and result["seconds"] >= 0
        if not good or not all(name.strip() and 0 <= p <= 1 for name, p in result["p"]):
            raise ValueError
        flavour, definition = o["flavour"], result.get("definition")
    except (ValueError, TypeError, KeyError, AttributeError):
        raise ValueError(f"no result of crush-driver: {line[:60]!r}") from None
    if definition and definitions.setdefault(flavour, definition) != definition:
        line = f"of another definition of {flavour}, {definition}, than those before, "
        raise ValueError(line + definitions[flavour])
    return result


def read(directory, kind, definitions):
    """Command -> result, of all files KIND*.jsonl and KIND*.jsonl.xz, KIND "results" or
    "follow-ups"."""
    found = {}
    for name in sorted(glob.glob(os.path.join(directory, kind + "*.jsonl*"))):
        opened = lzma.open if name.endswith(".xz") else open
        with opened(name, "rt", encoding="utf-8", errors="replace") as file:
            for number, line in enumerate(file, 1):
                try:
                    result = parsed(line, definitions)
                except ValueError as reason:
                    line = f"{name} line {number} is {reason}"
                    raise ValueError(f"{line}: take it away, and its test runs again") from None
                found[result["command"]] = result
    return found


# --- The verdict ---


def suspicious(p):
    return not LOW <= p <= HIGH


def beyond_doubt(p):
    return not CLEAR <= p <= 1 - CLEAR


def on_fresh_seeds(command):
    """The commands that repeat a test on other seeds."""
    seed = options(command)["seed"]
    fresh = ((int(seed) + i * 100000007) % SEEDS for i in range(1, FOLLOW_UPS + 1))
    return [command.replace(f"--seed {seed}", f"--seed {other}") for other in fresh]


def follow_ups(results):
    """The commands that repeat the tests with a suspicious p-value that is not beyond doubt."""
    return [
        again
        for result in results
        if any(suspicious(p) and not beyond_doubt(p) for _, p in result["p"])
        for again in on_fresh_seeds(result["command"])
    ]


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


def configuration(o):
    """What is tested, in the words of the command line: all but battery, test, seed and, where
    tests go on in one sequence, position."""
    left_out = ["battery", "test", "flavour", "seed"] + ["position"] * ("first" not in o)
    kept = (f"{name} {value}".strip() for name, value in o.items() if name not in left_out)
    return ", ".join([o["flavour"], *kept])


def show(p):
    """A p-value near 1 by its distance from 1, as TestU01 writes it."""
    return f"1 - {1 - p:.1e}" if p > 0.999 else f"{p:.1e}" if p < 0.001 else f"{p:.4f}"


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


def write_report(directory, found, repeated):
    """Writes report.md. Returns how many p-values came to each verdict."""
    runs = collections.defaultdict(list)
    for result in found.values():
        o = result["options"]
        runs[configuration(o), o["battery"], int(o["seed"])].append(result)
    total, table, suspects = collections.Counter(), "", ""
    for (config, battery, seed), run in sorted(runs.items()):
        title, whole = BATTERIES[battery]
        count = sum(len(result["p"]) for result in run)
        verdicts = collections.Counter()
        run.sort(key=lambda result: int(result["options"]["test"]))
        for result in run:
            command = result["command"]
            again = [repeated[c] for c in on_fresh_seeds(command) if c in repeated]
            for i, (name, p) in enumerate(result["p"]):
                if suspicious(p):
                    values = [other["p"][i][1] for other in again]
                    found_to_be = verdict(name, p, values, count)
                    verdicts[found_to_be] += 1
                    fresh = ", ".join(map(show, values))
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


def draw(directory, results):
    """Draws p-values.svg: a panel for each run, at each test its p-values by their distance from 0
    or 1."""
    runs = collections.defaultdict(str)
    for result in results:
        o = result["options"]
        title = f"{BATTERIES[o['battery']][0]}: {configuration(o)}"
        for _, p in result["p"]:
            runs[title] += f"{o['test']} {max(min(p, 1 - p), 1e-16)}\n"
    name = os.path.join(directory, "p-values.svg")
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "p-values.gp")
    text = "$DATA << E\n" + "\n\n".join(runs.values()) + f"E\nNAME = '{name}'; N = {len(runs)}\n"
    text += f"array TITLE[N] = {[*runs]}\n"
    with open(script, encoding="ascii") as file:
        subprocess.run(["gnuplot", "-d"], input=text + file.read(), text=True, check=True)
    return name
