"""What is known of a run beside its showers: input cards, logs, and the reports of libgpuranmar."""

import json
import re

from .files import SEED_MAX, Input, Problem, as_word

SEED = re.compile(r"\s*SEED\s+[+-]?[.\d]", re.I)
STATE = re.compile(r"\s*SEQUENCE =\s*(\d+)\s+SEED =\s*(\d+)\s+CALLS =\s*(\d+)\s+BILLIONS =\s*(\d+)")
AT = re.compile(r"RANDOM NUMBER GENERATOR AT (BEGIN|END) OF (RUN|EVENT) :[ \t]*(\d*)")
CARDS_OF_A_LOG = "DATA CARDS FOR RUN STEERING"
POSITION_MAX = 1 << 63
MOST, MOST_CARDS = 1 << 28, 1 << 20  # bytes of a file that is read as text, and of cards in a log


class Source:
    """What a file says of a run: its number and cards, and states {sequence: (seed, position)} at
    the beginning of the run, of its events, and at its end. `run` is None in a report."""

    def __init__(self, path, kind):
        self.path, self.kind, self.run, self.cards = path, kind, None, []
        self.first_event, self.showers = 1, 1
        self.begin, self.events, self.end, self.ended = {}, {}, {}, None
        self.left_out = 0  # streams of a report that are none of these

    def reaches(self, event):
        """Whether `end` is not before the end of this event. A log may be cut short."""
        return self.ended is None or self.ended >= event

    def check(self):
        for states in (self.begin, self.end, *self.events.values()):
            for k, (seed, position) in states.items():
                within = 0 <= seed <= SEED_MAX and 0 <= position <= POSITION_MAX and 0 < k < 2**31
                if not within or {type(k), type(seed), type(position)} != {int}:
                    raise Problem(f"sequence {k}: seed {seed} at position {position}: out of range")

    def first_words(self):
        """The words of the first event's header, {sequence: (seed, calls, millions)}."""
        first = self.events.get(self.first_event) or self.begin
        return {k: words_of(*state) for k, state in first.items()}


def words_of(seed, position):
    """How a header has a state. Its millions are an INTEGER of four bytes, then a REAL."""
    millions = (position // 10**6 + 2**31) % 2**32 - 2**31
    return as_word(seed), position % 10**6, as_word(millions)


def value_of(cards, key, default):
    for line in cards:
        words = line.split()
        if words and words[0].upper() == key:
            try:
                default = int(float(words[1]))
            except (IndexError, ValueError):
                raise Problem(f"card '{line.strip()}': no number") from None
    return default


def take_cards(source, lines):
    """Reads run number, events and seeds of cards, which end with EXIT."""
    for line in lines:
        source.cards.append(line.rstrip())
        if line.split()[:1] and line.split()[0].upper() == "EXIT":
            break
    source.run = value_of(source.cards, "RUNNR", 1)
    source.first_event = value_of(source.cards, "EVTNR", 1)
    source.showers = value_of(source.cards, "NSHOW", 1)
    seeds = filter(SEED.match, source.cards)
    source.begin = {k: state_of(line) for k, line in enumerate(seeds, 1)}


def state_of(line):
    """The seed and position on a card SEED: up to three numbers, then text."""
    numbers = []
    for word in line.replace(",", " ").split()[1:4]:
        if not re.match(r"[+-]?[.\d]", word):
            break
        numbers.append(int(word) if word.isdecimal() else -1)
    seed, n1, n2 = (numbers + [0, 0, 0])[:3]
    if min(numbers) < 0 or seed > SEED_MAX or max(n1, n2) >= 2**31:
        raise Problem(f"card '{line.strip()}': not SEED and up to three numbers in range")
    return seed, n1 + 10**9 * n2


def source_of_cards(path, lines):
    source = Source(path, "cards")
    take_cards(source, lines)
    return source


def take_log(source, text):
    """Reads a log: its cards, and the states that it tells."""
    cards = text[text.index(CARDS_OF_A_LOG) :].partition("\n")[2].lstrip()
    take_cards(source, cards[:MOST_CARDS].splitlines())
    for place in AT.finditer(text):
        states = {}
        for line in text[place.end() : place.end() + 2000].splitlines()[1:]:
            state = STATE.match(line)
            if not state:
                break
            k, seed, calls, billions = map(int, state.groups())
            states[k] = seed, calls + 10**9 * billions
        if place[2] == "RUN":
            source.begin = states
        elif place[1] == "END":
            source.end, source.ended = states, int(place[3] or 0)
        else:
            source.events[int(place[3] or 0)] = states


def take_report(source, text):
    report = json.loads(text)
    if report.get("report") != "gpuranmar 1" or report.get("complete") is not True:
        raise Problem("no whole report of this library")
    for stream in report["streams"]:
        k, plain = stream["sequence"], stream["instances"] == 1 and stream["flavour"] == "double"
        if k is not None and plain and k not in source.begin:
            source.begin[k] = stream["seed"], stream["first"]
            source.end[k] = stream["seed"], stream["last"]
            source.left_out += stream["drawn"] > stream["last"] - stream["first"]  # it went back
        else:
            source.left_out += stream["drawn"] > 0
    source.left_out += report["streams_left_out"]["count"] + (report["engines"]["made"] > 0)


def source_of(path):
    """What a file says of a run, or None where it says nothing."""
    with Input(path) as file:
        data = file.read(4096)
        if b"\0" in data or file.size is not None and file.size > MOST:
            return None
        data += file.read(MOST)
    if len(data) > MOST:
        return None
    text = data.decode("latin-1")
    if text.lstrip().startswith("{") and '"gpuranmar 1"' in text[:200]:
        source = Source(path, "report")
        try:
            take_report(source, text)
            source.check()
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            raise Problem(f"no whole report of this library: {error}") from None
    elif CARDS_OF_A_LOG in text:
        source = Source(path, "log")
        take_log(source, text)
        source.check()
    elif any(map(SEED.match, text.splitlines())):
        if len(re.findall(r"^\* job \d", text, re.M)) > 1:
            return None  # a plan of many runs
        source = source_of_cards(path, text.splitlines())
    else:
        return None
    return source
