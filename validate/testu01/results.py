"""Results of TestU01's batteries: reading them, and judging suspicious p-values by follow-ups.

A result is a line of JSON of crush-driver's. Its "command" is the arguments that run the test alone
and give the same p-values again; it also serves as the test's name.
"""
import glob
import json
import math
import os
import shlex

LOW, HIGH = 0.001, 0.999  # p-values outside are suspicious
CLEAR = 1e-10  # beyond this from 0 or 1 no follow-up is needed
FOLLOW_UPS = 3
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


def read(directory, kind):
    """Command -> result, of all files KIND*.jsonl, KIND "results" or "follow-ups". A line cut short
    by a crash is passed over: its test runs again."""
    found = {}
    for name in sorted(glob.glob(os.path.join(directory, kind + "*.jsonl"))):
        with open(name, encoding="ascii") as f:
            for line in f:
                try:
                    result = json.loads(line)
                    found[result["command"]] = result
                except (ValueError, KeyError):
                    continue
    return found


def _read_seconds():
    seconds = {}
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "seconds"), encoding="ascii") as f:
        for line in f:
            if not line.startswith("#"):
                battery, test, value = line.split()
                seconds[battery, test] = float(value)
    return seconds


_SECONDS = _read_seconds()


def nominal_seconds(command):
    """How long a test takes, from the table."""
    o = options(command)
    return _SECONDS.get((o["battery"], o["test"]), 60.0)


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
    return [follow_up(command, i) for command, result in results.items()
            if any(suspicious(p) and not beyond_doubt(p) for _, p in result["p"])
            for i in range(1, FOLLOW_UPS + 1)]


def repeated_values(command, statistic, repeated):
    """The p-values of the follow-ups that are done, of the statistic with that index in the test."""
    again = [repeated.get(follow_up(command, i)) for i in range(1, FOLLOW_UPS + 1)]
    return [result["p"][statistic][1] for result in again if result]


def _combined(values):
    """The probability that the product of as many p-values is smaller (Fisher 1925)."""
    product = math.prod(values)
    if product == 0:
        return 0.0
    return product * sum((-math.log(product)) ** k / math.factorial(k) for k in range(len(values)))


def verdict(command, statistic, p, repeated):
    """What a suspicious p-value comes to: "failure", "chance" or, while follow-ups are missing from
    `repeated` (command -> result), "suspicious". A failure is what is as bad on the same side again,
    in one of three follow-ups or in all taken together; chance does that in 3 cases of 1000, and in
    one."""
    if beyond_doubt(p):
        return "failure"
    again = [q if p < LOW else 1 - q for q in repeated_values(command, statistic, repeated)]
    if min(again, default=1) < LOW:
        return "failure"
    if len(again) < FOLLOW_UPS:
        return "suspicious"
    return "failure" if _combined(again) < LOW else "chance"
