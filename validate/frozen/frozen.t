#!/usr/bin/env python3
"""What versions have promised: each later one draws the numbers of VERSION.json.gz, from seeds and
from states that this version saved, and finds the same in a production. Nobody edits such a file:
FROZEN has the sums. Before a release, `frozen.t --freeze VERSION` writes that version's file, the
ABI's (abi.t), and their sums; it leaves earlier ones as they are."""
import ctypes
import glob
import gzip
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
sys.path[:0] = ["validate/tests", "csrc/command"]
from tap import BUILD, ROOT, SANITIZE, finish, ok, skip  # noqa: E402
from whichlib import families  # noqa: E402

FROZEN = {
    "csrc/definition/known_answers.txt": "51318c9d194ce487d9db12d8693323fd0a24d1e15e3f556d00a42107d1ee53d4",
    "validate/frozen/1.0.0.abi.tar.xz": "dc830edd20366a3c5857a246500af5651fab6c9d8ce81d54a776839afea01480",
    "validate/frozen/1.0.0.json.gz": "c904377823b5f3ba52ac7b0e0e08528256b9d438cc23e0eac6e96334336beed4",
}
HERE = "validate/frozen"
# What is run on standard input's lines to save states, and to go on from these.
RV = "S 1 1802 5 0|S 2 9373 0 7|draw 2 3|file f|RV 2 0 0 0"
RM48 = "rm48in 1802 7 1|rm48 3|rm48ut|rmmaq S 2 1802 5 0|rmmar 2 3|rmmaq R 2"
REPLAYED = {
    "unit 11": ("", RV, "S 1 0 0 0|file f|SV 2 0 0 0|draw 2 3|draw 1 3|R 2 0 0 0"),
    "RMASAVE": ("-one", "start 1802 9373|draw 5|rmasave f", "rmaset 0 0 f|draw 3"),
    "PYRGET": ("-pythia6", "draw 5|file f|get 0|draw 2|get 0", "file f|set 1|draw 3|report"),
    "RLUGET": ("-jetset", "draw 5|file f|get 0", "file f|set 0|draw 3|report"),
    "RLUGET of sophia": ("-sophia", "draw 5|file f|get 0", "file f|set 0|draw 3"),
    "RM48": ("-cernlib", "", RM48),
}
# Zeros come: the 898th and the 3151st number of these seeds.
FAMILY = "start 8872 4894 0|skip 1100|draw 3|start 20309 6464 0|skip 3200|draw 3|report|keep"
LOG = """DATA CARDS FOR RUN STEERING

RUNNR {run}
EXIT
 AND RANDOM NUMBER GENERATOR AT BEGIN OF RUN :
 SEQUENCE =  1  SEED =        7  CALLS =         {run}  BILLIONS =         0

EXIT
 AND RANDOM NUMBER GENERATOR AT END OF EVENT :       9
 SEQUENCE =  1  SEED =        7  CALLS =      {run}000  BILLIONS =         0
"""


def run(command, files, lines=""):
    """What a command prints on these lines in a folder with these files; they become those that it
    leaves. None if the command cannot run here."""
    environment = {
        **os.environ,
        "GPURANMAR_SEQUENCES": "2",
        "PYTHONPATH": f"{ROOT}/csrc/python",
        "GPURANMAR_LIBRARY": f"{BUILD}/libgpuranmar.so",
    }
    if not command or not shutil.which(command[0]):
        return None
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            with open(f"{folder}/{name}", "wb") as file:
                file.write(text.encode("latin-1"))
        text = lines.replace("|", "\n") + "\n"
        done = subprocess.run(
            command, input=text, text=True, capture_output=True, cwd=folder, env=environment
        )
        for name in os.listdir(folder):
            with open(f"{folder}/{name}", "rb") as file:
                files[name] = file.read().decode("latin-1")
    if done.returncode == 77:
        return None
    return done.stdout.splitlines() + [line for line in [done.stderr.strip()] if line]


def python():
    for program in (sys.executable, "/usr/bin/python3"):
        known = subprocess.run([program, "-c", "import numpy"], capture_output=True).returncode == 0
        if known and not SANITIZE:
            return [program, f"{ROOT}/{HERE}/states.py"]
    return []


def statement(files):
    """The audit's findings on two logs, but for who made them and when."""
    run([f"{BUILD}/gpuranmar", "production", "audit", "--json", "found", "."], files)
    found = json.loads(files.pop("found", "{}"))
    return {key: value for key, value in found.items() if key not in ("version", "date")}


