"""How many times as fast, with a confidence interval, from runs that were made in turns.

Each round gives one ratio of two times. What is estimated is the middle of their logarithms: the
Hodges-Lehmann estimate, which is the median of all means of two. The interval is the one that belongs
to Wilcoxon's signed-rank test, from the exact distribution of its statistic. Neither asks that the
noise be normal, and a round that a neighbour disturbed counts as one round, however much it was.

Source: M. Hollander, D. A. Wolfe, Nonparametric Statistical Methods, 2nd edition (1999), 3.1 to 3.3.
"""

import math
import statistics

CONFIDENCE = 0.95
ROUNDS_NEEDED = 6  # with five the widest interval, from the lowest to the highest, has 93.75 %


def signed_rank_counts(n):
    """How many of the 2^n sign patterns give each value 0..n(n+1)/2 of the sum of positive ranks."""
    counts = [1]
    for rank in range(1, n + 1):
        shifted = [0] * rank + counts
        counts = [a + b for a, b in zip(counts + [0] * rank, shifted)]
    return counts


def outer_means(n):
    """How many of the sorted means lie outside the interval at each end, and its confidence."""
    counts, total = signed_rank_counts(n), 2**n
    outside, tail = 0, counts[0]
    while 2 * (tail + counts[outside + 1]) <= (1 - CONFIDENCE) * total:
        outside += 1
        tail += counts[outside]
    return outside, 1 - 2 * tail / total


def middle_of(values):
    """The Hodges-Lehmann estimate of the middle of `values`, its interval, and the confidence."""
    means = sorted((a + b) / 2 for i, a in enumerate(values) for b in values[i:])
    outside, confidence = outer_means(len(values))
    return statistics.median(means), means[outside], means[-1 - outside], confidence


def ratio_of(before, after):
    """How many times as fast `after` is, from the times of both, round by round."""
    logarithms = [math.log(b / a) for b, a in zip(before, after, strict=True)]
    *middle, confidence = middle_of(logarithms)
    estimate, low, high = map(math.exp, middle)
    return {
        "estimate": estimate,
        "low": low,
        "high": high,
        "confidence": confidence,
        "rounds": len(logarithms),
        "significant": len(logarithms) >= ROUNDS_NEEDED and not low <= 1 <= high,
    }


def verdict(ratio):
    """What a reader must know besides the figures: nothing, if the difference is significant."""
    if ratio["rounds"] < ROUNDS_NEEDED:
        return f"{ratio['rounds']} rounds are too few to say"
    return "" if ratio["significant"] else "no significant difference"


def text_of(ratio):
    """For instance `1.38 x (1.36..1.41)`, with the verdict where there is one."""
    text = f"{ratio['estimate']:.3f} x"
    if ratio["rounds"] > 1:
        text += f" ({ratio['low']:.3f}..{ratio['high']:.3f})"
    said = verdict(ratio)
    return f"{text}, {said}" if said else text
