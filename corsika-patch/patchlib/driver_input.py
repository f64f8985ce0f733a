"""The orders for the driver: random states, and calls in random order.

A random state has 97 words, multiples of 2**-48 below 1, and an arithmetic part, a multiple of
2**-24 below CM. RMMAQD reads it by its option 'SV'.
"""

import struct

WORD, CARRY, CM, CD = 1 << 48, 1 << 24, 16777213, 7654321
BILLION = 10**9
# (words, C) for which a difference is exactly 0: all words are equal, or all but one are 0; C is 0
# now, or at the next number.
ZERO_DIFFERENCES = ((0, None), (WORD - 1, None), (None, 0), (None, CD), (0, 0), (0, CD))
SEEDS = (0, 1, 942438977, 942438978, 2**31 - 1)


def hexadecimal(*values):
    """Double precision numbers as format Z16 has them."""
    return struct.pack(f">{len(values)}d", *values).hex().upper()


def column(words):
    """The lines of a state that have the words of one sequence."""
    digits = hexadecimal(*(word / WORD for word in words))
    return "".join(digits[at : at + 64] + "\n" for at in range(0, len(digits), 64))


class Orders:
    """
    random     a random.Random
    sequences  the number of sequences
    others     what RMMARD takes for the current sequence; an RMMARD may stop there instead
    has_state  whether RMMAQD writes and reads the whole state
    """

    def __init__(self, random, sequences, has_state, others):
        self.random, self.sequences, self.has_state = random, sequences, has_state
        self.drawn = [*others, *range(1, sequences + 1)]
        self.lines = []
        self.states = []  # state1 and so on, the files that the driver reads
        self.columns = [column(self.words()) for _ in range(20)]  # words of other sequences

    def words(self):
        return [self.random.getrandbits(48) for _ in range(97)]

    def add(self, *words):
        self.lines.append(" ".join(map(str, words)))

    def seed(self, k, skip=None):
        value = self.random.choice((*SEEDS, *(self.random.randrange(2**31) for _ in SEEDS)))
        skip = self.random.choice((0, self.random.randrange(300000))) if skip is None else skip
        self.add("seed", k, value, skip % BILLION, skip // BILLION)

    def seed_all(self):
        for k in range(1, self.sequences + 1):
            self.seed(k)

    def state(self, k, number=None, ntot=None, words=None, carry=None):
        """Sets a random state of sequence k, and random words of the others. `number`, if given,
        becomes the next number, in units of 2**-48. NTOT, the words of k and the arithmetic part
        are random unless given."""
        if not self.has_state:
            return self.seed(k)
        random = self.random
        i97, carry = random.randint(1, 97), random.randrange(CM) if carry is None else carry
        j97 = (i97 - 65) % 97 + 1
        own = self.words() if words is None else [words] * 97
        if words is not None:
            own[random.randrange(97)] |= 1  # a state with 97 even words is invalid
        if number is not None:
            following = (carry - CD) % CM
            own[j97 - 1] = 0
            own[i97 - 1] = (number + following * CARRY) % WORD
        if ntot is None:
            ntot = random.choice((random.randrange(BILLION), BILLION - random.randint(1, 200)))
        head = f"{random.randrange(2**31):8X}{ntot:8X}{random.randrange(9):8X}\n"
        head += f"{i97:8X}{j97:8X}{hexadecimal(carry / CARRY)}\n"
        columns = random.choices(self.columns, k=self.sequences)
        columns[k - 1] = column(own)
        self.states.append(head + "".join(columns))
        self.add("read", k, f"'../state{len(self.states)}'")

    def show(self, k):
        """Writes the current sequence, and the state of sequence k."""
        self.add("report", 0)
        if self.has_state:
            self.add("write", k)

    def routine(self, number, name, vector, sequence):
        """Calls one routine in many states."""
        self.add("name", name)
        self.seed_all()
        others = (1, self.random.randint(1, self.sequences))
        for k in (sequence,) if sequence else others:
            self.add("sequence", k)
            self.state(k)
            lengths = (1, 0, 2, 3, 10, 97, 100, 1000, 4501 + self.random.randrange(9999))
            for n in lengths if vector else (1,):
                self.add("call", number, n, 3 if vector else 100)
                self.add("report", 0)
            self.show(k)
            for short in (1, 2):  # the count reaches exactly 10**9, or one less
                self.state(k, ntot=BILLION - short)
                self.add("call", number, 1, 1)
                self.add("report", 0)
            # exact zero, two numbers that REAL rounds to 1., and the smallest numbers
            for value in (0, WORD - 1, WORD - (1 << 22), 1, 2, 3):
                self.state(k, value)
                self.add("call", number, 1, 3)
                self.show(k)
            for words, carry in ZERO_DIFFERENCES:
                self.state(k, words=words, carry=carry)
                self.add("call", number, 1, 100)
                self.show(k)

    def length(self):
        most = self.random.choice((400, 4000, 20000))
        return self.random.choice((0, 1, 1, 1, 2, 3, self.random.randrange(most)))

    def mixture(self, name, numbers, calls):
        """Calls RMMARD, RMMAQD and these routines in random order, on sequences that they share."""
        self.add("name", name)
        self.add("default")
        self.add("draw", 5, 1)
        self.seed_all()
        for _ in range(calls):
            self.add("sequence", self.random.randint(1, self.sequences))
            what = self.random.randrange(20)
            k = self.random.randint(1, self.sequences)
            if what == 0:
                self.seed(k)
            elif what == 1:
                self.odd_state(k)
            elif what == 2:
                self.show(k)
            elif what < 6 or not numbers:
                self.add("draw", self.length(), self.random.choice(self.drawn))
            else:
                n = self.random.choice((1, 1, 2, 50))
                self.add("call", self.random.choice(numbers), n, 1)
            self.add("report", self.random.choice((-1, 0, k)))

    def odd_state(self, k):
        """A state that random seeds hardly come to, and then numbers of sequence k."""
        number = self.random.choice((None, 0, 1, 2, WORD - 1))
        words, carry = self.random.choice(ZERO_DIFFERENCES)
        n = self.length()
        given = {"number": number}, {"words": words, "carry": carry}, {"ntot": BILLION - max(n, 1)}
        self.state(k, **self.random.choice(given))
        self.add("draw", n, k)

    def long_skip(self):
        self.add("name", "a skip of more than 10**9 numbers")
        self.seed(1, BILLION + self.random.randrange(1000))
        self.add("draw", 10, 1)
        self.show(1)
