"""Replaces all files or none, even if the run is interrupted.

All new files are first written and synced beside the old ones, and then renamed with signals
blocked. A power cut, kill -9, or a second error while the first is undone can come between two
renames; then run apply or revert again. Until then the hooked code does not compile, because its
include file is the last that apply puts in place, and the first that revert removes.
"""

import contextlib
import fcntl
import os
import signal
import stat

TEMPORARY = ".gpuranmar-new"
SIGNALS = {signal.SIGINT, signal.SIGTERM, signal.SIGHUP}


class HalfDone(Exception):
    """Some files are replaced, and others are not."""


@contextlib.contextmanager
def only_run_in(directory):
    """Waits until no other run of the tool replaces files there, if the file system has locks."""
    folder = os.open(directory, os.O_RDONLY)
    try:
        with contextlib.suppress(OSError):
            fcntl.flock(folder, fcntl.LOCK_EX)
        yield
    finally:
        os.close(folder)


def write_beside(path, content):
    """Writes the new file under a temporary name, with mode and owner of the old one. What has that
    name is removed first, because opening a link would write the file that the link leads to."""
    try:
        if os.path.lexists(path + TEMPORARY):
            os.remove(path + TEMPORARY)
        with open(path + TEMPORARY, "xb") as file:
            if os.path.exists(path):
                old = os.stat(path)
                if os.geteuid() == 0:
                    os.chown(file.fileno(), old.st_uid, old.st_gid)
                os.fchmod(file.fileno(), stat.S_IMODE(old.st_mode))
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:  # the error of a full disk has no file name
        raise OSError(error.errno, error.strerror, path + TEMPORARY) from error


def put_in_place(path, content):
    if content is not None:
        os.replace(path + TEMPORARY, path)
    elif os.path.exists(path):
        os.remove(path)


def read_bytes(path):
    """The content of a file, None if there is none."""
    if not os.path.exists(path):
        return None
    with open(path, "rb") as file:
        return file.read()


def replace_files(files):
    """Replaces all or none. files: {path: new content, None to remove it}, in order."""
    old, done = {path: read_bytes(path) for path in files}, []
    try:
        for path, content in files.items():
            if content is not None:
                write_beside(path, content)
        mask = signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
        try:
            for path, content in files.items():
                put_in_place(path, content)
                done.append(path)
        except OSError:
            try:
                for path in reversed(done):
                    if old[path] is not None:
                        write_beside(path, old[path])
                    put_in_place(path, old[path])
            except OSError as error:
                raise HalfDone(f"{error.filename}: {error.strerror}") from error
            raise
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
    finally:
        for path in files:
            with contextlib.suppress(OSError):  # so that an earlier error is reported
                os.remove(path + TEMPORARY)
