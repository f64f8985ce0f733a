#!/usr/bin/env python3
"""Tests of scripts/compare-profiles on the shower program. (measure.t has the intervals.)"""
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


if not os.path.exists(PLAIN[0]):
    print("1..0 # SKIP no Fortran compiler is found")
    sys.exit()


def compare(options, *programs, path=""):
    env = dict(os.environ, PATH=f"{path}:{os.environ['PATH']}")
    command = [TOOL, *options.split(), *programs]
    return subprocess.run(command, input=CARD, capture_output=True, text=True, env=env)


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


def check_without_perf(scratch):
    script(scratch, "perf", "exit 1\n")
    done = compare("--runs 2 --plain", *PLAIN, *PROFILED, path=scratch)
    compares("a perf that may not record", done, "There is no perf here")
    compares("too few runs for an interval", done, "2 rounds are too few to say")


with tempfile.TemporaryDirectory() as place:
    check_table(place)
    check_differences(place)
    check_without_perf(place)
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
