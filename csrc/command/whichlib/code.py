"""Finds out from the machine code of calls of RMMARD and RMMAQD how many bytes INTEGER and DOUBLE
PRECISION have in a program: whether its arguments are written and read as four bytes or as eight.
Only for x86-64, by objdump. It follows no jumps: what it cannot follow gives no sign."""
import itertools
import re
import shutil
import struct
import subprocess

LINE = re.compile(r"^ *([0-9a-f]+):\t(\S+) *([^#<]*)(?:<([^>@+]*)[^>]*>)?(?:.*# ([0-9a-f]+))?")
RELOCATION = re.compile(r"^\t+([0-9a-f]+): R_X86_64_\w+\t([^-+\s]+)(?:([-+]0x[0-9a-f]+))?")
MEMORY = re.compile(
    r"(?:(DWORD|QWORD|XMMWORD) PTR )?\[(?:(r[sb]p)([-+]0x[0-9a-f]+)?|rip[^]]*|(r\w+))]"
)
SAVED = {"rbx", "rbp", "r12", "r13", "r14", "r15"}  # by a routine that is called
# What does arithmetic in 16 bytes, and what reads and writes such numbers.
QUADRUPLE = re.compile(r"__\w+tf[0-9a-z]*$|_gfortran_transfer_real128")
BYTES = {"DWORD": 4, "QWORD": 8}


def instructions(path):
    """Yields the instructions as (operation, operands, name of what is called, place in memory), and
    None before each routine. A place is (what it is counted from, distance)."""
    pending = place = None
    with subprocess.Popen(
        ["objdump", "-dr", "--no-show-raw-insn", "-Mintel", path],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        errors="replace",
    ) as dump:
        for line in dump.stdout:
            if match := RELOCATION.match(line):
                at, symbol, distance = int(match[1], 16), match[2], int(match[3] or "0", 16)
                place = symbol, distance - at
                continue
            match = LINE.match(line)
            if pending and (match or not line.strip()):
                if place and match:  # a distance is counted from the next instruction
                    place = place[0], place[1] + int(match[1], 16)
                yield pending[0], pending[1], place[0] if place else pending[2], place or pending[3]
                pending = place = None
            if match:
                target = ("", int(match[5], 16)) if match[5] else None
                pending = match[2], match[3].strip(), match[4], target
            elif line.endswith(">:\n"):
                yield None


class Routine:
    """What is seen in one routine."""

    def __init__(self):
        self.registers, self.accesses = {}, set()  # places that registers point to; (place, bytes)
        self.scalars, self.arrays, self.quadruple = set(), set(), False  # places of arguments

    def place(self, operand, static):
        """The place and the bytes of an operand in memory, or None."""
        match = MEMORY.search(operand)
        if not match:
            return None
        if match[4]:
            place = self.registers.get(match[4])
        elif match[2]:
            place = match[2], int(match[3] or "0", 16)
        else:
            place = static
        return (place, BYTES.get(match[1])) if place else None

    def call(self, name):
        """Notes the arguments of a call."""
        pointer = self.registers.get
        if name == "rmmard_":
            self.scalars |= {pointer("rsi"), pointer("rdx")}
        elif name == "rmmaqd_":
            self.scalars.add(pointer("rsi"))
            self.arrays.add(pointer("rdi"))
        elif name.startswith("_gfortran_transfer_integer"):
            self.accesses.add((pointer("rsi"), pointer("edx")))
        elif QUADRUPLE.match(name) or (
            name == "_gfortran_transfer_array_write" and pointer("edx") == 16
        ):
            self.quadruple = True
        self.registers = {k: v for k, v in self.registers.items() if k in SAVED}

    def step(self, operation, operands, name, static):
        """Follows one instruction."""
        if operation in ("call", "jmp") and name:
            self.call(name)
            return
        first, _, last = operands.partition(",")
        if operation == "lea":
            found = self.place(last, static)
            self.registers[first] = found[0] if found else None
            return
        if found := self.place(operands, static):
            self.accesses.add(found)
        if operation == "mov" and last.startswith("0x"):
            self.registers[first] = int(last, 16)
            self.registers["r" + first[1:]] = "", int(last, 16)  # an address may have 32 bits
        elif "[" not in first:
            self.registers[first] = self.registers.get(last) if operation == "mov" else None

    def signs(self):
        """The sizes of INTEGER that the places of arguments tell, and what is accessed. A place that
        is not a multiple of eight has four bytes. Without this, two neighbours of four bytes that
        are written by one instruction would look like one of eight."""
        if any(place and place[1] % 8 for place in self.scalars | self.arrays):
            yield 4
        for place, size in self.accesses:
            if size in (4, 8) and place in self.scalars:
                yield size
            for base, start in (a for a in self.arrays if a and place and a[0] == place[0]):
                if (place[1] - start, size) in ((0, 4), (4, 4), (8, 4)):
                    yield 4
                elif (place[1] - start, size) in ((8, 8), (16, 8)):
                    yield 8


def constants(file, places):
    """The sizes that the constants among the arguments tell: those of eight bytes are aligned to
    eight, and the upper halves of numbers as small as these are 0 or, of negative ones, -1."""
    found = 0
    for base, at in (p for p in places if p and p[0] not in ("rsp", "rbp")):
        for name, section in zip(file.names, file.sections):
            start = at - section[3]
            if section[1] != 1 or section[2] & 3 != 2 or (base or name) != name:
                continue  # not read-only
            if 0 <= start <= section[5] - 4:
                upper = file.data[section[4] + start + 4 : section[4] + start + 8]
                if start % 8 or struct.unpack("<i", upper.ljust(4, b"\1"))[0] not in (0, -1):
                    yield 4
                found += 1
    if found > 1:
        yield 8


def statics(file, arrays):
    """The sizes that the symbols of ISEED tell, an array of three INTEGERs."""
    for symbol in file.symbols:
        if symbol.place in arrays and symbol.size in (12, 24):
            yield symbol.size // 3


def sizes(path, file):
    """The bytes of INTEGER (4, 8, or None where that cannot be seen), and whether DOUBLE PRECISION
    has sixteen, in the routines of a file that call RMMARD or RMMAQD."""
    if not shutil.which("objdump") or file.machine != 62:
        return None, False
    signs, scalars, arrays, quadruple, routine = set(), set(), set(), False, Routine()
    for instruction in itertools.chain(instructions(path), [None]):
        if instruction:
            routine.step(*instruction)
            continue
        signs |= set(routine.signs())
        scalars |= routine.scalars
        arrays |= routine.arrays
        quadruple = quadruple or (routine.quadruple and bool(routine.scalars))
        routine = Routine()
    signs |= {*constants(file, scalars), *statics(file, arrays)}
    return min(signs, default=None), quadruple
