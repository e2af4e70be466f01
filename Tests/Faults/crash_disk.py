"""What a disk may hold after a power loss: a recording of what commands did to their files, and the states it may leave.

A file system keeps what was synced. Of the rest it may keep anything: bytes without names, names without bytes, one of
two renames, a part of the pages, the size without the bytes, old times or new ones.
"""
import collections
import dataclasses
import os
import random
import struct

CREATE, WRITE, TRUNCATE, SYNC, RENAME, UNLINK, MAKE_FOLDER, REMOVE_FOLDER, LINK, TOUCH, MARK = range(1, 12)
NAMING = (CREATE, RENAME, UNLINK, MAKE_FOLDER, REMOVE_FOLDER, LINK)
HEADER = struct.Struct("<IIQQQqqII")
PAGE = 4096
# What crash-shim.c adds to the inode of a file that was not there when a disk was rebuilt.
NEW_INODES = 1 << 40


@dataclasses.dataclass
class Event:
    kind: int
    flag: int = 0
    inode: int = 0
    offset: int = 0
    times: tuple = (0, 0)
    path: str = ""
    other: str = ""
    data: bytes = b""


class Recording:
    """The events of a log that crash-shim.c has written, with paths relative to the root, and stamps as the commands see
    them: with `stamps`, the file of CRASH_STAMPS, these are others than the real ones."""

    def __init__(self, root, stamps=None):
        self.root, self.log, self.events, self.read = os.path.realpath(root), root + ".log", [], 0
        open(self.log, "wb").close()
        self.stamps, self.shown = stamps, None
        if stamps:
            with open(stamps) as lines:
                self.shown = {inode: rest for _, inode, *rest in (map(int, line.split()) for line in lines)}
        self.base = Folder.of(root, self.stamp)

    def environment(self, shim):
        shown = {"CRASH_STAMPS": self.stamps} if self.stamps else {}
        return {"LD_PRELOAD": shim, "CRASH_LOG": self.log, "CRASH_ROOT": self.root, **shown}

    def stamp(self, inode, modified, changed):
        """An inode and times as crash-shim.c shows them."""
        if self.shown is None:
            return inode, (modified, changed)
        if inode not in self.shown:
            return inode + NEW_INODES, (modified, changed)
        built, inode, *times = self.shown[inode]
        return inode, tuple(times) if changed == built else (modified, changed)

    def take(self):
        """Takes up what was logged since, and marks the end of a command."""
        with open(self.log, "rb") as log:
            log.seek(self.read)
            while head := log.read(HEADER.size):
                kind, flag, inode, offset, count, modified, changed, length, other = HEADER.unpack(head)
                path, other = log.read(length).decode(), log.read(other).decode()
                inode, times = self.stamp(inode, modified, changed)
                self.events.append(Event(
                    kind, flag, inode, offset, times, self.relative(path), self.relative(other), log.read(count)))
            self.read = log.tell()
        self.events.append(Event(MARK))

    def relative(self, path):
        return os.path.relpath(path.removesuffix(" (deleted)"), self.root) if path.startswith("/") else path


class Folder:
    """A folder on the disk: what it names for certain."""

    def __init__(self):
        self.names = {}

    @staticmethod
    def of(path, stamp):
        """A copy of a real folder. All in it counts as synced."""
        folder = Folder()
        for entry in os.scandir(path):
            if entry.is_dir():
                folder.names[entry.name] = Folder.of(entry.path, stamp)
            else:
                status = entry.stat()
                with open(entry.path, "rb") as content:
                    folder.names[entry.name] = File(
                        content.read(), *stamp(status.st_ino, status.st_mtime_ns, status.st_ctime_ns))
        return folder


