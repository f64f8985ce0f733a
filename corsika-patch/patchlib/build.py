"""Compiles the routines that cut_routines.py extracts from a tree, once without and once with hooks."""

import glob
import os
import re
import shlex
import shutil
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import NamedTuple

from whichlib.fortran import DOUBLE

from . import hook_text, cut_routines
from .hooks import MACRO
from .hooked_source import Source
from .tree import ENCODING, read

FLAGS = ("-O1", "-std=legacy", "-w")
OBJECT, TEXT, NOTHING = ("-c", "-o", "{}.o"), ("-E", "-cpp", "-o", "{}.i"), ("-fsyntax-only",)
LIBRARIES = ("-lgpuranmar", "-lpthread", "-ldl", "-lm")
MISSING = re.compile(r"(\S+): No such file", re.I)
UNTYPED = re.compile(r"Symbol .(\w+). at .* has no IMPLICIT type", re.I)
ENTRIES = ("GRNFL1", "GRNVEC", "GRNSET", "GRNCNT", "GRNSTA", "GRNPUT")
NO_ENTRY = re.compile(r"undefined .*\b(grn\w+?)_\b")
INCLUDE = re.compile(r"^[ \t]*INCLUDE\s*(['\"])(.+?)\1", re.M | re.I)
BEFORE, AFTER = SIDES = ("before", "after")
HERE = os.path.dirname(os.path.abspath(__file__))
CORES = len(os.sched_getaffinity(0))


class CannotBuild(Exception):
    """There is no compiler or library, or a cut-out routine does not compile on its own."""


def run(command, **options):
    try:
        how = {"capture_output": True, "text": True, "errors": "replace", "check": False}
        return subprocess.run(command, **how, **options)
    except OSError as error:
        package = "binutils" if command[0] == "objcopy" else "gfortran, or name one in FC"
        # A program with a folder in its name is there, but the folder may be mounted noexec.
        advice = "" if "/" in command[0] else f"; install {package}"
        raise CannotBuild(f"{command[0]}: {error.strerror}{advice}") from error


def first_error(text):
    return next((line for line in text.splitlines() if "rror:" in line), "")


def compiler():
    program, *options = shlex.split(os.environ.get("FC", "gfortran"))
    return [os.path.abspath(program) if os.path.dirname(program) else program, *options]


class Library(NamedTuple):
    options: list  # for the linker
    name: str  # the path of its file, with the version


def find_library(given):
    """Finds libgpuranmar in the directory `given`. If that is '', takes the library that the linker
    or pkg-config finds, or one beside this tool."""
    places = [given] if glob.glob(os.path.join(glob.escape(given), "libgpuranmar.*")) else []
    if not given:
        ask = ["pkg-config", "--variable=libdir", "gpuranmar"]
        installed = run(ask).stdout.strip() if shutil.which(ask[0]) else ""
        beside = ("../../build", "../../../../lib")  # in the sources, and where installed
        places = ["", installed, *(os.path.join(HERE, folder) for folder in beside)]
    for place in places:
        path = os.path.abspath(place) if place else ""
        options = [f"-L{path}", f"-Wl,-rpath,{path}"] if path else []
        options += LIBRARIES
        loaded, error = loaded_objects(options, ENTRIES)
        lacking = NO_ENTRY.search(error)
        if lacking:
            library = f"libgpuranmar in {path}" if path else "libgpuranmar"
            lacks = f"{library} has no {lacking[1].upper()}"
            raise CannotBuild(f"{lacks}: it is older or newer than this tool")
        if loaded is not None:
            shared = re.search(r"=> (.*/libgpuranmar\S*)", loaded)
            name = os.path.realpath(shared[1]) if shared else os.path.join(path, "libgpuranmar.a")
            return Library(options, name)
    if loaded_objects([])[0] is None:
        raise CannotBuild(f"{' '.join(compiler())} makes no Fortran program; name gfortran in FC")
    found = f"found in {given}" if given else "found"
    advice = "make install it, or name its directory by --library"
    raise CannotBuild(f"libgpuranmar is not {found}; {advice}")


def loaded_objects(options, entries=()):
    """Links a program that calls these entries, with these options. Returns (the shared libraries
    that the loader lists for the program, or None if it does not link or start; the linker's
    messages)."""
    calls = "".join(f"if (command_argument_count() > 0) call {entry}()\n" for entry in entries)
    with tempfile.TemporaryDirectory(prefix="gpuranmar-verify-") as directory:
        program = os.path.join(directory, "program")
        command = [*compiler(), "-x", "f95", "-", "-x", "none", "-Wl,--no-as-needed", *options]
        built = run([*command, "-o", program], input=calls + "end\n", cwd=directory)
        if built.returncode or run([program], cwd=directory).returncode:
            return None, built.stderr
        loader = {**os.environ, "LD_TRACE_LOADED_OBJECTS": "1"}
        return run([program], env=loader, cwd=directory).stdout, ""


