#!/usr/bin/env python3
"""Tests of scripts/compare-profiles on the shower program. They compare times, and so fail now and
then on a machine that is busy: they are no part of make check."""
import os
import re
import shlex
import subprocess
import sys
import tempfile

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "../.."))
sys.path.insert(0, os.path.join(ROOT, "validate", "tests"))
from tap import finish, ok  # noqa: E402

BUILD = os.path.abspath(os.environ.get("BUILD", "build"))
TOOL = os.path.join(ROOT, "scripts", "compare-profiles")
PROFILED = [f"{BUILD}/shower-reference-pg", f"{BUILD}/shower-relinked-pg"]
PLAIN = [f"{BUILD}/shower-reference", f"{BUILD}/shower-relinked"]
# The relinked one as a shell script names it, plain and profiled.
IN_SHELL = [shlex.quote(PLAIN[1]), shlex.quote(PROFILED[1])]
CARD = "ERANGE 1.E3 1.E3\nEXIT\n"
SHORT = "ERANGE 300. 300.\nEXIT\n"


if not os.path.exists(PLAIN[0]):
    print("1..0 # SKIP no Fortran compiler is found")
    sys.exit()


def compare(*arguments, card=CARD, path=""):
    env = {**os.environ, "PATH": f"{path}:{os.environ['PATH']}"}
    return subprocess.run(
        [TOOL, *arguments], input=card, capture_output=True, text=True, check=False, env=env
    )


def refused(name, code, line, *arguments):
    """The tool must end with CODE and one line on standard error that matches LINE."""
    done = compare(*arguments)
    said = done.stderr
    # argparse puts the usage before its line
    one = code == 2 or said.count("\n") == 1
    ok(
        done.returncode == code and one and re.search(line, said),
        name,
        f"exit {done.returncode}: {said}",
    )


def script(directory, name, text):
    path = os.path.join(directory, name)
    with open(path, "w") as file:
        file.write("#!/bin/sh\n" + text)
    os.chmod(path, 0o755)
    return path


def check_table(scratch):
    picture = os.path.join(scratch, "picture")
    done = compare(
        "--runs",
        "2",
        "--plain",
        *PLAIN,
        "--library",
        f"{BUILD}/libgpuranmar.a",
        "--picture",
        picture,
        *PROFILED,
    )
    ok(done.returncode == 0, "compares reference and relinked", done.stderr)
    share = re.search(r"share in the generator, by gprof +([\d.]+) % +([\d.]+) %", done.stdout)
    ok(share and 1 < float(share[1]) < 99, "gprof's share before", done.stdout)
    perf = "share in the generator, by perf" in done.stdout or "no perf here" in done.stdout
    ok(perf, "perf's share, or that there is no perf", done.stdout)
    gain = re.search(r"whole program, CPU time .* ([\d.]+ x) \(", done.stdout)
    ok("DAT000001 DAT000001.long stdout" in done.stdout, "names the files compared", done.stdout)
    with open(picture + ".svg") as svg:
        ok(gain and f"{gain[1]} as fast<" in svg.read(), "the picture has the table's figure")
    done = compare("--runs", "2", "--no-gprof", *PLAIN)
    ok(
        done.returncode == 0
        and "whole program, CPU time" in done.stdout
        and "gprof" not in done.stdout,
        "programs without -pg, by --no-gprof",
        done.stdout + done.stderr,
    )
    done = compare("--runs", "1", PROFILED[0], PLAIN[1])
    ok(
        done.returncode == 3 and "-pg" in done.stderr,
        "a program without -pg",
        done.stdout + done.stderr,
    )