def called():
    """Numbers of the families that the replayed programs do not call."""
    if SANITIZE or not os.path.exists(f"{BUILD}/libgpuranmar_gsl.so"):
        return None
    node = ctypes.CDLL(f"{BUILD}/libgpuranmar_multinest.so")
    node.ranmarns_.restype = ctypes.c_double
    node.initrandomns_(*[ctypes.byref(ctypes.c_int(1))] * 2)
    numbers = [node.ranmarns_(ctypes.byref(ctypes.c_int(0))).hex() for _ in range(3)]
    gsl = ctypes.POINTER(ctypes.c_void_p).in_dll(
        ctypes.CDLL(f"{BUILD}/libgpuranmar_gsl.so"), "gsl_rng_ranmar"
    )
    state = ctypes.create_string_buffer(gsl[3])
    ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_ulong)(gsl[4])(ctypes.addressof(state), 1802)
    get = ctypes.CFUNCTYPE(ctypes.c_ulong, ctypes.c_void_p)(gsl[5])
    return numbers + [get(ctypes.addressof(state)) for _ in range(3)]


def cases():
    """Each promise: its name, what saves states into a dictionary of files, what reads them."""
    runs = lambda command, lines="": lambda files: run(command, files, lines)
    nothing = lambda files: None
    for name, (of, writes, reads) in REPLAYED.items():
        command = [f"{BUILD}/replay{of}-relinked"]
        yield name, runs(command, writes) if writes else nothing, runs(command, reads)
    for name in sorted(families.rows()):
        if name not in ("gsl", "multinest", "ompmc"):
            yield name, nothing, runs([f"{BUILD}/replay-{name}-relinked"], FAMILY)
    yield "gsl and multinest", nothing, lambda files: called()
    for kind in "stream", "engine", "clhep":
        yield kind, *(runs([f"{BUILD}/frozen-states", verb, kind]) for verb in ("write", "read"))
    program = python()
    yield "Python", *(runs(program and [*program, verb]) for verb in ("write", "read"))
    logs = {f"{n}.log": LOG.format(run=n) for n in (1, 2)}
    yield "production audit", lambda files: files.update(logs), statement


def digest(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def freeze(version):
    if os.path.exists(f"{HERE}/{version}.json.gz"):
        sys.exit(f"frozen.t: {version} is frozen; unless it is released, remove its files")
    kept = {}
    for name, write, read in cases():
        files = {}
        write(files)
        saved = dict(files)
        kept[name] = {"files": saved, "answer": read(files)}
        if kept[name]["answer"] is None:
            sys.exit(f"frozen.t: {name} cannot be frozen here")
    if subprocess.run([f"{HERE}/abi.t", "--freeze", version]).returncode:
        sys.exit("frozen.t: nothing is frozen")
    with open(f"{HERE}/{version}.json.gz", "wb") as file:
        file.write(gzip.compress(json.dumps(kept, indent=1).encode(), mtime=0))
    sums = {**FROZEN, **{path: digest(path) for path in glob.glob(f"{HERE}/{version}.[aj]*")}}
    rows = "".join(f'    "{path}": "{sum_}",\n' for path, sum_ in sorted(sums.items()))
    with open(__file__) as file:
        text = file.read()
    with open(__file__, "w") as file:
        file.write(re.sub(r"(?s)(?<=\nFROZEN = \{\n).*?(?=\}\n)", lambda _: rows, text, count=1))


if sys.argv[1:2] == ["--freeze"]:
    freeze(*sys.argv[2:])
    sys.exit()
released = re.findall(r"(?m)^## (\d.*)$", open("CHANGELOG.md").read())[1:]
files = {f"{HERE}/{version}.{kind}" for version in released for kind in ("abi.tar.xz", "json.gz")}
files |= {"csrc/definition/known_answers.txt", *glob.glob(f"{HERE}/[0-9]*")}
ok(files == set(FROZEN), "each release's files have a sum", sorted(files ^ set(FROZEN)))
for path, sum_ in FROZEN.items():
    intact = digest(path) == sum_
    ok(intact, f"{path} is as it was released", "somebody has edited this file")
    if not intact or not path.endswith(".json.gz"):
        continue
    with gzip.open(path) as file:
        kept = json.load(file)
    readers = {name: read for name, _, read in cases()}
    for name, of in kept.items():
        answer = readers[name](dict(of["files"])) if name in readers else "no case of this name"
        if answer is None:
            skip(name, "what reads it is not found here")
        else:
            same = json.loads(json.dumps(answer)) == of["answer"]
            ok(same, name, f"{answer}\nnot\n{of['answer']}")
finish()
