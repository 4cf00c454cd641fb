"""The rooms of src/ (doc/ARCHITECTURE.md): which may use which, that files of a room do not call in circles, that a type has one
definition, and that a room can be overlooked."""

import collections
import os
import re
import subprocess

# A room may use those named here, and itself. Rooms within a folder are rooms of their own.
BELOW = ["program", "program/symbols", "machine", "wire", "base"]  # of the rooms of program/
MODELS_USE = ["program/runtime", "program/loops", "program/order", "program/describe", "program/memory", "program/world", *BELOW]
MAY_USE = {
    "wire": [],
    "base": [],
    "machine": ["wire", "base"],
    "model": ["machine", "base"],
    "search/items": ["machine", "base"],
    "search/witness": ["machine", "base"],
    "search": ["machine", "base"],
    "search/visited": ["search", "machine", "base"],
    "estimate": ["search", "machine", "base"],
    "algo/sections": ["search", "machine", "base"],
    "algo": ["algo/sections", "search/visited", "search", "machine", "base"],
    "algo/optimal": ["algo", "algo/sections", "search", "machine", "base"],
    "algo/dpor": ["algo", "search/visited", "search", "machine", "base"],
    "algo/bounded": ["algo", "search", "machine", "base"],
    "algo/sampling": ["algo", "algo/graph", "estimate", "search", "machine", "base"],
    "algo/lazy": ["algo", "algo/sections", "search", "machine", "base"],
    "algo/graph": ["algo", "search", "machine", "base"],
    "algo/rf": ["algo", "algo/optimal", "search", "machine", "base"],
    "client": ["machine", "base"],
    "program/symbols": ["base"],
    "program/cover": ["wire", "base"],
    "program/code": ["base"],
    "program/build": ["program/code", "program/cover", "program/symbols", "wire", "base"],
    "program": ["machine", "wire", "base"],
    "program/world": ["program/memory", *BELOW],
    "program/memory": ["program/world", *BELOW],
    "program/describe": ["program/memory", "program/world", *BELOW],
    "program/order": ["program/describe", "program/memory", "program/world", *BELOW],
    "program/loops": ["program/order", "program/describe", "program/memory", "program/world", *BELOW],
    "program/runtime": ["program/build", "program/code", "program/loops", "program/order", "program/describe", "program/memory", "program/world", *BELOW],
    "program/runtime/boundary": MODELS_USE[:],
    "program/cxx": MODELS_USE,
    "program/pthread": ["program/build", "program/code", "program/cxx", *MODELS_USE],
    "program/libc": ["program/pthread", *MODELS_USE],
    "program/verifier": ["program/libc", "program/pthread", *MODELS_USE],
    "program/machine": ["program/build", "program/libc", "program/pthread", *MODELS_USE],
    "safe/runtime/follow": ["wire"],
    "safe/runtime": ["safe/runtime/follow", "wire"],
    "safe/plan": ["machine", "wire", "base"],
    "report": ["safe/plan", "search", "machine", "base"],
    "session/settings": ["client", "report", "algo", "search", "model", "program", "program/build", "program/describe", "machine", "wire", "base"],
    "session/process": ["report", "search", "program", "program/build", "machine", "base"],
    "session/large": ["session", "report", "algo", "search", "machine", "base"],
    "session/orders": ["session", "report", "algo", "search", "program", "program/build", "machine", "wire", "base"],
    "mpi": [],
    "session/ranks": ["session", "report", "mpi", "model", "pool", "algo", "search", "program", "program/build", "machine", "wire", "base"],
    "pool": ["algo", "search", "machine", "base"],
    "session/story": ["session", "report", "algo", "search", "machine", "base"],
    "session/clients": ["session", "client", "program", "report", "algo", "search", "machine", "base"],
    "session": ["session/ranks", "session/large", "session/story", "session/clients", "client", "report", "pool", "algo", "estimate", "search", "model", "program", "program/build", "program/describe", "machine", "wire", "base"],
    "safe/verify": ["client", "session", "pool", "safe/plan", "report", "algo", "search", "program", "program/build", "machine", "wire", "base"],
    "safe/run": ["client", "safe/verify", "session", "pool", "safe/plan", "report", "search", "program", "program/build", "machine", "wire", "base"],
    "bench": ["client", "pool", "safe/run", "safe/verify", "safe/plan", "session", "report", "algo", "search", "model", "program/build", "machine", "wire", "base"],
}
MAY_USE["cmd/request"] = sorted(MAY_USE)
MAY_USE["cmd/manual"] = ["cmd", "cmd/request", "safe/verify", "safe/plan", "algo", "machine", "base"]
MAY_USE["cmd/stepping"] = ["session", "report", "machine", "base"]
MAY_USE["cmd/project"] = ["cmd", "cmd/request", "session", "report", "machine", "base"]
# A room that may use one of these may use those that it is built upon.
for room, foundations in (("program/runtime", ["program/runtime/boundary"]), ("search", ["search/items", "search/witness"]), ("session", ["session/settings", "session/process"])):
    for other, used in MAY_USE.items():
        if room in used or other == room:
            used += foundations
