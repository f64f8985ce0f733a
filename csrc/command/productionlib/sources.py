"""What is known of a run beside its showers: input cards and logs."""

import codecs
import re
from collections import Counter

from .files import INTEGER_MAX, Input, Problem, as_word

# A line that begins with six blanks is a comment, for CORSIKA and for `gpuranmar seeds audit`.
SEED = re.compile(r"\s{0,5}SEED\s+[+-]?[.\d]", re.I)
STATE = r"\s*SEQUENCE =\s*(\d+)\s+SEED =\s*(-?\d+)\s+CALLS =\s*(-?\d+)\s+BILLIONS =\s*(-?\d+)"
STATE = re.compile(STATE)
AT = re.compile(r"RANDOM NUMBER GENERATOR AT (BEGIN|END) OF (RUN|EVENT) :[ \t]*(\d*)")
CARDS_OF_A_LOG = "DATA CARDS FOR RUN STEERING"
# What GPURANMAR_VERBOSE=1 writes, perhaps behind output of the program on the same line.
DELIVERED = re.compile(
    r"gpuranmar: delivered: process (\d+), (?:sequence (\d+)|stream), seed (\d+), flavour (\w+), "
    r"instances (\d+), prefetch \d+, positions (\d+) to (\d+), "
    r"numbers \d+, made by (?:.+ times|earlier requests)$",
    re.M,
)
# A log that ends amidst "delivered: process".
CUT = re.compile(r"gpuranmar: d[a-z]*:?(?: p?[roces]*)?\Z")
STARTED = re.compile(r"gpuranmar: process (\d+), sequence (\d+): seed (\d+), position (\d+),.*\n")
# A process begins with the line FIRST. In containers all processes may have the same number.
FIRST, PROCESS = "gpuranmar: libgpuranmar ", re.compile(r"gpuranmar: (?:delivered: )?process (\d+)")
ENGINE = re.compile(r"gpuranmar: \S+: an engine of flavour \w+ (?:starts|goes on)")
KILLED = (
    "processes perhaps killed, without libgpuranmar's line on what they drew since their last start"
)
CARDS = re.compile(r"\s*(RUNNR|EVTNR|NSHOW|PRMPAR|ERANGE|MSEED|SEED)\s+[+-]?[.\d]", re.I)
PLACES = {"DIRECT", "DATDIR", "DATBAS", "TELFIL", "HOST", "USER"}
POSITION_MAX = 1 << 63
MOST, MOST_CARDS = 1 << 28, 1 << 20  # bytes of a file that is read as text, and of cards in a log


class Source:
    """What a file says of a run: its number and cards, and states {sequence: (seed, position)} at
    the beginning of the run, and at the beginning and the end of its events. `run` is None if only
    libgpuranmar's lines are known. `numbers` is how many a sequence may draw by the plan, or None.
    `delivered` has the library's lines in order of time: (sequence, seed, first position, position
    after the last). `lost` has the states from which a killed process drew numbers that no line
    tells. `whole` says whether the file tells all sequences of the run, `has_end` whether it has
    the end of the last event; `unknown` counts what else it leaves open."""

    def __init__(self, path, kind):
        self.path, self.kind, self.run, self.cards = path, kind, None, []
        self.first_event, self.showers, self.numbers = 1, 1, None
        self.begin, self.events, self.ends = {}, {}, {}
        self.delivered, self.lost, self.unknown, self.whole = [], [], Counter(), False
        self.has_end = False

    def is_complete(self):
        """Whether the file tells that the run, or the process, came to its end."""
        return not self.lost and (bool(self.delivered) or self.has_end)

    def is_cut(self):
        """Whether it is the log of a process that was killed, or still runs."""
        return self.kind == "log" and not self.is_complete()

    def steering(self):
        """The words of the cards, without comments and places of files."""
        words = (line.upper().split() for line in self.cards if not line.startswith("*"))
        return [row for row in words if row and row[0] not in PLACES]

    def end_after(self, event, k):
        """The state of a sequence at the end of this event or a later one. None if the log is cut
        short before it."""
        later = [number for number in self.ends if number >= event]
        return self.ends[min(later)].get(k) if later else None

    def check(self):
        states = [self.begin, *self.events.values(), *self.ends.values()]
        states = [(k, *state) for table in states for k, state in table.items()]
        lines = [d[:3] for d in self.delivered] + self.lost
        for first, end in [d[2:] for d in self.delivered]:
            if not first < end <= POSITION_MAX:
                raise Problem(f"positions {first} to {end}: out of range")
        for k, seed, position in states + lines:
            if not (0 <= seed <= INTEGER_MAX and 0 <= position <= POSITION_MAX and k < 2**31):
                raise Problem(f"sequence {k}: seed {seed} at position {position}: out of range")

    def first_words(self):
        """The words of the first event's header, {sequence: (seed, calls, millions)}."""
        first = self.events.get(self.first_event) or self.begin
        return {k: words_of(*state) for k, state in first.items()}


