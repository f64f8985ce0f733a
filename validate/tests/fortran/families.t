#!/usr/bin/env python3
"""Every family of csrc/families: the same random calls return and print the same, and leave the
same files, from the reference and from the family's library, shared and static. Seeds and states
are such that zeros come."""
import os
import random
import struct
import sys

import replaying

sys.path.insert(0, os.path.join(replaying.ROOT, "csrc/command"))
from whichlib import families

FAMILIES = [name for name in families.rows() if families.FAMILIES[name].calls]
FAMILIES.remove("multinest")
LUND = ("pythia6", "jetset", "sophia")
COUNTED = ("cpc", "cpcnow", "kkmc", "cernlib")
CALLS, SEEDS = 60, 2**31
SAME = 942438978
ONE, STEP, MODULUS = 1 << 24, 7654321, 16777213
CONSTANTS = [STEP / ONE, MODULUS / ONE]
# Seeds ij, kl whose first zero in 24 bits comes early, and which number of the sequence it is.
EARLY_ZEROS = [(8872, 4894, 898), (19415, 25725, 1012), (20309, 6464, 3151), (8790, 7522, 5081)]


def seeds(rnd):
    """ij, kl, and how many numbers lead to a zero."""
    if rnd.random() < 0.7:
        return rnd.choice(EARLY_ZEROS)
    return rnd.randint(0, 31327), rnd.randint(0, 30080), rnd.choice([0, 1, 100])


def length(rnd):
    """Of an array: short, or such that it ends in a buffer, or goes past it."""
    middle = [rnd.randint(0, 1000), rnd.randint(1000, 3000)]
    return rnd.choice([0, 1, 1, 1, 2, 3, 33, 97, *middle, rnd.choice([500, 500, 66000])])


