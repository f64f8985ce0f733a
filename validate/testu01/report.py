"""The report on results of TestU01's batteries, in Markdown."""
import collections
import os

from . import results

BATTERIES = {"small": "SmallCrush", "medium": "Crush", "big": "BigCrush"}
STATISTICS = {"small": 15, "medium": 144, "big": 160}  # of a whole battery


def configuration(command):
    """What is tested, in the words of the command line: all but battery, test, seed and, where
    tests go on in one sequence, position."""
    o = results.options(command)
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
        o = results.options(command)
        runs[configuration(command), o["battery"], int(o["seed"])].append(result)
    for run in runs.values():
        run.sort(key=lambda result: int(results.options(result["command"])["test"]))
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
                "verdict": results.verdict(result["command"], i, p, repeated, len(p_values)),
                "follow-ups": results.repeated_values(result["command"], i, repeated),
                "command": result["command"],
            }
            for result, i, name, p in p_values
            if results.suspicious(p)
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
        whole = STATISTICS[row["battery"]]
        count = (
            f"{row['statistics']}"
            if row["statistics"] == whole
            else f"{row['statistics']} of {whole}"
        )
        lines.append(
            f"| {row['configuration']} | {BATTERIES[row['battery']]} | {row['seed']} | {count} "
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


def write(directory):
    found, repeated = results.read(directory, "results"), results.read(directory, "follow-ups")
    runs = gather(found)
    rows = judge(runs, repeated)
    of = {
        name: ", ".join(sorted({r.get(name, "not recorded") for r in found.values()}))
        for name in ("gpuranmar", "date", "definition")
    }
    lines = [
        "# TestU01's batteries",
        "",
        f"libgpuranmar {of['gpuranmar']}; results of {of['date']}. `validate/crush --report-only --out",
        "DIR` makes this page of the results in DIR.",
        "",
        "A flavour is written as crush-driver's arguments. Definitions (the first 1000 numbers,",
        f"`crush-driver --definition`): {of['definition']}.",
        "",
        "The rule: a p-value outside [0.001, 0.999] is suspicious. Closer to 0 or 1 than 1e-10 it is a",
        f"failure. Any other is repeated on {results.FOLLOW_UPS} fresh seeds. It counts 2 N times "
        "itself, N the number",
        "of p-values in its run (chance has one as bad so often), and together with the three, on the",
        "same side (Fisher), it is a failure if chance does as much with a probability below",
        f"{results.FAILURE:g}, else chance. {' and '.join(results.COARSE)} has few values: it fails if all the",
        "follow-ups are suspicious on the same side. A good generator has one suspicious p-value in",
        "500, and a failure in one run of a hundred or fewer.",
        "",
    ]
    lines += table_of_runs(rows) + ["", "## Suspicious p-values", ""] + table_of_suspects(rows)
    lines.append("")
    with open(os.path.join(directory, "report.md"), "w", encoding="ascii") as f:
        f.write("\n".join(lines))
