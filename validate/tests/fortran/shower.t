#!/usr/bin/env python3
"""The shower program writes the same bytes whoever makes its numbers: the sequential reference, the
library that it is relinked with, or an RMMARD of its own that was patched. A bad card is one clear
line. (production.t makes showers again from the counts in their headers.)"""
import random

from replaying import SEED, check, finish, ok, replay

SEEDS = 942377568

CARDS = {
    "gamma, Cherenkov light": ["PRMPAR 1", "ERANGE 300. 300.", "CERENK 5."],
    "proton, three showers, Cherenkov light": ["NSHOW 3", "ERANGE 300. 3000.", "CERENK 100."],
    "electron": ["PRMPAR 3", "ERANGE 30. 30."],
    "pion": ["  PRMPAR 9", "NSHOW 2", "ERANGE 100. 1000."],
}
BAD_CARDS = "FOO 1|NSHOW -1|NSHOW 1.5|NSHOW x|NSHOW|ERANGE 5. 1.|ERANGE 5. Inf|ERANGE NaN NaN|"
BAD_CARDS += "PRMPAR 7|SEED -1 0 0|CERENK -1.|DIRECT /no/such/place/"

print(f"# SEED={SEED}")
rnd = random.Random(SEED)
for name, cards in CARDS.items():
    lines = [f"SEED {rnd.randrange(SEEDS)} {rnd.randrange(10**6)} 0" for _ in range(3)]
    lines = [*cards, *lines, "EXIT"]
    wanted = replay("shower-reference", lines)
    size = sum(map(len, wanted[1].values()))
    ok(size > 10000, f"{name}: the reference writes {size} bytes", wanted[0][-1])
    for program in "relinked", "patched":
        check(f"{name}: {program} writes the same", wanted, replay(f"shower-{program}", lines))
for card in BAD_CARDS.split("|"):
    said = replay("shower-reference", [card, "EXIT"])[0][-1]
    shown = "/no/such/place" if card.startswith("DIRECT") else f"card '{card}'"
    good = shown in said and said.endswith("\nexit 1") and said.count("\n") == 1
    ok(good, f"card '{card}' is refused in one line", said)
said = replay("shower-reference", ["NSHOW 1"])[0][-1]
ok("the input ends without EXIT" in said, "cards without EXIT are refused", said)
finish()
