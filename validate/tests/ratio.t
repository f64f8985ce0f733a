#!/usr/bin/env python3
"""Tests of scripts/measure/ratio.py: a known answer, the confidence of its intervals, and what they
make of programs that are equal and of one that is slower."""

import itertools
import os
import random
import sys

sys.dont_write_bytecode = True
ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "../.."))
sys.path.insert(0, os.path.join(ROOT, "scripts", "measure"))
import ratio  # noqa: E402

tests = 0


def ok(good, name, detail=""):
    """Prints a line of TAP."""
    global tests
    tests += 1
    print(f"{'ok' if good else 'not ok'} {tests} - {name}")
    if not good:
        print(f"# {detail}")


def confidence_of(n, outside):
    """By all outcomes of n tosses: how often more than `outside` of them are heads, and tails."""
    heads = [sum(tosses) for tosses in itertools.product((0, 1), repeat=n)]
    return sum(outside < h < n - outside for h in heads) / len(heads)


# The tables of the sign test: of so many sorted values, so many at each end lie outside.
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
print(f"1..{tests}")
