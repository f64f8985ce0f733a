#!/usr/bin/env python3
"""How much of the recurrence of `keyed` shows through its masks, as docs/keyed.md has it: means of
exp(2 pi i (sum of factors times numbers)), which are 0 for independent numbers.

    validate/testu01/masks.py

The words of the masks are taken as independent unless a function says otherwise. A mask is bits
8..55 of a product. If it began at bit 1, 2 or 3, and no word were discarded, the mean could be
measured: the last lines compare it with the formula.
"""
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
    """The mean of the numbers as fractions, with independent masks."""
    of = law(place, bits)
    return math.prod(sum(p * flipped(f, e, bits) for e, p in enumerate(of)) for f in factors)


def any_function(factors, place, bits=9):
    """The same if each number is replaced by the function that keeps most of its wave: |wave|."""
    of, size, waves = law(place, bits), 1 << bits, {}
    for f in set(map(abs, factors)):
        turns = [cmath.exp(2j * math.pi * f * y / size) for y in range(size)]
        means = (sum(p * turns[u ^ e] for e, p in enumerate(of)) for u in range(size))
        waves[f] = sum(map(abs, means)) / size
    return math.prod(waves[abs(f)] for f in factors)


def lowest(factors, place, bits):
    """The mean of the numbers modulo 2^bits. The lowest bits of a mask are uniform unless b, the
    factor that may be even, ends in `place` zeros. All b obey the recurrence: if all but one end in
    these zeros and nothing is carried, the last one does too. No factor may be 0 modulo 2^bits,
    since the mean of fewer terms is 0."""
    size, variance = 1 << bits, sum(f * f for f in factors) / 12
    no_carry = math.exp(-1 / 8 / variance) / math.sqrt(2 * math.pi * variance)
    pairs = [(a * b % size, b) for a in range(1, size, 2) for b in range(size)]

    def wave(f, k):  # the bits of b above the zeros obey the recurrence too
        turns = [cmath.exp(2j * math.pi * f * k * b / size) for b in range(size)]
        return sum(flipped(f, ab, bits) * turns[b] for ab, b in pairs) / len(pairs)

    whole = sum(math.prod(wave(f, k) for f in factors) for k in range(size))
    return abs(whole) * no_carry / 2 ** (place * (len(factors) - 1))


def seen(place, count=1 << 19):
    """The measured mean of the lowest bits of u[n] - u[n-97] + u[n-33], no word discarded."""
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
