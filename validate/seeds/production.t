#!/usr/bin/env python3
"""gpuranmar production: files of every form that CORSIKA writes, made here, with known overlaps;
what headers round, what is damaged, what cannot be known; files with bytes changed at random; and
100 runs of the shower program, some of whose showers are made again."""

import contextlib
import gzip
import io
import itertools
import json
import os
import random
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest.mock

ROOT = os.path.realpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
sys.dont_write_bytecode = True
sys.path[:0] = [os.path.join(ROOT, "validate/tests"), os.path.join(ROOT, "csrc/command")]
from productionlib import audit as audited, corsika_runs as runs  # noqa: E402
from productionlib import files, production_command, sources, statement  # noqa: E402
from tap import BUILD, SEED, finish, ok, skip  # noqa: E402

TOOL = os.path.join(ROOT, "csrc/command/gpuranmar-production")
RND = random.Random(SEED)
print(f"# SEED={SEED}")


# --- Files as CORSIKA writes them ---


def header(name, words, size, order):
    """A sub-block: its name, and {word: value}, counted from 1."""
    values = [float(words.get(i, 0)) for i in range(2, size + 1)]
    return name.encode() + struct.pack(f"{order}{size - 1}f", *values)


def millions_of(position):
    """As an INTEGER of four bytes has them."""
    return struct.unpack("<i", struct.pack("<q", position // 10**6)[:4])[0]


def event_words(run, number, states):
    words = {2: number, 13: len(states), 44: run, 45: 261123}
    for k, (seed, position) in enumerate(states, 1):
        words[11 + 3 * k] = seed
        words[12 + 3 * k] = position % 10**6
        words[13 + 3 * k] = millions_of(position)
    return words


def blocks(run, events, size=273, order="<"):
    """(EventIO's type, sub-block) of a run; events are (number, states)."""
    yield 1200, header("RUNH", {2: run}, size, order)
    for number, states in events:
        yield 1202, header("EVTH", event_words(run, number, states), size, order)
        for _ in range(RND.randrange(30)):
            yield 1204, struct.pack(order + f"{size}f", *[RND.random()] * size)
        yield 1209, header("EVTE", {2: number}, size, order)
    yield 1210, header("RUNE", {2: run, 3: len(events)}, size, order)


def particles(run, events, size=273, order="<", mark="I"):
    data = b"".join(block for _, block in blocks(run, events, size, order))
    record = 21 * 4 * size
    data += bytes(-len(data) % record)
    mark = struct.pack(order + mark, record)
    return b"".join(mark + data[i : i + record] + mark for i in range(0, len(data), record))


def eventio(run, events, order="<", cards=()):
    def item(kind, data):
        return struct.pack(order + "IIII", 0xD41F8A37, kind, 0, len(data)) + data

    count = struct.pack(order + "i", 273)
    lines = b"".join(struct.pack(order + "H", len(x)) + x.encode() for x in cards)
    text = item(1212, struct.pack(order + "i", len(cards)) + lines) if cards else b""
    rows = [item(k, (b"" if k == 1204 else count) + b) for k, b in blocks(run, events, order=order)]
    return rows[0] + text + b"".join(rows[1:])


def zstd(run, events):
    data = particles(run, events)
    return subprocess.run(["zstd", "-qc"], input=data, capture_output=True, check=True).stdout


FORMS = {
    "DAT": particles,
    "DAT.thin": lambda r, e: particles(r, e, 312),
    "DAT.big": lambda r, e: particles(r, e, order=">"),
    "DAT.marks": lambda r, e: particles(r, e, mark="Q"),
    "DAT.gz": lambda r, e: gzip.compress(particles(r, e)),
    "tel": eventio,
    **({"DAT.zst": zstd} if shutil.which("zstd") else {}),
    "tel.big": lambda r, e: eventio(r, e, order=">"),
}


def log(run, begin, end, last=9):
    """What is read of a log, which goes to the end of event `last`. States are a list, or a table
    {sequence: state}."""
    rows = ["DATA CARDS FOR RUN STEERING", "", f"RUNNR {run}"]
    for title, states in (("BEGIN OF RUN :", begin), (f"END OF EVENT :{last:8}", end)):
        rows += ["EXIT", f" AND RANDOM NUMBER GENERATOR AT {title}"]
        table = states if isinstance(states, dict) else dict(enumerate(states, 1))
        for k, (seed, at) in table.items():
            calls = f"CALLS = {at % 10**9:9}  BILLIONS = {at // 10**9:9}"
            rows.append(f" SEQUENCE = {k:2}  SEED = {seed:9}  {calls}")
        rows.append("")
    return "\n".join(rows)


def logs(*texts):
    return {f"{i}.log": text for i, text in enumerate(texts)}


def log_of_conex(run, end7=(681905780, 2931095)):
    """A log whose sequence 7 is started again inside its event, as CONEX does."""
    begin = {1: (100 + run, 1), 2: (200 + run, 0), 7: (300 + run, 1)}
    return log(run, begin, {1: (100 + run, 12345), 2: (200 + run, 4567), 7: end7}, last=1)


def delivered(*segments, process=7, flavour="double", instances=1):
    """The library's lines for segments: sequence or None for a stream, seed, first position,
    position after the last."""
    return "".join(
        f"gpuranmar: delivered: process {process}, {f'sequence {k}' if k else 'stream'}, "
        f"seed {seed}, flavour {flavour}, instances {instances}, prefetch 1024, positions {a} to {b}, "
        f"numbers {b - a}, made by cpu 3 times\n"
        for k, seed, a, b in segments
    )


def cards(run, states, showers=1):
    seeds = [f"SEED {seed} {at % 10**9} {at // 10**9} text" for seed, at in states]
    return "\n".join([f"RUNNR {run}", f"NSHOW {showers}", *seeds, "EXIT", ""])


def put(folder, name, data):
    path = os.path.join(folder, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(data.encode() if isinstance(data, str) else data)
    return path


def run_tool(*arguments):
    return subprocess.run([TOOL, *arguments], capture_output=True, text=True, check=False)


def audit(folder, *options):
    """(exit status, what the JSON has, what was printed, what was complained of); within this
    process, since Python takes longer to start than to answer."""
    out, err, table = io.StringIO(), io.StringIO(), folder + ".json"
    arguments = [TOOL, "audit", "--json", table, *options, folder]
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        with unittest.mock.patch.object(sys, "argv", arguments):
            status = production_command.main()
    with open(table) as file:
        return status, json.load(file), out.getvalue(), err.getvalue()


def replay(*arguments):
    """(exit status, what was said)."""
    done = run_tool("replay", *arguments)
    return done.returncode, done.stdout + done.stderr


def replays(name, status, wanted, *arguments):
    """A replay ends with this status and says what is wanted, a refusal in one line."""
    got, said = replay(*arguments)
    ok(got == status and wanted in said and (status < 2 or said.count("\n") == 1), name, said)


@contextlib.contextmanager
def new_folder():
    """The name of a new folder in another one, which is removed at the end."""
    with tempfile.TemporaryDirectory() as place:
        yield os.path.join(place, "p")


# --- Overlaps, counted by other means ---


def drawn_at_random():
    """A run: its events' states of three sequences, and the states at its end."""
    at = [(RND.choice((7, 1234567, 16777215)), RND.randrange(2 * 10**6)) for _ in range(3)]
    events = []
    for number in range(1, RND.randrange(2, 5)):
        events.append((number, tuple(at)))
        at = [(seed, position + RND.randrange(1, 10**5)) for seed, position in at]
    return events, tuple(at)


def expected(production):
    """{(run, sequence), (run, sequence)} that overlap: numbers, and the events of both."""
    table = {}  # {(run, sequence): [(seed, first, end, event)]}
    for run, (events, last) in production.items():
        numbers, states = zip(*events)
        for k in range(3):
            ends = [state[k][1] for state in (*states[1:], last)]
            table[run, k + 1] = [(*s[k], end, n) for s, end, n in zip(states, ends, numbers)]
    found = {}
    for a, b in itertools.combinations(sorted(table), 2):
        both = [
            (min(x[2], y[2]) - max(x[1], y[1]), x[3], y[3])
            for x, y in itertools.product(table[a], table[b])
            if x[0] == y[0] and max(x[1], y[1]) < min(x[2], y[2])
        ]
        if both:
            numbers, first, second = zip(*both)
            found[a, b] = sum(numbers), sorted(set(first)), sorted(set(second))
    return found


def check_overlaps():
    production = {run: drawn_at_random() for run in range(1, 41)}
    with new_folder() as folder:
        for run, (events, end) in production.items():
            form = "DAT" if run == 39 else RND.choice(list(FORMS))
            if run < 40:
                put(folder, f"{run}/{form}", FORMS[form](run, events))
            else:  # in one file with the run before
                with open(put(folder, "39/DAT", particles(39, production[39][0])), "ab") as file:
                    file.write(particles(run, events))
            if run % 2:
                put(folder, f"{run}/CER", particles(run, events))
            put(folder, f"logs/{run}", log(run, events[0][1], end))
        status, found, _, said = audit(folder)
    got = {}
    run_of = lambda of: found["runs"][of["run"]]["run"]
    for pair in found["shared"]:
        if pair["kind"] in ("overlap", "identical"):
            sides = [((run_of(of), of["sequence"]), of["events"]) for of in pair["of"]]
            (a, first), (b, second) = sorted(sides)
            got[a, b] = pair["numbers"], first, second
    want = expected(production)
    ok(status == 1 and not said, "files of every form, with logs: one is in common", said)
    ok(len(found["runs"]) == 40, "... two files of a run are one run", len(found["runs"]))
    wrong = [k for k in set(want) | set(got) if want.get(k) != got.get(k)]
    detail = [f"{k}: {want.get(k)}, found {got.get(k)}" for k in wrong[:9]]
    ok(not wrong, f"... the {len(want)} overlaps, their numbers and events", "\n".join(detail))
    ok(not found["unknown"], "... nothing is unknown", found["unknown"])
    ok(all(pair["sure"] and pair["exact"] for pair in found["shared"]), "... all is sure")


def one(*runs_of, beside=(), most="1e12"):
    """Audits runs [(number, events)] in DAT files, with files {name: text} beside them."""
    with new_folder() as folder:
        for i, (run, events) in enumerate(runs_of):
            put(folder, f"{i}/DAT", particles(run, events))
        for name, text in dict(beside).items():
            put(folder, name, text)
        return audit(folder, "--most", most)


class Answer:
    """What an audit said, in short: lists have an item for each pair."""

    def __init__(self, status, found, text, said):
        self.status, self.says, self.complains = status, text, said
        self.read, self.runs = found["read"], len(found["runs"])
        self.unknown = {row["what"]: row["count"] for row in found["unknown"]}
        self.files = {
            row["what"]: " ".join(map(os.path.basename, row["files"])) for row in found["unknown"]
        }
        self.touched = found["touched"]
        pairs = found["shared"]
        self.kinds = [pair["kind"] for pair in pairs]
        self.sure = [(pair["sure"], pair["exact"]) for pair in pairs]
        self.numbers = [(pair["from"], pair["to"], pair["numbers"]) for pair in pairs]
        self.events = [
            sorted(((found["runs"][of["run"]]["run"], of["events"]) for of in pair["of"]), key=str)
            for pair in pairs
        ]
        sequences = [s for run in found["runs"] for s in run["sequences"]]
        self.sequences = [(s["sequence"], s["seed"], s["first"], s["end"]) for s in sequences]


def compare(name, answer, **wanted):
    """Compares what an audit said: a text has what is wanted in it, a table has it too, anything
    else is equal to it."""
    answer = Answer(*answer)
    wrong = []
    for what, value in wanted.items():
        got = getattr(answer, what)
        if isinstance(got, dict) and value:
            good = value.items() <= got.items()
        else:
            good = value in got if isinstance(got, str) and value else value == got
        if not good:
            wrong.append(f"{what}: {got}, wanted {value}")
    ok(not wrong, name, "\n".join(wrong))


def expect(name, runs_of, beside=(), most="1e12", **wanted):
    """Audits these runs, with files beside them, and compares what is said."""
    compare(name, one(*runs_of, beside=beside, most=most), **wanted)


def headers(run, *states):
    """A run, of states at the beginning of its events 1, 2, ..."""
    return run, list(enumerate(states, 1))


def check_unknown():
    """What headers round, and ends that are nowhere."""
    tied = headers(1, [(169, 0)]), headers(2, [(1184, 0)])
    ends = "\n  ends of last events: 2: "
    expect("seeds tied by bits", tied, status=1, kinds=["bits"], sure=[(True, False)], says=ends)
    low = [delivered((1, seed, 10**6, 10**7)) for seed in (54217137, 879516807)]
    expect("... seeds that share their lowest bits alone", [], logs(*low), runs=2, kinds=[])
    moved = delivered((1, 54217137, 0, 1)), delivered((1, 245729350, 0, 9))
    expect("... by words, one further on", [], logs(*moved), kinds=["words"], sure=[(True, True)])
    apart = headers(1, [(5, 0)]), headers(2, [(5, 10**7)])
    expect("--most bounds an event whose end is unknown", apart, most="1e7", status=0)
    expect("... by default it may reach another", apart, status=1, sure=[(False, False)])
    twice = headers(1, [(5, 9)]), headers(2, [(5, 9)])
    expect("one state twice is sure, its end is not", twice, sure=[(True, False)])

    seeds = {1: 899999999, 2: 899999998}  # one word of a header stands for both
    rounded = [headers(run, [(seed, 0)]) for run, seed in seeds.items()]
    unknown = {runs.ROUNDED % "seeds": 2}
    expect("large seeds: headers alone do not tell", rounded, status=1, unknown=unknown)
    beside = {f"{run}.inp": cards(run, [(seed, 0)]) for run, seed in seeds.items()}
    told = [(1, seed, 0, 10**12) for seed in seeds.values()]
    expect("... their cards do", rounded, beside, runs=2, read={"cards": 2}, sequences=told)
    changed = [headers(1, [(seeds[1], 0)], [(8 * 10**8 + 1, 0)])]
    one_card, one_unknown = {"1.inp": cards(1, [(seeds[1], 0)], 2)}, {runs.ROUNDED % "seeds": 1}
    expect("... but not a later event's", changed, one_card, unknown=one_unknown)
    beside["2.inp"] = cards(2, [(3, 0)])
    expect("... those of another run are a run", rounded, beside, runs=3)
    first_of = {run: [(seed, 0)] for run, seed in seeds.items()}
    inside = [eventio(r, [(1, s)], cards=cards(r, s).split("\n")) for r, s in first_of.items()]
    for name, contents in ("files", inside), ("file of two runs", [b"".join(inside)]):
        beside = {str(i): data for i, data in enumerate(contents)}
        expect(f"... and cards in EventIO {name}", [], beside, sequences=told)

    far = 18 * 10**12 + 10**6 * 5 + 77  # a header has its millions rounded
    run, card = headers(1, [(5, far)], [(5, far + 3 * 10**6)]), cards(1, [(5, far)], 2)
    _, found, _, _ = answer = one(run, beside={"1.inp": card})
    unknown = {runs.ROUNDED % "positions": 1}
    compare("a position above 1.7e13: of the next event it is unknown", answer, unknown=unknown)
    first = found["runs"][0]["sequences"][0]["first"]
    ok(first == far, "... of the first event the card tells it", (first, far))
    wrong = ""
    for _ in range(500):
        lowest = RND.randrange(10 ** RND.randrange(6, 19))
        position = lowest + RND.randrange(10**12)
        words = files.as_word(5), position % 10**6, files.as_word(millions_of(position))
        low, high = runs.positions_of(*words[1:], lowest)
        wrong = wrong if sources.words_of(5, position) == words else f"words of {position}"
        wrong = wrong if low <= position <= high else f"{position}, from {lowest} on: {low}..{high}"
        power = 2 ** RND.randrange(1, 50)
        number = RND.choice([power, RND.randrange(power)])
        word = files.as_word(number)
        low, high = files.meanings(word)
        stands = [files.as_word(n) == word for n in (low - 1, low, number, high, high + 1)]
        wrong = wrong if stands == [False, True, True, True, False] else f"{number}: {low}..{high}"
    ok(not wrong, "what a word of a header stands for", wrong)


def check_lost():
    """What is easily lost: files cut short, under other names, and events that drew nothing."""
    first = [(n, [(5, 1000 * n)]) for n in (1, 2, 3)]
    with new_folder() as folder:
        put(folder, "a/DAT", particles(1, first[:1]))
        put(folder, "a/tel", eventio(1, first))
        far = os.path.dirname(put(folder, "../far/DAT", particles(2, [(1, [(5, 2500)])])))
        os.symlink(far, f"{folder}/linked")
        os.symlink(folder, f"{far}/loop")
        os.symlink("tel", f"{folder}/a/latest")
        os.mkfifo(f"{folder}/fifo")
        put(folder, "plan", "* job 1\n" + cards(1, [(5, 0)]) + "* job 2\n" + cards(2, [(5, 9)]))
        text = log(2, [(5, 2500)], [(5, 9999)])
        put(folder, os.fsdecode(b"log\xff.gz"), gzip.compress(text.encode()))
        name = "a cut file beside a whole one, links, a pipe, a compressed log with any name"
        answer, events = audit(folder, "--most", "1000"), [[(1, [2, 3]), (2, [1])]]
        said = "/fifo: neither a file nor a folder\n"
        compare(name, answer, status=1, runs=2, events=events, complains=said, read={"log": 1})

    states = [[(5, 0), (6, 0)], [(5, 100), (6, 1)], [(5, 100), (6, 2)]]
    runs_of = headers(1, *states), headers(2, [(5, 50)])
    ends = {"1.log": log(1, states[0], [(5, 200), (6, 3)])}
    ends["2.log"] = log(2, [(5, 50)], [(5, 150)])
    events = [[(1, [1, 3]), (2, [1])]]
    expect("an event that drew nothing shares nothing", runs_of, ends, events=events)
    ends["1.log"] = log(1, states[0], states[1], last=2)
    expect("a log cut short does not tell the end", runs_of, ends, unknown={runs.ENDS: 2})

    run = [headers(1, [(5, 0)])]
    prose = {"inp": "SEED 5,0,0\nSEED which is no card\n"}
    expect("a line of prose that begins with SEED is no card", run, prose, complains="")
    for card in "SEED 5. 0 0", "SEED 5 0 1E3", "SEED -5 0 0":
        beside, complains = {"inp": f"SEED 1 0 0\n{card}\nEXIT\n"}, f"/inp: card '{card}': not SEED"
        expect(f"{card} is refused", run, beside, complains=complains)
    beside = {"inp": cards(2, [(7, 0)], 10**8), "log": log(3, [(5, 0)], [(5, 10**30)])}
    expect("positions above 2^63 do not end the audit", run, beside, status=3, runs=2)


def check_all_clear():
    """What gave an all-clear that was false."""
    again, events = [headers(1, [(5, 0), (6, 0)], [(5, 0), (6, 0)])], [[(1, [1]), (1, [2])]] * 2
    expect("two events that begin alike", again, most="1000", status=1, events=events)
    end = log(1, [], [(5, 300)], last=2).split("EXIT\n")[2]
    begin = end.replace("END OF EVENT", "BEGIN OF EVENT").replace("=       300", "= 200")
    other = log(3, [(11, 0), (23, 0)], [(11, 500), (23, 500)])
    first = log(1, [(11, 0), (21, 0)], [(11, 500), (21, 500)])
    second = log(2, [(12, 0), (22, 0)], [(12, 500), (22, 500)])
    start = "gpuranmar: process 7, sequence 1: seed 11, position 0, double, 1 instance(s)\n"
    ended = start + delivered((1, 11, 0, 50))
    process_8 = delivered((1, 12, 0, 50), process=8)
    lacking = [log(n, [(n, 0), (21, 0)], [(n, 500), (21, 500)]) for n in (1, 2)]
    lacking = [text + delivered((1, n, 0, 500)) for n, text in enumerate(lacking, 1)]
    at = first.index("SEED =        21") - 3  # amidst the state at the beginning of the run
    short = log(1, [], [], last=1).split("EXIT")[0] + "SEED 11 0 0\nSEED 23 0 0\n"
    short += first[first.index("EXIT") : at]
    apart = other.replace("SEED =        11", "SEED =        12")
    stream = "DATA CARDS FOR RUN STEERING\nRUNNR 5\n", delivered((None, 3, 0, 50))
    killed, alone = {sources.KILLED: 1}, {runs.CARDS_ALONE: 1}
    cut = {"lines of the library that are cut": 1}
    for name, texts, status, unknown in (
        ("second begins before end", [log(1, [(5, 0)], [(5, 500)], 1) + begin + end], 1, None),
        ("a file with the logs of two runs", [first + second, other], 1, None),
        ("lines of the library that lack a sequence", lacking, 1, None),
        ("a killed process beside another", [start + process_8], 0, {runs.ENDS: 1}),
        ("a process that ended", [ended], 0, {}),
        ("... that was killed after another start", [ended + start], 3, killed),
        ("a line cut in its first word", [ended + "gpuranmar: deli"], 3, cut),
        ("a line cut further on", [ended + "gpuranmar: delivered: pro"], 3, cut),
        ("lines that end as Windows ends them", [ended.replace("\n", "\r\n"), other], 1, {}),
        ("a log without states beside one of a stream", stream, 3, alone),
        ("numbers of earlier requests", [ended.replace("cpu 3 times", "earlier requests")], 0, {}),
        ("a mark of UTF-8", [b"\xef\xbb\xbfSEED 11 0 0\nSEED 24 0 0\n", other], 1, None),
        ("a log cut short", [short, apart], 1, None),
        ("... in its cards", [first[:40], other], 3, alone),
    ):
        wanted = {} if unknown is None else {"unknown": unknown}
        expect(name, [], logs(*texts), status=status, **wanted)
    with new_folder() as folder:
        path, sources.MOST = put(folder, "long", delivered((1, 5, 0, 9)) * 99), 9999
        damaged = runs.Production([path], 1, str).damaged
        ok(damaged, "a log that is too long to be read is named", damaged)
        sources.MOST = 1 << 28
    many = dict(damaged=[], unread=0, unknown={}, shared=[], pairs=1)
    ok(statement.open_questions(many), "pairs that were not looked at are open", many)

    data, words = particles(1, [(1, [(5, 0)])]), event_words(1, 1, [(5, 0)])
    proton, iron = (header("EVTH", {**words, 3: p}, 273, "<") for p in (0, 5626))
    beside = {"a/DAT000001": data, "b/CER000001": data.replace(proton, iron)}
    expect("DAT and CER of two primaries are two runs", [], beside, status=1, runs=2)


def check_started_again():
    """Sequences that are started again inside events, and what the library's lines tell of them."""
    again, two = runs.STARTED_AGAIN, logs(log_of_conex(1), log_of_conex(2))
    name, last = "sequence 7 of two logs ends on one seed: shared", [(0, 2931094, 2931095)]
    expect(name, [], two, status=1, numbers=last, sure=[(True, True)], unknown={again: 2})
    two = logs(log_of_conex(1), log_of_conex(2, (681905781, 7)))
    says = "in common, or tied ones, as far as these files tell."
    expect("... on two seeds: nothing is shared", [], two, status=3, says=says)
    for seed, other in ((999134848, 56695870), (2**31 - 1, (2**31 - 1) % 942438978)):
        two = logs(log_of_conex(1, (seed, 9)), log_of_conex(2, (other, 9)))
        name = f"seed {seed} of a log has the numbers of {other}"
        expect(name, [], two, status=1, kinds=["identical"], complains="")
    two = logs(log_of_conex(1, (-5, 9)), log_of_conex(2))
    expect("... a seed below 0 is named", [], two, status=3, complains="sequence 7: seed -5 at")

    of_runs = headers(1, [(5, 0)], [(7, 100)]), headers(2, [(7, 10)])
    _, found, _, _ = one(*of_runs, most="50")
    got = [(p["numbers"], [of["events"] for of in p["of"]]) for p in found["shared"]]
    name = "a header with another seed: its numbers from 0 on are event 1's"
    ok((50, [[1], [1]]) in got, name, got)
    run = headers(1, [(5, 0), (9, 0)], [(5, 50), (7, 100)])
    lines = ((2, 9, 0, 5), (2, 8, 3, 4), (2, 7, 20, 130), (1, 5, 0, 90), (1, 11, 6, 9))
    beside = {"log": delivered(*lines), "x": cards(3, [(11, 8)]), "y": cards(4, [(8, 2)])}
    beside["z"] = cards(5, [(7, 30)])
    _, found, _, _ = answer = one(run, beside=beside, most="2")
    got = next(run["sequences"] for run in found["runs"] if run["run"] == 1)
    got = sorted((s["sequence"], s["seed"], s["first"], s["end"]) for s in got)
    ok(got == sorted(lines), "the library's lines tell every segment of a run", got)
    events = sorted(pair[0][1] for pair in Answer(*answer).events)
    ok(events == [[1], [1], [2]], "... and the audit its numbers and events", found["shared"])
    ok(again not in found["unknown"], "... so that nothing is unknown of it", found["unknown"])
    beside["log"] = delivered(*lines[:3])
    expect("... lines of a killed process do not", [run], beside, unknown={again: 1})

    # Processes of containers may all have one number.
    first = "gpuranmar: libgpuranmar 1.0.0, back end cpu\n"
    start = "gpuranmar: process 7, sequence 1: "
    two, lines = [headers(1, [(5, 0)]), headers(2, [(6, 0)])], [(1, 5, 0, 9), (1, 6, 0, 9)]
    one_line, other_line = map(delivered, lines)
    amidst = one_line + "EVE" + delivered(lines[1], process=8) + "NT 3\n"
    alike = first + one_line + first + other_line
    for name, text in ("amidst lines", amidst), ("of one number", alike):
        expect(f"two processes, {name}", two, {"log": text}, sequences=lines, unknown={})
    text = f"{first}{start}seed 5, position 0,\n{first}{start}seed 6, position 0,\n{other_line}"
    expect("... of which one was killed", [], logs(text), status=0, unknown={runs.ENDS: 1})


def check_statuses():
    """What a file leaves unknown has a sentence, and the exit status 3 where nothing is shared."""
    whole = headers(1, [(5, 0)]), headers(2, [(7, 0)])
    ends = {f"{run}.log": log(run, e[0][1], [(e[0][1][0][0], 9)]) for run, e in whole}
    clear, alone = "common, or tied ones.\n", f"{runs.CARDS_ALONE}: 1"
    more = log(2, [(7, 0), (8, 0)], [(7, 9), (8, 9)])
    plan = lambda *at: {f"{a}": f"* Segments of 9 numbers\n{cards(a, [(5, a)])}" for a in at}
    comment = cards(1, [(5, 0)]).replace("SEED", "      SEED")
    not_audited = "several instances or another flavour, not audited: 1"
    engine = "gpuranmar: RANMAR: an engine of flavour single starts from seed 1"
    for name, of_runs, beside, status, sentence in (
        ("all is known", whole, ends, 0, clear),
        ("ends", whole, {}, 0, "ends of last events: 2"),
        ("cards alone", [], {"x": cards(1, [(5, 0)])}, 3, alone),
        ("cards of a plan", [], plan(0, 9), 3, "ones, as far as these files tell"),
        ("... that overlap", [], plan(0, 8), 1, "overlap (perhaps): "),
        ("no seeds", whole, {**ends, "x": "RUNNR 3\nMSEED 7 0 0\nEXIT\n"}, 3, alone),
        ("no seeds, of a run", whole, {**ends, "x": "RUNNR 2\nEXIT\n"}, 0, clear),
        ("cards without run and seeds", [], {"x": "PRMPAR 14\nEXIT\n"}, 3, alone),
        ("a comment", [], {"x": comment}, 3, "0 seeds"),
        ("UTF-16", whole, {"x": log(3, [(5, 0)], [(5, 8)]).encode("utf-16")}, 1, "overlap: "),
        ("a sequence that headers lack", whole, {**ends, "2.log": more}, 3, runs.CONTRADICT),
        ("damaged", whole, {**ends, "DAT000001": "cut"}, 3, "no output of CORSIKA"),
        ("MULTITHIN", [headers(1, [(5 + k, 0) for k in range(11)])], {}, 3, f"{runs.MULTITHIN}: 1"),
        ("a seed", [headers(1, [(899999999, 0)])], {}, 3, runs.ROUNDED % "seeds" + ": 1"),
        ("a position", [headers(1, [(5, 18 * 10**12)])], {}, 3, runs.ROUNDED % "positions"),
        ("two logs", whole, {**ends, "x": log(1, [(5, 0)], [(5, 8)])}, 3, f"{runs.CONTRADICT}: "),
        ("instances", whole, {"x": delivered((1, 5, 0, 9), instances=2)}, 3, not_audited),
        ("a flavour", whole, {"x": delivered((1, 5, 0, 9), flavour="keyed")}, 3, not_audited),
        ("a stream", whole, {"x": delivered((None, 5, 0, 400))}, 3, not_audited),
        ("a cut line", whole, {"x": delivered((1, 5, 0, 9))[:-5]}, 3, "lines of the library"),
        ("an engine", whole, {"x": engine}, 3, "engines"),
    ):
        expect(f"status {status}: {name}", of_runs, beside, status=status, says=sentence)


def planned(job, at=0):
    """The states of two sequences of a job, after `at` numbers, by a plan of segments of 10^6."""
    return [(5, 5001 + at + (2 * job + k) * 1000001) for k in (-2, -1)]


def planned_card(job, energy=100, numbers=10**6):
    first = f"* Segments of {numbers} numbers, end to end\nERANGE {energy} {energy}\n"
    return first + cards(job, planned(job), 2)


def planned_log(job, end=900):
    card = planned_card(job).replace("EXIT", f"DIRECT {job}/\nEXIT")
    text = log(job, planned(job), planned(job, end), last=2)
    return text.replace(f"\nRUNNR {job}\nEXIT", "\n" + card, 1)


def check_killed():
    """What a killed or running job of a plan leaves, beside two jobs that ended, against what is
    shared in truth."""
    events = {job: [(1, planned(job)), (2, planned(job, 400))] for job in (1, 2, 3)}
    whole, data = (1, events[1]), particles(2, events[2])
    card, text = planned_card(2), planned_log(2)
    other = {f"{job}.log": planned_log(job) for job in (1, 3)}
    two = whole, (3, events[3])
    at = text.index("END OF EVENT")
    parts = {"begun": text[:at], "amidst": text[: text.rindex(" BILLIONS") - 4]}
    parts["cards"] = text[: text.index("SEED") + 9]
    start = "gpuranmar: libgpuranmar 1.0.0, back end cpu\n" + "".join(
        f"gpuranmar: process 8, sequence {k}: seed {seed}, position {at}, double\n"
        for k, (seed, at) in enumerate(planned(2), 1)
    )
    end = [(k, seed, at, at + 900) for k, (seed, at) in enumerate(planned(2), 1)]
    ended = start.replace("process 8", "process 9") + delivered(*end, process=9)
    again = start + start[start.index("\n") + 1 :].replace("seed 5", "seed 6")
    beyond = start.replace("position ", "position 9")
    short = particles(2, events[2][:1]) + data[:99]
    twice, clear = "\nWhat is there more than once:\n  shower ", "tied ones.\n"
    lone, ends, killed = {runs.CARDS_ALONE: 1}, {runs.ENDS: 2}, {sources.KILLED: 1}
    cut, appended, far = {runs.ENDS: 1}, "3 runs, 6 showers", planned_log(2, 10**6 + 9)
    asked = "none that a card asks for is missing"
    for name, beside, status, says, unknown, file in (
        ("no file", {"inp": card}, 3, "tell", lone, "inp"),
        ("an empty log", {"inp": card, "log": ""}, 3, "tell", lone, "inp"),
        ("an empty file", {"inp": card, "DAT000002": ""}, 3, "DAT000002: it is empty", lone, ""),
        ("a block cut in two", {"inp": card, "DAT": data[:-9]}, 3, "DAT: cut", ends, ""),
        ("headers alone", {"DAT": data}, 0, clear, ends, "DAT"),
        ("... and the card", {"inp": card, "DAT": data}, 0, asked, ends, "DAT"),
        ("a log cut in an event", {"log": parts["begun"]}, 0, clear, ends, "log"),
        ("... in a number", {"log": parts["amidst"]}, 0, clear, cut, "log"),
        ("... in its cards", {"log": parts["cards"]}, 3, "tell", lone, "log"),
        ("... and a card", {"log": parts["cards"], "inp": card}, 3, "tell", lone, ""),
        *(
            (f"logs {how}, {part}", beside, 0, appended, {}, "")
            for part, cut_log in parts.items()
            for how, beside in (
                ("appended", {"log": cut_log + text}),
                ("in two files", {"a/log": cut_log, "log": text}),
            )
        ),
        ("whole logs in two files", {"a/log": text, "log": text}, 1, "2 of them sure", {}, ""),
        ("the library's lines", {"log": start}, 0, "3 runs", ends, "log"),
        ("... and a card", {"log": start, "inp": card}, 0, appended, ends, "log"),
        ("... and another attempt", {"log": start, "x": ended}, 0, clear, {}, ""),
        ("... in the same log", {"log": start + ended, "inp": card}, 0, appended, {}, ""),
        ("... and the file", {"a/log": start, "DAT": data, "b/log": ended}, 0, clear, {}, ""),
        ("... with seeds of its own", {"log": again, "x": ended}, 3, "tell", killed, "log"),
        ("... from elsewhere", {"log": beyond, "x": ended}, 0, "4 runs", ends, "log"),
        ("files in two folders", {"a/DAT": data, "b/DAT": data}, 1, twice + "1-2: ", ends, ""),
        ("... one is cut", {"a/DAT": short, "DAT": data}, 1, twice + "1: ", ends, ""),
        ("a shower is missing", {"DAT": short, "inp": card}, 3, "shower 2 of run 2: ", ends, ""),
        ("other cards", {"x": card, "y": planned_card(2, 200)}, 1, "4 runs", {runs.ENDS: 4}, ""),
        ("a job number twice", {"x": particles(4, events[3])}, 1, "2 of them sure", ends, ""),
        ("more than the plan", {"log": far}, 1, "2 of them sure", {runs.PAST: 2}, ""),
    ):
        wanted = dict(status=status, says=says, unknown=unknown)
        wanted.update({"files": {what: file for what in unknown}} if file else {})
        expect(f"a killed job: {name}", two, {**other, **beside}, **wanted)


def check_damage():
    run = headers(3, [(5, 0)])
    data = particles(3, drawn_at_random()[0])
    status, found, _, said = one(run, beside={"cut": data[: len(data) - 1]})
    good = said.count("\n") == 1 and "/cut: cut short at byte" in said
    good = good and status in (1, 3) and len(found["damaged"]) == 1
    ok(good, "a cut file: one line, and the others are audited", said)
    for word, offset, value, line in (
        ("EVTH", 12, float("nan"), "event 1 has nan random sequences; its 0 events are counted"),
        ("RUNE", 2, 1e30, "run 4 has lost events, and has only 1 left"),
    ):
        bad = bytearray(particles(4, [(1, [(6, 0)])]))
        at = bad.index(word.encode()) + 4 * offset
        bad[at : at + 4] = struct.pack("<f", value)
        _, found, _, said = one(run, beside={"bad": bytes(bad)})
        good = said.count("\n") == 1 and line in said and len(found["runs"]) == 1 + (word == "RUNE")
        ok(good, f"a wrong word in {word}: one line, and the others are audited", said)
    beside = {"log": log(3, [(5, 0)], [(5, 9)]).replace("=  1 ", f"= {10**20} ")}
    beside["odd"] = delivered((1, 5, 2**64, 2**64 + 1))
    beside["odd2"], beside["odd3"] = delivered((1, 5, 0, 2**64)), delivered((1, 5, 7, 7))
    _, _, _, said = answer = one(run, beside=beside)
    compare("logs that are none: the others are audited", answer, status=3, runs=1)
    ok(said.count("\n") == 4, "... one line each", said)
    nothing = "There is nothing to audit."
    expect("nothing there", [], {"text": "hello"}, status=2, says=nothing)

    wrong = ""
    with new_folder() as folder:
        good = [particles(1, [(1, [(5, 0)]), (2, [(5, 9)])]), eventio(1, [(1, [(5, 0)])])]
        good += [gzip.compress(good[0]), log(1, [(5, 0)], [(5, 9)]).encode()]
        good += [cards(1, [(5, 0)]).encode(), delivered((1, 5, 0, 77)).encode()]
        for _ in range(200):
            data = bytearray(RND.choice(good))
            for _ in range(RND.randrange(1, 4)):
                at = RND.choice((RND.randrange(len(data)), RND.randrange(min(len(data), 200))))
                data[at] = RND.randrange(256)
            data = data[: RND.choice((len(data), RND.randrange(len(data))))]
            path = put(folder, "x", bytes(data))
            try:
                production = runs.Production([path], 10**6, str)
                statement.text({**audited.findings(production), **VERSION})
            except Exception as error:  # pylint: disable=broad-except
                wrong = wrong or f"{error!r} of {bytes(data[:200])!r}"
    ok(not wrong, "200 files with bytes changed at random: no traceback", wrong)


VERSION = {"version": "", "date": ""}


def check_many():
    """More files than one process reads, an audit that is interrupted, and its progress."""
    count = runs.FEW + 99
    with new_folder() as folder:
        for job in range(1, count + 1):
            put(folder, f"{job}.inp", planned_card(job))
        put(folder, "x.inp", planned_card(7, 200))
        terminal, end = os.openpty()
        how = dict(stdout=subprocess.PIPE, stderr=end, text=True, check=False)
        done = subprocess.run([TOOL, "audit", folder], **how)
        shown = os.read(terminal, 1 << 16).decode()
        os.close(terminal), os.close(end)
        says = f"Files: {count + 1} cards;", f"{count + 1} runs, ", "\n  identical: "
        good = done.returncode == 1 and all(text in done.stdout for text in says)
        good = good and "more:" not in done.stdout
        ok(good, "many files, by several processes", done.stdout)
        progress = f"] {count + 1} of {count + 1} files"
        ok(progress in shown, "... their progress on a terminal", shown)

        def interrupt(read, total):
            if read == 300:
                raise KeyboardInterrupt

        production = runs.Production([folder], 10**6, str, interrupt)
        found = {**audited.findings(production), **VERSION}
        text = statement.text(found)
        ok(f"Interrupted: {count - 299} files not read.\n" in text, "... interrupted", text)
        ok(f"\n300 runs, " in text, "... what had been read is audited", text)
        found["unknown"] = []
        ok(statement.open_questions(found), "... and nothing is certain", text)


def check_tables():
    """The lines for pandas on the pages, read by the first Python here that has it."""
    program = "import json, pandas\nFILE = 'pairs.json'\n"
    for page in "examples/production/README.md", "docs/seeds.md":
        with open(os.path.join(ROOT, page)) as file:
            line = re.search(r"pandas\.\w+\(json[^`\n]*\)", file.read())[0]
        program += f"t = {line}\nprint(len(t), *t.columns[:3])\n"
    with new_folder() as folder:
        for job in 1, 2, 3:
            put(folder, f"cards/{job}", planned_card(job))
        run_tool("audit", "--json", f"{folder}/audit.json", f"{folder}/cards")
        pairs = [f"{BUILD}/gpuranmar", "seeds", "audit", "--json", f"{folder}/pairs.json"]
        subprocess.run([*pairs, "169", "1184", "169"], capture_output=True, check=False)
        how = dict(cwd=folder, capture_output=True, text=True, check=False)
        for python in sys.executable, "/usr/bin/python3":
            if subprocess.run([python, "-c", "import pandas"], **how).returncode == 0:
                done = subprocess.run([python, "-c", program], **how)
                said = "6 sequence seed first\n2 first_seed first_position first_file\n"
                ok(done.stdout == said, "pandas reads tables", done.stdout + done.stderr)
                return
    skip("pandas reads tables", "pandas is not found")


# --- The shower program ---


def shower_cards(run, folder):
    return f"RUNNR {run}\nNSHOW 3\nPRMPAR 14\nERANGE 30. 100.\nCERENK 100.\nDIRECT {folder}/\n"


def check_production():
    """The production of docs/productions.md: planned, made, audited, one shower made again."""
    program = f"{BUILD}/shower-relinked"
    if not os.path.exists(program):
        skip("a production of 100 runs", "the shower program is not built")
        return
    with new_folder() as folder:
        plan = [f"{BUILD}/gpuranmar", "seeds", "plan", "--jobs", "100", "--sequences", "3"]
        plan += ["--numbers", "1e9", "--as", "cards"]
        seeds = subprocess.run(plan, capture_output=True, text=True, check=True).stdout
        environment = {**os.environ, "GPURANMAR_VERBOSE": "1"}
        for run, job in enumerate(seeds.split("* job ")[1:], 1):
            text = shower_cards(run, f"{folder}/{run}") + f"* job {job}EXIT\n"
            put(folder, f"{run}/cards", text)
            run_it = dict(input=text, text=True, stderr=subprocess.STDOUT, env=environment)
            put(folder, f"{run}/log", subprocess.check_output([program], **run_it))
        status, found, text, said = audit(folder)
        ok(status == 0 and not said, "100 runs from a plan have nothing in common", text + said)
        known = sum(run["showers"] for run in found["runs"]) == 300 and not found["unknown"]
        ok(known, "... all 300 showers are known to the last number", found["unknown"])
        run, event = RND.randrange(1, 101), RND.randrange(1, 4)
        path, card = f"{folder}/{run}/DAT{run:06}", f"{folder}/{run}/cards"
        name, same = f"shower {event} of run {run} again", f"event {run}:{event}: same, "
        replays(name, 0, same, path, f"{run}:{event}", "--card", card, "--run", program)
        data = bytearray(open(path, "rb").read())
        data[data.rindex(b"EVTE") + 8] ^= 1
        put(folder, f"{run}/DAT{run:06}", bytes(data))
        name, word = "... one bit of it that was changed is named", "(EVTE), word 3: "
        replays(name, 1, word, path, f"{run}:3", "--card", card, "--run", program)
        shutil.copytree(f"{folder}/7", f"{folder}/again")
        answer = audit(folder)
        says = f"shower 1-3: {folder}/7/DAT000007, {folder}/again/DAT000007\n"
        compare("a run that is there twice", answer, status=1, kinds=[], runs=100, says=says)


def check_cards():
    with new_folder() as folder:
        states = [(899999999, 0), (5, 18 * 10**12)]
        later = [(899999999, 9), (5, 18 * 10**12 + 10**6)]
        path = put(folder, "DAT", particles(1, [(1, states), (2, later)]))
        tel = put(folder, "tel", eventio(1, [(1, states)], cards=cards(1, states).split("\n")))
        card = put(folder, "card", cards(1, states, 2))
        other = put(folder, "other", cards(1, [(899999999, 1)]))
        want = "EVTNR 1\nNSHOW 1\nSEED 899999999 0 0\nSEED 5 0 18000\nRUNNR 1\nEXIT\n"
        both = put(folder, "both", particles(7, [(1, [(3, 0)])]) + particles(1, [(1, states)]))
        for name, arguments in (
            ("replay prints the card", [path, "1:1", "--card", card]),
            ("... from the cards in an EventIO file", [tel, "1:1"]),
            ("... of the second run in a file", [both, "1:1", "--card", card]),
        ):
            said = replay(*arguments)
            ok(said == (0, want), name, said)
        name = put(folder, "accent", "DATDIR \u00e9\n" + cards(1, states, 2))
        said = os.fsencode(replay(path, "1:1", "--card", name)[1])
        ok(b"DATDIR \xc3\xa9\n" in said, "... with the bytes of its lines", said)
        made = bytearray(particles(1, [(1, states)]))
        path_of_one = put(folder, "DAT.one", bytes(made))
        made[made.index(b"EVTH") + 4 * 44] ^= 1  # the day of the run
        put(folder, "made", bytes(made))
        copy = f"#!/bin/sh\ncp {folder}/made $(sed -n 's/^DIRECT //p')DAT\n"
        os.chmod(put(folder, "program", copy), 0o755)
        run_it = ["--card", card, "--run", f"{folder}/program"]
        replays("... the day of a run is passed over", 0, ": same, ", path_of_one, "1:1", *run_it)
        big = put(folder, "big", particles(1, [(1, states)], order=">"))
        for name, arguments, text in (
            ("no cards", [path, "1:1"], "has no cards in it: --card has to name those of the run"),
            ("cards of another run", [path, "1:1", "--card", other], "is not of run 1"),
            ("no such event", [path, "1:3", "--card", card], "no event 1:3; it has 1:1, 1:2"),
            ("a read that fails", ["/proc/self/mem", "1:1"], "production: Input/output error"),
            ("no event", [path, "x", "--card", card], "'x' is not RUN:EVENT"),
            ("the other byte order", [big, "1:1", *run_it], "is of the other byte order, which"),
            ("a rounded position", [path, "1:2", "--card", card], "name the run's log by --card"),
        ):
            replays(f"... {name}: one line", 2, text, *arguments)


check_overlaps()
check_unknown()
check_lost()
check_started_again()
check_all_clear()
check_statuses()
check_killed()
check_damage()
check_cards()
check_many()
check_tables()
check_production()
finish()
