"""The runs of a production: which files, cards and logs belong to a run, and which numbers its
events drew."""

import os
import re
import stat
from collections import Counter, defaultdict

from .files import SEED_MAX, Archive, Problem, as_word, kind_of, meanings
from .sources import POSITION_MAX, source_of_cards, sources_of, words_of

OUTPUT = re.compile(r"(DAT|CER)\d{6}(\.gz|\.zst)?$")  # files of such names must be CORSIKA's

EXACT = 2**24 * 10**6  # a header does not round positions below this one


class Stretch:
    """Successive numbers of a sequence that the events of a run drew: events[i] drew those from
    starts[i] on. The stretch ends before `end`. It is certain up to `sure`, which is less than
    `end` if the end of the last event was assumed. `given` is the seed as the files have it; `seed`
    is the one up to SEED_MAX that has the same numbers."""

    def __init__(self, run, sequence, seed, events, starts, end=None):
        self.run, self.sequence, self.given = run, sequence, seed
        self.seed = seed % (SEED_MAX + 1)
        self.events, self.starts, self.end, self.sure = events, starts, end, end

    def touched(self, low, high):
        """The events that drew any of the numbers from low to high."""
        drawn = zip(self.events, self.starts, self.starts[1:] + [self.end])
        return [e for e, a, b in drawn if e is not None and a < b and a <= high and low < b]


