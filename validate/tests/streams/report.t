#!/usr/bin/env python3
"""GPURANMAR_REPORT: what the report says is what was drawn, however a program ends; it is there
whole or not at all; and no process writes over another's."""
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from tap import BUILD, finish, ok, skip  # noqa: E402

REPORT = f"{BUILD}/report"


def start(*command, report="r.json", cwd=None, before=None, ends=subprocess.DEVNULL, **settings):
    return subprocess.Popen(
        command,
        cwd=cwd,
        stdin=ends,
        stdout=ends,
        stderr=subprocess.PIPE,
        env={**os.environ, "GPURANMAR_REPORT": report, **settings},
        preexec_fn=before,
    )


def run(*command, **given):
    """Exit status and standard error."""
    process = start(*command, **given)
    return process.communicate()[1].decode(), process.returncode


def load(*path):
    with open(os.path.join(*path), encoding="utf-8") as file:
        return json.load(file)


def fields(report, *names):
    """Those fields of each stream."""
    return [tuple(stream[name] for name in names) for stream in report["streams"]]


def check_streams(here):
    said, status = run(REPORT, "streams", cwd=here)
    report = load(here, "r.json")
    ok(said == "" and status == 0 and report["complete"] is True, "no word, and a report", said)
    found = fields(report, "sequence", "seed", "first", "last", "drawn", "open", "checked")
    wanted = [
        (None, 5, 100, 21, 311, False, 0),
        (None, 6, 0, 3, 3, False, 0),
        (None, 5, 460, 464, 4, True, 0),
    ]
    ok(found == wanted, "streams that move, end and go on", f"{found}, wanted {wanted}")
    asked = fields(report, "flavour", "backend", "instances", "prefetch", "threads")
    ok(asked == [("double", "cpu", 1, 1000, 2)] * 3, "... and what was asked for", asked)
    made = fields(report, "made", "turns", "change_overs")[1]
    ok(
        made == ({"cpu": 1000, "gpu": 0}, [{"from": 0, "by": "cpu"}], 0),
        "the CPU has made them",
        made,
    )
    ok(report["process"]["program"] == os.path.realpath(REPORT), "the program")
    ok(report["library"] == os.path.realpath(REPORT), "the library, which is linked into it")


def check_library(here):
    """A program that was started by a name that is good only in the folder of that moment."""
    os.symlink(REPORT, os.path.join(here, "linked"))
    run("./linked", "sequence", cwd=here)
    found = load(here, "r.json")["library"]
    ok(found == os.path.realpath(REPORT), "the library's name is whole", found)


def check_sequence(here):
    status = run(REPORT, "sequence", cwd=here, GPURANMAR_VERIFY="1")[1]
    found = fields(load(here, "r.json"), "sequence", "seed", "first", "last", "drawn", "checked")
    wanted = [(3, 7, 0, 1500, 1500, 1500)]
    ok(status == 0 and found == wanted, "a window drawn from without a call", found)


def check_change_over(here):
    said = run(REPORT, "change-over", cwd=here)[0]
    report = load(here, "r.json")
    ok(said.count("\n") == 1 and "call 5 fails" in said, "a GPU fails", said)
    ok(
        report["gpu"] == {"devices": "fake", "given_up": "call 5 fails"},
        "the report says so",
        report,
    )
    found = fields(report, "made", "turns", "change_overs", "last")
    turns = [{"from": 0, "by": "gpu"}, {"from": 2000, "by": "cpu"}]
    ok(found == [({"cpu": 2000, "gpu": 2000}, turns, 1, 3500)], "who made what from where", found)


def check_ends(here):
    status = run(REPORT, "streams", "exit", cwd=here)[1]
    ok(status == 3 and len(load(here, "r.json")["streams"]) == 3, "exit() in the middle")
    os.remove(os.path.join(here, "r.json"))
    run(REPORT, "streams", "killed", cwd=here)
    ok(os.listdir(here) == [], "a process that is ended from outside leaves nothing")
    run(REPORT, "streams", "/", cwd=here)
    ok(os.listdir(here) == ["r.json"], "the folder is that of the beginning")
    os.remove(os.path.join(here, "r.json"))
    said, status = run(REPORT, "wrong", cwd=here, GPURANMAR_VERIFY="1")
    failure = load(here, "r.json")["verify_failed"]
    good = status == 1 and failure and failure in said and "position 10: " in failure
    ok(good, "the shadow check's end", f"{failure} {said}")
    if os.path.exists(f"{BUILD}/report_stop"):
        os.remove(os.path.join(here, "r.json"))
        status = run(f"{BUILD}/report_stop", cwd=here)[1]
        found = fields(load(here, "r.json"), "sequence", "seed", "first", "last", "open")
        ok(status == 4 and found == [(2, 54217137, 5, 15, True)], "Fortran's STOP", found)
    os.remove(os.path.join(here, "r.json"))
    run(f"{BUILD}/unload", f"{BUILD}/libgpuranmar.so", cwd=here)
    found = fields(load(here, "r.json"), "drawn", "open")
    ok(found == [(1 << 20, False)], "the library is unloaded", found)