def fortran_state(rnd, bits):
    """U(97), C, I97, J97 of a sequence in which some of the next 33 numbers are zero, or the
    smallest above it, and some words too. Those 33 numbers leave their two words as they are."""
    one = 1 << bits  # u is in units of 2**-bits, c of 2**-24
    u = [rnd.randrange(one) for _ in range(97)]  # u[0] is U(1)
    for i in rnd.sample(range(97), 3):
        u[i] = rnd.choice([0, 1])
    c = start = rnd.randrange(MODULUS)
    i97 = rnd.randint(1, 97)
    for j in range(33):
        c = (c - STEP) % MODULUS
        old, lagged = (i97 - 1 - j) % 97, (i97 - 65 - j) % 97
        chance = rnd.random()
        if chance < 0.5:
            u[old] = (u[lagged] + c * (one // ONE) + (chance >= 0.4)) % one
    return [word / one for word in u], start / ONE, i97, i97 - 64 if i97 > 64 else i97 + 33


def record(content):
    """An unformatted record as gfortran writes it."""
    return struct.pack("<i", len(content)) + content + struct.pack("<i", len(content))


def lund_record(rnd, bits, real):
    """What PYRGET or RLUGET writes, with zeros to come, perhaps just before 10^9 numbers."""
    u, c, i97, j97 = fortran_state(rnd, bits)
    count = rnd.choice([rnd.randrange(10**9), 10**9 - rnd.randint(1, 30)])
    head = struct.pack("<5i", rnd.randrange(2**31), rnd.randint(1, 5), count, i97, j97)
    return record(head + struct.pack(f"<100{real}", *u, c, *CONSTANTS))


def rmasave_record(rnd):
    u, c, i97, j97 = fortran_state(rnd, 24)
    return record(struct.pack("<100d2i", *u, c, *CONSTANTS, i97, j97))


def cernlib_calls(rnd):
    """A call of RMMAR, RMMAQ or RM48; now and then a state in which zeros come soon."""
    seed, skip = rnd.randrange(SEEDS), rnd.choice([0, 7, rnd.randrange(10**6)])
    iseq = rnd.choice([-1, 0, 1, 2, 9])
    calls = [*[f"rmmar {iseq} {length(rnd)}"] * 4, f"rm48 {length(rnd)}", "rm48ut"]
    calls += [f"rm48in {seed} {rnd.choice([skip, -skip])} {rnd.choice([0, -1])}"]
    calls += [f"rmmaq {option} {iseq}" for option in ("R", "RV", "_", "V")]
    lines = [rnd.choice([*calls, f"rmmaq S {iseq} {seed} {skip} 0"])]
    if rnd.random() < 0.2:
        u, c, i97, j97 = fortran_state(rnd, 24)
        u[1] *= rnd.random() < 0.7
        words = struct.unpack("<98i", struct.pack("<98f", *u, c))
        counters = rnd.randrange(SEEDS), rnd.choice([rnd.randrange(10**9), 10**9 - 5])
        state = [*counters, rnd.randrange(100), *words, i97, j97]
        lines.append(" ".join(map(str, ["rmmaq SV", iseq, *state])))
        lines += [f"rmmar {rnd.choice([0, iseq])} {rnd.choice([1, 1, 40, 2000])}"] * 20
    return lines


def start(family, rnd):
    """The call that starts, and those that lead to a zero."""
    ij, kl, far = seeds(rnd)
    if family in COUNTED:
        # A lap of the others is 10^9 numbers.
        laps = {"cpcnow": [0, -1], "cernlib": [0]}.get(family, [0, 0, 1, 2, -1])
        skips = f"{rnd.choice([0, 0, 7, 500, -3 if -1 in laps else 3])} {rnd.choice(laps)}"
        again = rnd.choice([0, 0, SAME])  # a seed with the same numbers
        call = f"start {30082 * ij + kl + again} {skips}"
    elif family == "amber":
        call = f"start {rnd.choice([(ij - 1) * 30081 + kl - 1, -5, 0, 2147483647])}"
    elif family in (*LUND, "james"):
        call = f"start {rnd.choice([0, 30082 * ij + kl, rnd.randrange(SEEDS)])}"
    elif family == "egsnrc":  # 0, 31329 and 30082 are replaced
        call = f"start {rnd.choice([ij, 0, 31328, 31329])} {rnd.choice([kl, 0, 30081, 30082])}"
    else:
        call = f"start {ij} {kl} {rnd.choice([0, 0, 1])}"  # 1: DPMJET's second seed
    there = [f"skip {far + 2}", f"skip {max(far - 2, 0)}", f"draw {far + 3}"]
    return [call, rnd.choice(there), "draw 3"]


def lund_calls(rnd, n):
    """Reads records in the first half of a script, and writes and reads others in the second."""
    if n < CALLS / 2:
        draw = f"draw {rnd.choice([1, 5, 40, 2000])}"
        return [f"set {rnd.choice([0, 0, 0, 1, -1, -9])}", draw, "report"]
    lines = [f"get {rnd.choice([0, 0, -1])}"] + ["keep"] * rnd.randint(0, 1)
    lines += [f"draw {length(rnd)}"] + ["set -1", "get 0"][: rnd.randint(0, 2)] + ["draw 3"]
    return rnd.choice([lines, lines, ["restore", "draw 3", "report"]])


def own_calls(family, rnd, n):
    """Calls that this family has beside those that draw and start."""
    if family in LUND:
        return lund_calls(rnd, n)
    if family == "one":
        name = rnd.choice(["a", "b", f"given{n}"])
        rmaset = f"rmaset {rnd.randint(0, 9000)} {rnd.randint(0, 9000)} {name}"
        return [rnd.choice([rmaset, f"rmasave {name[0]}"]), "draw 40"]
    if family == "cernlib":
        return cernlib_calls(rnd)
    if family in ("dpmjet", "egsnrc"):
        draws = ["keep", f"draw {length(rnd)}"]
        starts = [start(family, rnd)[0], "keep", start(family, rnd)[0]]  # at the same position
        return [*rnd.choice([draws, starts]), "restore", "draw 3"]
    if family in COUNTED:
        return ["report"]
    return [rnd.choice([f"skip {length(rnd)}", "draw -1"])]  # an array of -1 numbers stays as it is


def script(family, rnd):
    """Random calls of a family, and the files that they find."""
    lines, given = [], {}
    if family in LUND:
        bits, real = 48 if family == "pythia6" else 24, "f" if family == "jetset" else "d"
        given["records"] = b"".join(lund_record(rnd, bits, real) for _ in range(60))
        lines = ["draw 3", "file records", "set 0", "draw 40"]
    elif family not in (*COUNTED, "dlpoly") or rnd.random() < 0.3:  # these start by themselves
        lines = start(family, rnd)
    if family in COUNTED:
        lines.insert(0, "report")
    if family == "cernlib":
        starts = [(k, rnd.randrange(SEEDS), rnd.randrange(3000)) for k in range(1, 10)]
        lines += [f"rmmaq S {k} {seed} {skip} 0" for k, seed, skip in starts]
        lines += ["rm48ut"] * (rnd.random() < 0.5)
    if family == "dlpoly" and rnd.random() < 0.5:
        lines.append("skip 4639200")  # of its one seed the 4639169th number is the first zero
    if family == "one":
        given = {f"given{n}": rmasave_record(rnd) for n in range(CALLS)}
    for n in range(CALLS):
        choice = rnd.random()
        if family in LUND and n == CALLS / 2:
            lines += ["file own", "get 0", "keep"]
        if choice < 0.15 and family != "dlpoly":
            lines += start(family, rnd)
        elif choice < (0.8 if family == "cernlib" else 0.4):
            lines += own_calls(family, rnd, n)
        else:
            lines.append(rnd.choice([f"draw {length(rnd)}", f"draw {rnd.randint(1, 5)}"]))
    return lines, given


print(f"# SEED={replaying.SEED}")
for family in FAMILIES:
    for n in range(12 if family == "cernlib" else 3):
        lines, given = script(family, random.Random(replaying.SEED + n))
        wanted = replaying.replay(f"replay-{family}-reference", lines, given)
        smallest = sum(line.startswith("skip ") for line in wanted[0])
        for how in ("relinked", "static"):
            name = f"{family}, {how}: {len(lines)} calls, {smallest} of the smallest found"
            got = replaying.replay(f"replay-{family}-{how}", lines, given)
            good = replaying.check(name, wanted, got)
            if not good and os.environ.get("KEEP"):
                print("\n".join(f"# {line}" for line in lines))
replaying.finish()
