"""Reads argument lists from the debugging information of objects compiled with -g, by readelf."""
import re
import shutil
import subprocess

ENTRY = re.compile(r"^ *<(\w+)><(\w+)>: Abbrev Number: \d+ \(DW_TAG_(\w+)\)")
ATTRIBUTE = re.compile(r"^ *<\w+> +DW_AT_(name|type|declaration) *: (?:\([^)]*\): )*(.*?)\s*$")


def entries(text):
    """Yields (depth, offset, tag, attributes) of each debugging entry in readelf's text."""
    entry = None
    for line in text.splitlines():
        if match := ENTRY.match(line):
            if entry:
                yield entry
            entry = (int(match[1], 16), match[2], match[3], {})
        elif entry and (match := ATTRIBUTE.match(line)):
            entry[3].setdefault(match[1], re.sub("^0x", "", match[2].strip("<>")))
    if entry:
        yield entry


def argument_lists(path, wanted):
    """{routine: (type of a function or None, [types of the arguments])} for those names in
    `wanted`, in lower case, that the file defines. Types are as in DWARF: real(kind=8)."""
    if not shutil.which("readelf"):
        return {}
    dump = subprocess.run(
        ["readelf", "--debug-dump=info", path],
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    ).stdout
    types, found, current = {}, {}, None
    for depth, offset, tag, attributes in entries(dump):
        if tag.endswith("_type"):
            types[offset] = attributes.get("name"), attributes.get("type")
        if current and depth <= current[0]:
            current = None
        if tag == "subprogram" and "declaration" not in attributes:
            name = attributes.get("name", "").lower()
            if name in wanted:
                current = depth, name
                found[name] = attributes.get("type"), []
        elif tag == "formal_parameter" and current and depth == current[0] + 1:
            found[current[1]][1].append(attributes.get("type"))

    def resolve(offset):
        for _ in range(5):
            name, offset = types.get(offset, (None, None))
            if name or not offset:
                return name
        return None

    # The length of a CHARACTER argument is a formal parameter too; its type is None here.
    return {
        name: (resolve(result) if result else None, [resolve(t) for t in arguments])
        for name, (result, arguments) in found.items()
    }
