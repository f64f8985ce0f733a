#!/usr/bin/env python3
"""What is left of the recurrence of `keyed` behind its masks, as docs/keyed.md has it: mean
values of exp(2 pi i (sum of factors times numbers)), for which independent numbers have 0.

    validate/testu01/masks.py

The masks' words are taken as independent but for what is said. A mask is bits 8..55 of a product;
where it begins at bit 1, 2 or 3 and every word is kept, the mean can be seen.
"""
import sys

if sys.version_info < (3, 8):
    sys.exit("masks: this is Python %d.%d; 3.8 or later is needed" % sys.version_info[:2])
import cmath
import math
import random


def flipped(factor, mask, bits):
    """The mean of exp(2 pi i factor ((y XOR mask) - y) / 2^bits) over y."""
    ones = (b for b in range(bits) if mask >> b & 1)
    return math.prod(math.cos(2 * math.pi * factor * 2**b / 2**bits) for b in ones)


def law(place, bits):
    """The masks' highest bits: 2^(16 - place) a b modulo 1, the fractions a and b independent."""
    turns, cells = 1 << (16 - place), 1 << bits
    below = [0] + [e * (1 - math.log(e / turns / cells)) for e in range(1, turns * cells + 1)]
    sums = (sum(below[e + 1 :: cells]) - sum(below[e:-1:cells]) for e in range(cells))
    return [s / turns / cells for s in sums]


def fractions(factors, place, bits=13):
    """Between fractions, the masks independent."""
    of = law(place, bits)
    return math.prod(sum(p * flipped(f, e, bits) for e, p in enumerate(of)) for f in factors)


def any_function(factors, place, bits=9):
    """The same where a number u stands with whatever tells most of its wave: the mean of |wave|."""
    of, size, waves = law(place, bits), 1 << bits, {}
    for f in set(map(abs, factors)):
        turns = [cmath.exp(2j * math.pi * f * y / size) for y in range(size)]
        means = (sum(p * turns[u ^ e] for e, p in enumerate(of)) for u in range(size))
        waves[f] = sum(map(abs, means)) / size
    return math.prod(waves[abs(f)] for f in factors)


def lowest(factors, place, bits):
    """Lowest bits are uniform unless b, the factor that may be even, has `place` zeros below. The b
    obey the recurrence: zeros in all but one, and no carry, make zeros in all. No factor may be 0
    modulo 2^bits: with fewer terms the mean is 0."""
    size, variance = 1 << bits, sum(f * f for f in factors) / 12
    no_carry = math.exp(-1 / 8 / variance) / math.sqrt(2 * math.pi * variance)
    pairs = [(a * b % size, b) for a in range(1, size, 2) for b in range(size)]

    def wave(f, k):  # what is above the zeros obeys it too
        turns = [cmath.exp(2j * math.pi * f * k * b / size) for b in range(size)]
        return sum(flipped(f, ab, bits) * turns[b] for ab, b in pairs) / len(pairs)

    whole = sum(math.prod(wave(f, k) for f in factors) for k in range(size))
    return abs(whole) * no_carry / 2 ** (place * (len(factors) - 1))


def seen(place, count=1 << 19):
    """The mean of the lowest bits of u[n] - u[n-97] + u[n-33] where every word is kept."""
    x, u, total = [random.getrandbits(48) for _ in range(300)], [0] * 300, 0
    for n in range(300, 400 + count):
        x.append((x[n - 97] - x[n - 33]) % 2**48)
        u.append(x[n] ^ ((x[n - 96] >> 16 | 1) * (x[n - 92] >> 16) >> place) % 2**48)
        total += (-1) ** ((u[n] - u[n - 97] + u[n - 33]) % 2) if n >= 400 else 0
    return abs(total) / count


ten = [1] + [-((-1) ** i) * math.comb(8, i) for i in range(9)]
means = abs(fractions(ten, 8)), any_function(ten, 8), lowest(ten, 8, 4)
print("fractions 2^%.1f, any function 2^%.1f, modulo 16 2^%.1f" % tuple(map(math.log2, means)))
for bit in (1, 2, 3):
    means = bit, lowest([1, -1, 1], bit, 1), seen(bit)
    print("every word kept, bit %d on: %.4f, seen %.4f" % means)
