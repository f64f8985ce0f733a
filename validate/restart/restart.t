#!/usr/bin/env python3
"""Programs that are killed by kill -9 at random moments, and go on from the state that they saved
last, write the same output as programs that ran through: C streams (and a GPU that is a fake),
Fortran's 'RV' and 'SV', and the air shower from the counters in its event headers. In between the
sequential reference or another SIMD level goes on. (Other machines save the same bytes:
validate/machines/run.)

KILLS is how often each of them is killed."""
import contextlib
import os
import random
import shutil
import struct
import subprocess
import sys
import tempfile
import time

BUILD = os.path.abspath(os.environ.get("BUILD", "build"))
HERE = os.path.dirname(os.path.abspath(__file__))
TREE = os.path.join(HERE, "..", "..")
sys.path.insert(0, os.path.join(TREE, "validate", "tests"))
from tap import finish, ok, skip  # noqa: E402

KILLS = int(os.environ.get("KILLS", 25))
SEED = int(os.environ.get("SEED", random.SystemRandom().randrange(10**9)))
RND = random.Random(SEED)


class Failed(Exception):
    """A program ended in a way that it should not."""


def wait(process):
    """Waits for its end; complains unless it went well or was killed."""
    _, said = process.communicate()
    if process.returncode not in (0, -9):
        raise Failed(f"{process.args}: exit status {process.returncode}: {said.decode().strip()}")
    return process.returncode == -9


def start(program, cwd, settings=None, stdin=None):
    """A process; its standard input is bytes that fit a pipe."""
    process = subprocess.Popen(
        program,
        cwd=cwd,
        env={**os.environ, **(settings or {})},
        stdin=subprocess.PIPE if stdin else subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )
    if stdin:
        process.stdin.write(stdin)
        process.stdin.close()
        process.stdin = None
    return process


def kill_after(process, seconds):
    """Kills a process so many seconds from now. Returns whether it still ran then."""
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(seconds)
    process.kill()
    return wait(process)


def timed(program, cwd, **given):
    """How many seconds a run takes that is not killed."""
    begin = time.monotonic()
    wait(start(program, cwd, **given))
    return time.monotonic() - begin


def read(*path):
    with open(os.path.join(*path), "rb") as file:
        return file.read()


# --- Programs with a checkpoint in a folder of theirs ---

LEVELS = [
    {},
    {"GPURANMAR_SIMD": "portable"},
    {"GPURANMAR_THREADS": "3"},
    {"GPURANMAR_VERIFY": "0.3"},
]


def killed_and_whole(through, others, arguments, scratch, batches):
    """Laps of `batches` until there were KILLS kills. The first program runs through; any of them
    goes on after a kill. Returns what went wrong, and how many laps there were."""
    kills = lap = 0
    while kills < KILLS:
        lap += 1
        whole, killed = (tempfile.mkdtemp(dir=scratch) for _ in range(2))
        seconds = timed(through + arguments(whole, lap, batches), whole) / batches
        started = timed(through + arguments(whole, lap, batches), whole)
        running, patience = True, 1.0  # the machine may have become slower than it was when timed
        while running:
            program, settings = RND.choice(others), RND.choice(LEVELS)
            process = start(program + arguments(killed, lap, batches), killed, settings)
            running = kill_after(process, RND.uniform(0, patience * (started + 8 * seconds)))
            patience *= 1.02
            kills += running
        if read(whole, "output") != read(killed, "output"):
            return f"lap {lap}: the outputs {whole}/output and {killed}/output differ", lap
        shutil.rmtree(whole)
        shutil.rmtree(killed)
    return "", lap


def check_checkpoints(name, through, others, arguments, scratch, batches):
    try:
        wrong, laps = killed_and_whole(through, others, arguments, scratch, batches)
    except Failed as failure:
        wrong, laps = str(failure), 0
    ok(not wrong, f"{name}: killed {KILLS} times and more in {laps} laps", wrong)


def stream_arguments(folder, lap, batches):
    return [folder, str(lap), str(batches)]


def fortran_arguments(_, lap, batches):
    return [str(lap), str(batches)]


# --- The shower, which starts again from the seeds in the header of an event ---

EVENTS = 40
CARDS = "PRMPAR 14\nERANGE 100. 300.\nESLOPE -2.\nTHETAP 0. 40.\nPHIP -180. 180.\nCERENK 100.\n"
SMALL_BUFFERS = {"GFORTRAN_UNFORMATTED_BUFFER_SIZE": "2048"}


def sub_blocks(data):
    """The sub-blocks of 273 words of the whole records of 21; the file may end anywhere."""
    for at in range(0, len(data) - 22939, 22940):
        yield from (data[i : i + 1092] for i in range(at + 4, at + 22936, 1092))


