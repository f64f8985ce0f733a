#!/usr/bin/env python3
"""Programs that are killed by kill -9 at random moments, and go on from the state that they saved
last, write the same output as programs that ran through: C streams (and a GPU that is a fake), and
Fortran's 'RV' and 'SV'. In between the sequential reference or another SIMD level goes on. (Other
machines save the same bytes: validate/machines/run.)

KILLS is how often each of them is killed."""
import contextlib
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "tests"))
from tap import BUILD, SEED, finish, ok, skip  # noqa: E402

KILLS = int(os.environ.get("KILLS", 25))
RND = random.Random(SEED)


class Failed(Exception):
    """A program ended in a way that it should not."""


def wait(process):
    """Waits for its end; complains unless it went well or was killed."""
    _, said = process.communicate()
    if process.returncode not in (0, -9):
        raise Failed(f"{process.args}: exit status {process.returncode}: {said.decode().strip()}")
    return process.returncode == -9


def start(program, cwd, settings=None):
    return subprocess.Popen(
        program,
        cwd=cwd,
        env={**os.environ, **(settings or {})},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )


def kill_after(process, seconds):
    """Kills a process so many seconds from now. Returns whether it still ran then."""
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(seconds)
    process.kill()
    return wait(process)


def timed(program, cwd):
    """How many seconds a run takes that is not killed."""
    begin = time.monotonic()
    wait(start(program, cwd))
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


# --- Files of another machine, and of an earlier version ---


def check_golden(program, scratch):
    """What a big-endian machine has saved, and what it wrote after that."""
    golden = os.path.join(HERE, "golden/streams")
    folder = tempfile.mkdtemp(dir=scratch)
    shutil.copy(os.path.join(golden, "checkpoint"), folder)
    try:
        wait(start(program + stream_arguments(folder, 1, 25), folder))
        wrong = read(folder, "output")[-len(read(golden, "output")) :] != read(golden, "output")
    except Failed as failure:
        wrong = str(failure)
    ok(not wrong, "streams go on from what an s390x saved", wrong)


# On a disk fsync() takes 10 ms, so that nearly every kill would come during that call.
memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
with tempfile.TemporaryDirectory(dir=memory) as scratch:
    streams = [f"{BUILD}/restart"]
    check_golden(streams, scratch)
    check_checkpoints("C streams", streams, [streams], stream_arguments, scratch, 150)
    if os.path.exists(f"{BUILD}/restart-relinked"):
        reference, relinked = ([f"{BUILD}/restart-{k}"] for k in ("reference", "relinked"))
        others = [relinked, relinked, reference]
        check_checkpoints("RV and SV", reference, others, fortran_arguments, scratch, 150)
    else:
        skip("Fortran", "there is no Fortran compiler")
print(f"# SEED={SEED} repeats this, but for when a kill comes")
finish()