def check_wrong_at_end(here):
    """A wrong number that is found when the program is ending already."""
    with open(os.path.join(here, "output"), "wb") as output:
        said, status = run(REPORT, "wrong-at-end", cwd=here, ends=output, GPURANMAR_VERIFY="1")
    check_end(here, said, status, "position 500: ", "goodbye\n", "C")
    if os.path.exists(f"{BUILD}/report_stop"):
        said, status = run(f"{BUILD}/report_stop", "wrong", cwd=here, GPURANMAR_VERIFY="1")
        check_end(here, said, status, "position 19: ", "all of it\n", "Fortran")


def check_end(here, said, status, where, output, language):
    ok(status == 1 and said.count("\n") == 1 and where in said, f"{language}: wrong at end", said)
    failure = load(here, "r.json")["verify_failed"]
    ok(failure and failure in said, f"{language}: the report says so", failure)
    with open(os.path.join(here, "output"), encoding="utf-8") as file:
        ok(file.read() == output, f"{language}: what the program writes is whole")
    for name in ("r.json", "output"):
        os.remove(os.path.join(here, name))


def check_handler(here):
    """A wrong number is found in a sequence that the program closes when it ends."""
    command = ("timeout", "60", REPORT, "wrong-in-window")
    said, status = run(*command, cwd=here, GPURANMAR_VERIFY="1")
    ok(status == 1 and said.count("\n") == 1 and "position 500: " in said, "closed at end", said)
    os.remove(os.path.join(here, "r.json"))


def check_forks(here):
    """A process with a child, which has one too: each reports what it has done itself."""
    said = run(REPORT, "fork", cwd=here, GPURANMAR_VERIFY="1")[0]
    reports = [load(here, name) for name in os.listdir(here)]
    reports.sort(key=lambda report: report["streams"][-1]["first"])  # parent, child, its child
    found = [fields(report, "first", "last", "drawn", "checked") for report in reports]
    wanted = [[(0, 3, 3, 3), (0, 35, 35, 35)], [(30, 1030, 1000, 1000)], [(1030, 1035, 5, 5)]]
    ok(found == wanted, "each process what it has drawn itself, none for an idle one", found)
    cpu = fields(reports[1], "made", "turns", "change_overs", "open")
    turns = [{"from": 1000, "by": "cpu"}]
    ok(cpu == [({"cpu": 1000, "gpu": 0}, turns, 0, True)], "... and made, after the fork", cpu)
    ok(reports[1]["notes"] == [], "... and noted", reports[1]["notes"])
    origin = [report["process"] for report in reports]
    good = [process["forked_from"] for process in origin[1:]] == [p["pid"] for p in origin[:2]]
    ok(good, "a child names its parent", origin)
    names = sorted(os.listdir(here))
    good = said.count("\n") == 2 and names[0] == "r.json" and all(n in said for n in names[1:])
    ok(good and load(here, "r.json") == reports[0], "lines name the children's", said)
    for name in names:
        os.remove(os.path.join(here, name))
    said = run(REPORT, "fork", cwd=here, report="r.%p.%h.%%")[0]
    names = os.listdir(here)
    pids = {str(load(here, name)["process"]["pid"]) for name in names}
    good = len(pids) == 3 and pids == {name.split(".")[1] for name in names} and said == ""
    ok(good and all(name.endswith(".%") for name in names), "%p, %h and %% in the name", names)


def check_threads(here):
    """Threads draw on while the report is written."""
    said, status = run(REPORT, "threads", cwd=here, GPURANMAR_VERIFY="1")
    streams = [s for s in load(here, "r.json")["streams"] if s["open"]]
    drawn = {(s["sequence"], s["last"] != s["drawn"]): s for s in streams if s["drawn"] > 0}
    good = len(drawn) == 3 and all(s["drawn"] >= 999 for s in drawn.values())
    ok(status == 0 and said == "" and good, "threads draw while it is written", f"{said}{streams}")
    skipping = drawn.get((None, True), {"last": 1, "drawn": 0})
    passed = skipping["last"] - skipping["drawn"]
    ok(passed - 1000000 * skipping["drawn"] in (0, 1000000), "and skip", skipping)


def check_ranks(here):
    """As many processes at once, as under MPI, beside the report of an earlier run."""
    run(REPORT, "sequence", cwd=here)
    before = load(here, "r.json")
    ranks = [start(REPORT, "streams", "wait", cwd=here, ends=subprocess.PIPE) for _ in range(24)]
    for rank in ranks:
        rank.stdout.read(1)
    for rank in ranks:
        rank.stdin.close()
        rank.stdin = None
    said = [rank.communicate()[1].decode() for rank in ranks]
    ok(load(here, "r.json") == before, "an earlier run's report stays")
    os.remove(os.path.join(here, "r.json"))
    reports = [load(here, name) for name in os.listdir(here)]
    pids = sorted(report["process"]["pid"] for report in reports)
    good = pids == sorted(rank.pid for rank in ranks) and all(said)
    ok(good, "24 processes, one name: 24 reports", f"{pids} {os.listdir(here)}")


