"""The runs of a production: which files, cards and logs belong to a run, and which numbers its
events drew."""

import multiprocessing
import os
import re
import signal
import stat
from collections import Counter, defaultdict

from .files import SEED_MAX, Archive, Problem, as_word, kind_of, meanings
from .sources import KILLED, POSITION_MAX, source_of_cards, sources_of, words_of

OUTPUT = re.compile(r"(DAT|CER)\d{6}(\.gz|\.zst)?$")  # files of such names must be CORSIKA's

SAFE = 4000  # the lowest position of a plan
EXACT = 2**24 * 10**6  # a header does not round positions below this one


class Interval:
    """Successive numbers of a sequence that the events of a run drew: events[i] drew those from
    starts[i] on. The interval ends before `end`. It is certain up to `sure`, which is less than
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
    """A run, with all attempts to do it: its archives (the same showers in files of several kinds,
    or in files of several attempts), its sources (cards and logs) and its intervals. `unknown`
    counts what the files do not tell, by sentence and file. `seeds` is filled by seed(): {sequence:
    the seeds that the sources tell}."""

    def __init__(self, archive=None):
        self.archives, self.sources = [archive] if archive else [], []
        self.intervals, self.unknown, self.seeds = [], Counter(), {}
        self.number = archive.events[0].run if archive else None

    def name(self):
        return (self.archives or self.sources)[0].path

    def showers(self):
        if self.archives:
            return len(self.archives[0].events)
        return max((s.showers for s in self.sources if s.run is not None), default=1)

    def leave(self, what):
        """Counts something that the run's files do not tell."""
        self.unknown[what, self.name()] += 1

    def is_again(self, archive):
        """Whether an archive has showers of this run: the events that both have begin alike."""
        states = {event.number: event.states for event in self.archives[0].events}
        both = [event for event in archive.events if event.number in states]
        return all(event.states == states[event.number] for event in both)

    def copies(self):
        """{event: the archives of one kind that have it whole}, if there are several."""
        places = defaultdict(list)
        for archive in self.archives:
            for number in {event.number for event in archive.events if event.whole}:
                places[number, archive.kind].append(archive.path)
        return {number: sorted(paths) for (number, _), paths in places.items() if len(paths) > 1}

    def missing(self):
        """[(first, last)] of the showers that cards or logs ask for, and no file has whole."""
        steered = [source for source in self.sources if source.run is not None]
        if not steered:
            return []
        next_one = min(source.first_event for source in steered)
        end, gaps = max(source.first_event + source.showers for source in steered), []
        whole = {event.number for a in self.archives for event in a.events if event.whole}
        for number in sorted(whole) + [end]:
            if next_one < min(number, end):
                gaps.append((next_one, min(number, end) - 1))
            next_one = max(next_one, number + 1)
        return gaps

    def begins(self):
        """{sequence: (seed, position)} at the beginning of the run, as cards and logs tell."""
        return {k: state for s in reversed(self.sources) for k, state in s.begin.items()}

    def segments(self, rows):
        """{sequence: (seed, first position, position after the last)}, if the run is of a plan: its
        card says so, or its sequences of one seed stand as a plan places them: an odd distance
        apart, none below position 4000."""
        first = {k: row[0][1:] for k, row in rows.items()}
        numbers = max((s.numbers for s in self.sources if s.numbers), default=None)
        if numbers:
            planned = [s.begin for s in self.sources if s.numbers]
            first = {k: state for begin in planned for k, state in begin.items()}
        elif len({seed for seed, _ in first.values()}) == 1 < len(first):
            at = [first[k][1] for k in sorted(first)]
            distances = {b - a for a, b in zip(at, at[1:])}
            if len(distances) == 1 and min(distances) % 2 and min(*distances, *at) >= SAFE:
                numbers = distances.pop()
        return {k: (seed, at, at + numbers) for k, (seed, at) in first.items()} if numbers else {}

    def fact(self, get):
        """What the sources say; None if they say nothing or contradict each other."""
        facts = {fact for fact in map(get, self.sources) if fact is not None}
        if len(facts) > 1:
            self.leave(CONTRADICT)
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
            self.leave(ROUNDED % "seeds")
        return seeds[0] if len(seeds) == 1 else int(word)

    def position(self, k, event, lowest):
        """The position of a sequence at the beginning of an event. If no source tells it, this is
        the lowest position that the header may stand for. Positions below `lowest` count only if
        there are no others."""
        seed, calls, millions = event.states[k - 1]
        logged = self.fact(lambda s: s.events.get(event.number, {}).get(k))
        begin = self.fact(lambda s: s.begin.get(k) if event.number == s.first_event else None)
        for state in logged, begin:
            if state and words_of(*state) == (seed, calls, millions):
                return state[1]
        low, high = positions_of(calls, millions, lowest)
        if low != high:
            self.leave(ROUNDED % "positions")
        return low

    def find_intervals(self, most):
        """Finds which numbers the run drew. If no file tells where an event ended, it is assumed to
        have drawn `most` numbers."""
        self.intervals, self.unknown = [], Counter()
        self.sources.sort(key=lambda s: (s.kind != "log", s.run is None, -len(s.ends)))
        for source in self.sources:
            for what, count in source.unknown.items():
                self.unknown[what, source.path] += count
        archive = self.archives[0] if self.archives else None
        multithin = archive and any(event.left_out for event in archive.events)
        if multithin:
            self.leave(MULTITHIN)
        if not archive and not any(s.whole or s.unknown or s.lost for s in self.sources):
            self.leave(CARDS_ALONE)
        rows = self.rows_of_archive(archive) if archive else self.rows_of_source()
        segments = self.segments(rows)
        logged = self.logged_by_library(rows)
        if logged is not None:
            self.intervals += logged
            for what in "seeds", "positions":
                del self.unknown[ROUNDED % what, self.name()]
        else:
            logged = {k for s in self.sources for table in s.ends.values() for k in table}
            if archive and len(logged) > len(rows) and not multithin:
                self.leave(CONTRADICT)
            again = drawn_again(rows)
            for k in sorted(rows):
                self.find_intervals_of(k, rows[k], most, again, segments.get(k))
        for s in self.intervals:
            seed, first, end = segments.get(s.sequence, (None, 0, 0))
            if s.given == seed and first <= s.starts[0] and s.sure > end:
                self.leave(PAST)
        self.name_killed()

    def name_killed(self):
        """Names the logs of killed processes, if these may have drawn what no interval has. A
        process that starts where another attempt starts draws the same numbers first."""
        ended = [s for s in self.sources if not s.lost]
        seen = {(k, *state) for s in ended for k, state in s.begin.items()}
        if not any(s.delivered and s.lost for s in self.sources):
            seen |= {(s.sequence, s.given, start) for s in self.intervals for start in s.starts}
        for source in self.sources:
            if not seen.issuperset(source.lost):
                self.unknown[KILLED, source.path] += 1

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
        """The same from logs and cards, for a run without an archive."""
        rows = defaultdict(list)
        source = self.sources[0]
        for number, states in sorted({source.first_event: source.begin, **source.events}.items()):
            for k, state in states.items():
                rows[k].append((number, *state))
        for k, state in self.begins().items():
            rows[k] = rows[k] or [(source.first_event, *state)]
        return rows

    def logged_by_library(self, rows):
        """The intervals from the library's own lines in a log, or None if there are no such lines.
        None, too, if the lines lack an event, or lack numbers that headers and logs show as drawn:
        the process may have been killed, or the log cut."""
        drawn = list(self.drawn(rows))
        tell = (s for s in self.sources if s.delivered and all(is_told(s, *d) for d in drawn))
        source = max(
            tell, key=lambda s: sum(end - first for *_, first, end in s.delivered), default=None
        )
        if not source:
            return None
        intervals, missed = [], {}
        for k in sorted({line[0] for line in source.delivered}):
            lines = [line[1:] for line in source.delivered if line[0] == k]
            known = rows.get(k, []) if source.run is not None or self.archives else []
            placed, missed[k] = intervals_of(self, k, lines, known)
            intervals += placed
        # Every event draws from sequence 1, so an event in none of these lines means lost lines.
        return None if missed.get(1, self.archives) else intervals

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

    def find_intervals_of(self, k, rows, most, again, segment):
        """Finds the intervals of a sequence from its states at the beginnings of events and, if a
        log tells them, at their ends. The numbers of an event in `again` were drawn again by the
        next one. A header may round a start above EXACT to less than the previous event's end."""
        interval = None
        last_number = max(rows[-1][0], rows[0][0] + self.showers() - 1)
        for i, (number, seed, start) in enumerate(rows):
            last = interval and (interval.end if start < EXACT else interval.starts[-1])
            if not interval or interval.given != seed or start < last:
                interval = Interval(self, k, seed, [], [])
                self.intervals.append(interval)
            interval.events.append(number)
            interval.starts.append(start)
            least, end = start, self.fact(lambda s: s.ends.get(number, {}).get(k))
            if i + 1 < len(rows) and not end:
                least, end = start + (number in again), rows[i + 1][1:]
            elif not end:
                end = self.fact(lambda s: s.end_after(last_number, k))
            if end and end[0] == seed and end[1] >= least:
                interval.end = interval.sure = end[1]
                continue
            interval.sure = start + (k == 1)  # each event draws from sequence 1
            interval.end = min(POSITION_MAX, start + most)
            if segment and seed == segment[0] and segment[1] <= start < segment[2]:
                interval.end = min(interval.end, segment[2])
            if not end:
                self.leave(ENDS)
                continue
            self.leave(STARTED_AGAIN)
            interval = Interval(self, k, end[0], [number], [0], end[1])
            self.intervals.append(interval)
        self.intervals = [each for each in self.intervals if each.end > each.starts[0]]


