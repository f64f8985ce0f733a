"""Makes one shower of an archived file again: writes the card that makes it alone, runs a program
with that card, and compares the shower with the archived one."""

import os
import subprocess
import sys
import tempfile
from itertools import zip_longest

from .files import Archive, Problem, blocks, kind_of
from .corsika_runs import Run, is_of
from .sources import source_of_cards, sources_of

DATE = 45  # the word of an event header that has the day of the run


def find(path, run, number):
    """The archive of a run, with its events up to this one."""
    archive = Archive(path)
    of_run = archive.of_run(run)
    for i, event in enumerate(of_run.events):
        if event.number == number:
            of_run.events = of_run.events[: i + 1]
            return of_run
    have = ", ".join(f"{e.run}:{e.number}" for e in archive.events[:5])
    damage = f"; {archive.damage}" if archive.damage else ""
    raise Problem(f"{path}: no event {run}:{number}; it has {have or 'none'}{damage}")


def source_for(archive, card):
    """The cards of the run, from the cards or the log of --card, or from an EventIO file."""
    if card:
        source = next((source for source in sources_of(card) if source.cards), None)
        if not source:
            raise Problem(f"{card}: neither cards with SEED lines nor a log")
    elif archive.cards:
        source = source_of_cards(archive.path, archive.cards)
    else:
        needed = "--card has to name those of the run, or its log"
        raise Problem(f"{archive.path} has no cards in it: {needed}")
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
        for what, _ in run.unknown:
            who = f"sequence {k} of event {event.number}"
            raise Problem(f"{who}: {what}; name the run's log by --card")
        # With PRESHOWER a header is written after some numbers were drawn; the log tells where
        # the event began.
        logged = source.events.get(event.number, {}).get(k)
        is_known = logged and logged[0] == seed and logged[1] <= position
        states.append(logged if is_known else (seed, position))
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
    for count, both in enumerate(pairs, 1):
        if None in both:
            return count, f"sub-block {count} is only in the {'replay' if both[1] else 'archive'}"
        if both[0].order != both[1].order:
            raise Problem(f"{path}: the replay is of the other byte order, which is not compared")
        if both[0].data == both[1].data:
            continue
        words = zip_longest(*([x.data[i : i + 4] for i in range(0, len(x.data), 4)] for x in both))
        passed_over = DATE if both[0].name == "EVTH" else None
        for at, pair in enumerate(words, 1):
            if pair[0] != pair[1] and at != passed_over:
                name = both[0].name or "data"
                show = lambda block, word: f"{block.words()[at - 1]:.9g}" if word else "nothing"
                a, b = map(show, both, pair)
                where = f"sub-block {count} ({name}), word {at}"
                return count, f"{where}: {a} in the archive, {b} in the replay"
    return count, None


def run_program(program, card, folder):
    """Runs a program in its own folder. Returns its exit status and its last words."""
    program = os.path.realpath(program)
    log = os.path.join(folder, "log")
    with open(log, "w+", errors="replace") as output:
        how = dict(stdout=output, stderr=subprocess.STDOUT, cwd=os.path.dirname(program))
        card = card.encode("latin-1")  # its bytes, as they were read
        done = subprocess.run([program], input=card, check=False, **how)
        output.seek(0)
        lines = [line.strip() for line in output if line.strip()]
    return done.returncode, lines[-1] if lines else "nothing"


def replay(arguments):
    """Prints the card, or with --run the comparison. Returns False if the shower differs."""
    try:
        run, number = map(int, arguments.event.split(":"))
    except ValueError:
        raise Problem(f"'{arguments.event}' is not RUN:EVENT") from None
    archive = find(arguments.file, run, number)
    event, source = archive.events[-1], source_for(archive, arguments.card)
    states = states_of(archive, source)
    if not arguments.run:
        sys.stdout.buffer.write(card_of(event, states, source, None).encode("latin-1"))
        return True
    with tempfile.TemporaryDirectory(prefix="replay-") as folder:
        card = card_of(event, states, source, os.fsencode(folder).decode("latin-1"))
        status, said = run_program(arguments.run, card, folder)
        for path in (os.path.join(folder, name) for name in sorted(os.listdir(folder))):
            if kind_of(path) == archive.kind and Archive(path).events:
                count, what = difference(arguments.file, path, run, number)
                if not count:
                    wrong = f"RUNH and EVTH disagree on the number of run {run}"
                    raise Problem(f"{arguments.file}: {wrong}")
                print(f"event {run}:{number}: {what or f'same, {count} sub-blocks'}")
                return not what
    raise Problem(f"{arguments.run} wrote no {archive.kind} file, exit status {status}: {said}")