def check_same_number(here):
    """A later process has the number of an earlier one, as in containers: exec keeps the number."""
    earlier = 'echo earlier >r.json; echo earlier >r.json.$(hostname).$$; exec "$@"'
    said, status = run("sh", "-c", earlier, "sh", REPORT, "streams", cwd=here)
    ours = [name for name in os.listdir(here) if name.endswith(".2")]
    good = status == 0 and len(ours) == 1 and ours[0] in said and load(here, ours[0])["complete"]
    ok(good and len(os.listdir(here)) == 3, "earlier reports of the same number stay", said)


def check_many(here):
    run(REPORT, "many", "fork", cwd=here)
    report = load(here, "r.json")
    found = len(report["streams"]), report["streams_left_out"]
    ok(found == (10001, {"count": 100, "drawn": 200}), "10100 streams are closed", found)
    child = next(name for name in os.listdir(here) if name != "r.json")
    found = load(here, child)
    found = fields(found, "drawn"), found["streams_left_out"]
    ok(found == ([(1,)], {"count": 0, "drawn": 0}), "... of which a child knows none", found)


def limit_files():
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))


def check_failures(here):
    run(REPORT, "sequence", cwd=here)
    before = load(here, "r.json")
    said, status = run(REPORT, "streams", cwd=here, before=limit_files)
    good = status == 0 and said.count("\n") == 1 and "r.json' cannot be written" in said
    ok(good and load(here, "r.json") == before, "a full disk: one line, the old one stays", said)
    ok(os.listdir(here) == ["r.json"], "and nothing is left beside it", os.listdir(here))
    said, status = run(REPORT, "streams", cwd=here, report="no/r")
    good = status == 9 and "GPURANMAR_REPORT: 'no/r' is not a file in" in said
    ok(good, "a name that cannot be is refused before the first number", said)
    limits = resource.RLIMIT_FSIZE, (100, 100)
    status = run(
        REPORT, "streams", cwd=here, report="s.json", before=lambda: resource.setrlimit(*limits)
    )[1]
    good = status == -signal.SIGXFSZ and not os.path.exists(os.path.join(here, "s.json"))
    ok(good, "killed while it writes: no part of the report has the name", status)


def check_links(here):
    """Where link() fails, by strace: for want of links in a file system, or of space."""
    inject = ("strace", "-qq", "-o/dev/null", "-einject=link,linkat:error=EPERM")
    if not shutil.which("strace") or run(*inject, "true")[1]:
        skip("no links", "strace is not found, or may not trace")
        return
    said, status = run(*inject, REPORT, "streams", cwd=here)
    good = said == "" and status == 0 and load(here, "r.json")["complete"]
    ok(
        good and os.listdir(here) == ["r.json"],
        "no links: the report is there, without a word",
        said,
    )
    before = load(here, "r.json")
    said, status = run(*inject, REPORT, "sequence", cwd=here)
    good = said.count("\n") == 1 and "r.json' is taken" in said and load(here, "r.json") == before
    ok(good and len(os.listdir(here)) == 2, "... and never written over an earlier one", said)
    inject += ("-einject=openat:error=ENOSPC", "-P", f"{here}/full.json")
    said, status = run(*inject, REPORT, "streams", cwd=here, report="full.json", LC_ALL="C")
    line = "'full.json' cannot be written: No space left on device; this process has written"
    ok(line.replace("'", f"'{here}/", 1) in said and status == 0, "... a line says why not", said)


def check_locale(here):
    """A program in a locale that has a comma for the decimal point."""
    made = os.path.join(here, "de_DE.UTF-8")
    command = ["localedef", "-i", "de_DE", "-f", "UTF-8", made]
    if not shutil.which("localedef") or subprocess.run(command, check=False).returncode:
        skip("a comma locale", "localedef makes no de_DE.UTF-8 here")
        return
    settings = {"GPURANMAR_VERIFY": "0.5", "LOCPATH": here, "LC_ALL": "de_DE.UTF-8"}
    run(REPORT, "streams", cwd=here, **settings)
    with open(os.path.join(here, "r.json"), encoding="utf-8") as file:
        text = file.read()
    good = '"verify": 0.5,' in text and '"seconds": 0.0' in text and json.loads(text)["complete"]
    ok(good, "a comma locale: the decimal points are points", text)


for check in (
    check_streams,
    check_library,
    check_sequence,
    check_change_over,
    check_ends,
    check_wrong_at_end,
    check_handler,
    check_forks,
    check_threads,
    check_ranks,
    check_failures,
    check_links,
    check_locale,
    check_same_number,
    check_many,
):
    with tempfile.TemporaryDirectory() as scratch:
        check(scratch)
finish()
