import Hashing
import LogFiles
import Partitions

/// Pairs files of a log date's last load with files of now, one to one, each pair of one source. Log rotation renames and
/// compresses files, so what seems to be gone may be there under another name.
struct FilePairing: Sendable {
    /// How the files of a pair belong together.
    enum Kind: Sendable {
        /// They have the same bytes or the same content.
        case same
        /// The file of now begins with the content of the former one.
        case grown
        /// They may belong together. Reading or unpacking the file of now tells.
        case open
    }

    /// What identifies bytes: those of a file, or those that were unpacked of a compressed file.
    fileprivate enum Hash: Hashable {
        case bytes(fingerprint: String)
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
            pair(.same, former, candidates, by: \.bytesHash) { [.bytes(fingerprint: $0.fingerprint)] }
            pair(.same, former, candidates, by: \.wholeContentHash) { $0.reading?.whole?.hashes ?? [] }
            // The longest first: what begins with it may also begin with a shorter one.
            let longestFirst = former.sorted { (lost[$1].contentBytes, $0) < (lost[$0].contentBytes, $1) }
            pair(.grown, longestFirst, candidates, by: \.contentHash) { $0.reading?.prefixes.flatMap(\.hashes) ?? [] }
            findUnknown(former, candidates)
        }
    }

    func isGone(_ former: Int) -> Bool { !present.contains(keys[former]) }
    /// The former files without a file of now.
    var unpaired: [Int] { lost.indices.filter { pairs[$0] == nil } }
    /// The files of now that may belong to a former one.
    var open: [InputKey] { pairs.values.filter { $0.kind == .open }.map { found[$0.found].key } }

    /// Pairs each former file with the first candidate that has its hash and is not taken.
    private mutating func pair(
        _ kind: Kind, _ former: [Int], _ candidates: [Int], by hash: (FormerFile) -> Hash?,
        with hashes: (FileOutline) -> [Hash]
    ) {
        var hashed: [Hash: [Int]] = [:]
        for index in candidates where !taken.contains(index) {
            for hash in found[index].outline.map(hashes) ?? [] { hashed[hash, default: []].append(index) }
        }
        for index in former where pairs[index] == nil {
            guard let hash = hash(lost[index]) else { continue }
            let free = hashed[hash, default: []].filter { !taken.contains($0) }
            let own = free.first { found[$0].key == keys[index] }
            // A path with other bytes than before is a changed file, even if its content is the same.
            guard let partner = kind == .same ? free.first(where: { $0 != own }) : own ?? free.first else { continue }
            take(partner, for: index, kind)
        }
    }

    /// A file must be read if one of its source is gone, or if another former one had its size. It must be unpacked if it may
    /// have the content of one that is still gone. Former files that are left are paired with such files.
    private mutating func findUnknown(_ former: [Int], _ candidates: [Int]) {
        let known = former.filter { lost[$0].fingerprint != nil }
        let left = known.filter { pairs[$0] == nil }
        let (hasGone, hasGoneLeft) = (known.contains(where: isGone), left.contains(where: isGone))
        let bySize = Dictionary(grouping: known) { lost[$0].bytes }
        let free = candidates.filter { !taken.contains($0) }
        for file in free.map({ found[$0] }) {
            if let outline = file.outline {
                guard hasGoneLeft else { continue }
                let lengths = left.map { lost[$0] }.filter {
                    outline.mayBegin(with: $0.contentBytes, crc32: $0.content?.crc32)
                }.map(\.contentBytes)
                let wanted = Set(Set(lengths).sorted(by: >).prefix(FilePairing.mostLengths))
                if !wanted.allSatisfy({ outline.reading?.covers($0) ?? false }) { unknown[file.key] = wanted }
            } else if hasGone || bySize[file.found.bytes, default: []].contains(where: { keys[$0] != file.key }) {
                unknown[file.key] = []
            }
        }
        let open = free.compactMap { index in unknown[found[index].key].map { (index, lengths: $0) } }
        for index in left {
            let fitting = open.first { candidate, lengths in
                found[candidate].key != keys[index] && !taken.contains(candidate)
                    && (lengths.isEmpty || lengths.contains(lost[index].contentBytes))
            }
            if let fitting { take(fitting.0, for: index, .open) }
        }
    }

    private mutating func take(_ found: Int, for former: Int, _ kind: Kind) {
        pairs[former] = (found, kind)
        taken.insert(found)
    }
}

extension FormerFile {
    var key: InputKey { InputKey(source, path) }

    fileprivate var bytesHash: FilePairing.Hash? { fingerprint.map { .bytes(fingerprint: $0) } }

    /// A file without a stored content is taken for a plain one. If it is compressed, no content has its bytes.
    fileprivate var contentHash: FilePairing.Hash? { content.map { .unpacked($0) } ?? bytesHash }

    fileprivate var wholeContentHash: FilePairing.Hash? { isOK == true ? contentHash : nil }
}

extension ContentReading.Prefix {
    fileprivate var hashes: [FilePairing.Hash] { [.unpacked(content), .bytes(fingerprint: fingerprint)] }
}