class File:
    """A file on the disk: its bytes and times for certain, and what was done to it since then."""

    def __init__(self, durable=b"", inode=0, times=(0, 0)):
        self.durable, self.pending, self.whole = durable, [], None
        self.inode, self.durable_times, self.times = inode, times, times

    def bytes(self, kept=None):
        """Its bytes, if of what was not synced only the changes in `kept` were kept; None for all."""
        if kept is None and self.whole:
            return self.whole[0]
        content = bytearray(self.durable)
        for number, change in enumerate(self.pending):
            if kept is None or number in kept:
                change.apply(content)
        content = bytes(content)
        if kept is None:
            # Many states have the same bytes.
            self.whole = [content]
        return content

    def change(self, change):
        self.pending.append(change)
        self.whole = None

    def sync(self):
        self.durable, self.pending = self.bytes(), []

    def variants(self, chance):
        """What the disk may have of its bytes, by the name of what was lost."""
        whole = self.bytes()
        yield "nothing lost", whole
        if not self.pending:
            return
        yield "unsynced bytes lost", self.durable
        # The size is kept, and the bytes are not: blocks that were not written read as before, or as zeros.
        sized = self.durable[:len(whole)].ljust(len(whole), b"\0")
        if sized != self.durable:
            yield "unsynced bytes lost, size kept", sized
        if any(change.size == 0 for change in self.pending):
            yield "empty", b""
        pages = (max(len(whole), 1) + PAGE - 1) // PAGE
        differing = [page for page in range(pages) if whole[page * PAGE:][:PAGE] != sized[page * PAGE:][:PAGE]]
        for name, keeps in [("some pages lost", lambda: chance.random() < 0.5), ("most pages lost", lambda: chance.random() < 0.15),
                            ("few pages lost", lambda: chance.random() < 0.85)]:
            if len(differing) > 1:
                mixed = bytearray(whole)
                for page in differing:
                    if not keeps():
                        mixed[page * PAGE:(page + 1) * PAGE] = sized[page * PAGE:(page + 1) * PAGE]
                yield name, bytes(mixed)
        if len(self.pending) > 1:
            yield "first writes kept", self.bytes(range(chance.randrange(1, len(self.pending))))
        elif len(differing) == 1 and len(whole) > len(self.durable) + 1:
            # A file that grows within a page.
            yield "cut", whole[:chance.randrange(len(self.durable) + 1, len(whole))]


@dataclasses.dataclass
class Change:
    """A write, or with a size a truncation, of a file."""
    event: int
    offset: int = 0
    data: bytes = b""
    size: int = None

    def apply(self, content):
        if self.size is not None:
            del content[self.size:]
            content.extend(bytes(self.size - len(content)))
            return
        content.extend(bytes(max(0, self.offset + len(self.data) - len(content))))
        content[self.offset:self.offset + len(self.data)] = self.data


@dataclasses.dataclass(eq=False)
class Naming:
    """A change of names that happens as a whole: what each (folder, name) means after it; None for nothing."""
    event: int
    text: str
    names: list
    unsynced: list
    # The file that the change gave its first name.
    created: object = None


class Disk:
    """What the events up to one of them leave. `also_names`: whether a sync of a new file keeps its name too."""

    def __init__(self, base, also_names):
        self.root = clone(base, {})
        self.also_names = also_names
        # By inode the latest file that has it, and all files.
        self.files, self.all_files = {}, []
        self.now = collections.defaultdict(dict)
        self.pending = []
        self.index(self.root)

    def index(self, folder):
        for name, item in folder.names.items():
            self.now[folder][name] = item
            if isinstance(item, Folder):
                self.index(item)
            else:
                self.add(item)

    def add(self, file):
        self.files[file.inode] = file
        self.all_files.append(file)

    def parent(self, path):
        """The folder that a path lies in, as it is now, and the last name."""
        *above, name = path.split("/")
        folder = self.root
        for part in above:
            folder = self.now[folder][part]
        return folder, name

    def find(self, path):
        """What a path means now; None if it means nothing."""
        if path == ".":
            return self.root
        try:
            folder, name = self.parent(path)
            return self.now[folder].get(name)
        except KeyError:
            return None

    def name(self, number, text, *names, created=None):
        for folder, name, item in names:
            if item is None:
                self.now[folder].pop(name, None)
            else:
                self.now[folder][name] = item
        folders = list({id(folder): folder for folder, _, _ in names}.values())
        self.pending.append(Naming(number, text, list(names), folders, created))

    def apply(self, number, event):
        kind = event.kind
        if kind == CREATE:
            file = File(b"", event.inode, event.times)
            self.add(file)
            folder, name = self.parent(event.path)
            self.name(number, f"create {event.path}", (folder, name, file), created=file)
        elif kind in (WRITE, TRUNCATE, TOUCH):
            if file := self.files.get(event.inode):
                file.times = event.times
                if kind != TOUCH:
                    size = event.offset if kind == TRUNCATE else None
                    file.change(Change(number, event.offset, event.data, size))
        elif kind == SYNC:
            self.sync(event)
        elif kind == RENAME:
            (folder, name), (other_folder, other) = self.parent(event.path), self.parent(event.other)
            item = self.now[folder][name]
            if isinstance(item, File):
                item.times = event.times
            self.name(number, f"rename to {event.other}", (folder, name, None), (other_folder, other, item))
        elif kind in (UNLINK, REMOVE_FOLDER):
            folder, name = self.parent(event.path)
            self.name(number, f"remove {event.path}", (folder, name, None))
        elif kind in (MAKE_FOLDER, LINK):
            path = event.path if kind == MAKE_FOLDER else event.other
            folder, name = self.parent(path)
            item = Folder() if kind == MAKE_FOLDER else self.find(event.path)
            self.name(number, f"make {path}", (folder, name, item))

    def sync(self, event):
        file = self.files.get(event.inode)
        if file and not isinstance(self.find(event.path), Folder):
            file.sync()
            if event.flag:
                file.durable_times = file.times
            if self.also_names:
                created = [naming for naming in self.pending if naming.created is file]
                # With a new name, what the name meant before is gone for certain.
                places = {(folder, name) for naming in created for folder, name, _ in naming.names}
                self.settle(lambda naming: naming in created or any(
                    (folder, name) in places and naming.event < created[0].event for folder, name, _ in naming.names))
            return
        folder = self.find(event.path)
        for naming in self.pending:
            naming.unsynced = [other for other in naming.unsynced if other is not folder]
        self.settle(lambda naming: not naming.unsynced)

    def settle(self, is_synced):
        for naming in [naming for naming in self.pending if is_synced(naming)]:
            for folder, name, item in naming.names:
                set_name(folder.names, name, item)
        self.pending = [naming for naming in self.pending if not is_synced(naming)]

    def unsynced_files(self):
        """The files with bytes or times that are not synced, and a name that may be there."""
        named = set()

        def walk(folder):
            for item in [*folder.names.values(), *self.now[folder].values()]:
                if isinstance(item, Folder):
                    walk(item)
                else:
                    named.add(item)

        walk(self.root)
        for naming in self.pending:
            named.update(item for _, _, item in naming.names)
        return [file for file in self.all_files if file in named and file.pending]

    def state(self, text, keeps, contents, has_new_times):
        """The tree in which the pending changes of names for which `keeps` is true, and these bytes were kept."""
        names = {}
        for naming in self.pending:
            if keeps(naming):
                for folder, name, item in naming.names:
                    set_name(names.setdefault(folder, dict(folder.names)), name, item)
        found = {}

        def walk(folder, path):
            for name, item in names.get(folder, folder.names).items():
                place = f"{path}{name}"
                if isinstance(item, Folder):
                    found[place] = None
                    walk(item, place + "/")
                else:
                    times = item.times if has_new_times else item.durable_times
                    found[place] = (contents.get(item, item.bytes()), item.inode, *times)

        walk(self.root, "")
        return State(text, found)


