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
from tap import BUILD, finish, ok  # noqa: E402

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


def compare(options, *programs, card=CARD, path=""):
    env = dict(os.environ, PATH=f"{path}:{os.environ['PATH']}")
    command = [TOOL, *options.split(), *programs]
    return subprocess.run(command, input=card, capture_output=True, text=True, env=env)


def compares(name, done, *patterns):
    """The tool must end well, and its table must match the patterns."""
    good = done.returncode == 0 and all(re.search(p, done.stdout) for p in patterns)
    ok(good, name, done.stdout + done.stderr)


def refused(name, code, line, options, *programs):
    """The tool must end with CODE and one line on standard error that matches LINE."""
    done = compare(options, *programs)
    said = done.stderr
    # argparse puts the usage before its line
    one = code == 2 or said.count("\n") == 1
    good = done.returncode == code and one and re.search(line, said)
    ok(good, name, f"exit {done.returncode}: {said}")


def script(directory, name, text):
    path = os.path.join(directory, name)
    with open(path, "w") as file:
        file.write("#!/bin/sh\n" + text)
    os.chmod(path, 0o755)
    return path


def check_table(scratch):
    picture = os.path.join(scratch, "picture")
    options = f"--runs 2 --library {BUILD}/libgpuranmar.a --picture {picture} --plain"
    done = compare(options, *PLAIN, *PROFILED)
    perf = "share in the generator, by perf|no perf here"
    files = "DAT000001 DAT000001.long stdout"
    compares("reference and relinked, by perf or without it", done, perf, files)
    share = re.search(r"share in the generator, by gprof +([\d.]+) % +([\d.]+) %", done.stdout)
    ok(share and 1 < float(share[1]) < 99, "gprof's share before", done.stdout)
    gain = re.search(r"whole program, CPU time .* ([\d.]+ x) \(", done.stdout)
    with open(picture + ".svg") as svg:
        ok(gain and f"{gain[1]} as fast<" in svg.read(), "the picture has the table's figure")
    done = compare("--runs 2 --no-gprof", *PLAIN)
    compares("programs without -pg, by --no-gprof", done, "whole program, CPU time")
    ok("gprof" not in done.stdout, "... and without gprof", done.stdout)


def check_differences(scratch):
    text = f"sed 's/^ERANGE.*/&\\nSEED 99 0 0\\nSEED 98 0 0/' | exec {IN_SHELL[1]}\n"
    other = script(scratch, "other", text)
    differ = r"differ, first at byte \d+"
    refused("outputs that differ", 1, differ, "--runs 1", PROFILED[0], other)
    # reads a file of its directory, writes one more than the reference, and the date
    text = f"test -s table || exit 4; touch more; {IN_SHELL[0]}; status=$?\n"
    chatty = script(scratch, "chatty", text + "echo DATE $$; exit $status\n")
    os.mkdir(os.path.join(scratch, "data"))
    script(scratch, "data/table", "data\n")
    programs = ["--plain", PLAIN[0], chatty, *PROFILED]
    refused("a program that fails", 3, r"chatty: exit status 4", "--runs 1", *programs)
    options = f"--runs 1 --workdir {scratch}/data"
    refused("a file more", 1, r"more: not written by both", options, *programs)
    options += " --skip mo*"
    refused("a line more", 1, r"stdout: the outputs differ", options, *programs)
    done = compare(f"{options} --ignore ^DATE", *programs)
    compares("--workdir, --skip and --ignore", done, "DAT000001.long stdout")


def gain_of(done):
    """The ratio of the CPU times, its interval, and the verdict."""
    found = re.search(r"CPU time \(s\) .*?([\d.]+) x \(([\d.]+)\.\.([\d.]+)\)(.*)", done.stdout)
    return [*map(float, found.groups()[:3]), found[4]] if found else [0, 0, 0, done.stderr]


def check_ratios(scratch):
    """A program that is slower is seen as slower, and one that is the same as the same. There is no
    perf, which takes longer than all the rest."""
    script(scratch, "perf", "exit 1\n")
    again = f"{IN_SHELL[0]} <card >again && "
    text = f"cat >card; {3 * again} rm again && {IN_SHELL[0]} <card && rm card\n"
    slow = script(scratch, "slow", text)
    done = compare("--plain", PLAIN[1], slow, *PROFILED, card=SHORT, path=scratch)
    ratio, low, high, said = gain_of(done)
    ok(low <= ratio <= high < 1 and said == "", "a slower program is seen as slower", done.stdout)
    # One interval in thirty does not have the truth in it.
    for _ in range(4):
        done = compare("--plain", PLAIN[1], PLAIN[1], *PROFILED, card=SHORT, path=scratch)
        ratio, low, high, said = gain_of(done)
        if said:
            break
    good = low < 1 < high and said == ", no significant difference"
    ok(good, "the same program twice", done.stdout)
    # Not the short card: two runs of it are a few hundredths of a second, in which gprof, that
    # looks every hundredth, now and then sees nothing.
    done = compare("--runs 2 --plain", *PLAIN, *PROFILED, path=scratch)
    compares("a perf that may not record", done, "There is no perf here")
    compares("too few runs for an interval", done, "2 rounds are too few to say")


with tempfile.TemporaryDirectory() as place:
    check_table(place)
    check_differences(place)
    check_ratios(place)
for case in (
    ("a program without -pg", 3, "-pg", "--runs 1", PROFILED[0], PLAIN[1]),
    ("a program that is not there", 2, "/no/such: no such file", "", PROFILED[0], "/no/such"),
    ("no runs", 2, "--runs 0", "--runs 0", *PROFILED),
):
    refused(*case)
old = "import sys; sys.version_info = (2, 7, 18); exec(open(sys.argv[1]).read())"
done = subprocess.run([sys.executable, "-c", old, TOOL], capture_output=True, text=True)
line = "compare-profiles: this is Python 2.7; 3.8 or later is needed\n"
ok(done.stderr == line, "an old Python is named", done.stderr)
finish()
