"""Starts a tool in Python. This file and installed tools' scripts parse in Python 2 too, so that an
old Python reports its version in place of a syntax error."""
import errno
import io
import os
import re
import sys


class Escaping(io.TextIOWrapper):
    """Standard error. Its lines may quote names of files that have control characters, which a
    terminal would obey. Colours pass, for argparse, and a \\r that begins a text, for progress."""

    def write(self, text):
        control = r"[\0-\x08\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f-\x9f]|\x1b(?!\[[\d;]*m)|(?!^)\r"
        return super().write(re.sub(control, lambda c: "\\x%02x" % ord(c.group()), text))


class Output(io.FileIO):
    """Standard output. Its errors name it: an error without a name may be another file's."""

    def write(self, data):
        try:
            return super().write(data)
        except OSError as error:
            error.filename = "standard output"
            raise


def run(tool, function):
    """Ends with the function's exit code. After an error of the system it prints one line, unless
    nobody reads the output, and ends with 2. main.c says why closed files are opened."""
    if not (sys.stdin and sys.stdout and sys.stderr):
        while os.open(os.devnull, os.O_RDONLY) <= 2:
            pass
        sys.stdin = sys.stdin or open(0)
        sys.stderr = sys.stderr or open(os.devnull, "w")
    how = {"errors": "backslashreplace", "line_buffering": True}  # names of files are any bytes
    sys.stderr = Escaping(sys.stderr.detach(), sys.stderr.encoding, **how)
    how["line_buffering"] = os.isatty(1)
    binary = io.BufferedWriter(Output(1, "w", closefd=False))
    sys.stdout = io.TextIOWrapper(binary, sys.stdout and sys.stdout.encoding, **how)
    try:
        try:
            sys.exit(function())
        finally:
            sys.stdout.flush()
    except OSError as error:
        try:
            if error.errno != errno.EPIPE:
                said = tool, error.filename, error.strerror or error
                sys.stderr.write(": ".join(str(part) for part in said if part) + "\n")
                sys.stderr.flush()
        finally:
            os._exit(2)  # since sys.exit() would write to standard output once more


def version():
    """The version, from the library's header, which is installed with the tools."""
    here = os.path.dirname(os.path.realpath(__file__))
    with io.open(os.path.join(here, "../include/gpuranmar.h"), encoding="utf-8") as file:
        return ".".join(re.findall(r"define GPURANMAR_VERSION_\w+ (\d+)", file.read()))


def say_version():
    sys.stdout.write(version() + "\n")


def launch(tool, module, function="main"):
    """Runs module.function() and ends with its exit code, or says the version."""
    if sys.version_info < (3, 8):
        old = (tool,) + tuple(sys.version_info[:2])
        sys.exit("%s: this is Python %d.%d; 3.8 or later is needed" % old)
    if sys.argv[1:] == ["--version"]:
        run(tool, say_version)
    try:
        found = __import__(module, fromlist=[function])
    except ImportError as lacking:  # Debian's python3-minimal has little of the standard library
        sys.exit("%s: this Python is not whole: %s" % (tool, lacking))
    run(tool, getattr(found, function))