def words_of(seed, position):
    """The words of a header for a state. CORSIKA keeps millions in an INTEGER of four bytes and
    writes that as a REAL."""
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
    plan = re.findall(r"^\* Segments of ([1-9]\d*)", "\n".join(source.cards), re.M)
    source.numbers = max(map(int, plan), default=None)
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
    if min(numbers) < 0 or max(seed, n1, n2) > INTEGER_MAX:
        raise Problem(f"card '{line.strip()}': not SEED and up to three numbers in range")
    return seed, n1 + 10**9 * n2


def source_of_cards(path, lines):
    source = Source(path, "cards")
    take_cards(source, lines)
    return source


def lines_of(text):
    """The lines of a text but the last, unless that has an end: the log of a killed process may be
    cut amidst a number."""
    return text.split("\n")[:-1]


def take_log(source, text):
    """Reads the cards of a log, with which `text` begins, and the states after them."""
    cards = text.partition("\n")[2].lstrip()
    take_cards(source, lines_of(cards[:MOST_CARDS]))
    if not re.search(r"^\s*(EXIT|RUNNR)\s", text, re.I | re.M):  # cut before it names its run
        source.run = None
    for place in AT.finditer(text):
        states, whole = {}, False
        for line in lines_of(text[place.end() : place.end() + 2000])[1:]:
            state = STATE.match(line)
            if not state:
                whole = True
                break
            k, seed, calls, billions = map(int, state.groups())
            states[k] = seed, calls + 10**9 * billions
        source.whole |= whole
        if place[2] == "RUN":
            source.begin = states if whole else {**source.begin, **states}
        elif place[1] == "END":
            number = int(place[3] or 0)
            source.ends[number] = states
            last = number >= source.first_event + source.showers - 1
            source.has_end |= last and states.keys() >= source.begin.keys()
        else:
            source.events[int(place[3] or 0)] = states


def sources_of_deliveries(path, text):
    """A source for each process whose lines of libgpuranmar a log has."""
    sources, ended = {}, {}
    lines = list(DELIVERED.finditer(text))
    for line in lines:
        process, sequence, seed, flavour, instances, *positions = line.groups()
        source = sources.setdefault(process, Source(path, "log"))
        ended[process, None] = ended[process, int(sequence or 0)] = line.start()
        if not sequence or flavour != "double" or instances != "1":
            source.unknown["streams, several instances or another flavour, not audited"] += 1
            continue
        first, end = map(int, positions)
        source.whole = True
        source.delivered.append((int(sequence), int(seed), first, end))
        source.begin.setdefault(int(sequence), (int(seed), first))
    lost = text.count("gpuranmar: delivered: process ") - len(lines) + bool(CUT.search(text))
    starts = [
        (line.start(), line[1], *map(int, line.groups()[1:])) for line in STARTED.finditer(text)
    ]
    killed = {process for at, process, *_ in starts if at > ended.get((process, None), -1)}
    for at, process, k, *state in starts:
        source = sources.setdefault(process, Source(path, "log"))
        source.begin.setdefault(k, tuple(state))
        if process in killed and at > ended.get((process, k), -1):
            source.lost.append((k, *state))
    unknown = {
        "lines of the library that are cut": lost,
        "engines of other routines than RMMARD, of which no end is known": len(
            ENGINE.findall(text)
        ),
    }
    if any(unknown.values()):
        sources = sources or {"": Source(path, "log")}
        next(iter(sources.values())).unknown.update(+Counter(unknown))
    return list(sources.values())


def sources_of(path):
    """What a file says of runs, as a list."""
    with Input(path) as file:
        data = file.read(4096)
        utf16 = data[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)  # as some shells write logs
        if b"\0" in data and not utf16:
            return []
        data += file.read(MOST if file.size is None or file.size <= MOST else 1 << 20)
        long = len(data) > MOST or file.size is not None and file.size > MOST
    text = data.decode("utf-16" if utf16 else "latin-1")
    text = re.sub("^\xef\xbb\xbf", "", text).replace("\r\n", "\n")
    if long and ("gpuranmar: " in text or CARDS_OF_A_LOG in text):
        raise Problem(f"a log of more than {MOST} bytes is not read")
    if long:
        return []
    processes = text.split(FIRST) if len(set(PROCESS.findall(text))) == 1 else [text]
    sources = [s for part in processes for s in sources_of_deliveries(path, part)]
    logs = text.split(CARDS_OF_A_LOG)[1:]  # a file may have the logs of several runs
    if logs:
        logged, sources = sources, [Source(path, "log") for _ in logs]
        for source, log in zip(sources, logs):
            take_log(source, log)
        if len(sources) == len(logged) == 1:
            sources[0].delivered, sources[0].lost = logged[0].delivered, logged[0].lost
            sources[0].unknown = logged[0].unknown
            sources[0].whole |= logged[0].whole
        else:
            sources += logged
    elif not sources and any(map(CARDS.match, text.splitlines())):
        if len(re.findall(r"^\* job \d", text, re.M)) > 1:
            return []  # a plan of many runs
        sources = [source_of_cards(path, text.splitlines())]
    for source in sources:
        source.check()
    return sources
