import Foundation
import Hashing
import LogFiles
import Partitions
import Posix

/// Pairs files of a log date's last load with files of now, one to one, each pair of one source. A file is known by its
/// content: log rotation renames and compresses files, so what seems to be gone may be there under another name.
struct FilePairing: Sendable {
    /// How the files of a pair belong together.
    enum Kind: Sendable {
        /// They have the same content.
        case same
        /// The file of now begins with the content of the former one.
        case grown
        /// They may belong together. Reading or unpacking the file of now tells.
        case open
    }

    /// What identifies the bytes of a file, or its content: that of a plain file, or what was unpacked of a compressed one.
    fileprivate enum Hash: Hashable {
        case file(fingerprint: String)
        case plain(fingerprint: String)
        case unpacked(UnpackedContent)
    }

    /// The content of a file is compared at so many lengths at most, so that a great number of files cannot take forever.
    private static let mostLengths = 64

    /// Files of the last load whose path is gone, or has other bytes now.
    let lost: [FormerFile]
    /// Their keys.
    let keys: [InputKey]
    /// Files of now whose path is new, or had other bytes at the last load. Those that could not be read belong to none.
    let found: [ComparedFile]
    /// By the index of a former file, the index of its file of now.
    private(set) var pairs: [Int: (found: Int, kind: Kind)] = [:]
    /// Files of now that must be read, or unpacked if they have been read: the lengths at which their contents are to be
    /// compared.
    private(set) var unknown: [InputKey: Set<Int>] = [:]
    private let present: Set<InputKey>
    private var taken: Set<Int> = []

    init(lost: [FormerFile], found: [ComparedFile]) {
        self.lost = lost
        self.found = found
        keys = lost.map(\.key)
        present = lost.isEmpty ? [] : Set(found.map(\.key))
        for source in Set(lost.map(\.source)) {
            let former = lost.indices.filter { lost[$0].source == source }
            let candidates = found.indices.filter { found[$0].key.source == source && found[$0].failure == nil }
            pair(.same, former, candidates, by: \.wholeHashes) { outline in
                [.file(fingerprint: outline.fingerprint)] + (outline.reading?.whole?.hashes ?? [])
            }
            // The longest first: what begins with it may also begin with a shorter one.
            let longestFirst = former.sorted { (lost[$1].contentBytes, $0) < (lost[$0].contentBytes, $1) }
            pair(.grown, longestFirst, candidates, by: \.contentHashes) { $0.reading?.prefixes.flatMap(\.hashes) ?? [] }
            findUnknown(former, candidates)
        }
    }

    func isGone(_ former: Int) -> Bool { !present.contains(keys[former]) }
    /// The former files without a file of now.
    var unpaired: [Int] { lost.indices.filter { pairs[$0] == nil } }
    /// The files of now that may belong to a former one.
    var open: [InputKey] { pairs.values.filter { $0.kind == .open }.map { found[$0.found].key } }

    /// Pairs each former file with a candidate that has one of its hashes and is not taken: that of its own path, else the
    /// first.
    private mutating func pair(
        _ kind: Kind, _ former: [Int], _ candidates: [Int], by hashes: (FormerFile) -> [Hash],
        with candidateHashes: (FileOutline) -> [Hash]
    ) {
        var hashed: [Hash: [Int]] = [:]
        for index in candidates where !taken.contains(index) {
            for hash in found[index].outline.map(candidateHashes) ?? [] { hashed[hash, default: []].append(index) }
        }
        for index in former where pairs[index] == nil {
            for hash in hashes(lost[index]) where pairs[index] == nil {
                let free = hashed[hash, default: []].filter { !taken.contains($0) }
                guard let partner = free.first(where: { found[$0].key == keys[index] }) ?? free.first else { continue }
                take(partner, for: index, kind)
            }
        }
    }

