"""Reads how much of a program's time its generator takes, from a profile by perf or gprof, or from
the report of a run with the library."""
import json
import re
import shutil
import subprocess

from .families import NAMES

ROUTINE = re.compile(
    rf"(?:__\w+_MOD_)?(?:{'|'.join(NAMES)})_?|.*(?:RanMars|HepJamesRandom).*", re.I
)
TOOLS = {rb"PERFILE2": "perf", rb"gmon": "gprof", rb'\s*\{\s*"report":\s*"gpuranmar 1"': None}
# By how much a number of the sequential routine takes longer (validate/results/cpu.md: 14.8 ns a
# call where the library takes 3.3, 11.1 and 0.3 in an array).
LONGER = 11e-9


def is_profile(data):
    return any(re.match(mark, data) for mark in TOOLS)


def describe_report(name, data, report):
    """Notes what was gained by the relinked program."""
    run = json.loads(data)
    numbers = sum(part["drawn"] for part in [*run["streams"], run["streams_left_out"]])
    numbers += run["engines"]["made"]
    seconds = run["process"]["cpu_seconds"]
    report.note(
        name,
        f"{numbers} numbers in {seconds:.2f} s of CPU time: with the original, at about 11 ns a "
        f"number more, {1 + numbers * LONGER / max(seconds, 1e-6):.2f} times that",
    )


def describe(name, data, report):
    """Notes the share and what can be gained. gprof needs the program that was run."""
    tool = next(tool for mark, tool in TOOLS.items() if re.match(mark, data))
    if not tool:
        describe_report(name, data, report)
        return
    programs = report.programs
    command = {
        "perf": ["perf", "report", "-i", name, "--stdio", "--no-children", "-F", "overhead,sym"],
        "gprof": ["gprof", "-b", "-p", *programs[:1], name],
    }[tool]
    if not shutil.which(tool) or tool == "gprof" and not programs:
        report.remark(
            name, "a profile, which needs " + (shutil.which(tool) and "its program" or tool)
        )
        return
    run = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    share = 0.0
    for line in run.stdout.splitlines():
        match = re.match(r"\s*(\d+\.\d+)%?\s.*?(\S+)\s*$", line)
        if match and ROUTINE.fullmatch(match[2].split("(")[0]):
            share += float(match[1])
    report.note(
        name,
        f"{share:.0f} % of the time is the generator's: relinked, the program is at most "
        f"{100 / max(100 - share, 1):.2f} times as fast",
    )
