#!/usr/bin/env python3
"""What compare-profiles and scripts/bench measure by: known answers of the intervals, how programs
are run, and a section of the benchmark. Tools in Python say it if their output is lost."""

import os
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "../.."))
sys.path[:0] = [os.path.join(ROOT, "scripts", "measure"), os.path.join(ROOT, "validate", "tests")]
from ratio import Ratio, outside_interval  # noqa: E402
from turns import Failed, Runner, in_turns  # noqa: E402
from tap import BUILD, SANITIZE, finish, ok  # noqa: E402


# The tables of the sign test: the number of sorted values, and how many at each end lie outside the
# interval.
known = {6: 0, 9: 1, 12: 2, 15: 3, 20: 5, 25: 7, 30: 9}
ours = {n: outside_interval(n)[0] for n in known}
ok(ours == known, "the tables of the sign test", ours)

r = Ratio([5, 3, 9, 1, 7, 8, 2, 6, 4], [1] * 9)
good = (r.median, r.low, r.high, r.confidence) == (5, 2, 8, 1 - 20 / 512)
ok(good and r.text(1, 10, " x") == "50.0 x (20.0..80.0)", "a median and its interval", vars(r))


few, enough = (Ratio([1.0] * n, [2.0] * n) for n in (5, 6))
ok(not few.significant and "too few" in few.verdict(), "five rounds are too few", few.verdict())
ok(enough.significant and enough.verdict() == "", "six rounds are enough", enough.verdict())
same = Ratio([1.0, 2.0] * 3, [2.0, 1.0] * 3).verdict()
ok(same == ", no significant difference", "what is not significant is said", same)


def said_by(run, *script, **options):
    """The line with which a run of a shell script fails; empty if it does not."""
    try:
        run("sh", "-c", *script, **options)
    except Failed as failure:
        return str(failure)
    return ""


def check_runner(scratch):
    runner = Runner(b"a card\n", scratch)
    first = runner.run("sh", "-c", "cat; echo x >file; date >seen", keep="seen")
    good = runner.outputs() == ["file", "stdout"] and os.path.exists(first.kept)
    ok(good, "the outputs of a run, and a file that is none", f"{runner.outputs()} {first.kept}")
    said = said_by(runner.run, 'cat; echo "$SET" >file', settings={"SET": "x"})
    ok(said == "", "the same outputs, with a setting", said)
    said = said_by(runner.run, "cat; echo xy >file")
    ok(said == "file: the outputs differ, first at byte 1", "other outputs", said)
    said = said_by(runner.run, "cat")
    ok(said == "file: not written by both programs", "a file less", said)
    said = said_by(runner.run, "echo a line >&2; exit 4")
    ok(said.endswith("exit status 4: a line"), "a program that fails", said)
    said = said_by(runner.run, "kill -9 $$")
    ok(said.endswith("exit status -9: nothing on standard error"), "one that is killed", said)


with tempfile.TemporaryDirectory() as place:
    check_runner(place)
    bench = [os.path.join(ROOT, "scripts/bench"), "--no-build", "--rounds", "1", "--out"]
    bench += [os.path.join(place, "table.md"), "--sections", "calls,starts,numpy"]
    if not SANITIZE:  # Python cannot load a library with the sanitizers
        done = subprocess.run(bench, capture_output=True, text=True, check=False)
        good = done.returncode == 0 and done.stdout.count("| sequential RMMARD |") in (0, 15)
        good &= "no program" in done.stderr or "| 1000 a call, shared library |" in done.stdout
        ok(good, "a section of the benchmark", done.stderr + done.stdout)
        counts = [
            done.stdout.count(f"| {peer} |") for peer in ("the original", "mt19937_64", "PCG64")
        ]
        good = counts[:2] == [0, 0] or counts[1] == 24 and {*counts[::2]} <= {0, 24}
        good &= ("no Fortran" in done.stderr) == (counts[0] == 0) or "no program" in done.stderr
        ok(good, "starts of sequences, and NumPy", f"{counts} {done.stderr}")
    # Three sections, of which the second fails after some rows.
    row = r"echo 'a word' >&2; printf 'filled\tours\t1 2\n'"
    programs = {"nvidia-smi": "echo a GPU", "cuda/measure-cuda": row}
    programs["cuda/measure-opencl"] = row + "; echo 'clCreateBuffer: error -61' >&2; exit 1"
    for name, text in programs.items():
        os.makedirs(os.path.dirname(os.path.join(place, name)), exist_ok=True)
        with open(os.path.join(place, name), "w") as file:
            file.write("#!/bin/sh\n" + text)
        os.chmod(file.name, 0o755)
    bench[-1] = "gpu_cuda,gpu_opencl,gpu_cuda"
    env = dict(os.environ, BUILD=place, PATH=place + ":" + os.environ["PATH"])
    done = subprocess.run(bench, capture_output=True, text=True, check=False, env=env)
    good = done.returncode == 1 and done.stdout.count("| filled |") == 2
    good &= "without gpu_opencl: " in done.stderr and "measure-opencl: clCreate" in done.stderr
    good &= done.stderr.count("a word\n") == 2
    ok(good, "a section that fails leaves those before and after it", done.stderr + done.stdout)

for name, *command in (
    ("compare-profiles", "scripts/compare-profiles", "--no-gprof", "/bin/sh", "/bin/sh"),
    ("bench", "scripts/bench", "--help"),
    ("gpuranmar which", "csrc/command/gpuranmar-which", "README.md"),
    ("gpuranmar production", "csrc/command/gpuranmar-production", "--help"),
    ("gpuranmar-patch", "corsika-patch/gpuranmar-patch", "--help"),
):
    for output, why in ("/dev/full", "No space left on device"), ("&-", "Bad file descriptor"):
        shell = ["sh", "-c", f'exec "$0" "$@" </dev/null >{output}', *command]
        how = {"cwd": ROOT, "env": {**os.environ, "PYTHONUNBUFFERED": "1"}}
        done = subprocess.run(shell, stderr=subprocess.PIPE, text=True, check=False, **how)
        good = (done.returncode, done.stderr) == (2, f"{name}: standard output: {why}\n")
        ok(good, f"{name} >{output}", f"exit status {done.returncode}: {done.stderr}")

order = []
turns = in_turns("abcd", 20, lambda name: order.append(name) or len(order))
rounds = ["".join(order[i : i + 4]) for i in range(0, 80, 4)]
good = all(sorted(r) == list("abcd") for r in rounds) and len(set(rounds)) > 1
good &= all(order[i - 1] == name for name, places in turns.items() for i in places)
ok(good, "turns in random order", rounds)
finish()