    /// A file must be read if one of its source is gone, if another former one had its size, or if it was compressed and has
    /// other bytes now. It must be unpacked unless that has told enough. Former files that are left are paired with such files.
    private mutating func findUnknown(_ former: [Int], _ candidates: [Int]) {
        let left = former.filter { pairs[$0] == nil && lost[$0].fingerprint != nil }
        let gone = left.filter(isGone)
        let own = Dictionary(
            left.filter { lost[$0].content != nil && lost[$0].isOK == true }.map { (keys[$0], $0) },
            uniquingKeysWith: { first, _ in first })
        let bySize = Dictionary(grouping: left) { lost[$0].bytes }
        let lengths = Set(gone.map { lost[$0].contentBytes }).sorted(by: >).prefix(FilePairing.mostLengths)
        var waiting = (gone + left.filter { !isGone($0) })[...]
        for index in candidates where !taken.contains(index) {
            let file = found[index]
            let mayBeOwn = own[file.key].map { pairs[$0] == nil } ?? false
            if let outline = file.outline {
                let isDone = outline.reading.map { reading in lengths.allSatisfy(reading.covers) } ?? false
                guard !gone.isEmpty || mayBeOwn, !isDone else { continue }
                unknown[file.key] = Set(lengths)
            } else {
                let others = bySize[file.found.bytes, default: []].contains { keys[$0] != file.key }
                guard !gone.isEmpty || mayBeOwn || others else { continue }
                unknown[file.key] = []
            }
            if let former = mayBeOwn ? own[file.key] : waiting.popFirst() { take(index, for: former, .open) }
        }
    }

    private mutating func take(_ found: Int, for former: Int, _ kind: Kind) {
        pairs[former] = (found, kind)
        taken.insert(found)
    }
}

extension FormerFile {
    var key: InputKey { InputKey(source, path) }

    /// A file without a stored content is taken for a plain one. If it is compressed, no content has its bytes.
    fileprivate var contentHashes: [FilePairing.Hash] {
        content.map { [.unpacked($0)] } ?? fingerprint.map { [.plain(fingerprint: $0)] } ?? []
    }

    /// Its bytes, and its content if all of it was read.
    fileprivate var wholeHashes: [FilePairing.Hash] {
        (fingerprint.map { [.file(fingerprint: $0)] } ?? []) + (isOK == true ? contentHashes : [])
    }
}

extension ContentReading.Prefix {
    fileprivate var hashes: [FilePairing.Hash] { [.unpacked(content), .plain(fingerprint: fingerprint)] }
}

/// A file of a log date as it is now, and what is known of it.
struct ComparedFile: Sendable {
    let key: InputKey
    let found: FoundFile
    /// What reading has told, now or before. Nil if the file is as it was at the load, or was not read.
    var outline: FileOutline?
    /// The file's stamp when it was read; nil if it is not known, or may not be remembered.
    var stamp: FileStamp?
    /// As it was at the load, if it has another stamp now and the same size, and was not read.
    var doubtful: FormerFile?
    /// Whether the last load did not have it, or had other bytes of it.
    var isFresh = false
    /// The system's error code if it could not be read.
    var failure: Int32?

    init(_ key: InputKey, _ found: FoundFile, _ remembered: RememberedInputs.File?) {
        (self.key, self.found) = (key, found)
        if let remembered, remembered.stamp == found.stamp {
            (outline, stamp) = (remembered.outline, remembered.stamp)
        }
    }

    /// What is to be remembered.
    var remembered: RememberedInputs.File? { stamp.map { RememberedInputs.File(key, stamp: $0, outline: outline) } }

    /// Reads the file, or unpacks it if it has been read, to compare its content at `lengths`.
    mutating func read(_ lengths: Set<Int>, window: WindowShare, didRead: @escaping (Int) throws -> Void) {
        let file = LogFile(found.location)
        do {
            if outline == nil {
                (outline, stamp) = try file.outline(didRead: didRead)
            } else {
                defer { window.exchange(for: 0) }
                outline?.reading = try file.contentReading(lengths, didRead: didRead) { window.exchange(for: $0) }
            }
        } catch {
            failure = (error as? LogFileError)?.code ?? EIO
        }
    }
}
