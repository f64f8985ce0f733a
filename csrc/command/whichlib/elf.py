"""Reads symbols, sections and needed libraries of ELF files, and the members of archives, without
binutils. It does only what is needed here."""
import struct
from typing import NamedTuple

SHT_SYMTAB, SHT_DYNAMIC, SHT_NOBITS, SHT_DYNSYM = 2, 6, 8, 11
SHN_UNDEF = 0
ET_REL, ET_EXEC, ET_DYN = 1, 2, 3


class Symbol(NamedTuple):
    name: str
    defined: bool
    function: bool
    size: int
    place: tuple  # the section in an object, "" elsewhere, and the address there


class Elf:
    """A 64-bit little-endian ELF file; ValueError for any other."""

    def __init__(self, data):
        if data[:4] != b"\x7fELF":
            raise ValueError("not an ELF file")
        if data[4:6] != b"\2\1":
            raise ValueError("an ELF file, but not of a 64-bit little-endian machine")
        self.data = data
        header = struct.unpack_from("<HHIQQQIHHHHHH", data, 16)
        (self.kind, self.machine), offset, (size, count, names) = header[:2], header[5], header[10:]
        self.sections = [
            struct.unpack_from("<IIQQQQIIQQ", data, offset + i * size) for i in range(count)
        ]
        self.names = [self._text(names, section[0]) for section in self.sections] if count else []
        self.symbols, self.dynamic = self._symbols(SHT_SYMTAB), self._symbols(SHT_DYNSYM)
        self.needed = self._needed()

    def _text(self, section, at):
        start = self.sections[section][4] + at
        return self.data[start : self.data.index(b"\0", start)].decode("latin-1")

    def _symbols(self, kind):
        found = []
        for section in self.sections:
            if section[1] == kind:
                for at in range(section[4], section[4] + section[5], 24):
                    name, info, _, index, value, size = struct.unpack_from("<IBBHQQ", self.data, at)
                    held = self.names[index] if index < len(self.names) else ""
                    if info & 15 in (0, 1, 2, 5, 10):  # none, object, function, common, ifunc
                        found.append(
                            Symbol(
                                self._text(section[6], name).split("@")[0],  # without a version
                                index != SHN_UNDEF,
                                info & 15 in (2, 10),
                                size,
                                (held if self.kind == ET_REL else "", value),
                            )
                        )
        return found

    def _needed(self):
        found = []
        for section in self.sections:
            if section[1] == SHT_DYNAMIC:
                for at in range(section[4], section[4] + section[5], 16):
                    tag, value = struct.unpack_from("<qQ", self.data, at)
                    if tag == 1:
                        found.append(self._text(section[6], value))
        return found

    def contents(self, debug=False):
        """The bytes of the sections that are loaded, or with `debug` of all others."""
        return b"\0".join(
            self.data[s[4] : s[4] + s[5]]
            for s in self.sections
            if s[1] != SHT_NOBITS and bool(s[2] & 2) != debug
        )


def members(data):
    """Yields name and content of each member of an ar archive."""
    at, long_names = 8, b""
    while at + 60 <= len(data):
        name, size = data[at : at + 16].decode("latin-1").rstrip(), int(data[at + 48 : at + 58])
        content = data[at + 60 : at + 60 + size]
        if name == "//":
            long_names = content
        elif name not in ("/", "/SYM64/"):
            if name[0] == "/" and name[1:].isdigit():
                start = int(name[1:])
                name = long_names[start : long_names.index(b"\n", start)].decode("latin-1")
            yield name.rstrip("/"), content
        at += 60 + size + size % 2
