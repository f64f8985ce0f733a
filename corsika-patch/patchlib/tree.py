"""The sources under a directory that mention the generator, with and without hooks."""

import os
import re
import stat

from whichlib.fortran import read_items, split_lines

from . import hook_text
from .declarations import BLOCKS
from .hooks import HookError, insert_hooks, read_hooks
from .inline import InlineDraws, code_words, with_headers
from .hooked_source import Source, problem

SUFFIXES = (".f", ".for", ".ftn", ".f77", ".fpp", ".h", ".inc", ".cmn")

FREE = (".f90", ".f95", ".f03", ".f08")  # only searched for the files that they include

LEFT_ALONE = {"bcreinpcont.f": "a stand-alone program with a generator of its own"}

MENTIONS = re.compile(r"I97|RANMA|RMMARD|(?:SUBROUTINE|FUNCTION) +GRN\w{3}\b", re.I)
DEFINED = re.compile(r"#\s*define\s+(\w+\(?)")
INCLUDED = re.compile(r"""^[ \t]*(#?)[ \t]*include\s*["'<](?:[^"'>\n]*/)?(.+?)["'>]""", re.M | re.I)
INCLUDES = re.compile(r"""#?\s*include\s*["'<](?:.*/)?(.+?)["'>]""", re.I)
ENCODING = "latin-1"  # keeps every byte
OWN_INCLUDE = os.path.join(os.path.dirname(os.path.dirname(__file__)), hook_text.INCLUDE)
GENERATED = re.compile(r'# [01] "([^"<]+)"')  # the preprocessor's first line


def read(path):
    with open(path, encoding=ENCODING, newline="") as file:
        return file.read()


def include_files(texts):
    """Paths of the include file, which stands beside each source that includes it."""
    folders = {os.path.dirname(p) for p, text in texts.items() if f'"{hook_text.INCLUDE}"' in text}
    return sorted(os.path.join(folder, hook_text.INCLUDE) for folder in folders)