class Run:
    """A run: its archives (the same showers in files of several kinds), its sources (cards and
    logs) and its stretches. `unknown` counts what the files do not tell. `seeds` is filled
    by seed(): {sequence: the seeds that the sources tell}."""

    def __init__(self, archive=None):
        self.archives, self.sources = [archive] if archive else [], []
        self.stretches, self.unknown, self.seeds = [], Counter(), {}
        self.number = archive.events[0].run if archive else None

    def name(self):
        return (self.archives or self.sources)[0].path

    def showers(self):
        return len(self.archives[0].events) if self.archives else self.sources[0].showers

    def fact(self, get):
        """What the sources say; None if they say nothing or contradict each other."""
        facts = {fact for fact in map(get, self.sources) if fact is not None}
        if len(facts) > 1:
            self.unknown[CONTRADICT] += 1
        return facts.pop() if len(facts) == 1 else None

    def seed(self, k, word):
        """The seed that this word of a header stands for: the exact one if a source tells it."""
        low, high = meanings(word)
        if low == high:
            return low
        if k not in self.seeds:
            tables = (
                t for s in self.sources for t in (s.begin, *s.events.values(), *s.ends.values())
            )
            self.seeds[k] = {table[k][0] for table in tables if k in table}
        seeds = [seed for seed in self.seeds[k] if as_word(seed) == word]
        if len(seeds) != 1:
            self.unknown[ROUNDED % "seeds"] += 1
        return seeds[0] if len(seeds) == 1 else int(word)

    def position(self, k, event, lowest):
        """The position of a sequence at the beginning of an event. If no source tells it, this is
        the lowest position that the header may stand for. Positions below `lowest` count only if
        there are no others."""
        seed, calls, millions = event.states[k - 1]
        told = self.fact(lambda s: s.events.get(event.number, {}).get(k))
        begin = self.fact(lambda s: s.begin.get(k) if event.number == s.first_event else None)
        for state in told, begin:
            if state and words_of(*state) == (seed, calls, millions):
                return state[1]
        low, high = positions_of(calls, millions, lowest)
        if low != high:
            self.unknown[ROUNDED % "positions"] += 1
        return low

    def find_stretches(self, most):
        """Finds which numbers the run drew. If no file tells where an event ended, it is assumed to
        have drawn `most` numbers."""
        self.stretches, self.unknown = [], Counter()
        for source in self.sources:
            self.unknown += source.unknown
        archive = self.archives[0] if self.archives else None
        if archive and any(event.left_out for event in archive.events):
            self.unknown[MULTITHIN] += 1
        if not archive and not any(s.whole or s.unknown for s in self.sources):
            self.unknown[CARDS_ALONE] += 1
            most = min(most, *(s.numbers for s in self.sources))
        rows = self.rows_of_archive(archive) if archive else self.rows_of_source()
        told = self.told_by_library(rows)
        if told is not None:
            self.stretches += told
            del self.unknown[ROUNDED % "seeds"], self.unknown[ROUNDED % "positions"]
            return
        logged = {k for s in self.sources for table in s.ends.values() for k in table}
        if archive and len(logged) > len(rows) and not self.unknown[MULTITHIN]:
            self.unknown[CONTRADICT] += 1
        again = drawn_again(rows)
        for k in sorted(rows):
            self.find_stretches_of(k, rows[k], most, again)

    def rows_of_archive(self, archive):
        """{sequence: [(event, seed, position), ...]}, from the event headers."""
        rows = {}
        for k in range(1, 1 + max(len(event.states) for event in archive.events)):
            events = [event for event in archive.events if k <= len(event.states)]
            lowest, rows[k] = 0, []
            begin = self.fact(lambda s: s.begin.get(k))
            if begin and words_of(*begin)[0] == events[0].states[k - 1][0]:
                lowest = begin[1]
            for event in events:
                seed = self.seed(k, event.states[k - 1][0])
                last = rows[k][-1] if rows[k] else None
                lowest = self.position(k, event, 0 if last and last[1] != seed else lowest)
                rows[k].append((event.number, seed, lowest))
        return rows

    def rows_of_source(self):
        """The same from a log or cards, for a run without an archive."""
        rows = defaultdict(list)
        source = self.sources[0]
        for number, states in sorted({source.first_event: source.begin, **source.events}.items()):
            for k, state in states.items():
                rows[k].append((number, *state))
        for k, state in source.begin.items():
            rows[k] = rows[k] or [(source.first_event, *state)]
        return rows

    def told_by_library(self, rows):
        """The stretches from the library's own lines in a log, or None if there are no such lines.
        None, too, if the lines lack an event, or lack numbers that headers and logs show as drawn:
        the process may have been killed, or the log cut."""
        source = next((source for source in self.sources if source.delivered), None)
        if not source or not all(is_told(source, *drawn) for drawn in self.drawn(rows)):
            return None
        stretches, missed = [], {}
        for k in sorted({line[0] for line in source.delivered}):
            lines = [line[1:] for line in source.delivered if line[0] == k]
            known = rows.get(k, []) if source.run is not None or self.archives else []
            placed, missed[k] = stretches_of(self, k, lines, known)
            stretches += placed
        # Every event draws from sequence 1, so an event in none of these lines means lost lines.
        return None if missed.get(1, self.archives) else stretches

    def drawn(self, rows):
        """Yields what was certainly drawn between two states of a sequence: (sequence, seed, first
        position, position after the last). If the seed of the sequence changed between them, only
        the number before the second state is certain."""
        numbers = {number for source in self.sources for number in source.ends}
        for k, table in rows.items():
            before, begins = None, {number: state for number, *state in table}
            for number in sorted(numbers | set(begins)):
                end = self.fact(lambda s: s.ends.get(number, {}).get(k))
                for seed, position in filter(None, (begins.get(number), end)):
                    first = before[1] if before and before[0] == seed else position - 1
                    if before and first < position and position > 0:
                        yield k, seed, first, position
                    before = seed, position

    def find_stretches_of(self, k, rows, most, again):
        """Finds the stretches of a sequence from its states at the beginnings of events and, if a
        log tells them, at their ends. The numbers of an event in `again` were drawn again by the
        next one. A header may round a start above EXACT to less than the previous event's end."""
        stretch = None
        last_number = max(rows[-1][0], rows[0][0] + self.showers() - 1)
        for i, (number, seed, start) in enumerate(rows):
            last = stretch and (stretch.end if start < EXACT else stretch.starts[-1])
            if not stretch or stretch.given != seed or start < last:
                stretch = Stretch(self, k, seed, [], [])
                self.stretches.append(stretch)
            stretch.events.append(number)
            stretch.starts.append(start)
            least, end = start, self.fact(lambda s: s.ends.get(number, {}).get(k))
            if i + 1 < len(rows) and not end:
                least, end = start + (number in again), rows[i + 1][1:]
            elif not end:
                end = self.fact(lambda s: s.end_after(last_number, k))
            if end and end[0] == seed and end[1] >= least:
                stretch.end = stretch.sure = end[1]
                continue
            stretch.sure = start + (k == 1)  # each event draws from sequence 1
            stretch.end = min(POSITION_MAX, start + most)
            if not end:
                self.unknown[ENDS] += 1
                continue
            self.unknown[STARTED_AGAIN] += 1
            stretch = Stretch(self, k, end[0], [number], [0], end[1])
            self.stretches.append(stretch)
        self.stretches = [each for each in self.stretches if each.end > each.starts[0]]


