"""CORSIKA's files as a row of blocks: particle, Cherenkov, and telescopes' EventIO files.

A particle file is Fortran's: records of 21 sub-blocks of 273 words (312 with thinning), each record
between two lengths. A sub-block that begins with RUNH, EVTH, EVTE, RUNE or LONG is a header, end or
table; any other has particles or light. An EventIO file is a row of objects, of which those of
types 1200, 1202, 1209 and 1210 hold the same words as RUNH, EVTH, EVTE and RUNE, and 1212 the
input cards. Files may be compressed by gzip or zstd, and of either byte order."""

import copy
import gzip
import math
import os
import shutil
import struct
import subprocess
import zlib

NAMED = {b"RUNH": "RUNH", b"EVTH": "EVTH", b"EVTE": "EVTE", b"RUNE": "RUNE", b"LONG": "LONG"}
OBJECTS = {1200: "RUNH", 1202: "EVTH", 1209: "EVTE", 1210: "RUNE", 1212: "cards"}
HEADERS = {"RUNH", "EVTH", "EVTE", "RUNE", "cards"}
SUB_BLOCKS = 21
WORDS = (273, 312)
SYNC = {"<": b"\x37\x8a\x1f\xd4", ">": b"\xd4\x1f\x8a\x37"}
EXTENDED, LENGTH = 1 << 17, (1 << 30) - 1  # bits of an object's type and of its length


class Problem(Exception):
    """Why a file cannot be read on, or why the tool cannot go on, as one line."""


class Block:
    """A sub-block or an object: its name, or None for light and particles; its bytes, without the
    count with which an object begins; and the byte order."""

    def __init__(self, name, data, order):
        self.name, self.data, self.order = name, data, order

    def words(self):
        """All words as floats; the first of a header is its name, and means nothing."""
        count = len(self.data) // 4
        return struct.unpack(f"{self.order}{count}f", self.data[: 4 * count])


