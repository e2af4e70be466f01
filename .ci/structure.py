#!/usr/bin/env python3
"""Holds the sources to the drawing: reads which declarations each file refers to, and fails where

- files of a module refer to one another in a circle (a type and its extensions count as one file),
- a file imports a module of the package that Package.swift does not give its target, or a target is given one that no
  file of it imports,
- a module below the one that loads on a cluster has a name with a word of it,
- a folder has more than 25 files, a file more than 400 lines, a function more than 70, a transcript more than 250,
- a private declaration is not used in its file,
- the modules together have fewer asserts than so many for 100 functions. Raise the number when there are more,
- the article Inside names a type, or a file, that is nowhere,
- a link of the README or of an article leads to no file, or to no heading of it.
"""
import graphlib
import json
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
INSIDE = ROOT / "Sources/pushetl/pushetl.docc/Inside.md"
# How a cluster loads is known to these modules alone.
CLUSTER_WORDS, CLUSTER_MODULES = re.compile("cluster|spark", re.IGNORECASE), {"Cluster", "pushetl"}
DECLARATION = re.compile(
    r"^(?P<access>(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:package|public|private|fileprivate|internal|final|indirect|"
    r"nonisolated\(unsafe\))\s+)*)(?:struct|class|enum|protocol|actor|func|let|var|typealias)\s+(?P<name>\w+)")
FUNCTION = re.compile(r"^(?P<indent> *)(?:[@\w().]+ )*(?:func (?P<name>[^\s(<]+)|(?:init|subscript)\b)")
PRIVATE = re.compile(
    r"^\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:static|final|mutating|lazy|weak|indirect|nonisolated\(unsafe\))\s+)*"
    r"(?:private|fileprivate)(?:\(set\))?\s+(?:[\w()]+\s+)*?(?:struct|class|enum|protocol|func|let|var|typealias)\s+`?(\w+)")
# The compiler uses it.
UNNAMED = {"CodingKeys"}
MOST_FILES, MOST_LINES, MOST_LINES_OF_FUNCTION, MOST_LINES_OF_TRANSCRIPT, LEAST_ASSERTS = 25, 400, 70, 250, 3.0


def without_comments_and_texts(source):
    """The code alone, with as many lines."""
    source = re.sub(r"/\*.*?\*/", lambda m: "\n" * m.group().count("\n"), source, flags=re.S)
    source = re.sub(r'(#*)""".*?"""\1', lambda m: '""' + "\n" * m.group().count("\n"), source, flags=re.S)
    lines = []
    for line in source.split("\n"):
        # Interpolations stay: they refer to things.
        line = re.sub(r'"(?:\\\(|\\.|[^"\\])*"', lambda m: " ".join(re.findall(r"\\\(([^)]*)\)", m.group())), line)
        lines.append(re.sub(r"//.*", "", line))
    return "\n".join(lines)


class File:
    def __init__(self, path):
        self.path = path
        self.stem = path.stem
        # A file of extensions belongs to its type.
        self.node = path.stem.split("+")[0]
        self.code = without_comments_and_texts(path.read_text())
        self.imports = set(re.findall(r"^(?:@testable )?import (?:(?:struct|enum) )?(\w+)", self.code, flags=re.M))
        matches = [match for match in map(DECLARATION.match, self.code.split("\n")) if match]
        # By name, whether it is private.
        self.declarations = {match["name"]: "private" in match["access"] for match in matches}
        self.words = set(re.findall(r"\b[A-Za-z_]\w*\b", self.code))
        lines = self.code.split("\n")
        self.lines = len(lines) - 1
        # By line, name and length.
        self.functions = [
            (number, match["name"] or "init", length(lines, number, match["indent"]))
            for number, match in enumerate(map(FUNCTION.match, lines)) if match]
        self.asserts = len(re.findall(r"\b(?:assert|precondition)\(", self.code))
        # Texts of several lines refer to things too.
        everything = re.findall(r"\w+", re.sub(r"//.*", "", path.read_text()))
        private = [match[1] for match in map(PRIVATE.match, lines) if match]
        self.unused = [name for name in private if everything.count(name) < 2 and name not in UNNAMED]


def length(lines, start, indent):
    """The lines of a function, up to its closing brace; 1 if it has no body of its own."""
    if lines[start].rstrip().endswith("}"):
        return 1
    for number in range(start + 1, len(lines)):
        line = lines[number]
        if line.startswith(indent + "}"):
            return number - start + 1
        # Another declaration, or the end of what it stands in. (What stands at the margin may follow a text of several lines.)
        if indent and re.match(r" {%d}[\w@]| {0,%d}\}" % (len(indent), len(indent) - 1), line):
            return 1
    return 1


