"""Puts hooks for libgpuranmar into a CORSIKA source tree, or takes them out again.

Every copy of the RANMAR generator is recognised by its statements and wrapped in

    #ifdef __GPURANMAR__
          draw from libgpuranmar
    #else
          the original, untouched
    #endif

Without the macro the sources compile to the same object code as before. With -D__GPURANMAR__ and
-lgpuranmar the program makes the same numbers, faster. README.md beside this command has the steps.
"""

import argparse
import os
import random
import sys
import time
from collections import Counter

from .build import CannotBuild
from .replace_files import HalfDone, only_run_in, replace_files
from .tree import ENCODING, Tree, read
from .verify import Verification

DONE, NOT_UNDERSTOOD, USAGE, NOTHING_TO_DO, IO_ERROR = range(5)
INTERRUPTED = 130

EXIT_CODES = """exit codes:
  0  done; with --check: would be done
  1  something is not recognised, there is no generator, or verify finds a difference; nothing is
     changed
  2  wrong usage, or standard output cannot be written
  3  nothing to do: apply where the hooks are in, revert where there are none
  4  a file cannot be read or written, or verify cannot run (no compiler, ...); nothing is changed,
     unless a line says that some files are
  130  interrupted by Ctrl-C; no file is half written, and the verb can be given again
"""


def say(message):
    """Prints a line, on standard error if standard output fails, so that no verb stops halfway."""
    try:
        print(f"gpuranmar-patch: {message}", flush=True)
    except OSError as error:
        complain(f"standard output: {error.strerror}: {message}")
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def complain(message):
    print(f"gpuranmar-patch: {message}", file=sys.stderr)


def parse_arguments():
    how = {"formatter_class": argparse.RawDescriptionHelpFormatter, "epilog": EXIT_CODES}
    parser = argparse.ArgumentParser(prog="gpuranmar-patch", description=__doc__, **how)
    add, flag = parser.add_argument, {"action": "store_true"}
    says = (
        "apply: verify the hooks, then put them in; revert: take them out, to the byte; list: name "
        "each place for a hook, with 'bare' if the hook is missing; verify: compile the routines "
        "with and without hooks, and compare what they do"
    )
    add("verb", choices=["apply", "revert", "list", "verify"], help=says)
    add("directory", metavar="DIR", help="the source tree; no other directory is changed")
    says = "for apply and verify: the directory of libgpuranmar, if it is not installed where the "
    add("--library", metavar="LIB", default="", help=says + "linker looks")
    says = "for apply and verify: repeat the verification that printed this seed"
    add("--seed", type=int, default=random.randrange(1, 10**9), help=says)
    add("--no-verify", **flag, help="for apply: skip verify, at your own risk")
    says = "discard edits inside hooks, and hooks of another version"
    add("--discard-edits", **flag, help=says)
    add("--check", **flag, help="change nothing; say whether the tree is recognised")
    arguments = parser.parse_args()
    if not os.path.isdir(arguments.directory):
        parser.error(f"{arguments.directory} is not a directory")
    return arguments


def print_list(tree):
    for path, source in sorted(tree.sources.items()):
        print(path)
        for hook in sorted(source.hooks, key=lambda hook: hook.first):
            state = "" if tree.is_hooked(path, hook) else "bare"
            sequence = f"sequence {hook.sequence}" if hook.sequence else ""
            line = f"  {source.line_number(hook.first):6}  {hook.unit:12}  {hook.kind:21}"
            print(f"{line}  {sequence:13}  {state}".rstrip())
    for place in tree.stays:
        print("{}:{}: RMMARD stays a call: {}".format(*place))
    for line in tree.edited + tree.notes:
        print(line)


def summary(tree):
    hooks = [hook for source in tree.sources.values() for hook in source.hooks]
    inline = sum(hook.kind == "inline draw" for hook in hooks)
    return f"{len(hooks) - inline} hooks and {inline} inline draws in {len(tree.sources)} files"


