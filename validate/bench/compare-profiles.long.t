#!/usr/bin/env python3
"""scripts/compare-profiles on the shower program: its table, its options, and what it refuses.
(measure.t has the intervals and the comparison of outputs.)"""
import os
import re
import shlex
import subprocess
import sys
import tempfile

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "../.."))
sys.path.insert(0, os.path.join(ROOT, "validate", "tests"))
from tap import BUILD, finish, ok, skip_all  # noqa: E402

PROFILED = [f"{BUILD}/shower-reference-pg", f"{BUILD}/shower-relinked-pg"]
PLAIN = [f"{BUILD}/shower-reference", f"{BUILD}/shower-relinked"]

if not os.path.exists(PLAIN[0]):
    skip_all("no Fortran compiler is found")


def ends(name, code, pattern, options, *programs):
    """The tool must end with CODE, and what it says must match the pattern."""
    command = [os.path.join(ROOT, "scripts", "compare-profiles"), *options.split(), *programs]
    # gprof samples every hundredth of a second, and this card takes a third of a second.
    card = "ERANGE 1.E4 1.E4\nEXIT\n"
    done = subprocess.run(command, input=card, capture_output=True, text=True)
    said = done.stdout if code == 0 else done.stderr
    good = done.returncode == code and re.search(pattern, said)
    ok(good, name, f"exit {done.returncode}: {done.stdout}{done.stderr}")
    return done.stdout


with tempfile.TemporaryDirectory() as scratch:
    options = f"--runs 2 --library {BUILD}/libgpuranmar.a --plain"
    shares = r"in the generator, by gprof +[\d.]+ % +[\d.]+ %(.|\n)*DAT000001 stdout"
    table = ends("reference and relinked, by gprof", 0, shares, options, *PLAIN, *PROFILED)
    gain = re.search(r"whole program, CPU time \(s\) +([\d.]+) +([\d.]+) +(([\d.]+) x) \(", table)
    before, after, times = (float(gain[k]) for k in (1, 2, 4)) if gain else (1, 1, 0)
    rounding = 0.006 + 0.0006 / after * (1 + before / after)
    ok(abs(before / after - times) < rounding, "the speed-up belongs to the times", table)
    table = ends("--no-gprof", 0, "whole program, CPU time", "--runs 1 --no-gprof", *PLAIN)
    ok("gprof" not in table, "... and without gprof", table)

    def stand_in(name, script):
        """Puts a script in place of a program."""
        with open(f"{scratch}/bin/{name}", "w") as file:
            file.write("#!/bin/sh\n" + script)
        os.chmod(f"{scratch}/bin/{name}", 0o755)

    # This perf runs the program and takes no sample, as perf does in some containers. This gprof saw
    # 0.6 s in each of two runs, half of it in the generator, and 5 s in what -pg adds.
    os.mkdir(f"{scratch}/bin")
    path, os.environ["PATH"] = os.environ["PATH"], f"{scratch}/bin:{os.environ['PATH']}"
    stand_in("perf", '[ "$1" = report ] && exit\nshift 6\nexec "$@"\n')
    ends("a perf without samples", 0, "perf saw nothing", "--runs 1 --no-gprof", *PLAIN)
    stand_in("gprof", r"printf '9 1 0.30 rmmard_\n9 1 0.30 hadron_\n9 1 5.00 _mcount\n'")
    shares = r"by gprof +50.0 % +50.0 %(.|\n)*generator, by gprof \(s\) +0.30 +0.30 +1.00 x"
    ends("shares are those of gprof's seconds", 0, shares, "--runs 3", *PROFILED)
    stand_in("gprof", r"printf '9 1 0.03 rmmard_\n9 1 9.00 hadron_\n'")
    few = r"generator, by gprof \(s\) +0.03 +0.03\n(.|\n)*Less than 0.2 s"
    ends("no speed-up from three samples", 0, few, "--runs 1", *PROFILED)
    stand_in("ldd", "echo libgpuranmar.so.1")
    ends("a shared generator", 0, "by gprof +unseen +unseen", "--runs 1", *PROFILED)
    stand_in("gprof", "")
    ends("a gprof without samples", 3, "gprof saw nothing", "--runs 1", *PROFILED)
    os.environ["PATH"] = path

    # This program needs a file of --workdir, and writes a file and a line more than the reference.
    chatty = os.path.join(scratch, "chatty")
    with open(chatty, "w") as file:
        file.write("#!/bin/sh\ntest -s table || exit 4; touch more; echo DATE $$\n")
        file.write(f"exec {shlex.quote(PLAIN[0])}\n")
    os.chmod(chatty, 0o755)
    os.mkdir(f"{scratch}/data")
    with open(f"{scratch}/data/table", "w") as file:
        file.write("data\n")
    programs = [PLAIN[0], chatty]
    options = "--runs 1 --no-gprof"
    ends("a program that fails", 3, "chatty: exit status 4", options, *programs)
    options += f" --workdir {scratch}/data"
    ends("a file more", 1, "more: not written by both", options, *programs)
    options += " --skip mo*"
    ends("a line more", 1, r"stdout: the outputs differ, first at byte \d", options, *programs)
    options += " --ignore ^DATE"
    ends("--workdir, --skip and --ignore", 0, r" stdout\.", options, *programs)

ends("a program without -pg", 3, "-pg", "--runs 1", PROFILED[0], PLAIN[1])
ends("a program that is not there", 2, "/no/such: no such file", "", PROFILED[0], "/no/such")
ends("no runs", 2, "--runs 0", "--runs 0", *PROFILED)
finish()