class Input:
    """A file that is read in order, and decompressed if it is compressed."""

    def __init__(self, path):
        self.path, self.at, self.size, self.process = path, 0, None, None
        self.file = open(path, "rb")
        start = self.file.peek(4)[:4]
        if start[:2] == b"\x1f\x8b":
            self.file = gzip.open(self.file)
        elif start == b"\x28\xb5\x2f\xfd":
            if not shutil.which("zstd"):
                raise Problem("compressed by zstd, and there is no program zstd")
            os.lseek(self.file.fileno(), 0, os.SEEK_SET)  # peek() has read ahead
            how = dict(stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
            self.process = subprocess.Popen(["zstd", "-dcq"], stdin=self.file, **how)
            self.file.close()
            self.file = self.process.stdout
        else:
            self.size = os.fstat(self.file.fileno()).st_size

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.file.close()
        if self.process:
            self.process.kill()
            self.process.wait()

    def read(self, count):
        try:
            data = self.file.read(count)
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise Problem(f"compressed data is damaged after byte {self.at}: {error}") from None
        if self.process and len(data) < count and self.process.wait():
            raise Problem(f"compressed data is damaged after byte {self.at + len(data)}")
        self.at += len(data)
        return data

    def exactly(self, count):
        data = self.read(count)
        if len(data) < count:
            raise Problem(f"cut short at byte {self.at}")
        return data

    def skip(self, count):
        if self.size is None:
            while count > 0:
                count -= len(self.exactly(min(count, 1 << 20)))
        elif self.at + count > self.size:
            raise Problem(f"cut short at byte {self.size}")
        else:
            self.at = self.file.seek(count, os.SEEK_CUR)


def record_form(start):
    """(byte order, size of a length, words of a sub-block) of a file that begins with these bytes,
    or None."""
    for marker, letter in ((4, "I"), (8, "Q")):
        for order in "<>":
            if start[marker : marker + 4] == b"RUNH":
                (length,) = struct.unpack(order + letter, start[:marker])
                if length in [4 * SUB_BLOCKS * words for words in WORDS]:
                    return order, marker, length // SUB_BLOCKS // 4
    return None


def kind_of(path):
    """ "particles", "Cherenkov", "EventIO", or None for any other file."""
    with Input(path) as file:
        start = file.read(12)
    if start[:4] in SYNC.values():
        return "EventIO"
    if record_form(start):
        return "Cherenkov" if os.path.basename(path).startswith("CER") else "particles"
    return None


def blocks(path, every=False):
    """Yields the headers, ends and cards of a file; with `every` all its blocks."""
    with Input(path) as file:
        start = file.exactly(12)
        if start[:4] in SYNC.values():
            yield from objects(file, start, every)
            return
        form = record_form(start)
        if not form:
            raise Problem("no output of CORSIKA")
        yield from sub_blocks(file, start, form, every)


def sub_blocks(file, start, form, every):
    order, marker, words = form
    size = 4 * words
    length = start[:marker]
    whole = SUB_BLOCKS * size + 2 * marker
    record = start + file.read(whole - len(start))
    while record:
        if len(record) < whole or record[:marker] != length or record[-marker:] != length:
            if len(record) < whole:
                raise Problem(f"cut short at byte {file.at}")
            where = file.at - len(record)
            raise Problem(f"no record of {whole - 2 * marker} bytes at byte {where}")
        wanted = every or b"EVT" in record or b"RUN" in record  # few records have a header
        for at in range(marker, whole - marker, size) if wanted else ():
            name = NAMED.get(record[at : at + 4])
            if every or name in HEADERS:
                yield Block(name, record[at : at + size], order)
        record = file.read(whole)


def objects(file, start, every):
    order = "<" if start[:4] == SYNC["<"] else ">"
    while start:
        if len(start) < 12:
            raise Problem(f"cut short at byte {file.at}")
        if start[:4] != SYNC[order]:
            raise Problem(f"no object at byte {file.at - 12}")
        kind, _ = struct.unpack(order + "II", start[4:])
        (length,) = struct.unpack(order + "I", file.exactly(4))
        length &= LENGTH
        if kind & EXTENDED:
            length |= (struct.unpack(order + "I", file.exactly(4))[0] & 0xFFF) << 30
        name = OBJECTS.get(kind & 0xFFFF)
        if name in HEADERS and length > 1 << 24:
            raise Problem(f"an object {kind & 0xFFFF} of {length} bytes at byte {file.at}")
        if name in HEADERS or every:
            data = file.exactly(length)
            yield Block(name, data[4:] if name else data, order)
        else:
            file.skip(length)
        start = file.read(12)


def cards_of(block):
    """The lines of the input cards that an EventIO file holds."""
    lines, at = [], 0
    while at + 2 <= len(block.data):
        (length,) = struct.unpack_from(block.order + "H", block.data, at)
        lines.append(block.data[at + 2 : at + 2 + length].decode("latin-1").rstrip())
        at += 2 + length
    return lines


# --- What the headers say ---

ROOM = 10  # sequences that an event header has room for
SEED_MAX, INTEGER_MAX = 942438977, 2**31 - 1


def as_word(number):
    """A whole number, rounded to a word of four bytes as a header has it."""
    return struct.unpack("<f", struct.pack("<f", number))[0]


def meanings(word):
    """(lowest, highest) whole number that the word may stand for."""
    if word < 0:
        return tuple(-number for number in reversed(meanings(-word)))
    mantissa, exponent = math.frexp(word)
    step = 2.0 ** (exponent - 24)  # to the next word
    low, high = word - step / (4 if mantissa == 0.5 else 2), word + step / 2
    if step <= 1:
        return int(word), int(high)
    if word / step % 2:  # halves are rounded to even words
        return math.floor(low) + 1, math.ceil(high) - 1
    return math.ceil(low), math.floor(high)


class Event:
    """An event header: numbers of run and event; particle, energy and angles of the shower; and for
    each sequence the words of its seed, its calls modulo 10^6 and its millions of calls. An event
    is whole if its end follows. There is
    room for ten sequences: CORSIKA writes further ones over the words that follow, among them the
    number of the run."""

    def __init__(self, block, run):
        words = block.words()
        if len(words) < WORDS[0]:
            raise Problem(f"an event header of {len(words)} words")
        count = words[12]
        if count not in range(1, 17):
            raise Problem(f"event {words[1]:g} has {count:g} random sequences")
        self.left_out = count > ROOM or words[176] > 0  # whether MULTITHIN has further sequences
        self.states = [words[13 + 3 * k : 16 + 3 * k] for k in range(min(ROOM, int(count)))]
        for k, (seed, calls, millions) in enumerate(self.states, 1):
            fits = 0 <= seed <= as_word(INTEGER_MAX) and 0 <= calls < 10**6
            if not fits or abs(millions) >= 2**40 or seed % 1 or calls % 1 or millions % 1:
                has = f"seed {seed:g}, {calls:g} calls and {millions:g} millions"
                raise Problem(f"event {words[1]:g}: sequence {k} has {has}")
        number = run if count > ROOM else words[43]
        fits = 1 <= words[1] < 10**8 and 0 <= number < 10**8
        if not fits or words[1] % 1 or number % 1:
            raise Problem(f"event number {words[1]:g} or run number {number:g} is impossible")
        self.number, self.run = int(words[1]), int(number)
        self.shower, self.whole = words[2:4] + words[10:12], False


class Archive:
    """A file of showers: its kind, events and last cards; `damage` says what is wrong with it, or
    is None."""

    def __init__(self, path):
        self.path, self.kind, self.events, self.cards = path, kind_of(path), [], []
        self.damage, self.run_cards = None, {}
        begun, closed, count = 0, False, 0
        try:
            for block in blocks(path):
                if block.name == "RUNH":
                    begun, count = block.words()[1], 0
                elif block.name == "EVTH":
                    self.events.append(Event(block, begun))
                    count += 1
                elif block.name == "EVTE" and self.events:
                    self.events[-1].whole = True
                elif block.name == "cards":
                    self.cards = self.run_cards[begun] = cards_of(block)
                elif block.name == "RUNE":
                    closed = True
                    if block.words()[2] > count:
                        self.damage = f"run {begun:g} has lost events, and has only {count} left"
        except IndexError:
            self.damage = "a header is cut short"
        except (Problem, OSError, ValueError, OverflowError) as error:
            self.damage = str(error)
        if not self.damage and not closed:
            self.damage = "ends without the end of the run"

    def of_run(self, run):
        """The events and cards of one run of the file."""
        part = copy.copy(self)
        part.events = [event for event in self.events if event.run == run]
        part.cards = self.run_cards.get(run, [])
        return part
