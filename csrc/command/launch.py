"""Starts a tool in Python. This file and the tools' scripts also parse in Python 2, so that an old
Python reports its version in place of a syntax error."""
import os
import sys


def keep_absolute_path():
    """Programs of the current folder are not run, even if PATH names it."""
    os.environ["PATH"] = os.pathsep.join(filter(os.path.isabs, os.get_exec_path())) or os.defpath


def launch(tool, module, function="main"):
    """Runs module.function() and ends with its exit code."""
    if sys.version_info < (3, 8):
        old = (tool,) + tuple(sys.version_info[:2])
        sys.exit("%s: this is Python %d.%d; 3.8 or later is needed" % old)
    keep_absolute_path()
    if sys.stdout:  # names of files are any bytes
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        found = __import__(module, fromlist=[function])
    except ImportError as lacking:  # Debian's python3-minimal has little of the standard library
        sys.exit("%s: this Python is not whole: %s" % (tool, lacking))
    sys.exit(getattr(found, function)())