def calls_that_stay(tree):
    """A line for each reason why calls are not drawn inline."""
    counts = Counter(reason for _, _, reason in tree.stays).items()
    return [f"{n} call{'s' * (n > 1)} for one number not drawn inline: {why}" for why, n in counts]


def refuse(lines):
    """Prints why the tool refuses."""
    for line in lines:
        complain(line)
    complain("nothing is changed")
    return NOT_UNDERSTOOD


def show_progress(what, done, of):
    """Shows the progress of verify: on a terminal one line that is updated, elsewhere a line when a
    step is done."""
    line = f"gpuranmar-patch: verify: {what} {done} of {of}"
    if sys.stderr.isatty():
        print(f"\r{line:60}", end="\n" if done == of else "", file=sys.stderr, flush=True)
    elif done == of:
        print(line, file=sys.stderr, flush=True)


def verify(arguments, tree, files):
    """Compares the routines with and without hooks. Returns whether they do the same."""
    start = time.monotonic()
    how = arguments.seed, arguments.library
    verification = Verification(tree, files, *how, progress=show_progress)
    for difference in verification.differences:
        complain(difference)
    for routine in verification.left_out:
        say(f"{routine}: not verified, because it does not compile")
    if verification.differences:
        complain(f"--seed {arguments.seed} repeats this, with {verification.library.name}")
        return False
    say(
        f"{arguments.directory}: RMMARD, RMMAQD and {len(verification.routines)} routines verified "
        f"with {verification.library.name} in {time.monotonic() - start:.0f} s, all numbers, "
        "counters and states are the same"
    )
    return True


def run(arguments):
    tree = Tree(arguments.directory)
    problems = tree.damaged + ([] if arguments.verb == "revert" else tree.problems)
    if problems:
        return refuse(problems)
    if not tree.sources:
        return refuse(tree.notes + [f"{arguments.directory}: no copy of the generator found"])
    if arguments.verb == "list":
        print_list(tree)
        return DONE
    if tree.edited and not arguments.discard_edits and arguments.verb != "verify":
        hint = "hooks were edited, or are of another version; --discard-edits discards the edits"
        return refuse(tree.edited + [hint])
    if arguments.verb == "verify":
        return DONE if verify(arguments, tree, tree.as_hooked()) else NOT_UNDERSTOOD
    putting_in = arguments.verb == "apply"
    if tree.is_complete() if putting_in else not tree.hooked():
        state = "the hooks are in already" if putting_in else "there are no hooks"
        say(f"{arguments.directory}: {state}; nothing to do")
        return NOTHING_TO_DO
    files = tree.with_hooks() if putting_in else tree.without_hooks()
    if not arguments.check:
        if putting_in and not arguments.no_verify and not verify(arguments, tree, files):
            return refuse([])
        with only_run_in(arguments.directory):
            edited = [path for path, text in tree.texts.items() if read(path) != text]
            if edited:
                again = "was edited meanwhile; give the verb again"
                return refuse([f"{path}: {again}" for path in edited])
            new = {p: text if text is None else text.encode(ENCODING) for p, text in files.items()}
            replace_files(new)
    state = ("can be " if arguments.check else "") + ("put in" if putting_in else "taken out")
    say(f"{arguments.directory}: {summary(tree)} {state}")
    for line in [*calls_that_stay(tree), *tree.notes] if putting_in else ():
        say(line)
    return DONE


def main():
    """Runs the command and ends with its exit code."""
    try:
        code = run(parse_arguments())
        print(end="", flush=True)
    except CannotBuild as error:
        complain(f"not verified, nothing is changed: {error}")
        code = IO_ERROR
    except BrokenPipeError:  # as when `list | head` has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = DONE
    except OSError as error:
        if error.filename == "standard output":
            raise
        name = f"{error.filename}: " if error.filename else ""
        complain(f"{name}{error.strerror}; nothing is changed")
        code = IO_ERROR
    except HalfDone as error:
        complain(f"{error}; some files are changed; give the verb again")
        code = IO_ERROR
    except KeyboardInterrupt:
        complain("interrupted; no file is half written, and the verb can be given again")
        code = INTERRUPTED
    sys.exit(code)
