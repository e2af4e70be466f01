"""The codes of messages, with their levels and sentences, as the calls in the sources make them.

    return Message(
        "missing_file", "\(path: path): no task has read the file; \(again)")

is `missing_file`, `no task has read the file; run the job again`: what a text holds at run time is `…`, unless it is a constant
of the file. A sentence that is made elsewhere has an example above the call, `// Such as: …`.

Most calls do not tell whether a message is a warning or an error. So each sentence is looked for in the transcripts.
"""
import re
from collections import defaultdict

# A call that makes a message: what is called, and the code.
CALL = re.compile(
    r'(?P<maker>[Mm]essage|[ .]at|told|[Ee]rror|[Ff]ault|warn)\(\s*(?:[\w.]+,\s*(?:line: [^"]+,\s*)?)?(?:code: )?"(?P<code>\w+)",')


class SwiftFile:

    def __init__(self, path):
        # A comment may have an example of a call.
        self.text = re.sub(r"(?m)^\s*///.*", lambda found: " " * len(found[0]), path.read_text())
        self.is_error = "MessageError" in self.text or "Error" in path.stem

    def messages(self):
        """Of each the code, the level, the sentence, and patterns that find it where it is printed."""
        for call in CALL.finditer(self.text):
            above = "\n".join(self.text[:call.start()].split("\n")[-5:])
            if example := re.search(r"// Such as: (.*(?:\n *// .*)*)", above):
                sentence = re.sub(r"\n *// ", " ", example[1])
                printed = re.sub(r"'[^']*'|\d[-\d,]*", "…", sentence)
            else:
                self.finds_constants = True
                sentence = self.sentence(call.end())
                self.finds_constants = False
                printed = self.sentence(call.end())
            texts = [re.sub("^…: ", "", re.sub("…(?: ?…)+", "…", text.strip())) for text in (sentence, printed)]
            # A short one would be found in others.
            patterns = ["(?m)(?:^|: )" + ".*".join(map(re.escape, text.split("…"))) for text in texts if len(text) > 14]
            yield call["code"], self.level(call), texts[0], patterns

    def level(self, call):
        """The level if the call tells it, else nothing."""
        if ", as: .info)" in self.text[call.end():call.end() + 100]:
            return "info"
        before = self.text[max(0, call.start() - 70):call.end()]
        function = re.findall(r"\n    \S.*(?:func|var) (\w+)", self.text[:call.start()])[-1:]
        if re.search(r"(\bwarn\(|[wW]arnings(\.append| \+=))[^)]*$", before) or function == ["warnings"]:
            return "warning"
        is_error = call["maker"].lower() in ("error", "fault") or re.search(r"(\.fail\(|fault = |throw )[^)]*$", before)
        return "error" if is_error or self.is_error else None

    def sentence(self, index, end=",)]}"):
        """The text of an expression: that of its texts one after the other, or the last of those that it chooses from."""
        text = ""
        while self.text[index] not in end:
            if self.text[index] == '"':
                found, index = self.literal(index)
                text += found
            elif self.text[index] in "([{":
                text += "…"
                index = self.end_of_parentheses(index)
            elif name := re.compile(r"[.$\w]+").match(self.text, index):
                text += self.value(name[0], index)
                index = name.end()
            else:
                if self.text[index] in "?:":
                    text = ""
                index += 1
        return text

    def value(self, name, use):
        """What a constant says at its use, if it is a text."""
        if not self.finds_constants or not name.isalpha():
            return "…"
        nearest = rf'(?:let|var) {name}\b[^=\n{{]*=\s*(?=(?:[^?\n"]*\? )?"(?!" :))(?!(?:.|\n)*(?:\n    \S.*func |let {name}\b))'
        shared = rf'private (?:static )?let {name}\b[^=\n]*=\s*(?=")'
        found = re.search(nearest, self.text[:use]) or re.search(shared, self.text)
        return self.sentence(found.end(), "\n") if found else "…"

    def literal(self, start):
        """What a text says, and where it ends."""
        quote = '"""' if self.text.startswith('"""', start) else '"'
        text, index = "", start + len(quote)
        while not self.text.startswith(quote, index):
            if self.text.startswith("\\(", index):
                end = self.end_of_parentheses(index + 1)
                inner = self.text[index + 2:end - 1]
                chosen = self.finds_constants and re.search(r'\? "[^"]*" : "([^"\\]*)"$', inner)
                text += chosen[1] if chosen else self.value(inner, index)
                index = end
            elif self.text[index] == "\\":
                text += {"n": "\n", "\n": ""}.get(self.text[index + 1], self.text[index + 1])
                index += 2
            else:
                text += self.text[index]
                index += 1
        return (" ".join(text.split()) if len(quote) == 3 else text), index + len(quote)

    def end_of_parentheses(self, index):
        depth = 0
        while True:
            if self.text[index] == '"':
                index = self.literal(index)[1]
                continue
            depth += (self.text[index] in "([{") - (self.text[index] in ")]}")
            index += 1
            if depth == 0:
                return index


def printed_lines(root):
    """What the transcripts show of messages, by level."""
    lines = defaultdict(set)
    for path in root.glob("Tests/Transcripts/*.md"):
        for level, text in re.findall(r"\b(warning|error): (.*)", path.read_text()):
            lines[level].add(text)
    return {level: "\n".join(found) for level, found in lines.items()}


def needs(root):
    """What `status --check` finds: the kind, and its comment."""
    source = (root / "Sources/Pipelines/Running/LogDateNeed.swift").read_text()
    kinds = source[source.index("enum Kind"):source.index("package let kind")]
    for comment, case in re.findall(r"/// (.*)\.\n +case (.*)", kinds):
        yield re.sub(r'\w+ = "(\w+)"', r"\1", case), f"status --check: {comment[0].lower()}{comment[1:]}"


# Levels that neither a call nor a line of a transcript tells.
UNSEEN = {"checks_still_find": ["info"], "damaged_file": ["error", "warning"]}


def messages(root):
    """By code, in order, the levels and the sentences."""
    found, printed = defaultdict(lambda: (set(), [])), printed_lines(root)
    for path in sorted(root.glob("Sources/**/*.swift")):
        for code, level, sentence, patterns in SwiftFile(path).messages():
            levels, sentences = found[code]
            levels.update([level] if level else [])
            levels.update(level for level, lines in printed.items() if any(re.search(pattern, lines) for pattern in patterns))
            if sentence not in ("…", *sentences):
                sentences.append(sentence)
    for code, sentence in needs(root):
        found[code][0].add("error")
        found[code][1].append(sentence)
    for code, levels in UNSEEN.items():
        found[code][0].update(levels)
    for code, (_, sentences) in found.items():
        assert sentences, f"{code}: the sentence is made elsewhere; put an example above the call: '// Such as: …'"
    return {code: (sorted(levels) or ["error"], sentences) for code, (levels, sentences) in sorted(found.items())}
