#!/usr/bin/env python3
"""Tests of scripts/measure: known answers, confidence of the intervals, what they make of programs
that are equal and of one that is slower; and how programs are run."""

import itertools
import os
import random
import sys
import tempfile

sys.dont_write_bytecode = True
ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "../.."))
sys.path[:0] = [os.path.join(ROOT, "scripts", "measure"), os.path.join(ROOT, "validate", "tests")]
import ratio  # noqa: E402
import runs  # noqa: E402
from tap import finish, ok  # noqa: E402


def confidence_of(n, outside):
    """The share of all outcomes of n tosses in which more than `outside` are heads, and more than
    `outside` are tails."""
    heads = [sum(tosses) for tosses in itertools.product((0, 1), repeat=n)]
    return sum(outside < h < n - outside for h in heads) / len(heads)


# The tables of the sign test: the number of sorted values, and how many at each end lie outside the
# interval.
known = {6: 0, 9: 1, 12: 2, 15: 3, 20: 5, 25: 7, 30: 9}
ours = {n: ratio.outside_interval(n)[0] for n in known}
ok(ours == known, "the tables of the sign test", ours)

for n in range(1, 13):
    outside, confidence = ratio.outside_interval(n)
    good = abs(confidence - confidence_of(n, outside)) < 1e-12
    good &= n < ratio.ROUNDS_NEEDED or confidence >= 0.95 > confidence_of(n, outside + 1)
    ok(good, f"confidence of {n} rounds", f"{outside} {confidence} {confidence_of(n, outside)}")

median = ratio.median_of([5, 3, 9, 1, 7, 8, 2, 6, 4])
ok(median == (5, 2, 8, 1 - 20 / 512), "a median and its interval", median)


def experiments(slower, count=400, rounds=9):
    """The share of experiments in which a program `slower` times as slow is seen to differ, where
    both are disturbed by 2 % or so, and now and then by much more."""
    noise = random.Random(5)

    def time():
        return 10 * (1 + noise.expovariate(50)) * (2 if noise.random() < 0.05 else 1)

    seen = 0
    for _ in range(count):
        reference = [time() for _ in range(rounds)]
        seen += ratio.ratio_of(reference, [slower * time() for _ in range(rounds)])["significant"]
    return seen / count


equal, slower = experiments(1), experiments(1.1)
ok(equal <= 0.05, "equal programs are called different as rarely as promised", equal)
ok(slower > 0.9, "a program 10 % slower is seen", slower)

few = ratio.ratio_of([1.0] * 5, [2.0] * 5)
ok(not few["significant"] and "too few" in ratio.text_of(few), "five rounds are too few", few)
enough = ratio.ratio_of([1.0] * 6, [2.0] * 6)
said = ratio.text_of(enough)
ok(enough["significant"] and said == "0.500 x (0.500..0.500)", "six rounds are enough", said)
same = ratio.text_of(ratio.ratio_of([1.0, 2.0] * 3, [2.0, 1.0] * 3))
ok(same.endswith(", no significant difference"), "what is not significant is said", same)


def said_by(run, *script, **options):
    """The line with which a run of a shell script fails; empty if it does not."""
    try:
        run("sh", "-c", *script, **options)
    except runs.Failed as failure:
        return str(failure)
    return ""


def check_runner(scratch):
    runner = runs.Runner(b"a card\n", scratch)
    first = runner.run("sh", "-c", "cat; echo x >file; date >seen", keep="seen")
    good = runner.outputs() == ["file", "stdout"] and os.path.exists(first.kept)
    ok(good, "the outputs of a run, and a file that is none", f"{runner.outputs()} {first.kept}")
    said = said_by(runner.run, "cat; echo x >file")
    ok(said == "", "the same outputs", said)
    said = said_by(runner.run, "cat; echo y >file")
    ok(said == "file: the outputs differ, first at byte 0", "other outputs", said)
    said = said_by(runner.run, "cat")
    ok(said == "file: not written by both programs", "a file less", said)
    said = said_by(runner.run, "echo a line >&2; exit 4")
    ok(said.endswith("exit status 4: a line"), "a program that fails", said)
    level = 'cat; echo "x${GPURANMAR_SIMD+ }$GPURANMAR_SIMD" >file'
    os.environ["GPURANMAR_SIMD"] = "sse2"
    said = said_by(runner.run, level, settings=runs.at_level(runs.DEFAULT))
    ok(said == "", "by default no level is set", said)
    said = said_by(runner.run, level, settings=runs.at_level("portable"))
    ok(said == "file: the outputs differ, first at byte 1", "a level is set", said)
    busy = "cat; echo x >file; i=0; while [ $i -lt 100000 ]; do i=$((i + 1)); done"
    whole = runner.run("sh", "-c", busy)
    less = runner.run("sh", "-c", f'{busy}; echo 10 20 >"$PREPARED_TIME"')
    good = 0 < whole.cpu <= 1.5 * whole.elapsed and -10 < less.cpu < -5 and -20 < less.elapsed < 0
    ok(good, "times, and what is left out of them", f"{vars(whole)} {vars(less)}")


with tempfile.TemporaryDirectory() as place:
    check_runner(place)

order = []
turns = runs.in_turns("abcd", 20, lambda name: order.append(name) or len(order))
rounds = ["".join(order[i : i + 4]) for i in range(0, 80, 4)]
good = all(sorted(r) == list("abcd") for r in rounds) and len(set(rounds)) > 1
good &= all(order[i - 1] == name for name, places in turns.items() for i in places)
ok(good, "turns in random order", rounds)
finish()
