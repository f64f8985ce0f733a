"""Results of TestU01's batteries: reading them, judging suspicious p-values by follow-ups, and the
report.

A result is a line of JSON of crush-driver's. Its "command" is the arguments that run the test alone
and give the same p-values again; it also serves as the test's name. Its "definition" tells which
numbers the flavour had; results of 2026-11-21 and before have none.
"""
import collections
import glob
import json
import lzma
import math
import os
import shlex

LOW, HIGH = 0.001, 0.999  # p-values outside are suspicious
CLEAR = 1e-10  # beyond this from 0 or 1 no follow-up is needed
FOLLOW_UPS = 3
FAILURE = 0.01  # a good generator has a failure in one run of a hundred, or fewer
COARSE = ("ClosePairsBitMatch",)  # statistics that take a few values alone
SEEDS = 942377568


def options(command):
    """The arguments of crush-driver as a dictionary, in their order."""
    words = shlex.split(command)
    found = {}
    for i, word in enumerate(words):
        if word.startswith("--"):
            value = words[i + 1] if i + 1 < len(words) else ""
            found[word[2:]] = "" if value.startswith("--") else value
    return found


class Damaged(Exception):
    """A line that is no result, with its file."""


def _files(directory, kind):
    return sorted(glob.glob(os.path.join(directory, kind + "*.jsonl")))


def _all_files(directory, kind):
    """Those that were compressed besides, by xz: they are read, and nothing is added to them."""
    return _files(directory, kind) + sorted(glob.glob(os.path.join(directory, kind + "*.jsonl.xz")))


def _open(name):
    opened = lzma.open if name.endswith(".xz") else open
    return opened(name, "rt", encoding="utf-8", errors="replace")


def _parse(line):
    """The result on a line; ValueError where there is none."""
    result = json.loads(line)
    if (
        not isinstance(result, dict)
        or not {"command", "p", "seconds", "gpuranmar", "testu01"} <= result.keys()
    ):
        raise ValueError
    if not {"battery", "test", "flavour", "seed", "position"} <= options(result["command"]).keys():
        raise ValueError
    for name, p in result["p"]:
        if not isinstance(name, str) or not 0 <= p <= 1:
            raise ValueError
    return result


def heal(directory, kind):
    """Takes away what a kill left of a last line, so that the next result begins a line. Returns a
    message for each such file."""
    messages = []
    for name in _files(directory, kind):
        with open(name, "r+b") as f:
            text = f.read()
            whole = text.rfind(b"\n") + 1
            if whole == len(text):
                continue
            try:
                _parse(text[whole:])
                f.write(b"\n")  # only the end of the line was missing
            except (ValueError, TypeError, AttributeError):
                f.truncate(whole)
                messages.append(f"{name}: the last line was cut short: its test runs again")
    return messages


def read(directory, kind):
    """Command -> result, of all files KIND*.jsonl and KIND*.jsonl.xz, KIND "results" or "follow-ups". A last line that
    was cut short is passed over. Raises Damaged for any other that is no result, and where results
    of one flavour are of different definitions."""
    found, definitions = {}, {}
    for name in _all_files(directory, kind):
        with _open(name) as f:
            for number, line in enumerate(f, 1):
                try:
                    result = _parse(line)
                except (ValueError, TypeError, AttributeError):
                    if line.endswith("\n"):
                        raise Damaged(
                            f"{name} line {number} is no result of crush-driver: {line[:60]!r}"
                        ) from None
                    continue
                flavour, definition = options(result["command"])["flavour"], result.get(
                    "definition"
                )
                if definitions.setdefault(flavour, definition) != definition:
                    raise Damaged(
                        f"{name} line {number} is of another definition of {flavour}, "
                        f"{definition}, "
                        f"than those before, {definitions[flavour]}"
                    )
                found[result["command"]] = result
    return found


def seconds_of(directory):
    """(battery, test) -> the most core seconds that it took in results of a directory."""
    seconds = {}
    for command, result in read(directory, "results").items():
        key = options(command)["battery"], options(command)["test"]
        seconds[key] = max(result["seconds"], seconds.get(key, 0))
    return seconds


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


def is_coarse(command, statistic, repeated):
    """Whether that statistic of a test that was repeated takes a few values alone."""
    return repeated[follow_up(command, 1)]["p"][statistic][0].startswith(COARSE)


def repeated_values(command, statistic, repeated):
    """The p-values of the follow-ups that are done, of the statistic with that index in the
    test."""
    again = [repeated.get(follow_up(command, i)) for i in range(1, FOLLOW_UPS + 1)]
    return [result["p"][statistic][1] for result in again if result]


def _combined(values):
    """The probability that the product of as many p-values is smaller (Fisher 1925)."""
    product = math.prod(values)
    if product == 0:
        return 0.0
    return product * sum((-math.log(product)) ** k / math.factorial(k) for k in range(len(values)))