ENDS = "ends of last events"
CONTRADICT = "sources that contradict each other"
ROUNDED = "%s that a header has rounded"
STARTED_AGAIN = (
    "sequences started again inside an event, as by CONEX (the last seed is audited from position "
    "0 on; seeds between the first and the last are unknown)"
)
MULTITHIN = "runs with MULTITHIN, whose sequences from 11 on are in no header"
CARDS_ALONE = (
    "runs with cards alone, or with a log cut short before the first event: neither tells all "
    "sequences of a run"
)


def drawn_again(rows):
    """The events after which all sequences are at the states that they had before the event. An
    event draws something, so its sequences were started again."""
    states = defaultdict(dict)
    for k, table in rows.items():
        for number, *state in table:
            states[number][k] = state
    numbers = list(states)
    return {a for a, b in zip(numbers, numbers[1:]) if states[a] == states[b]}


def is_told(source, k, seed, first, end):
    """Whether the library's lines of a source have these numbers of a sequence. A header may have
    rounded the seed. Positions above EXACT are not compared, since a header may round them."""
    for told, low, high in sorted(line[1:] for line in source.delivered if line[0] == k):
        same = told % (SEED_MAX + 1) == seed % (SEED_MAX + 1) or as_word(told) == as_word(seed)
        if same and low <= first < high:
            first = high
    return first >= end or end > EXACT


def stretches_of(run, k, lines, rows):
    """Returns the stretches of the library's lines, and how many events begin in no stretch.
    `lines` has (seed, first position, position after the last) in order of time. A stretch begins
    during an event. That event drew the numbers until the next event began or the stretch ended."""
    stretches, missed, event = [], 0, rows[0][0] if rows else None
    rows = list(rows)
    for i, (seed, first, end) in enumerate(lines):
        stretch = Stretch(run, k, seed, [event], [first], end)
        while rows:
            number, row_seed, start = rows[0]
            inside = [
                row_seed % (SEED_MAX + 1) == other % (SEED_MAX + 1) and a <= start <= b
                for other, a, b in lines[i:]
            ]
            if inside[0] and start >= stretch.starts[-1]:
                stretch.events.append(number)
                stretch.starts.append(start)
            elif any(inside[1:]):
                break
            else:  # the event drew nothing with the seed of its header, or lines are lost
                missed += 1
                if len(stretch.events) == 1:
                    stretch.events = [number]
            event = number
            del rows[0]
        stretches.append(stretch)
    return stretches, missed + len(rows)


