"""What the runs of a production have in common. `gpuranmar seeds audit` finds it, and this module
says which showers it concerns."""

import json
import os
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


def pair(two, row):
    """What two intervals have in common, with the events that drew it. two: (index of its run,
    interval) of each; row: what `seeds audit` found. `sure` says whether both are known to have
    drawn the first of the numbers, `exact` whether all of them."""
    (_, first), (_, second) = two
    low, high, moved = row["from"], row["to"], row["words"]
    of = [
        dict(run=run, sequence=s.sequence, seed=s.seed, events=s.touched(start, high))
        for (run, s), start in zip(two, (max(0, low - moved), low))
    ]
    sure = low < second.sure and low - moved < first.sure
    exact = high < second.sure and high - moved < first.sure
    known = dict(kind=row["kind"], how=row["how"], sure=sure, exact=exact, numbers=row["tied"])
    return {**known, "from": low, "to": high, "of": of}


def pairs_of(intervals):
    """The pairs of intervals that have something in common, and how many more there are. Equal
    intervals are a group: each is in a pair with the first."""
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "plan"), "w", encoding="ascii") as file:
            print(HEAD, file=file)
            for i, (_, s) in enumerate(intervals):
                print(i, 1, s.seed, s.starts[0], s.end - s.starts[0], file=file)
        ask = [command(), "seeds", "audit", "--most", str(PAIRS), "--json", "pairs", "plan"]
        how = dict(stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
        done = subprocess.run(ask, cwd=folder, **how)
        if done.returncode not in (0, 1):
            raise Problem(done.stderr.strip())
        with open(os.path.join(folder, "pairs"), encoding="ascii") as file:
            found = json.load(file)
    rows = [row for row in found["pairs"] if row["kind"] != "low bits"]
    # The plan's first sequence is in its second line.
    lines = lambda row: (intervals[row[f"{side}_line"] - 2] for side in ("first", "second"))
    return [pair(tuple(lines(row)), row) for row in rows], found["more"]


def findings(production):
    """All that was found, as a table for JSON; the statement is made of it."""
    intervals = [(i, s) for i, run in enumerate(production.runs) for s in run.intervals]
    shared, more = pairs_of(intervals) if intervals else ([], 0)

    def interval(s):
        return dict(sequence=s.sequence, seed=s.seed, first=s.starts[0], known=s.sure, end=s.end)

    runs = [
        dict(
            run=run.number,
            files=[archive.path for archive in run.archives],
            sources=[source.path for source in run.sources],
            showers=run.showers(),
            steered=any(source.run is not None for source in run.sources),
            sequences=[interval(s) for s in run.intervals],
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
        unread=production.unread,
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
