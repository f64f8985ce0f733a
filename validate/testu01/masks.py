#!/usr/bin/env python3
"""What is left of the recurrence of `keyed` behind its masks, as docs/quality.md has it: mean
values of exp(2 pi i (sum of factors times numbers)), for which independent numbers have 0.

    validate/testu01/masks.py [LAG]
    validate/testu01/masks.py lattice DEGREE | fplll -a bkz -b 20

A mask is the product of the words LAG (32) and LAG + 1 before. First come the estimates, then
generators that are `keyed` but for keeping every word, or every second one, whose means can be
seen. Estimates take a mask's words that are no terms as independent; they obey the recurrence too,
which changes means of three or four terms by a tenth to a half.

The second prints the relations up to a degree in which the arithmetic part cancels, as the rows of
a lattice.
"""
import sys

if sys.version_info < (3, 8):
    sys.exit("masks: this is Python %d.%d; 3.8 or later is needed" % sys.version_info[:2])
import cmath
import math
import random

GRID, BITS = 300, 20
COSINES = {}


def flipped(factor, mask):
    """The mean of exp(2 pi i factor ((y XOR mask) - y)) over all y: a mask's bit that is 1 adds or
    takes away its value."""
    if factor not in COSINES:
        COSINES[factor] = [math.cos(2 * math.pi * factor / 2**b) for b in range(1, BITS + 1)]
    product = 1.0
    for cosine in COSINES[factor]:
        mask *= 2
        if mask >= 1:
            mask -= 1
            product *= cosine
    return product


def left(factor, absorbed=0):
    """What a mask leaves of a term. With `absorbed` one of the mask's words is itself a term, with
    that factor: small words make small masks, so that the number alone tells of both terms."""
    total = 0
    for i in range(GRID):
        word = (i + 0.5) / GRID
        mean = sum(flipped(factor, word * (j + 0.37) / GRID) for j in range(GRID)) / GRID
        total += mean * cmath.exp(2j * math.pi * absorbed * word) / GRID
    return abs(total)


def estimates(every, lag):
    """For s^97 = (1 - s^(64/every))^every: the terms' lags and factors, those that are absorbed by
    another's mask, and the estimates with all terms and without the absorbed ones."""
    factors = {97 - 64 // every * i: (-1) ** i * math.comb(every, i) for i in range(every + 1)}
    factors[0] = -1
    by = {}
    for term in sorted(factors):
        for word in (term + lag, term + lag + 1):
            if term not in by and word in factors:
                by[word] = term
    pairs = {term: word for word, term in by.items()}
    apart = math.prod(left(abs(f)) for f in factors.values())
    rest = [t for t in factors if t not in by]
    together = math.prod(left(abs(factors[t]), abs(factors.get(pairs.get(t), 0))) for t in rest)
    return factors, rest, apart, together


def seen(every, lag, factors, observed, count):
    """The mean in numbers of such a generator, which has no arithmetic part."""
    unit = 1 << 48
    x = [random.getrandbits(48) for _ in range(200)]
    total = 0
    numbers = [0] * 200
    for n in range(200, 200 + count):
        x.append(sum(f * x[n - t] for t, f in factors.items() if t) % unit)
        numbers.append(x[n] ^ ((x[n - lag] >> 16) * (x[n - lag - 1] >> 16) >> 16))
        if n >= 300:
            whole = sum(factors[t] * numbers[n - t] for t in observed) % unit
            total += cmath.exp(2j * math.pi * whole / unit)
    return abs(total) / (count - 100)


def lattice(degree):
    """The multiples of (1 - s)(s^97 - (1 - s^8)^8), each a row of factors."""
    row = [0] * (degree + 1)
    for i in range(9):
        row[8 * i] -= (-1) ** i * math.comb(8, i)
        row[8 * i + 1] += (-1) ** i * math.comb(8, i)
    row[97], row[98] = 1, -1
    rows = (row[-i:] + row[:-i] if i else row for i in range(degree - 97))
    print("[" + "\n".join("[" + " ".join(map(str, r)) + "]" for r in rows) + "]")


def main():
    if len(sys.argv) == 3 and sys.argv[1] == "lattice":
        return lattice(int(sys.argv[2]))
    lag = int(sys.argv[1]) if len(sys.argv) > 1 else 32
    for every in (8, 2, 1):
        factors, rest, apart, together = estimates(every, lag)
        print(
            f"every {every}: all {len(factors)} terms, masks independent: 2^{math.log2(apart):.1f}"
        )
        print(f"    the terms {rest} alone: {together:.3g} = 2^{math.log2(together):.1f}", end="")
        if every < 8:
            count = 300000
            print(
                f", seen {seen(every, lag, factors, rest, count):.4f} +- {count**-0.5:.4f}", end=""
            )
        print()


if __name__ == "__main__":
    main()