def verdict(command, statistic, p, repeated, statistics):
    """What a suspicious p-value comes to: "failure", "chance" or, while follow-ups are missing from
    `repeated` (command -> result), "suspicious".

    The rule (docs/quality.md tells when it was made): the p-value was looked at because it is the
    worst, or nearly, of `statistics` in its run, on two sides. So it counts 2 * statistics times
    itself, at most 1; that is how often chance has one as bad. With those of the three follow-ups,
    on the same side, that makes four probabilities; together (Fisher) they are a failure if chance
    does as much in one run of a hundred. Fisher wants uniform p-values, and those of a statistic
    with few values are not: it fails if all three follow-ups are suspicious, on the same side."""
    if beyond_doubt(p):
        return "failure"
    again = [q if p < LOW else 1 - q for q in repeated_values(command, statistic, repeated)]
    if len(again) < FOLLOW_UPS:
        return "suspicious"
    if is_coarse(command, statistic, repeated):
        return "failure" if max(again) < LOW else "chance"
    first = min(1, 2 * statistics * min(p, 1 - p))
    return "failure" if _combined([first, *again]) < FAILURE else "chance"


# --- The report ---

BATTERIES = {  # their names, and how many p-values a whole one has
    "small": ("SmallCrush", 15),
    "medium": ("Crush", 144),
    "big": ("BigCrush", 160),
    "rabbit": ("Rabbit", 40),
    "alphabit": ("Alphabit", 17),
    "bits": ("single bits", 3528),
}


def configuration(command):
    """What is tested, in the words of the command line: all but battery, test, seed and, where
    tests go on in one sequence, position."""
    o = options(command)
    words = [o["flavour"]]
    for name, value in o.items():
        if name not in ("battery", "test", "flavour", "seed") and (
            name != "position" or "first" in o
        ):
            words.append(f"{name} {value}".strip())
    return ", ".join(words)


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


def judge(runs, repeated):
    """A row for each run, with its suspicious p-values and what they came to."""
    rows = []
    for (config, battery, seed), run in runs.items():
        p_values = [
            (result, i, name, p) for result in run for i, (name, p) in enumerate(result["p"])
        ]
        suspects = [
            {
                "name": name,
                "p": p,
                "verdict": verdict(result["command"], i, p, repeated, len(p_values)),
                "follow-ups": repeated_values(result["command"], i, repeated),
                "command": result["command"],
            }
            for result, i, name, p in p_values
            if suspicious(p)
        ]
        rows.append(
            {
                "configuration": config,
                "battery": battery,
                "seed": seed,
                "statistics": len(p_values),
                "suspects": suspects,
                "core seconds": round(sum(r["seconds"] for r in run)),
                "testu01": sorted({r["testu01"] for r in run}),
            }
        )
    return rows


def table_of_runs(rows):
    lines = [
        "| flavour | battery | seed | p-values | in [0.001, 0.999] | failures | chance "
        "| not followed up | core s | TestU01 |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    for row in rows:
        verdicts = collections.Counter(s["verdict"] for s in row["suspects"])
        battery, whole = BATTERIES[row["battery"]]
        count = (
            f"{row['statistics']}"
            if row["statistics"] == whole
            else f"{row['statistics']} of {whole}"
        )
        lines.append(
            f"| {row['configuration']} | {battery} | {row['seed']} | {count} "
            f"| {row['statistics'] - len(row['suspects'])} | {verdicts['failure']} "
            f"| {verdicts['chance']} | {verdicts['suspicious']} | {row['core seconds']} "
            f"| {', '.join(row['testu01'])} |"
        )
    return lines


def table_of_suspects(rows):
    """The p-values of each test that are outside, with the verdict and what repeats it."""
    lines = [
        "| build/crush-driver | test | p-value | on fresh seeds | verdict |",
        "|---|---|---|---|---|",
    ]
    for row in rows:
        for s in row["suspects"]:
            again = ", ".join(map(show, s["follow-ups"]))
            lines.append(
                f"| {s['command']} | {s['name']} | {show(s['p'])} | {again} | {s['verdict']} |"
            )
    return lines


def write_report(directory):
    found, repeated = read(directory, "results"), read(directory, "follow-ups")
    runs = gather(found)
    rows = judge(runs, repeated)
    of = {
        name: ", ".join(sorted({r.get(name, "not recorded") for r in found.values()}))
        for name in ("gpuranmar", "date", "definition")
    }
    lines = [
        "# TestU01's batteries",
        "",
        f"libgpuranmar {of['gpuranmar']}; dates of the results: {of['date']}.",
        "`validate/crush --report-only --out DIR` makes this page of the results in DIR.",
        "",
        "A flavour is written as crush-driver's arguments. Definitions (the first 1000 numbers,",
        f"`crush-driver --definition`): {of['definition']}.",
        "",
        "The rule: a p-value outside [0.001, 0.999] is suspicious. Closer to 0 or 1 than 1e-10 it is a",
        f"failure. Any other is repeated on {FOLLOW_UPS} fresh seeds. It counts 2 N times "
        "itself, N the number",
        "of p-values in its run (chance has one as bad so often), and together with the three, on the",
        "same side (Fisher), it is a failure if chance does as much with a probability below",
        f"{FAILURE:g}, else chance. {' and '.join(COARSE)} has few values: it fails if all the",
        "follow-ups are suspicious on the same side. A good generator has one suspicious p-value in",
        "500, and a failure in one run of a hundred or fewer.",
        "",
    ]
    lines += table_of_runs(rows) + ["", "## Suspicious p-values", ""] + table_of_suspects(rows)
    lines.append("")
    with open(os.path.join(directory, "report.md"), "w", encoding="ascii") as f:
        f.write("\n".join(lines))
