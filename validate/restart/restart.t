#!/usr/bin/env python3
"""A program that is killed by kill -9 at random moments, and goes on from the states of its streams
that it saved last, writes the same output as one that ran through. In between other SIMD levels and
numbers of threads go on. (Other machines save the same bytes: validate/machines/run.)

KILLS is how often it is killed."""
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "tests"))
from tap import BUILD, SEED, finish, ok  # noqa: E402

KILLS, BATCHES = int(os.environ.get("KILLS", 25)), 150
RND = random.Random(SEED)
SETTINGS = [
    {},
    {"GPURANMAR_SIMD": "portable"},
    {"GPURANMAR_THREADS": "3"},
    {"GPURANMAR_VERIFY": "0.3"},
]


def run(folder, lap, batches, seconds=None, **settings):
    """Runs the program, and kills it after so many seconds. Returns whether it was killed."""
    program = [f"{BUILD}/restart", folder, str(lap), str(batches)]
    try:
        subprocess.run(program, env={**os.environ, **settings}, timeout=seconds, check=True)
    except subprocess.TimeoutExpired:
        return True
    return False


def read(*path):
    with open(os.path.join(*path), "rb") as file:
        return file.read()


def killed_and_whole(scratch):
    """Returns whether the outputs were the same in all laps, and how many laps there were until
    there were KILLS kills."""
    kills = lap = 0
    while kills < KILLS:
        lap += 1
        whole, killed = (tempfile.mkdtemp(dir=scratch) for _ in range(2))
        begin = time.monotonic()
        run(whole, lap, BATCHES)
        # The time grows with each kill: the machine may have become slower than it was when timed.
        patience = (time.monotonic() - begin) / 15
        while run(killed, lap, BATCHES, RND.uniform(0, patience), **RND.choice(SETTINGS)):
            patience *= 1.02
            kills += 1
        if read(whole, "output") != read(killed, "output"):
            return False, lap
        shutil.rmtree(whole)
        shutil.rmtree(killed)
    return True, lap


# On a disk fsync() takes 10 ms, so that nearly every kill would come during that call.
memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
with tempfile.TemporaryDirectory(dir=memory) as scratch:
    golden = os.path.join(HERE, "golden/streams")
    shutil.copy(os.path.join(golden, "checkpoint"), scratch)
    run(scratch, 1, 25)
    wanted = read(golden, "output")
    ok(read(scratch, "output").endswith(wanted), "streams go on from what an s390x saved")
    same, laps = killed_and_whole(scratch)
    ok(same, f"killed {KILLS} times and more in {laps} laps", f"the outputs of lap {laps} differ")
print(f"# SEED={SEED} repeats this, but for when a kill comes")
finish()