def events(data):
    """{number: its sub-blocks, from EVTH on}, and the numbers of those that are whole, up to
    EVTE."""
    found, whole, now = {}, set(), None
    for block in sub_blocks(data):
        if block[:4] == b"EVTH":
            now = int(struct.unpack_from("=f", block, 4)[0])
            found[now] = []
        if now:
            found[now].append(block)
        if block[:4] == b"EVTE":
            whole.add(now)
            now = None
    return found, whole


def counts_of(header):
    """How many numbers each sequence had given at the beginning of an event."""
    words = struct.unpack_from("=9f", header, 4 * 13)
    return [int(words[k + 1] + 1e6 * words[k + 2]) for k in (0, 3, 6)]


def shower_cards(first, seeds):
    cards = f"{CARDS}EVTNR {first}\nNSHOW {EVENTS + 1 - first}\n"
    for k in range(0, 9, 3):
        cards += "SEED {} {} {}\n".format(*seeds[k : k + 3])
    return (cards + "EXIT\n").encode()


def shower_files(folder):
    return [
        events(read(folder, name)) if os.path.exists(os.path.join(folder, name)) else ({}, set())
        for name in ("DAT000001", "CER000001")
    ]


def shower_until_killed(program, first, seeds, seconds, kept, scratch):
    """Runs it from an event on, and keeps the events that are whole in both files. Returns where to
    go on, and whether it was killed."""
    with tempfile.TemporaryDirectory(dir=scratch) as folder:
        process = start(program, folder, SMALL_BUFFERS, shower_cards(first, seeds))
        killed = kill_after(process, seconds)
        (dat, whole_dat), (cer, whole_cer) = shower_files(folder)
        while first in whole_dat & whole_cer and (first + 1 in dat or not killed):
            kept[first] = dat[first] + cer[first]
            first += 1
            if first in dat:
                # REALs have the seeds rounded, so those of the cards are kept.
                for k, count in enumerate(counts_of(dat[first][0])):
                    seeds[3 * k + 1] = count
    return first, seeds, killed


def check_shower(program, scratch):
    kills, wrong, lap = 0, "", 0
    while kills < KILLS and not wrong:
        lap += 1
        seeds = [RND.randrange(942377568) if k % 3 == 0 else 0 for k in range(9)]
        with tempfile.TemporaryDirectory(dir=scratch) as folder:
            cards = shower_cards(1, seeds)
            seconds = timed([f"{BUILD}/shower-reference"], folder, stdin=cards) / EVENTS
            (dat, _), (cer, _) = shower_files(folder)
        expected = {k: dat[k] + cer[k] for k in dat}
        first, kept, patience = 1, {}, 1.0
        while first <= EVENTS:
            limit = RND.uniform(0, patience * (0.01 + 8 * seconds))
            patience *= 1.02
            first, seeds, killed = shower_until_killed(
                [f"{BUILD}/shower-{program}"], first, seeds, limit, kept, scratch
            )
            kills += killed
        if kept != expected:
            parted = [k for k in expected if kept.get(k) != expected[k]]
            wrong = f"lap {lap}: the events {parted} differ"
    ok(not wrong, f"shower-{program}: killed {KILLS} times and more in {lap} laps", wrong)


# --- Files of another machine, and of an earlier version ---


def check_golden(program, name, arguments, scratch, settings=None):
    """What a big-endian machine has saved, and what it wrote after that
    (validate/restart/golden)."""
    golden = os.path.join(HERE, "golden", name)
    folder = tempfile.mkdtemp(dir=scratch)
    shutil.copy(os.path.join(golden, "checkpoint"), folder)
    wrong = ""
    try:
        wait(start(program + arguments(folder, 1, 40), folder, settings))
        expected = read(golden, "output")
        if read(folder, "output")[-len(expected) :] != expected:
            wrong = f"{folder}/output does not end as {golden}/output"
    except Failed as failure:
        wrong = str(failure)
    ok(not wrong, f"{name}: goes on from what an s390x saved", wrong)


# On a disk fsync() takes 10 ms, so that nearly every kill would come during that call.
memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
with tempfile.TemporaryDirectory(dir=memory) as scratch:
    streams = [f"{BUILD}/restart"]
    check_golden(streams, "streams", stream_arguments, scratch)
    check_checkpoints("C streams", streams, [streams], stream_arguments, scratch, 150)
    if os.path.exists(f"{BUILD}/restart-relinked"):
        reference, relinked = ([f"{BUILD}/restart-{k}"] for k in ("reference", "relinked"))
        check_golden(relinked, "fortran", fortran_arguments, scratch, {"GPURANMAR_SEQUENCES": "2"})
        others = [relinked, relinked, reference]
        check_checkpoints("RV and SV", reference, others, fortran_arguments, scratch, 150)
        check_shower("relinked", scratch)
        check_shower("patched", scratch)
    else:
        skip("Fortran", "there is no Fortran compiler")
print(f"# SEED={SEED} repeats this, but for when a kill comes")
finish()