def shape(files):
    """Faults of files and folders."""
    folders = {}
    for file in files:
        place = file.path.relative_to(ROOT)
        folders.setdefault(place.parent, []).append(place)
        if file.lines > MOST_LINES:
            yield f"{place}: {file.lines} lines; at most {MOST_LINES}"
        for number, name, lines in file.functions:
            if lines > MOST_LINES_OF_FUNCTION:
                yield f"{place}:{number + 1}: {name} has {lines} lines; at most {MOST_LINES_OF_FUNCTION}"
        for name in file.unused:
            yield f"{place}: {name} is private and not used"
    for folder, places in folders.items():
        if len(places) > MOST_FILES:
            yield f"{folder}: {len(places)} files; at most {MOST_FILES}"
    asserts, functions = sum(file.asserts for file in files), sum(len(file.functions) for file in files)
    if 100 * asserts < LEAST_ASSERTS * functions:
        yield f"{asserts} asserts in {functions} functions; at least {LEAST_ASSERTS} for each 100"


def long_transcripts():
    for path in sorted(ROOT.glob("Tests/Transcripts/*.md")):
        lines = path.read_text().count("\n")
        if lines > MOST_LINES_OF_TRANSCRIPT:
            yield f"{path.relative_to(ROOT)}: {lines} lines; at most {MOST_LINES_OF_TRANSCRIPT}"


def modules():
    described = json.loads(subprocess.run(
        ["swift", "package", "describe", "--type", "json"], cwd=ROOT, check=True, capture_output=True).stdout)
    for target in described["targets"]:
        if target["module_type"] == "SwiftTarget":
            files = [File(ROOT / target["path"] / name) for name in target["sources"]]
            yield target["name"], set(target.get("target_dependencies", [])), files


def circle(graph):
    """A circle in a graph; nothing if there is none."""
    try:
        graphlib.TopologicalSorter(graph).prepare()
    except graphlib.CycleError as error:
        return error.args[1]
    return []


def references(files):
    """For each node the nodes that it refers to, and by which names."""
    owner = {}
    for file in files:
        for name, is_private in file.declarations.items():
            if not is_private:
                owner[name] = file.node
    graph = {file.node: {} for file in files}
    for file in files:
        for word in file.words:
            other = owner.get(word)
            if other and other != file.node and word not in file.declarations:
                graph[file.node].setdefault(other, set()).add(word)
    return graph


def headings(path):
    """The headings of an article, as links name them."""
    text = re.sub(r"^```.*?^```", "", path.read_text(), flags=re.M | re.S)
    return {re.sub(r"[^\w -]", "", heading).replace(" ", "-").lower() for heading in re.findall(r"^#+ (.*)$", text, flags=re.M)}


def broken_links():
    for path in [ROOT / "README.md", *sorted(INSIDE.parent.glob("*.md"))]:
        for link in re.findall(r"\]\((?!https?:)([^)\s]+)\)", path.read_text()):
            name, _, heading = link.partition("#")
            target = path.parent / name if name else path
            if not target.exists() or heading and heading.lower() not in headings(target):
                yield f"{path.relative_to(ROOT)}: the link {link} leads nowhere"


def main():
    faults = []
    all_modules = list(modules())
    names = {name for name, _, _ in all_modules} | {"CChecksum", "CExports", "CISAL", "CSQLite", "CVectors", "CZlib"}
    for name, given, files in all_modules:
        imported = set().union(*(file.imports for file in files)) & names
        for file in files:
            for module in sorted(file.imports & names - given):
                faults.append(f"{file.path.relative_to(ROOT)}: imports {module}, which Package.swift does not give {name}")
        for module in sorted(given & names - imported - {"CISAL", "pushetl", "loggen"}):
            faults.append(f"Package.swift: {name} has {module} and does not import it")
        if ROOT / "Tests" in files[0].path.parents:
            continue
        # The list of codes has those of all modules.
        for file in (file for file in files if name not in CLUSTER_MODULES and file.path.name != "MessageCode.swift"):
            for word in sorted(filter(CLUSTER_WORDS.search, file.words)):
                faults.append(f"{file.path.relative_to(ROOT)}: {word}: {name} must not know of clusters")
        graph = references(files)
        if nodes := circle(graph):
            # The sorter goes from what is referred to.
            nodes.reverse()
            steps = (f"{node} -> {other} ({' '.join(sorted(graph[node][other]))})" for node, other in zip(nodes, nodes[1:]))
            faults.append(f"{name}: a circle: {'; '.join(steps)}")
    faults += shape([file for _, _, files in all_modules for file in files if ROOT / "Sources" in file.path.parents])
    known = set().union(*(file.words | {file.stem} for _, _, files in all_modules for file in files))
    for name in re.findall(r"`([A-Z][a-z]\w+)`", INSIDE.read_text()):
        if name not in known:
            faults.append(f"{INSIDE.relative_to(ROOT)}: {name} is nowhere; name what does its work now")
    faults += broken_links()
    faults += long_transcripts()
    for fault in faults:
        print(fault)
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