def clone(item, known):
    if id(item) in known:
        return known[id(item)]
    if isinstance(item, Folder):
        copy = known[id(item)] = Folder()
        copy.names = {name: clone(child, known) for name, child in item.names.items()}
        return copy
    known[id(item)] = File(item.durable, item.inode, item.times)
    return known[id(item)]


def set_name(names, name, item):
    if item is None:
        names.pop(name, None)
    else:
        names[name] = item


@dataclasses.dataclass
class State:
    """A tree: by path None for a folder, and (bytes, inode, modified, changed) for a file."""
    text: str
    tree: dict
    is_said: bool = False

    def key(self):
        return hash((self.is_said, tuple(sorted(self.tree.items(), key=lambda pair: pair[0]))))

    def build(self, root):
        """Makes the tree in an empty folder. Returns the lines for CRASH_STAMPS."""
        shown = {}
        for path, item in sorted(self.tree.items()):
            place = os.path.join(root, path)
            if item is None:
                os.mkdir(place)
            elif item[1] in shown:
                os.link(shown[item[1]][0], place)
            else:
                with open(place, "wb") as file:
                    file.write(item[0])
                shown[item[1]] = (place, item)
        return [stamp_line(place, *stamp) for place, (_, *stamp) in shown.values()]


def stamp_line(path, *shown):
    """A line for CRASH_STAMPS: a file, and the inode and times that it is shown with; without them those that it has."""
    real = os.stat(path)
    shown = shown or (real.st_ino, real.st_mtime_ns, real.st_ctime_ns)
    return " ".join(map(str, (real.st_dev, real.st_ino, real.st_ctime_ns, *shown)))


def states(recording, first, dropped=None):
    """The states after a power loss during the events from `first` on, the likeliest to matter first; each once.

    `dropped` is the number of a sync that is left out."""
    events = recording.events
    seen = set()
    passes = [(0, False), (1, False), (2, False)]
    if dropped is not None:
        # What is said and then lost is seen at once.
        passes = [(LEFT_OUT, True), (0, True), (LEFT_OUT, False), *passes[:1], (LEFT_OUT_AND_MORE, False), *passes[1:]]
    for rank, is_end_only in passes:
        for also_names in (False, True):
            disk = Disk(recording.base, also_names)
            for number, event in enumerate(events):
                # A loss at any other event leaves what a loss before the next sync may leave too.
                is_cut = event.kind == SYNC and not is_end_only or number == len(events) - 1
                if number >= first and is_cut and (dropped is None or number > dropped):
                    is_said = number == len(events) - 1
                    where = "after the end" if is_said else f"before sync {number} ({event.path})"
                    if dropped is not None:
                        where += f", without sync {dropped}"
                    chance = random.Random(number)
                    found = states_without(disk, rank, events[dropped], chance) if rank < 0 else states_at(disk, rank, chance)
                    for state in found:
                        state.is_said = is_said
                        if state.key() not in seen:
                            seen.add(state.key())
                            state.text = f"{where}: {state.text}"
                            yield state
                if number != dropped:
                    disk.apply(number, event)