@dataclass
class Job:
    """A unit to be compiled under one set of macros."""

    place: str  # path and line of its first hook
    unit: str  # its name
    texts: dict  # {side: lines}
    keeps_name: bool  # else it gets a name with its number: a tree may have two units of one name
    runs: bool  # else it is only compiled, because its hooks are all inline draws or declarations
    vector: tuple  # names of the vector that the unit fills and of its length, or ()
    sequence: str  # as the source writes it, '' if it has none
    defines: tuple = ()
    number: int = 0
    interface: cut_routines.Interface = None
    objects: dict = None  # {side: files}
    error: str = ""

    @property
    def path(self):
        return self.place.rpartition(":")[0]

    def __str__(self):
        return f"{self.place}: {self.unit}{cut_routines.under(self.defines)}"


class Workshop:
    """A directory in which the programs without and with hooks are built, each side from folders
    that lie as in the tree.

    files  {path: text with hooks} of the sources that have hooks, and of gpuranmar.inc if it is not
           this tool's own
    """

    def __init__(self, directory, tree, files):
        self.directory, self.named, self.failed = directory, tree.named, False
        self.root = tree.root
        self.searched = {side: [] for side in SIDES}  # options that find the include files by name
        self.stubs = os.path.join(directory, "stubs")
        os.mkdir(self.stubs)
        for path, source in tree.sources.items():
            if any(source.guards.values()):  # an include file
                for side, text in zip(SIDES, (source.text, files[path])):
                    name = self.write(side, path, os.path.basename(path), text)
                    if len(tree.named[os.path.basename(path)]) == 1:
                        self.searched[side].append(f"-I{os.path.dirname(name)}")
            include = os.path.join(os.path.dirname(path), hook_text.INCLUDE)
            self.write(AFTER, path, hook_text.INCLUDE, files.get(include) or own_include())

    def write(self, side, path, name, text):
        """Writes a file into the folder for files from the directory of `path`. Returns its
        name."""
        folder = os.path.relpath(os.path.dirname(path) or self.root, self.root)
        file_name = os.path.normpath(os.path.join(self.directory, side, "tree", folder, name))
        os.makedirs(os.path.dirname(file_name), exist_ok=True)
        with open(file_name, "w", encoding="latin-1", newline="") as file:
            file.write(text)
        return file_name

    def compile(self, side, source, defines=(), include="", into=OBJECT):
        """Compiles a file, or only preprocesses or checks it. Returns the error, if there is one.

        The current folder is the workshop, because gfortran searches it first for modules and
        INCLUDEs."""
        macros = defines + ((MACRO,) if side == AFTER else ())
        flags = [f"-D{macro}" for macro in macros]
        flags += [*self.searched[side], f"-I{os.path.abspath(include)}", f"-I{self.stubs}"]
        what = [option.format(source) for option in into]
        tried = set()  # by this call: a stub that exists may be another thread's
        while True:
            result = run([*compiler(), *FLAGS, *flags, source, *what], cwd=self.directory)
            missing = MISSING.search(result.stderr) if result.returncode else None
            if not missing or missing[1] in tried:
                return result.stderr if result.returncode else ""
            tried.add(missing[1])
            stub = os.path.join(self.stubs, os.path.basename(missing[1]))
            # The stub is a copy from the tree, or empty if the file's model is not unpacked.
            texts = set(map(read, self.named.get(os.path.basename(missing[1]), [])))
            if len(texts) > 1:
                raise CannotBuild(f"{source}: {missing[1]} may be one of several files")
            with open(stub, "w", encoding=ENCODING, newline="") as file:
                file.write("".join(texts))

    def build(self, job):
        """Builds a job on both sides. Sets job.interface, or job.error if it failed."""
        if self.failed:  # the whole run fails, so skip the other jobs
            return
        try:
            self.build_both(job)
        except CannotBuild:
            self.failed = True
            raise

    def build_both(self, job):
        directory, name = os.path.dirname(job.path), f"cut{job.number}.F"
        texts = {side: "".join(job.texts[side]) for side in SIDES}
        sources = {side: self.write(side, job.path, name, texts[side]) for side in SIDES}
        defines, into = job.defines, OBJECT if job.runs else NOTHING
        for _ in range(2):
            how = defines, directory, into
            job.error, hooked = (self.compile(side, sources[side], *how) for side in SIDES)
            missing = self.constant_sequence(job)
            if not missing:
                break
            defines += missing
        if hooked and not job.error:
            raise CannotBuild(f"{job}: does not compile with hooks: {first_error(hooked)}")
        if job.error or not job.runs:
            return
        whole = INCLUDE.sub(r'#include "\2"', texts[BEFORE])
        whole = self.write(BEFORE, job.path, f"whole{job.number}.F", whole)
        job.error = self.compile(BEFORE, whole, defines, directory, TEXT)
        if job.error:
            return
        text = read(whole + ".i")
        source = Source(f"{job} once preprocessed", text)
        source.find_shapes()
        source.report_all()
        if source.problems:
            raise CannotBuild(source.problems[0])
        job.interface = cut_routines.read_interface(text, f"CUTS{job.number}", job.vector)
        job.objects = {side: [sources[side] + ".o"] for side in SIDES}
        for side in SIDES:
            self.rename(job, sources[side] + ".o")
        if job.interface.setter:
            name = f"cuts{job.number}.F"
            source = self.write(BEFORE, job.path, name, "".join(job.interface.setter))
            job.error = self.compile(BEFORE, source, (), directory)
            for side in SIDES:
                job.objects[side].append(source + ".o")

    @staticmethod
    def constant_sequence(job):
        """Macros that define the sequence number of an inlined generator, if the number is a
        constant of an include file that is missing, because its model is not unpacked."""
        untyped = UNTYPED.search(job.error)
        text = "".join(job.texts[BEFORE])
        if not untyped or not re.search(rf"JSEQ *= *{untyped[1]}\b", text, re.I):
            return ()
        return tuple(f"{name}=7" for name in set(re.findall(rf"\b{untyped[1]}\b", text, re.I)))

    @staticmethod
    def rename(job, path):
        """Gives the routines of an object file names with the job's number."""
        if job.keeps_name:
            return
        own, options = job.interface.name, []
        for name in (own, *job.interface.entries):
            new = f"cut{job.number}_" + f"{name.lower()}_" * (name != own)
            options += ["--redefine-sym", f"{name.lower()}_={new}"]
        if run(["objcopy", *options, path]).returncode:
            raise CannotBuild("objcopy cannot rename the routines")

    def build_all(self, jobs, progress):
        with ThreadPoolExecutor(CORES) as pool:
            for done, _ in enumerate(pool.map(self.build, jobs), 1):
                progress("compiled", done, len(jobs))

    def link(self, jobs, library):
        """Links the two programs."""
        programs = {}
        called = [job for job in jobs if not job.keeps_name]
        driver = os.path.join(HERE, "driver.f90")
        calls = self.write(BEFORE, "", "calls.f90", dispatcher(called))
        built = run([*compiler(), *FLAGS, "-c", driver, calls], cwd=self.directory)
        if built.returncode:
            raise CannotBuild(f"the driver does not compile: {first_error(built.stderr)}")
        for side in SIDES:
            programs[side] = os.path.join(self.directory, side, "program")
            options = library.options if side == AFTER else []
            objects = [name for job in jobs for name in job.objects[side]]
            command = [*compiler(), *FLAGS, "driver.o", "calls.o", *objects, *options]
            result = run([*command, "-o", programs[side]], cwd=self.directory)
            if result.returncode:
                wrong = [x for x in result.stderr.splitlines() if "undefined" in x or "rror" in x]
                raise CannotBuild(f"the routines do not link {side} hooks: {(wrong or [''])[0]}")
        return programs


