"""Starts a tool in Python. This file and the tools' scripts also parse in Python 2, so that an old
Python reports its version in place of a syntax error."""
import errno
import io
import os
import re
import sys


def keep_absolute_path():
    """Programs of the current folder are not run, even if PATH names it."""
    os.environ["PATH"] = os.pathsep.join(filter(os.path.isabs, os.get_exec_path())) or os.defpath


class Escaping(io.TextIOWrapper):
    """Standard error. Its lines may quote names of files that have control characters, which a
    terminal would obey. Colours pass, since argparse uses them."""

    def write(self, text):
        control = r"[\0-\x08\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f-\x9f]|\x1b(?!\[[\d;]*m)"
        return super().write(re.sub(control, lambda c: "\\x%02x" % ord(c.group()), text))


def run(tool, function):
    """Ends with the function's exit code, or with 2 if standard output cannot be written. One line
    says so, unless the reader has gone. main.c says why closed files are opened."""
    if not (sys.stdin and sys.stdout and sys.stderr):
        while os.open(os.devnull, os.O_RDONLY) <= 2:
            pass
        sys.stdin = sys.stdin or open(0)
        sys.stdout = sys.stdout or open(1, "w")
        sys.stderr = sys.stderr or open(os.devnull, "w")
    how = {"errors": "backslashreplace"}  # names of files are any bytes
    sys.stdout.reconfigure(**how)
    how.update(encoding=sys.stderr.encoding, line_buffering=True)
    sys.stderr = Escaping(sys.stderr.detach(), **how)
    try:
        try:
            sys.exit(function())
        finally:
            sys.stdout.flush()
    except OSError as error:
        try:
            if error.errno != errno.EPIPE:
                where = error.filename or "standard output"
                sys.stderr.write("%s: %s: %s\n" % (tool, where, error.strerror))
                sys.stderr.flush()
        finally:
            os._exit(2)  # since sys.exit() would write to standard output once more


def launch(tool, module, function="main"):
    """Runs module.function() and ends with its exit code."""
    if sys.version_info < (3, 8):
        old = (tool,) + tuple(sys.version_info[:2])
        sys.exit("%s: this is Python %d.%d; 3.8 or later is needed" % old)
    keep_absolute_path()
    try:
        found = __import__(module, fromlist=[function])
    except ImportError as lacking:  # Debian's python3-minimal has little of the standard library
        sys.exit("%s: this Python is not whole: %s" % (tool, lacking))
    run(tool, getattr(found, function))