ENDS = "ends of last events"
CONTRADICT = "sources that contradict each other"
ROUNDED = "%s that a header has rounded"
STARTED_AGAIN = (
    "sequences started again inside an event, as by CONEX (the last seed is audited from position "
    "0 on; seeds between the first and the last are unknown)"
)
PAST = "sequences that drew more numbers than the plan gives them"
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
    for logged, low, high in sorted(line[1:] for line in source.delivered if line[0] == k):
        same = logged % (SEED_MAX + 1) == seed % (SEED_MAX + 1) or as_word(logged) == as_word(seed)
        if same and low <= first < high:
            first = high
    return first >= end or end > EXACT


def intervals_of(run, k, lines, rows):
    """Returns the intervals of the library's lines, and how many events begin in no interval.
    `lines` has (seed, first position, position after the last) in order of time. An interval
    begins during an event. That event drew the numbers until the next event began or the interval
    ended."""
    intervals, missed, event = [], 0, rows[0][0] if rows else None
    rows = list(rows)
    for i, (seed, first, end) in enumerate(lines):
        interval = Interval(run, k, seed, [event], [first], end)
        while rows:
            number, row_seed, start = rows[0]
            inside = [
                row_seed % (SEED_MAX + 1) == other % (SEED_MAX + 1) and a <= start <= b
                for other, a, b in lines[i:]
            ]
            if inside[0] and start >= interval.starts[-1]:
                interval.events.append(number)
                interval.starts.append(start)
            elif any(inside[1:]):
                break
            else:  # the event drew nothing with the seed of its header, or lines are lost
                missed += 1
                if len(interval.events) == 1:
                    interval.events = [number]
            event = number
            del rows[0]
        intervals.append(interval)
    return intervals, missed + len(rows)


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