ALL, NONE = (lambda naming: True), (lambda naming: False)


LEFT_OUT, LEFT_OUT_AND_MORE = -2, -1


def states_without(disk, rank, sync, chance):
    """What a sync that is left out would have kept is lost; of the rest nothing, or some bytes of another file too."""
    lost = []
    file, folder = disk.files.get(sync.inode), disk.find(sync.path)
    if isinstance(folder, Folder):
        own = [naming for naming in disk.pending if folder in naming.unsynced]
        lost.append((f"names in {sync.path}", lambda naming: naming not in own, {}))
        for one in own:
            lost.append((one.text, lambda naming, one=one: naming is not one, {}))
            lost.append((f"names in {sync.path} after: {one.text}",
                         lambda naming, one=one: naming not in own or naming.event <= one.event, {}))
    elif file and file.pending:
        lost += [(f"{label(disk, file)}: {name}", ALL, {file: content}) for name, content in list(file.variants(chance))[1:]]
    for text, keeps, contents in lost:
        if rank == LEFT_OUT:
            yield disk.state(f"lost: {text}", keeps, contents, True)
            yield disk.state(f"lost: {text}, former times", keeps, contents, False)
        else:
            for other in disk.unsynced_files():
                for name, content in list(other.variants(chance))[1:]:
                    yield disk.state(f"lost: {text}; {label(disk, other)}: {name}", keeps, {other: content, **contents}, True)


def states_at(disk, rank, chance):
    """Rank 0: all or nothing of each kind. 1: one name or one file is other than the rest, or all up to a moment.
    2: by chance."""
    files = disk.unsynced_files()
    variants = {file: dict(file.variants(chance)) for file in files}

    def contents(name):
        """The same for all files, as far as they have it."""
        return {file: found.get(name, found["nothing lost"]) for file, found in variants.items()}

    lost, zeros, some = (contents(f"{name}") for name in
                         ["unsynced bytes lost", "unsynced bytes lost, size kept", "some pages lost"])
    if rank == 0:
        for text, keeps in [("names kept", ALL), ("names lost", NONE)]:
            for what, kept in [("all bytes", {}), ("no unsynced bytes", lost), ("sizes without bytes", zeros), ("some pages", some)]:
                for has_new_times in (True, False):
                    yield disk.state(f"{text}, {what}{'' if has_new_times else ', former times'}", keeps, kept, has_new_times)
    if rank == 1:
        for one in disk.pending:
            for kept, what in [({}, ""), (lost, ", no unsynced bytes")]:
                yield disk.state(f"lost: {one.text}{what}", lambda naming: naming is not one, kept, True)
                yield disk.state(f"of the names only: {one.text}{what}", lambda naming: naming is one, kept, True)
            # All up to this moment, as with a journal of metadata.
            yield disk.state(f"names up to: {one.text}", lambda naming: naming.event <= one.event, {}, False)
            yield disk.state(
                f"all up to: {one.text}", lambda naming: naming.event <= one.event,
                {file: file.bytes({number for number, change in enumerate(file.pending) if change.event <= one.event})
                 for file in files}, True)
        for file in files:
            for name, content in variants[file].items():
                for text, keeps in [("names kept", ALL), ("names lost", NONE)]:
                    yield disk.state(f"{text}, {label(disk, file)}: {name}", keeps, {file: content}, True)
                    yield disk.state(f"{text}, {label(disk, file)} alone kept: {name}", keeps, {**lost, file: content}, True)
    if rank == 2:
        for _ in range(4 + 2 * len(disk.pending) + 4 * len(files)):
            chosen = {naming.event for naming in disk.pending if chance.random() < 0.6}
            kept = {file: chance.choice(list(found.values())) for file, found in variants.items()}
            texts = [naming.text for naming in disk.pending if naming.event not in chosen]
            yield disk.state(
                f"by chance, lost: {listed(texts)}", lambda naming: naming.event in chosen, kept,
                chance.random() < 0.7)


def listed(texts):
    return ", ".join(texts[:5] + [f"{len(texts) - 5} more"] * (len(texts) > 5)) or "no name"


def label(disk, file):
    """A path of a file, now or on the way."""
    for naming in reversed(disk.pending):
        for folder, name, item in naming.names:
            if item is file:
                return name
    for folder, names in disk.now.items():
        for name, item in names.items():
            if item is file:
                return name
    return f"inode {file.inode}"
