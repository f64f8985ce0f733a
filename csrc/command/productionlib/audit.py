"""What the runs of a production have in common. `gpuranmar seeds audit` finds it, and this module
says which showers it concerns."""

import os
import re
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict

from .files import Problem

KINDS = {
    "identical": "the same numbers throughout",
    "overlap": "partly the same numbers",
    "words": "tied by the seeding, shifted by words",
    "bits": "tied by the seeding, shifted by bits",
    "twins": "tied by the seeding, twins",
}
PAIR = re.compile(r"\d+ +\(.*?:(\d+)\) +\d+ +\(.*?:(\d+)\) +(\S.*?) +(\d+) +(\d+) +(\d+) +\d+$")
MORE = re.compile(r"\.\.\. and (\d+) pairs more")
HEAD = "# gpuranmar seeds plan 1"
PAIRS = 10**6  # the most that are listed


def command():
    """The program gpuranmar: beside this tool, in the build folder of a source tree, or on PATH."""
    own = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
    places = [os.path.dirname(os.path.abspath(sys.argv[0]))]
    tree = os.path.dirname(os.path.dirname(own))
    if os.path.exists(os.path.join(tree, "Makefile")):
        places.append(os.path.join(tree, os.environ.get("BUILD", "build")))
    places += os.get_exec_path()
    for program in (os.path.join(folder, "gpuranmar") for folder in places):
        if os.path.isfile(program) and os.access(program, os.X_OK):
            return program
    raise Problem("the program gpuranmar is not found")


def pair(two, how, numbers, low, high):
    """What two stretches have in common, with the events that drew it. two: (index of its run,
    stretch) of each; how: the kind as printed; numbers: how many; low and high: positions of the
    first and the last number in the second one's sequence. `sure` says whether both are known to
    have drawn the first of these numbers, `exact` whether all of them."""
    (_, first), (_, second) = two
    words = re.search(r"words (\d+)", how)
    moved = int(words[1]) if words else 0
    of = [
        dict(run=run, sequence=s.sequence, seed=s.seed, events=s.touched(start, high))
        for (run, s), start in zip(two, (max(0, low - moved), low))
    ]
    kind = next(kind for kind in ("bits", *KINDS) if kind in how)
    sure = low < second.sure and low - moved < first.sure
    exact = high < second.sure and high - moved < first.sure
    known = dict(kind=kind, how=how, sure=sure, exact=exact, numbers=numbers)
    return {**known, "from": low, "to": high, "of": of}


def pairs_of(stretches):
    """The pairs of stretches that have something in common, and how many more there are. Equal
    stretches are a group: each is in a pair with the first."""
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "plan"), "w", encoding="ascii") as file:
            print(HEAD, file=file)
            for i, (_, s) in enumerate(stretches):
                print(i, 1, s.seed, s.starts[0], s.end - s.starts[0], file=file)
        ask = [command(), "seeds", "audit", "--most", str(PAIRS), "plan"]
        done = subprocess.run(ask, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        raise Problem(done.stderr.strip())
    pairs, more = [], 0
    for line in done.stdout.splitlines():
        match, row = PAIR.match(line), MORE.match(line)
        if match and not match[3].startswith("low bits"):
            two = [stretches[int(match[i]) - 2] for i in (1, 2)]
            pairs.append(pair(two, match[3], *(int(match[i]) for i in (4, 5, 6))))
        more = int(row[1]) if row else more
    return pairs, more


def findings(production):
    """All that was found, as a table for JSON; the statement is made of it."""
    stretches = [(i, s) for i, run in enumerate(production.runs) for s in run.stretches]
    shared, more = pairs_of(stretches) if stretches else ([], 0)

    def stretch(s):
        return dict(sequence=s.sequence, seed=s.seed, first=s.starts[0], known=s.sure, end=s.end)

    runs = [
        dict(
            run=run.number,
            files=[archive.path for archive in run.archives],
            sources=[source.path for source in run.sources],
            showers=run.showers(),
            steered=any(source.run is not None for source in run.sources),
            sequences=[stretch(s) for s in run.stretches],
        )
        for run in production.runs
    ]
    twice = [
        dict(run=i, event=event, files=files)
        for i, run in enumerate(production.runs)
        for event, files in sorted(run.copies().items())
    ]
    missing = [
        dict(run=i, first=first, last=last)
        for i, run in enumerate(production.runs)
        for first, last in run.missing()
    ]
    unknown = defaultdict(Counter)
    for run in production.runs:
        for (what, file), count in run.unknown.items():
            unknown[what][file] += count
    sides = [of for both in shared for of in both["of"]]
    touched = {(of["run"], event) for of in sides for event in of["events"]}
    return dict(
        audit="gpuranmar production 1",
        read=dict(production.read),
        damaged=production.damaged,
        assumed=production.most,
        unknown=[
            dict(what=what, count=sum(files.values()), files=sorted(files))
            for what, files in sorted(unknown.items())
        ],
        runs=runs,
        twice=twice,
        missing=missing,
        touched=dict(runs=len({of["run"] for of in sides}), showers=len(touched)),
        pairs=len(shared) + more,
        shared=shared,
    )
