"""How many times as fast, with a confidence interval, from runs that were made in turns.

Each round gives one ratio of two times, and the median of the ratios is the estimate. The interval
reaches from one of the sorted ratios to another. A ratio lies above or below the true median as a
tossed coin falls, so that the interval's confidence is known, whatever the noise is like (the
interval of the sign test). Wilcoxon's signed ranks would give the same width in quiet rounds, but
two to four times that width if another program disturbs one round of nine, as happens on shared
machines.

Source: W. J. Conover, Practical Nonparametric Statistics, 3rd edition (1999), section 3.2.
"""

import math
import statistics

CONFIDENCE = 0.95
ROUNDS_NEEDED = 6  # with five the widest interval, from the lowest to the highest, has 93.75 %


def outside_interval(n):
    """How many of n sorted values lie outside the interval at each end, and its confidence."""
    outside, tail = 0, 1  # of the 2^n outcomes of n tosses, those with at most `outside` heads
    while 2 * (tail + math.comb(n, outside + 1)) <= (1 - CONFIDENCE) * 2**n:
        outside += 1
        tail += math.comb(n, outside)
    return outside, 1 - 2 * tail / 2**n


class Ratio:
    """How many times as fast `after` is, from the times of both, round by round."""

    def __init__(self, before, after):
        ratios = sorted(b / a for b, a in zip(before, after))
        self.rounds = len(ratios)
        outside, self.confidence = outside_interval(self.rounds)
        self.median = statistics.median(ratios)
        self.low, self.high = ratios[outside], ratios[-1 - outside]
        self.significant = self.rounds >= ROUNDS_NEEDED and not self.low <= 1 <= self.high

    def verdict(self):
        """What a reader must know besides the figures: "" if the difference is significant."""
        if self.rounds < ROUNDS_NEEDED:
            return f", {self.rounds} rounds are too few to say"
        return "" if self.significant else ", no significant difference"

    def text(self, digits, scale=1, unit=""):
        """For instance `1.380 x (1.361..1.412)`; of one round without an interval."""
        show = lambda value: format(scale * value, f".{digits}f")
        text = show(self.median) + unit
        return f"{text} ({show(self.low)}..{show(self.high)})" if self.rounds > 1 else text
