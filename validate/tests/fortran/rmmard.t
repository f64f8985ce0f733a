#!/usr/bin/env python3
"""The same random RMMARD and RMMAQD calls, on all sequences, return the same from the reference and
from libgpuranmar, and write the same files of Fortran states, byte for byte, so that each reads the
other's."""
import random

import replaying

KSEQ, SEEDS, SAME = 9, 2**31, 942438978  # seeds that are so far apart have the same numbers
SCRIPTS, CALLS = 20, 150
LENGTHS = [0, 1, 1, 2, 3, 96, 97, 98]
OTHERS = ["RESEED", "xSx", "READ", "seed"]  # CHOPT with letters that the original passes over


def script(rnd):
    """Lines for replay: every sequence started, then calls of all kinds."""
    lines = [f"S {k} {rnd.randrange(SEEDS)} {rnd.randrange(3000)} 0" for k in range(1, KSEQ + 1)]
    written = 0
    for _ in range(CALLS):
        iseq = rnd.choice([-3, 0, 1, 2, 3, KSEQ])
        wild = rnd.choice([iseq, KSEQ + 1, 99])  # no such sequence: the current one
        call = rnd.choice(["draw"] * 8 + ["S", "S", "SR", "R", "R", "_", "V", "RV", "SV"] + OTHERS)
        if call == "draw":
            lengths = LENGTHS + [rnd.randint(4, 20), rnd.randint(0, 1000)]
            lines.append(f"draw {wild} {rnd.choice(lengths)}")
        elif "S" in call and "V" not in call:
            skip = rnd.choice([0, rnd.randrange(100), rnd.randrange(10**6)])
            lines.append(f"{call} {iseq} {rnd.randrange(SEEDS)} {skip} 0")
        elif call == "RV":
            written += 1
            lines += [f"file state{written}", f"RV {iseq} 1 2 3", "RV 1 1 2 3"]
        elif call == "SV":
            if written:
                lines += [f"file state{rnd.randint(1, written)}", f"SV {iseq} 1 2 3", "SV 1 1 2 3"]
        elif call == "_":
            lines.append(f"_ {iseq} 1 2 3")
        else:
            lines.append(f"{call} {iseq} 1 2 3")
    return lines


def seeds(rnd):
    """Seeds of the whole range of INTEGER, and those where the formula begins again."""
    chosen = [rnd.randrange(SEEDS) for _ in range(3000)]
    chosen += [k * SAME + n for k in range(3) for n in (-1, 0, 1) if 0 <= k * SAME + n < SEEDS]
    calls = ([f"S 7 {n} 0 0", "draw 7 3", "R 7 1 2 3"] for n in [*chosen, 999134848, SEEDS - 1])
    end = ["RV 7 1 2 3", "S 7 1 0 0", "file state", "SV 7 1 2 3", "draw 7 9"]
    return sum(calls, ["file state"]) + end


scripts = [script(random.Random(replaying.SEED + n)) for n in range(SCRIPTS)]
scripts.append(seeds(random.Random(replaying.SEED)))
print(f"# SEED={replaying.SEED}")
for lines in scripts:
    wanted = replaying.replay("replay-reference", lines)
    name = f"{len(lines)} calls, {len(wanted[1])} files"
    replaying.check(name, wanted, replaying.replay("replay-relinked", lines))
replaying.finish()