def check_differences(scratch):
    other = script(
        scratch, "other", f"sed 's/^ERANGE.*/&\\nSEED 99 0 0\\nSEED 98 0 0/' | exec {IN_SHELL[1]}\n"
    )
    refused(
        "outputs that differ", 1, r"differ, first at byte \d+", "--runs", "1", PROFILED[0], other
    )
    # reads a file of its directory, writes one more than the reference, and the date
    chatty = script(
        scratch,
        "chatty",
        f"test -s table || exit 4; touch more; {IN_SHELL[0]}; status=$?\n"
        "echo DATE $$; exit $status\n",
    )
    os.mkdir(os.path.join(scratch, "data"))
    with open(os.path.join(scratch, "data", "table"), "w") as file:
        file.write("data\n")
    plain = ["--runs", "1", "--plain", PLAIN[0], chatty]
    refused("a program that fails", 3, r"chatty: exit status 4", *plain, *PROFILED)
    plain += ["--workdir", os.path.join(scratch, "data")]
    refused("a file more", 1, r"more: not written by both", *plain, *PROFILED)
    plain += ["--skip", "mo*"]
    refused("a line more", 1, r"stdout: the outputs differ", *plain, *PROFILED)
    done = compare(*plain, "--ignore", "^DATE", *PROFILED)
    ok(
        done.returncode == 0 and "DAT000001.long stdout" in done.stdout,
        "--workdir, --skip and --ignore",
        done.stdout + done.stderr,
    )


def gain_of(line, done):
    """The ratio and the verdict in the line of the table that starts with LINE."""
    found = re.search(rf"{re.escape(line)} .*?([\d.]+) x \(([\d.]+)\.\.([\d.]+)\)(.*)", done.stdout)
    return (
        [*map(float, found.groups()[:3]), found[4]]
        if found
        else [0, 0, 0, done.stdout + done.stderr]
    )


def check_ratios(scratch):
    """A program that is slower is seen as slower, and one that is the same as the same. There is no
    perf, which takes longer than all the rest."""
    script(scratch, "perf", "exit 1\n")
    again = f"{IN_SHELL[0]} <card >again && "
    slow = script(
        scratch, "slow", f"cat >card; {3 * again} rm again && {IN_SHELL[0]} <card && rm card\n"
    )
    levels = ["--levels", "default,portable"]
    done = compare(*levels, "--plain", PLAIN[1], slow, *PROFILED, card=SHORT, path=scratch)
    ratio, low, high, said = gain_of("whole program, CPU time (s), portable", done)
    ok(
        low <= ratio <= high < 1 and said == "",
        "a slower program is seen as slower",
        f"{ratio} {low} {high} {said}",
    )
    ok("portable against default, CPU time" in done.stdout, "levels are compared", done.stdout)
    # One interval in thirty does not have the truth in it.
    for _ in range(4):
        done = compare("--plain", PLAIN[1], PLAIN[1], *PROFILED, card=SHORT, path=scratch)
        ratio, low, high, said = gain_of("whole program, CPU time (s)", done)
        if said:
            break
    ok(
        low < 1 < high and said == ", no significant difference",
        "the same program twice",
        f"{low} {high} {said}",
    )
    # Not the short card: two runs of it are a few hundredths of a second, in which gprof, that
    # looks every hundredth, now and then sees nothing.
    done = compare("--runs", "2", "--plain", *PLAIN, *PROFILED, path=scratch)
    ok(
        "There is no perf here" in done.stdout,
        "a perf that may not record",
        done.stdout + done.stderr,
    )
    ok(
        "2 rounds are too few to say" in done.stdout,
        "too few runs for an interval",
        done.stdout + done.stderr,
    )


with tempfile.TemporaryDirectory() as place:
    check_table(place)
    check_differences(place)
    check_ratios(place)
refused("a program that is not there", 2, "/no/such: no such file", PROFILED[0], "/no/such")
refused("an unknown level", 3, "SIMD.*sse3", "--levels", "sse3", "--runs", "1", *PROFILED)
refused(
    "a level twice",
    2,
    "--levels: sse2,sse2: a level appears twice",
    "--levels",
    "sse2,sse2",
    *PROFILED,
)
refused("no runs", 2, "--runs 0", "--runs", "0", *PROFILED)
finish()