MAY_USE["cmd"] = sorted(MAY_USE)

# Arrows that point the wrong way, each with the reason why it is there.
WRONG_ARROWS = {}

# Files that call each other, each with the reason.
CYCLES = {
    "model/expressions.c model/parser.c model/statements.c": "the grammar is recursive, and so is descent: statements contain "
    "expressions and blocks of statements",
}

MOST_ENTRIES = 40  # of a room: one screen of ls


def sources():
    """(room, path) of every C file and header. What is compiled into programs (linked/) is theirs, not ours."""
    for folder, folders, names in os.walk("src"):
        folders[:] = sorted(name for name in folders if name != "linked")
        for name in sorted(names):
            if name.endswith((".c", ".h")):
                yield os.path.relpath(folder, "src"), os.path.join(folder, name)


def text_of(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def wrong_arrows():
    used = set()
    for room, path in sources():
        if room not in MAY_USE:
            yield f"{path}: '{room}' is no room of doc/ARCHITECTURE.md"
            continue
        for number, line in enumerate(text_of(path).splitlines(), 1):
            match = re.match(r'\s*#\s*include\s+"([^"]+)/[^"/]+"', line)
            if not match or match[1] == room or match[1] in MAY_USE[room]:
                continue
            used.add((room, match[1]))
            if (room, match[1]) not in WRONG_ARROWS:
                yield f"{path}:{number}: {room} must not use {match[1]}"
    for arrow in sorted(set(WRONG_ARROWS) - used):
        yield f"{' -> '.join(arrow)}: is not there any more; take it from the list"


def calls(build):
    """For every file of src/, the files that define what it refers to: from the objects of the build."""
    paths = {path.replace(os.sep, "_"): path for _, path in sources() if path.endswith(".c")}
    defined, referred = collections.defaultdict(set), collections.defaultdict(set)
    for folder, _, names in os.walk(build):
        if not folder.endswith(".p") or "wide" in folder:
            continue
        objects = [os.path.join(folder, name) for name in names if name.endswith(".c.o") and name[:-2] in paths]
        if not objects:
            continue
        listing = subprocess.run(["nm", "-g", "-A", *objects], capture_output=True, text=True, check=True).stdout
        for line in listing.splitlines():
            match = re.match(r"(.*?):\s*[0-9a-f]*\s+(\w)\s+(\S+)$", line)
            path = paths[os.path.basename(match[1])[:-2]]
            if match[2] == "U":
                referred[path].add(match[3])
            else:
                defined[match[3]].add(path)

    def definition(name, path):
        """The checker and what runs in programs (safe/runtime) are never linked together: each has names of its own."""
        in_programs = path.startswith("src/safe/runtime")
        return {other for other in defined[name] if other.startswith("src/safe/runtime") == in_programs}

    return {path: sorted(set().union(*(definition(name, path) for name in names)) - {path}) for path, names in referred.items()}


def circles(graph):
    """The strongly connected components of more than one file (Tarjan), without recursion."""
    index, low, stack, on_stack = {}, {}, [], set()
    for root in sorted(graph):
        work = [(root, iter(graph.get(root, [])))] if root not in index else []
        if work:
            index[root] = low[root] = len(index)
            stack.append(root)
            on_stack.add(root)
        while work:
            node, successors = work[-1]
            for successor in successors:
                if successor not in index:
                    index[successor] = low[successor] = len(index)
                    stack.append(successor)
                    on_stack.add(successor)
                    work.append((successor, iter(graph.get(successor, []))))
                    break
                if successor in on_stack:
                    low[node] = min(low[node], index[successor])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == index[node]:
                    component = set()
                    while node not in component:
                        component.add(stack.pop())
                    on_stack -= component
                    if len(component) > 1:
                        yield frozenset(os.path.relpath(path, "src") for path in component)


def wrong_circles(build):
    graph = calls(build)
    if len(graph) < 100:
        yield f"only {len(graph)} objects were found in {build}: nothing was checked"
    known = {frozenset(files.split()) for files in CYCLES}
    found = set(circles(graph))
    for circle in sorted(found - known, key=sorted):
        yield f"these {len(circle)} files call each other: {' '.join(sorted(circle))}"
    for circle in sorted(known - found, key=sorted):
        yield f"is no circle any more; take it from the list: {' '.join(sorted(circle))}"


def types_defined_twice():
    """A struct, union, enum or typedef of ours (mz_…) has one definition."""
    places = collections.defaultdict(set)
    for _, path in sources():
        text = re.sub(r"/\*.*?\*/", "", text_of(path), flags=re.S)
        for match in re.finditer(r"^(?:typedef\s+)?(?:struct|union|enum)\s+(mz_\w+)\s*\{", text, re.M):
            places[match[1]].add(path)
        for match in re.finditer(r"^\}\s*(mz_\w+);", text, re.M):
            places[match[1]].add(path)
    for name, paths in sorted(places.items()):
        if len(paths) > 1:
            yield f"{name} is defined in {', '.join(sorted(paths))}"


def named_algorithms():
    """Which algorithms there are is known in algo/ only: others ask for what they can do."""
    names = re.findall(r"X\((mz_algorithm_\w+)\)", text_of("src/algo/algorithm.h"))
    if len(names) < 5:
        yield f"only {len(names)} algorithms were found in src/algo/algorithm.h: nothing was checked"
    for room, path in sources():
        if room.split("/")[0] == "algo":
            continue
        text = re.sub(r"/\*.*?\*/", "", text_of(path), flags=re.S)
        for name in names:
            word = name.removeprefix("mz_algorithm_").replace("_", "-")
            if re.search(rf"\b{name}\b", text) or f'mz_find_algorithm("{word}")' in text:
                yield f"{path} names {name}"


def crowded_rooms():
    """Files, folders and the list of the build: what ls shows."""
    for folder, folders, names in os.walk("src"):
        if len(folders) + len(names) > MOST_ENTRIES:
            yield f"{folder} has {len(folders) + len(names)} entries, more than {MOST_ENTRIES}"


MOST_LINES = 600


def long_files():
    """A file beyond this hides two concepts."""
    for folder in ("src", "test"):
        for path in tracked_files(folder):
            if path.endswith((".c", ".h", ".py")) and not path.startswith("test/native"):
                count = text_of(path).count("\n")
                if count > MOST_LINES:
                    yield f"{path} has {count} lines, more than {MOST_LINES}"


def halves_of_sentences():
    """A comment can be read alone: it does not go on where another one has stopped."""
    for _, path in sources():
        for number, line in enumerate(text_of(path).splitlines(), 1):
            if re.search(r"/\* ?(…|\.\.\.)", line):
                yield f"{path}:{number}: a comment begins in the middle of a sentence"


# Files of users, and of the system, that comments and documents speak of.
FOREIGN_FILES = {"a.c", "b.c", "x.c", "cache.c", "queue.c", "queue.h", "src/queue.c", "program.c", "err.h", "z3.h", "bits/atomic_wait.h",
                 "pthread.h", "threads.h", "stdatomic.h"}


def stale_names():
    """Files that comments and the map of the code name are there."""
    there = {"/".join(parts[i:]) for parts in (path.split(os.sep) for path in tracked_files()) for i in range(len(parts))}
    texts = [(path, "\n".join(re.findall(r"/\*.*?\*/", text_of(path), re.S))) for _, path in sources()]
    texts += [(path, text_of(path)) for path in ("doc/ARCHITECTURE.md", "doc/files.md", "doc/events.md", "CONTRIBUTING.md")]
    for path, text in texts:
        for match in re.finditer(r"(?<![\w*./-])((?:[a-z0-9_]+/)*[a-z0-9_]+\.(?:c|h|py))\b", text):
            if match[1] not in there and match[1] not in FOREIGN_FILES:
                yield f"{path}: there is no {match[1]}"


def tracked_files(*roots):
    for root in roots or ("src", "test", "include", "tools", "bench", "examples"):
        for folder, _, names in os.walk(root):
            yield from (os.path.join(folder, name) for name in names)


def tests(build):
    yield "include graph", "\n".join(wrong_arrows()) or None
    yield "call cycles", "\n".join(wrong_circles(build)) or None
    yield "names of files", "\n".join(sorted(set(stale_names()))) or None
    yield "types defined twice", "\n".join(types_defined_twice()) or None
    yield "algorithms by name", "\n".join(named_algorithms()) or None
    yield "crowded rooms", "\n".join(crowded_rooms()) or None
    yield "long files", "\n".join(long_files()) or None
    yield "halves of sentences", "\n".join(halves_of_sentences()) or None