def own_include():
    with open(os.path.join(HERE, "..", hook_text.INCLUDE), encoding="ascii") as file:
        return file.read()


def dispatcher(jobs):
    """Source of CUTCALL, which calls a routine by its number, and of CUTSET, which calls all
    setters."""
    out = [
        "subroutine cutcall(k, n)",
        "integer k, n",
        "double precision, save :: numbers(100000) = 0",
    ]
    out += ["double precision other(1000, 9), x", "real r"]
    for job in jobs:
        if job.interface.kind == "FUNCTION":
            kind = "double precision" if job.interface.result == DOUBLE else "real"
            out.append(f"{kind} cut{job.number}")
        out.append(f"external cut{job.number}")
    out += ["numbers(:n) = 0", "other = 0", "select case (k)"]
    for job in jobs:
        interface = job.interface
        arguments = [f"other(1, {i + 1})" for i in range(len(interface.arguments))]
        if len(interface.vector) == 2:
            arguments[interface.vector[0]] = "numbers"
            arguments[interface.vector[1]] = "n"
        call = f"cut{job.number}({', '.join(arguments)})"
        out.append(f"case ({job.number})")
        if interface.kind == "FUNCTION":
            name, form = ("x", "z17.16") if interface.result == DOUBLE else ("r", "z9.8")
            out += [f"{name} = {call}", f"write(11, '({form})') {name}"]
        else:
            out += [f"call {call}", "write(11, '(4z17.16)') numbers(:n)"]
    out += ["end select", "end", "subroutine cutset(k)", "integer k, cutseq"]
    out += ["double precision other(1000)", "common /cutcom/ cutseq", "other = 0", "cutseq = k"]
    for job in jobs:
        if job.interface.setter:
            arguments = ", ".join("other" for _ in job.interface.arguments)
            out.append(f"call cuts{job.number}({arguments})")
    return "\n".join(out + ["end", ""])
