"""Replaces files so that an interrupted run leaves the originals, or else all files new.

All new files are first written and synced beside the old ones; only then are they renamed, with
signals held back. Between two renames just a power cut or kill -9 can come, and then apply or
revert can be run again. Hooked code cannot be compiled before its include file is there, which is
the last that apply puts in place and the first that revert removes.
"""

import os
import shutil
import signal

TEMPORARY = '.gpuranmar-new'
SIGNALS = {signal.SIGINT, signal.SIGTERM, signal.SIGHUP}


def write_beside(path, text):
    """Writes the new file under a temporary name, with the mode of the old one."""
    with open(path + TEMPORARY, 'w', encoding='latin-1', newline='') as file:
        if os.path.exists(path):
            shutil.copymode(path, file.name)
        file.write(text)
        file.flush()
        os.fsync(file.fileno())


def replace_files(files):
    """files: {path: new text, or None to remove the file}, in the order of replacement."""
    try:
        for path, text in files.items():
            if text is not None:
                write_beside(path, text)
        old = signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
        try:
            for path, text in files.items():
                if text is not None:
                    os.replace(path + TEMPORARY, path)
                elif os.path.exists(path):
                    os.remove(path)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, old)
    finally:
        for path in files:
            if os.path.exists(path + TEMPORARY):
                os.remove(path + TEMPORARY)
