import Partitions

/// What became of a file since a load.
enum FileChange {
    /// The load read the same content, under this name or another.
    case same
    /// The file had another content at the load.
    case changed
    case new
    /// The file was not read, so it may be a renamed file of the load.
    case unknown
}

/// Compares the files of a load with the present ones. Returns the change of each present file, and the files of the
/// load that are gone: no file has their content, or their name, any more. A file is known by its source and content,
/// whatever its name is. A file of the load is not reported as gone if it was truncated, damaged or empty, or if its
/// name now has another content.
func changes(from former: [FormerFile], to files: [ComparedFile]) -> (changes: [FileChange], gone: [InputKey]) {
    // First match the files that kept their names.
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
    // A log may have been renamed and packed.
    var mayBeRenamed: Set<String> = Set(lost.filter { !names.contains($0.key) }.map(\.source))
    func change(_ file: ComparedFile) -> FileChange {
        let key = file.key
        guard otherNames.contains(key) else { return .same }
        if file.isUnknown, file.found.isLocal, lostNames.contains(key) || mayBeRenamed.contains(key.source) {
            return .unknown
        }
        return lostNames.contains(key) ? .changed : .new
    }
    let changes = files.map(change)
    // A file of unknown content may be the one that is missing.
    mayBeRenamed = Set(
        zip(files, changes).compactMap { file, change in
            change == .unknown && !lostNames.contains(file.key) ? file.key.source : nil
        })
    let gone = lost.filter { file in
        file.isOK != false && !file.isEmpty && !otherNames.contains(file.key)
            && (names.contains(file.key) || !mayBeRenamed.contains(file.source))
    }
    return (changes, gone.map(\.key))
}