class Tree:
    """
    sources    {path: Source without its hooks} of the files that are to have hooks
    texts      {path: text as it is now} of all files that mention the generator
    present    {path: the hooks that are in it now}
    notes      lines on files that are left alone
    stays      (path, line, reason) of calls that could be inline draws, and stay calls
    problems   lines on code that is not understood; if there are any, only revert goes on
    damaged    lines on hooks with missing parts; if there are any, revert refuses too
    edited     lines on hooks that differ from those of apply: taking them out loses the edits
    """

    def __init__(self, root):
        self.root = root
        self.sources, self.texts, self.present = {}, {}, {}
        self.notes, self.stays = [], []
        self.problems, self.damaged, self.edited = [], [], []
        self.named = {}  # {file name: its paths}
        self.included = set()  # ("#" or "" for an INCLUDE, name) of the files that others include
        self.headers = {}  # what header() has found
        links = []
        for path in self.files(links):
            self.named.setdefault(os.path.basename(path), []).append(path)
            self.add(path)
        self.report_links(links)
        self.find_hooks()
        for source in self.sources.values():
            self.problems += source.problems
            self.notes += source.notes
            if source.hooks and not source.preprocessed:
                self.notes.append(f"{source.path}: compile it with -cpp from now on")
                if "/*" in source.text:
                    what = "hooks need -cpp, for which /* begins a comment: replace each /*"
                    self.problems.append(f"{source.path}: {what}")
        kinds = {hook.kind.split()[-1] for s in self.sources.values() for hook in s.hooks}
        if len(kinds & {"draw", "seeding"}) == 1:
            self.problems.append(f"{root}: has only draws or only seeding; name a folder with both")
        self.find_edits()
        self.sources = {path: source for path, source in self.sources.items() if source.hooks}

    def find_hooks(self):
        """Finds the hooks of all sources, which depend on the other files' declarations and
        macros."""
        includes = {block: {} for block in BLOCKS}
        for path, source in self.sources.items():
            for block, guards in source.guards.items():
                if guards:
                    includes[block].setdefault(os.path.basename(path), set()).update(guards)
            source.find_shapes()
        obstacles = [line for s in self.sources.values() for line in s.obstacles(self.header)]
        macros = {path: self.macros(path, set()) for path in self.sources}
        code_lines = (line for line in read(OWN_INCLUDE).splitlines() if line[:1] != "C")
        hook_words = code_words(code_lines)
        for path, source in self.sources.items():
            words = source.words() | hook_words
            own = {"RMMARD", *source.words("RMMARD")} - words
            for name, where in macros[path].items():
                what = f"{name.rstrip('(')} is a macro"
                if name.upper() in own:
                    obstacles.append(problem(*where, what))
                elif name.upper() in words or hook_text.NAMES.fullmatch(name.upper().rstrip("(")):
                    what += ", and a word in the generator's code"
                    source.problems.append(problem(*where, what))
        for path, source in self.sources.items():
            homes = [
                unit.statements[0].branch
                if other is source or not unit.statements[0].branch
                else (0,)
                for other in self.sources.values()
                for unit in other.units
                if unit.name == "RMMARD"
            ]
            source.find_hooks(includes, self.header)
            name = os.path.basename(path)
            if ("", name) in self.included and source.hooks:
                what = f"INCLUDE '{name}' compiles no hooks; use #include, which does"
                source.problems.append(problem(path, 1, what))
            why = (obstacles + [""])[0] if homes else "RMMARD is not in the tree"
            if {("", name), ("#", name)} & self.included:
                why = why or "another file includes theirs"
            inline = InlineDraws(source, self, homes, macros[path], why)
            source.hooks += inline.hooks
            self.stays += [(path, source.line_number(i.first), why) for i, why in inline.stays]
            source.refuse_conditions()

    def passes(self, name, routine):
        """Whether a statement of the tree may pass a variable of this name to a routine."""
        passing = re.compile(rf"{routine}\(.*(?<!\w){name}(?!\w)")
        items = (item for s in self.sources.values() for unit in s.units for item in unit.items)
        return any(name in item.text and passing.search(item.text) for item in items)

    def header(self, item):
        """The items of the file that an item includes, and of all files included there, in any #if
        branch: [] if the item includes nothing, None if a file is not in this tree."""
        match = INCLUDES.match(item.text)
        if not match:
            unknown = item.directive in ("include", "import") or item.text.startswith("INCLUDE")
            return None if unknown else []
        name = match[1]
        if name not in self.headers:
            self.headers[name] = []  # for a file that includes itself
            paths = self.paths(name)
            items = [item for path in paths for item in self.items(path)]
            self.headers[name] = with_headers(items, self.header) if paths else None
        return self.headers[name]

    def paths(self, name):
        """The files of this name, or those from which `configure` makes it."""
        return self.named.get(name) or self.named.get(name + ".in", [])

    def items(self, path):
        """The items of a file, without hooks."""
        if path in self.sources:
            return [item for unit in self.sources[path].units for item in unit.items]
        return read_items(split_lines(read(path)), True)

    def macros(self, path, seen):
        """{macro: (path, line)} of the macros that a file, or one that it includes, defines. The
        name of a macro with arguments ends in '('."""
        seen.add(path)
        found = {}
        for item in self.items(path):
            defined, included = DEFINED.match(item.text), INCLUDES.match(item.text)
            if defined:
                found[defined[1]] = path, item.first + 1
            for other in self.paths(included[1]) if included else ():
                if other not in seen:
                    found.update(self.macros(other, seen))
        return found

    def files(self, links):
        """Yields all files but hidden files and links. Appends the links to `links`."""
        for directory, names, files in os.walk(self.root):
            names[:] = sorted(name for name in names if not name.startswith("."))
            paths = [os.path.join(directory, name) for name in names + sorted(files)]
            links += filter(os.path.islink, paths)
            for path in paths[len(names) :]:
                if (
                    stat.S_ISREG(os.lstat(path).st_mode)
                    and os.path.basename(path) != hook_text.INCLUDE
                ):
                    yield path

    def report_links(self, links):
        """Reports links to sources and directories that the tool does not search."""
        found = {os.path.realpath(path) for paths in self.named.values() for path in paths}
        root = os.path.realpath(self.root)
        for path in links:
            target = os.path.realpath(path)
            suffix = os.path.splitext(path)[1].lower()
            if os.path.isdir(target) and os.path.commonpath([root, target]) != root:
                self.notes.append(f"{path}: not searched, a link to {target}")
            elif suffix in SUFFIXES and os.path.isfile(target) and target not in found:
                if MENTIONS.search(read(target)):
                    text = f"a link, which is not followed; replace it by a copy of {target}"
                    self.problems.append(f"{path}: {text}")

    def add(self, path):
        """Reads a file, and makes a Source of it if it mentions the generator and is not left
        alone."""
        if os.path.splitext(path)[1].lower() not in SUFFIXES + FREE:
            return
        text = read(path)
        self.included.update(INCLUDED.findall(text))
        if os.path.splitext(path)[1].lower() in FREE or not MENTIONS.search(text):
            return
        origin = GENERATED.match(text)
        if os.path.basename(path) in LEFT_ALONE:
            self.notes.append(f"{path}: left alone, {LEFT_ALONE[os.path.basename(path)]}")
        elif origin and os.path.exists(os.path.join(os.path.dirname(path), origin[1])):
            self.notes.append(f"{path}: left alone, made from {origin[1]} by the preprocessor")
        else:
            self.texts[path] = text
            if "\0" in text:
                line = text.partition("\0")[0].count("\n") + 1
                self.problems.append(problem(path, line, "a NUL byte, which compilers leave out"))
            try:
                bare, self.present[path], places = read_hooks(text)
                self.sources[path] = Source(path, bare, places)
            except HookError as error:
                self.damaged.append(problem(path, error.line, error.text))

    def find_edits(self):
        """Finds hooks that differ from those that apply would put in."""
        for path, present in self.present.items():
            source = self.sources.get(path)
            known = source.hooks if source else []
            differs = "this hook differs from the one that apply puts in"
            self.edited += [problem(path, h.line, differs) for h in present if h not in known]
        include = read(OWN_INCLUDE)
        for path in {
            os.path.join(os.path.dirname(path), hook_text.INCLUDE) for path in self.sources
        }:
            if os.path.exists(path) and read(path) != include:
                differs = "this file differs from the one that apply puts in"
                self.edited.append(problem(path, 1, differs))

    def hooked(self):
        """Paths that have hooks now."""
        return [path for path, present in self.present.items() if present]

    def is_hooked(self, path, hook):
        """Whether this hook of a source is in."""
        where = {(present.first, present.last) for present in self.present[path]}
        return (hook.first, hook.last) in where

    def is_complete(self):
        """Whether all files are as apply would write them."""
        files = self.with_hooks().items()
        return all(os.path.exists(path) and read(path) == text for path, text in files)

    def with_hooks(self):
        """{path: new text} of all files that apply writes, the include file last."""
        files = {}
        for path, source in self.sources.items():
            files[path] = insert_hooks(source.text, source.hooks)
            if read_hooks(files[path])[0] != source.text:
                raise AssertionError(f"{path}: the hooks would not come off again")
        include = read(OWN_INCLUDE)
        return {**files, **{path: include for path in include_files(files)}}

    def as_hooked(self):
        """{path: text} of all files that apply writes, with their present text if they have
        hooks."""
        files = self.with_hooks()
        for path in files:
            if path in self.hooked():
                files[path] = self.texts[path]
            elif path not in self.sources and os.path.exists(path):
                files[path] = read(path)
        return files

    def without_hooks(self):
        """{path: new text, None to remove} of all files that revert writes, the include first."""
        files = {path: None for path in include_files(self.texts)}
        return {**files, **{path: read_hooks(self.texts[path])[0] for path in self.hooked()}}
