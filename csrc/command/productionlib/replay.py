"""Makes one shower of an archived file again: the card that makes it alone, the run of a program with
that card, and the comparison with the archived shower."""

import os
import subprocess
import tempfile
from itertools import zip_longest

from .files import Archive, Problem, blocks
from .runs import Run, is_of
from .sources import Source, source_of, take_cards

DATE = 45  # the word of an event header that has the day of the run


def find(path, run, number):
    """The archive and its event, and those before it."""
    archive = Archive(path)
    for i, event in enumerate(archive.events):
        if (event.run, event.number) == (run, number):
            archive.events = archive.events[: i + 1]
            return archive
    have = ", ".join(f"{e.run}:{e.number}" for e in archive.events[:5])
    damage = f"; {archive.damage}" if archive.damage else ""
    raise Problem(f"{path}: no event {run}:{number}; it has {have or 'none'}{damage}")


def source_for(archive, card):
    """The cards of the run: those of --card, cards or a log, or those in an EventIO file."""
    if card:
        source = source_of(card)
        if not source or not source.cards:
            raise Problem(f"{card}: neither cards with SEED lines nor a log")
    elif archive.cards:
        source = Source(archive.path, "cards")
        take_cards(source, archive.cards)
    else:
        raise Problem(
            f"{archive.path} has no cards in it: --card has to name those of the run, or its log"
        )
    return source


def states_of(archive, source):
    """[(seed, position)] of each sequence at the beginning of the last event."""
    run, event = Run(archive), archive.events[-1]
    words = source.first_words()
    if not is_of(source, words, run):
        raise Problem(f"{source.path} is not of run {event.run}: other run number, seeds or skips")
    run.sources.append(source)
    if event.left_out:
        raise Problem("a run with MULTITHIN: its sequences from 11 on are in no header")
    states = []
    for k in range(1, len(event.states) + 1):
        lowest = source.begin.get(k, (0, 0))[1]
        for earlier in archive.events[:-1]:
            lowest = run.position(k, earlier, lowest)
        run.unknown.clear()
        seed = run.seed(k, event.states[k - 1][0])
        position = run.position(k, event, lowest)
        for what in run.unknown:
            raise Problem(
                f"sequence {k} of event {event.number}: {what}; a log that tells it is wanted as --card"
            )
        # With PRESHOWER a header is written after some numbers were drawn; the log tells where
        # the event began.
        told = source.events.get(event.number, {}).get(k)
        states.append(
            told if told and told[0] == seed and told[1] <= position else (seed, position)
        )
    return states


def card_of(event, states, source, folder):
    """The lines of the card. With `folder` the output goes there."""
    ours = ["EVTNR", "NSHOW", "SEED"] + (["DIRECT", "TELFIL"] if folder else [])
    keys = [line.split()[0].upper() if line.split() else "" for line in source.cards]
    lines = [f"EVTNR {event.number}", "NSHOW 1"]
    lines += [f"SEED {seed} {at % 10**9} {at // 10**9}" for seed, at in states]
    if folder:
        lines += [f"DIRECT {folder}/"]
        lines += [f"TELFIL {folder}/telescopes"] * ("TELFIL" in keys)
    lines += [line for key, line in zip(keys, source.cards) if key not in ours + ["EXIT"]]
    return "\n".join(lines + ["EXIT", ""])


def blocks_of_event(path, run, number):
    """The blocks from an event's header to its end."""
    inside, current = False, run
    for block in blocks(path, every=True):
        words = block.words() if block.name in ("RUNH", "EVTH", "EVTE") else ()
        if block.name == "RUNH":
            current = words[1]
        inside = inside or (block.name == "EVTH" and (current, words[1]) == (run, number))
        if inside:
            yield block
        if inside and block.name == "EVTE":
            return


def difference(path, other, run, number):
    """(how many blocks the event has, the first word that differs, as text, or None)."""
    pairs = zip_longest(blocks_of_event(path, run, number), blocks_of_event(other, run, number))
    count = 0
    for count, (old, new) in enumerate(pairs, 1):
        if old is None or new is None:
            return count, f"sub-block {count} is only in the {'archive' if old else 'replay'}"
        a, b = (x.data for x in (old, new))
        if a == b:
            continue
        same = next((i for i, (x, y) in enumerate(zip(a, b)) if x != y), min(len(a), len(b))) // 4
        if old.name == "EVTH" and new.name == "EVTH":
            at = 4 * (DATE - 1)
            if a[:at] + a[at + 4 :] == b[:at] + b[at + 4 :]:
                continue
            if same == DATE - 1:
                same = next(
                    i
                    for i in range(DATE, len(a) // 4)
                    if a[4 * i : 4 * i + 4] != b[4 * i : 4 * i + 4]
                )
        values = [
            f"{x.words()[same]:.9g}" if same < len(x.data) // 4 else "nothing" for x in (old, new)
        ]
        return count, (
            f"sub-block {count} ({old.name or 'data'}), word {same + 1}: {values[0]} in the archive, "
            f"{values[1]} in the replay"
        )
    return count, None


def replay(arguments, say):
    """Prints the card, or runs it and says whether the shower is the same. Returns whether it is."""
    try:
        run, number = map(int, arguments.event.split(":"))
    except ValueError:
        raise Problem(f"'{arguments.event}' is not RUN:EVENT") from None
    archive = find(arguments.file, run, number)
    event, source = archive.events[-1], source_for(archive, arguments.card)
    states = states_of(archive, source)
    if not arguments.run:
        print(card_of(event, states, source, None), end="")
        return True
    with tempfile.TemporaryDirectory(prefix="replay-") as folder:
        card, log = card_of(event, states, source, folder), os.path.join(folder, "log")
        program = os.path.realpath(arguments.run)
        with open(log, "w") as output:
            done = subprocess.run(
                [program],
                input=card,
                stdout=output,
                stderr=subprocess.STDOUT,
                text=True,
                cwd=os.path.dirname(program),
            )
        for name in sorted(os.listdir(folder)):
            path = os.path.join(folder, name)
            try:
                other = Archive(path)
            except Problem:
                continue
            if other.kind == archive.kind and other.events:
                count, what = difference(arguments.file, path, run, number)
                say(f"event {run}:{number}: {what or f'same, {count} sub-blocks'}")
                return not what
        with open(log, errors="replace") as output:
            lines = output.read().split("\n")
        last = next((line.strip() for line in reversed(lines) if line.strip()), "nothing")
        raise Problem(f"{program} has made no such file, exit status {done.returncode}: {last}")
