import Partitions

/// What became of a file since a load.
enum FileChange: Hashable {
    /// It has a content of the load, under the same name or another.
    case same(InputKey)
    /// It has another content than the file of its name had.
    case changed(InputKey)
    case new(InputKey)
    /// No file has its content, or its name, any more.
    case gone(InputKey)
    /// Nobody has looked into it: it may be what is gone otherwise.
    case unknown(InputKey)
}

/// Compares the files of a load with those that are there now: first these in their order, then those that are gone. A file is its
/// content, whatever its name is; read by another source it is another one. What was truncated, damaged or empty is not missed, nor
/// what has another content under its name.
func changes(from former: [FormerFile], to files: [ComparedFile]) -> [FileChange] {
    // First those that have kept their names.
    let byName = Dictionary(files.map { ($0.key, $0) }) { first, _ in first }
    var otherNames = Set(byName.keys)
    let moved = former.filter { file in
        guard byName[file.key]?.isSame(as: file) == true else { return true }
        return otherNames.remove(file.key) == nil
    }
    var byContent: [FileContent: [InputKey]] = [:]
    for file in files.reversed() where otherNames.contains(file.key) {
        for content in file.contents { byContent[content, default: []].append(file.key) }
    }
    let lost = moved.filter { file in
        guard let content = file.sameContent else { return true }
        while let key = byContent[content]?.popLast() {
            if otherNames.remove(key) != nil { return false }
        }
        return true
    }
    let names = Set(byName.keys)
    let lostNames = Set(lost.map(\.key))
    // Such as a log that was renamed and packed.
    var mayBeRenamed: Set<String> = Set(lost.filter { !names.contains($0.key) }.map(\.source))
    func change(_ file: ComparedFile) -> FileChange {
        let key = file.key
        guard otherNames.contains(key) else { return .same(key) }
        if file.isUnknown, file.found.isLocal, lostNames.contains(key) || mayBeRenamed.contains(key.source) {
            return .unknown(key)
        }
        return lostNames.contains(key) ? .changed(key) : .new(key)
    }
    let changes = files.map(change)
    // One of them may be what is not found.
    mayBeRenamed = Set(
        changes.compactMap { change in
            if case .unknown(let key) = change, !lostNames.contains(key) { key.source } else { nil }
        })
    let gone = lost.filter { file in
        file.isOK != false && !file.isEmpty && !otherNames.contains(file.key)
            && (names.contains(file.key) || !mayBeRenamed.contains(file.source))
    }
    return changes + gone.map { .gone($0.key) }
}
