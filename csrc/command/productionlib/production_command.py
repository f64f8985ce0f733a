"""Checks a finished production of CORSIKA for shared random numbers, and replays showers of it.

Every event header has, for each random sequence, the seed and the count of numbers drawn so far.
`audit` reads these headers, and cards and logs among the files; in logs it also reads what
libgpuranmar writes there if GPURANMAR_VERBOSE is 1. `audit` says which showers have random numbers
in common, or numbers that are tied. `replay` makes one shower again."""

import argparse
import datetime
import json
import struct
import sys
import time

from launch import version

from . import statement
from .audit import findings
from .files import Problem
from .replay import replay
from .corsika_runs import Production

FOUND, BAD_INPUT, OPEN = 1, 2, 3
EXIT_CODES = """exit codes:
  0  audit: nothing is shared; replay: done, with --run the shower is the same
  1  audit: something is shared, tied or there twice, or may be; replay: the shower differs
  2  bad input, nothing could be read, or standard output cannot be written
  3  audit: the files show nothing that is shared, but do not tell all
"""


def complain(text):
    print(f"gpuranmar production: {text}", file=sys.stderr)


SHOWN = [0.0]  # when progress was last shown


def show_progress(done, total):
    """Writes how many files were read, on a terminal, ten times a second."""
    if sys.stderr.isatty() and (time.monotonic() > SHOWN[0] + 0.1 or done == total):
        SHOWN[0] = time.monotonic()
        bar = "#" * (40 * done // total)
        sys.stderr.write(f"\r[{bar:40}] {done} of {total} files" + "\n" * (done == total))
        sys.stderr.flush()


def parse_arguments():
    how = {"formatter_class": argparse.RawDescriptionHelpFormatter, "epilog": EXIT_CODES}
    parser = argparse.ArgumentParser(prog="gpuranmar production", description=__doc__, **how)
    verbs = parser.add_subparsers(dest="verb", required=True, metavar="audit|replay")
    more = dict(epilog="`gpuranmar production --help` has the exit codes.")
    check = verbs.add_parser("audit", help="which showers have random numbers in common", **more)
    check.add_argument("paths", nargs="+", metavar="PATH", help="files and folders")
    check.add_argument("--json", metavar="FILE", help="write all findings, as JSON")
    says = "assume that an event draws at most N numbers of a sequence if no header or log says "
    says += "where the event ended (default 1e12)"
    check.add_argument("--most", type=float, default=1e12, metavar="N", help=says)
    again = verbs.add_parser("replay", help="makes one shower again", **more)
    again.add_argument("file", metavar="FILE", help="CORSIKA's file that has the shower")
    again.add_argument("event", metavar="RUN:EVENT", help="its run and event, such as 7:3")
    again.add_argument("--card", metavar="CARDS", help="cards or log of the run, if not in FILE")
    says = "run PROGRAM with the card, and compare; without --run, the card is printed"
    again.add_argument("--run", metavar="PROGRAM", help=says)
    return parser.parse_args()


def run_audit(arguments):
    if not 1 <= arguments.most <= 1e17:
        raise Problem(f"--most: {arguments.most:g} is not in 1 to 1e17")
    production = Production(arguments.paths, int(arguments.most), complain, show_progress)
    found = findings(production)
    found["version"] = version()
    found["date"] = datetime.date.today().isoformat()
    print(statement.text(found))
    if arguments.json:
        try:
            with open(arguments.json, "w", encoding="utf-8", errors="backslashreplace") as file:
                json.dump(found, file, indent=1)
                file.write("\n")
        except OSError as error:
            raise Problem(f"{arguments.json}: {error.strerror}") from None
    if not found["runs"]:
        return BAD_INPUT
    if found["shared"] or found["twice"]:
        return FOUND
    return OPEN if statement.open_questions(found) else 0


def main():
    try:
        arguments = parse_arguments()
        if arguments.verb == "audit":
            return run_audit(arguments)
        return 0 if replay(arguments) else FOUND
    except Problem as error:
        complain(error)
    except (IndexError, ValueError, OverflowError, struct.error) as error:
        complain(f"{arguments.file if arguments.verb == 'replay' else 'a file'}: damaged: {error}")
    return BAD_INPUT
