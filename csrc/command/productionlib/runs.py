"""The runs of a production: which files, cards, logs and reports are of one run, and which numbers
its events drew."""

import os
import re
import stat
from collections import Counter, defaultdict

from .files import Archive, Problem, kind_of, meanings
from .sources import POSITION_MAX, source_of, source_of_cards, words_of

OUTPUT = re.compile(r"(DAT|CER)\d{6}(\.gz|\.zst)?$")  # names of files that are not passed over


class Stretch:
    """Numbers of a sequence that the events of a run drew, one after the other: those from
    starts[i] on are of events[i]. It ends before `end`; `known` is the position up to which that is
    certain, which is less where the last event's end had to be assumed."""

    def __init__(self, run, sequence, seed, events, starts):
        self.run, self.sequence, self.seed = run, sequence, seed
        self.events, self.starts, self.end, self.known = events, starts, None, None

    def touched(self, low, high):
        """The events that drew numbers from low to high. Some drew none at all."""
        drawn = zip(self.events, self.starts, self.starts[1:] + [self.end])
        return [event for event, a, b in drawn if a < b and a <= high and low < b]


class Run:
    """A run: its archives (the same showers in files of several kinds), its sources (cards, logs,
    reports), or one of these alone, and its stretches. What could not be known about it is counted
    in `unknown`."""

    def __init__(self, archive=None):
        self.archives, self.sources = [archive] if archive else [], []
        self.stretches, self.unknown = [], Counter()
        self.number = archive.events[0].run if archive else None

    def name(self):
        return (self.archives or self.sources)[0].path

    def showers(self):
        return self.archives[0].count if self.archives else self.sources[0].showers

    def fact(self, of):
        """What the sources agree on, of those that say something; None if none does."""
        facts = {fact for fact in map(of, self.sources) if fact is not None}
        if len(facts) > 1:
            self.unknown["sources that contradict each other"] += 1
        return facts.pop() if len(facts) == 1 else None

    def seed(self, k, word):
        """The exact seed of a sequence, of which a header has a word."""
        low, high = meanings(word)
        if low == high:
            return low
        seed = self.fact(lambda s: s.begin.get(k, (None,))[0])
        if seed is None:
            self.unknown["seeds that a header has rounded"] += 1
        return int(word) if seed is None else seed

    def position(self, k, event, lowest):
        """Where a sequence stood at the beginning of an event, which is not before `lowest`."""
        seed, calls, millions = event.states[k - 1]
        told = self.fact(lambda s: s.events.get(event.number, {}).get(k))
        begin = self.fact(lambda s: s.begin.get(k) if event.number == s.first_event else None)
        for state in told, begin:
            if state and words_of(*state) == (seed, calls, millions):
                return state[1]
        low, high = positions_of(calls, millions, lowest)
        if low != high:
            self.unknown["positions that a header has rounded"] += 1
        return low

    def place(self, most):
        """Finds out which numbers it drew; `most` is what an event is taken to draw whose end is
        nowhere."""
        self.stretches, self.unknown = [], Counter()
        if any(source.left_out for source in self.sources):
            self.unknown["reports with other streams, which seeds audit --reports looks at"] += 1
        if not self.archives:
            self.place_source(most)
            return
        archive = self.archives[0]
        if any(event.left_out for event in archive.events):
            self.unknown["runs with MULTITHIN, whose sequences from 11 on are in no header"] += 1
        for k in range(1, 1 + max(len(event.states) for event in archive.events)):
            self.place_sequence(archive, k, most)

    def place_sequence(self, archive, k, most):
        events = [event for event in archive.events if k <= len(event.states)]
        lowest, stretch, new = 0, None, []
        begin = self.fact(lambda s: s.begin.get(k))
        if begin and words_of(*begin)[0] == events[0].states[k - 1][0]:
            lowest = begin[1]
        for event in events:
            seed = self.seed(k, event.states[k - 1][0])
            start = self.position(k, event, lowest)
            if not stretch or stretch.seed != seed or start < stretch.starts[-1]:
                stretch = Stretch(self, k, seed, [], [])
                new.append(stretch)
            stretch.events.append(event.number)
            stretch.starts.append(start)
            lowest = start
        number = max(events[-1].number, events[0].number + archive.count - 1)
        for each in new:
            last = each is stretch
            end = self.fact(lambda s: s.end.get(k) if s.reaches(number) else None) if last else None
            if end and end[0] == each.seed and end[1] >= lowest:
                each.end = each.known = end[1]
            else:
                unread = archive.count - len(archive.events) if last else 0
                each.known = each.starts[-1] + (each.sequence == 1)
                each.end = min(POSITION_MAX, each.starts[-1] + most * (1 + unread))
                self.unknown["ends of last events"] += 1
        self.stretches += [each for each in new if each.end > each.starts[0]]

    def place_source(self, most):
        source = self.sources[0]
        for k, (seed, start) in source.begin.items():
            stretch = Stretch(self, k, seed, [source.first_event], [start])
            most_of_all = min(POSITION_MAX, start + most * source.showers)
            seed_at_end, stretch.end = source.end.get(k, (seed, most_of_all))
            stretch.known = stretch.end if k in source.end else start + (k == 1)
            self.unknown["ends of last events"] += k not in source.end
            if seed_at_end == seed and stretch.end > start:
                self.stretches.append(stretch)