FEW = 500  # files that one process reads sooner than several


def read_file(name):
    """(kind of a file, what it has as an archive or a list of sources, error line or None)."""
    try:
        kind = kind_of(name)
        if kind:
            return kind, Archive(name), None
        sources = sources_of(name)
        if not sources and OUTPUT.match(os.path.basename(name)):
            raise Problem("no output of CORSIKA" if os.path.getsize(name) else "it is empty")
        return None, sources, None
    except (Problem, OSError, IndexError, ValueError, OverflowError) as error:
        return None, [], str(getattr(error, "strerror", None) or error)


def read_all(names):
    """Yields what read_file() says of these files, in their order. Uses all CPUs."""
    if len(names) < FEW:
        yield from map(read_file, names)
        return
    deaf = signal.SIGINT, signal.SIG_IGN  # the first process obeys it
    with multiprocessing.Pool(len(os.sched_getaffinity(0)), signal.signal, deaf) as pool:
        yield from pool.imap(read_file, names, 64)


class Production:
    """The runs in files and folders. `read` counts files by kind; `damaged` has error lines;
    `unread` is how many files were left when the user interrupted."""

    def __init__(self, paths, most, complain, show=lambda done, total: None):
        self.runs, self.read, self.damaged, self.most = [], Counter(), [], most
        self.sources, self.by_words, self.complain = [], defaultdict(list), complain
        self.no_archive = defaultdict(list)  # runs by number, and by the state of sequence 1
        names, done = self.names_in(paths), 0
        try:
            for done, (name, found) in enumerate(zip(names, read_all(names)), 1):
                self.take(name, *found)
                show(done, len(names))
        except KeyboardInterrupt:
            pass
        self.unread = len(names) - done
        self.match_sources()
        for run in self.runs:
            run.find_intervals(most)

    def names_in(self, paths):
        """The files in these folders, each once."""
        seen, names = set(), []
        for name in sorted(name for path in paths for name in self.files_in(path)):
            try:
                if is_new(name, seen):
                    names.append(name)
            except (Problem, OSError) as error:
                self.damage(name, getattr(error, "strerror", None) or error)
        return names

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

    def take(self, name, kind, found, error):
        if error:
            self.damage(name, error)
            return
        if not kind:
            self.read[found[0].kind if found else "other"] += 1
            self.sources += found
            return
        archive = found
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
        """Adds an archive to a run that has the same showers, or to a new run."""
        first = archive.events[0]
        same = self.by_words[first.run, first.number, first.shower, tuple(first.states)]
        for run in same:
            if run.is_again(archive):
                run.archives.append(archive)
                run.archives.sort(key=lambda a: -len(a.events))  # a file may be cut short
                return
        same.append(Run(archive))
        self.runs.append(same[-1])

    def match_sources(self):
        """Gives sources to their runs. Those that fit no run make a run without an archive."""
        index = defaultdict(list)
        for run in self.runs:
            index[run.number].append(run)
            index[None, run.archives[0].events[0].states[0]].append(run)
            index[run.number, run.archives[0].events[0].states[0][0]].append(run)
        # Sources that lack the first sequence, as of a log that is cut, are matched by the number.
        sort = lambda s: (1 not in s.begin, s.kind != "log", s.run is None, not s.is_complete())
        for source in sorted(self.sources, key=sort):
            words = source.first_words()
            if 1 not in words:
                fit = index[source.run] if source.run is not None else []
            elif source.run is None:
                fit = index[None, words[1]]
            else:
                fit = index[source.run, words[1][0]]
            fit = [run for run in fit if is_of(source, words, run)]
            if not fit:
                fit = self.without_archive(source)
            for run in fit:
                run.sources.append(source)

    def without_archive(self, source):
        """The run without an archive to which a source belongs, as a list."""
        keys = source.run, source.begin.get(1)
        for run in self.no_archive[keys[1] or keys[0]]:
            if all(is_beside(source, other) for other in run.sources):
                run.number = source.run if run.number is None else run.number
                return [run]
        self.runs.append(Run())
        self.runs[-1].number = source.run
        for key in filter(None, keys):
            self.no_archive[key].append(self.runs[-1])
        return self.runs[-1:]


def is_beside(source, other):
    """Whether two sources without an archive are of one run. Of one kind they are of two attempts,
    of which one at most came to its end: if both did, the run was done twice. The log of a killed
    process may lack sequences."""
    alike = all(other.begin.get(k, state) == state for k, state in source.begin.items())
    if not (source.is_cut() or other.is_cut()):
        alike = source.begin == other.begin
    alike = alike and (None in (source.run, other.run) or source.run == other.run)
    if source.kind == other.kind and (source.run is None) == (other.run is None):
        alike = alike and not (source.is_complete() and other.is_complete())
        alike = alike and all(a == b for a, b in zip(source.steering(), other.steering()))
    return alike


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