def positions_of(calls, millions, lowest):
    """The range of positions that two words of a header may stand for. Those below `lowest` are
    left out, unless there are no others."""
    low, high = meanings(millions)
    lowest = -((calls - lowest) // 10**6)  # in millions, rounded up
    if high < 0 or lowest >= 2**31:  # CORSIKA's four bytes of millions have overflowed
        laps = max(0, -((high - lowest) // 2**32))
        low, high = low + laps * 2**32, high + laps * 2**32
    if lowest <= high:
        low = max(low, lowest)
    return int(low * 10**6 + calls), int(high * 10**6 + calls)


class Production:
    """The runs in files and folders. `read` counts files by kind; `damaged` has error lines."""

    def __init__(self, paths, most, complain):
        self.runs, self.read, self.damaged, self.most = [], Counter(), [], most
        self.sources, self.by_words, self.complain = [], defaultdict(list), complain
        seen = set()
        for name in sorted(name for path in paths for name in self.files_in(path)):
            try:
                if is_new(name, seen):
                    self.take(name)
            except (Problem, OSError, IndexError, ValueError, OverflowError) as error:
                self.damage(name, getattr(error, "strerror", None) or error)
        self.match_sources()
        for run in self.runs:
            run.find_stretches(most)

    def damage(self, name, text):
        self.damaged.append(f"{name}: {text}")
        self.complain(self.damaged[-1])

    def files_in(self, path):
        """The files in a folder and its subfolders, links followed. For a file, the file itself."""
        if not os.path.isdir(path):
            yield path
            return
        seen = set()
        lost = lambda error: self.damage(error.filename, error.strerror)
        for folder, folders, names in os.walk(path, onerror=lost, followlinks=True):
            if is_new(folder, seen):
                yield from (os.path.join(folder, name) for name in names)
            else:
                folders.clear()

    def take(self, name):
        kind = kind_of(name)
        if not kind:
            sources = sources_of(name)
            if not sources and OUTPUT.match(os.path.basename(name)):
                raise Problem("no output of CORSIKA")
            self.read[sources[0].kind if sources else "other"] += 1
            self.sources += sources
            return
        archive = Archive(name)
        self.read[kind] += 1
        if archive.damage:
            self.damage(name, f"{archive.damage}; its {len(archive.events)} events are counted")
        in_it = sorted({event.run for event in archive.events})
        for run in in_it:
            of_run = archive if len(in_it) == 1 else archive.of_run(run)
            self.add(of_run)
            if of_run.cards:
                self.sources.append(source_of_cards(name, of_run.cards))

    def add(self, archive):
        """Adds an archive to a run that has the same showers in another form, or to a new run."""
        first = archive.events[0]
        same = self.by_words[first.run, first.number, first.shower, tuple(first.states)]
        folder = os.path.dirname(archive.path)
        for run in sorted(same, key=lambda r: os.path.dirname(r.name()) != folder):
            if archive.kind not in [a.kind for a in run.archives]:
                run.archives.append(archive)
                run.archives.sort(key=lambda a: -len(a.events))  # a file may be cut short
                return
        same.append(Run(archive))
        self.runs.append(same[-1])

    def match_sources(self):
        """Gives sources to their runs. Those that fit no run make a run without an archive."""
        index, no_archive = defaultdict(list), defaultdict(list)
        for run in self.runs:
            seed, calls, millions = run.archives[0].events[0].states[0]
            index[run.number, seed].append(run)
            index[None, seed, calls, millions].append(run)
        sort = lambda source: (source.kind != "log", source.run is None)
        for source in sorted(self.sources, key=sort):
            words = source.first_words()
            first = words.get(1, (None,))
            runs = index.get(
                (source.run, first[0]) if source.run is not None else (None, *first), []
            )
            runs = [run for run in runs if is_of(source, words, run)]
            if source.kind == "cards" and not source.begin:
                runs = [run for run in self.runs if run.number == source.run]
            if not runs:
                key = tuple(sorted(source.begin.items()))
                runs = [
                    run
                    for run in no_archive[key]
                    if key
                    and source.run in (None, run.number)
                    and sort(source) not in map(sort, run.sources)
                ][:1]
                if not runs:
                    runs = [Run()]
                    runs[0].number = source.run
                    no_archive[key].append(runs[0])
                    self.runs.append(runs[0])
            for run in runs:
                run.sources.append(source)


def is_of(source, words, run):
    """Whether a source, whose first event has these words, fits the first header of a run."""
    first = run.archives[0].events[0]
    later = source.run is not None and first.number != source.first_event
    return all(
        k > len(first.states)
        or first.states[k - 1][: 1 if later else 3] == word[: 1 if later else 3]
        for k, word in words.items()
    )


def is_new(path, seen):
    """Adds a file or folder to `seen`. Returns whether it was not there, under any name."""
    status = os.stat(path)
    if not (stat.S_ISREG(status.st_mode) or stat.S_ISDIR(status.st_mode)):
        raise Problem("neither a file nor a folder")
    count = len(seen)
    seen.add((status.st_dev, status.st_ino))
    return len(seen) > count