def positions_of(calls, millions, lowest):
    """The lowest and the highest position from `lowest` on that two words of a header stand for."""
    low, high = meanings(millions)
    lowest = -((calls - lowest) // 10**6)  # in millions, rounded up
    if high < 0 or lowest >= 2**31:
        turns = max(0, -((high - lowest) // 2**32))
        low, high = low + turns * 2**32, high + turns * 2**32
    if lowest <= high:
        low = max(low, lowest)
    return int(low * 10**6 + calls), int(high * 10**6 + calls)


class Production:
    """All that is in some files and folders. `read` counts files by kind, `damaged` has lines."""

    def __init__(self, paths, most, complain, progress=lambda count, of: None):
        self.runs, self.read, self.damaged, self.most = [], Counter(), [], most
        self.sources, self.by_words, self.complain = [], defaultdict(list), complain
        names, seen = sorted(name for path in paths for name in self.files_in(path)), set()
        for count, name in enumerate(names, 1):
            progress(count, len(names))
            try:
                if is_new(name, seen):
                    self.take(name)
            except (Problem, OSError, IndexError, ValueError, OverflowError) as error:
                self.damage(name, getattr(error, "strerror", None) or error)
        self.match_sources()
        for run in self.runs:
            run.place(most)

    def damage(self, name, text):
        self.damaged.append(f"{name}: {text}")
        self.complain(self.damaged[-1])

    def files_in(self, path):
        """The files of a folder and of folders in it, also by links; of a file, that."""
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
            source = source_of(name)
            if not source and OUTPUT.match(os.path.basename(name)):
                raise Problem("no output of CORSIKA")
            self.read[source.kind if source else "other"] += 1
            if source:
                self.sources.append(source)
            return
        archive = Archive(name, ends=True)
        self.read[kind] += 1
        if archive.damage:
            self.damage(name, f"{archive.damage}; {archive.count} events before that are counted")
        in_it = sorted({event.run for event in archive.events})
        for run in in_it:
            of_run = archive if len(in_it) == 1 else Archive(name, run=run)
            self.add(of_run)
            if of_run.cards:
                self.sources.append(source_of_cards(name, of_run.cards))

    def add(self, archive):
        """Adds a file to the run of which it has the showers in another form, or as a new run."""
        first = archive.events[0]
        same = self.by_words[first.run, first.number, tuple(first.states)]
        folder = os.path.dirname(archive.path)
        for run in sorted(same, key=lambda r: os.path.dirname(r.name()) != folder):
            if archive.kind not in [a.kind for a in run.archives]:
                run.archives.append(archive)
                run.archives.sort(key=lambda a: -a.count)  # one of them may be cut short
                return
        same.append(Run(archive))
        self.runs.append(same[-1])

    def match_sources(self):
        """Gives each source to the runs that it is of. One that has none is a run by itself, whose
        showers are elsewhere."""
        index, alone = defaultdict(list), defaultdict(list)
        for run in self.runs:
            seed, calls, millions = run.archives[0].events[0].states[0]
            index[run.number, seed].append(run)
            index[None, seed, calls, millions].append(run)
        for source in sorted(self.sources, key=lambda s: ["log", "cards", "report"].index(s.kind)):
            words = source.first_words()
            first = words.get(1, (None,))
            runs = index.get(
                (source.run, first[0]) if source.run is not None else (None, *first), []
            )
            runs = [run for run in runs if is_of(source, words, run)]
            if not runs and source.begin:
                key = tuple(sorted(source.begin.items()))
                runs = [
                    run
                    for run in alone[key]
                    if source.run in (None, run.number)
                    and source.kind not in [s.kind for s in run.sources]
                ][:1]
                if not runs:
                    runs = [Run()]
                    runs[0].number = source.run
                    alone[key].append(runs[0])
                    self.runs.append(runs[0])
            for run in runs:
                run.sources.append(source)


def is_of(source, words, run):
    """Whether a run's first header can be of a source, whose first event has these words."""
    first = run.archives[0].events[0]
    later = source.run is not None and first.number != source.first_event
    return all(
        k > len(first.states)
        or first.states[k - 1][: 1 if later else 3] == word[: 1 if later else 3]
        for k, word in words.items()
    )


def is_new(path, seen):
    """Whether no other name of this file or folder was met."""
    is_what = os.stat(path)
    if not (stat.S_ISREG(is_what.st_mode) or stat.S_ISDIR(is_what.st_mode)):
        raise Problem("neither a file nor a folder")
    count = len(seen)
    seen.add((is_what.st_dev, is_what.st_ino))
    return len(seen) > count
