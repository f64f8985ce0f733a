"""Starts a tool in Python. This file and the tools' scripts also parse in Python 2, so that an old
Python reports its version in place of a syntax error."""
import errno
import os
import sys


def keep_absolute_path():
    """Programs of the current folder are not run, even if PATH names it."""
    os.environ["PATH"] = os.pathsep.join(filter(os.path.isabs, os.get_exec_path())) or os.defpath


def run(tool, function):
    """Ends with the function's exit code, or with 2 if standard output cannot be written. One line
    says so, unless the reader has gone. main.c says why closed files are opened."""
    if not (sys.stdin and sys.stdout and sys.stderr):
        while os.open(os.devnull, os.O_RDONLY) <= 2:
            pass
        sys.stdin = sys.stdin or open(0)
        sys.stdout = sys.stdout or open(1, "w")
        sys.stderr = sys.stderr or open(os.devnull, "w")
    sys.stdout.reconfigure(errors="backslashreplace")  # names of files are any bytes
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
