"""Reads how much of a program's time its generator takes, from a profile by perf or gprof."""
import re
import shutil
import subprocess

from .families import NAMES

ROUTINE = re.compile(
    rf"(?:__\w+_MOD_)?(?:{'|'.join(NAMES)})_?|.*(?:RanMars|HepJamesRandom).*", re.I
)
TOOLS = {b"PERFILE2": "perf", b"gmon": "gprof"}


def is_profile(data):
    return data.startswith(tuple(TOOLS))


def describe(name, data, report, programs):
    """Notes the share and what can be gained. gprof needs the program that was run."""
    tool = "perf" if data.startswith(b"PERFILE2") else "gprof"
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
