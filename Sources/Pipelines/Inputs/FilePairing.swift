import Hashing
import LogFiles
import Warehouse

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

    /// A source, and what identifies bytes: those of a file, or those that were unpacked of a compressed file.
    fileprivate struct Mark: Hashable {
        enum Hash: Hashable {
            case bytes(fingerprint: String)
            case unpacked(UnpackedContent)
        }

        let source: String
        let hash: Hash
    }

    /// The content of a file is compared at so many lengths at most, so that a great number of files cannot take forever.
    private static let mostLengths = 64

    /// Files of the last load whose path is gone, or has other bytes now.
    let lost: [FormerFile]
    /// Their keys.
    let keys: [InputKey]
    /// Files of now whose path is new, or had other bytes at the last load.
    let found: [(key: InputKey, file: InputFile)]
    /// By the index of a former file, the index of its file of now.
    private(set) var pairs: [Int: (found: Int, kind: Kind)] = [:]
    /// Files of now that must be read, or unpacked if they have been read: by their indices, the lengths at which their contents
    /// are to be compared.
    private(set) var unknown: [Int: Set<Int>] = [:]
    private let isGone: [Bool]
    private var taken: Set<Int> = []

    /// - Parameters:
    ///   - outlines: what is known of files of now.
    ///   - unreadable: files that could not be read. They belong to none.
    init(
        lost: [FormerFile], found: [(key: InputKey, file: InputFile)], _ outlines: [InputKey: FileOutline],
        unreadable: Set<InputKey> = []
    ) {
        self.lost = lost
        self.found = found
        keys = lost.map(\.key)
        let present = Set(found.map(\.key))
        isGone = keys.map { !present.contains($0) }
        guard !lost.isEmpty else { return }

        taken = Set(found.indices.filter { unreadable.contains(found[$0].key) })
        pair(.same, \.bytesHash) { outlines[$0].map { [.bytes(fingerprint: $0.fingerprint)] } ?? [] }
        pair(.same, { $0.isOK == true ? $0.contentHash : nil }, with: { outlines[$0]?.reading?.whole?.hashes ?? [] })
        pair(.grown, \.contentHash) { outlines[$0]?.reading?.prefixes.flatMap(\.hashes) ?? [] }
        findUnknown(outlines)
        leaveOpen()
    }

    func isGone(_ former: Int) -> Bool { isGone[former] }
    /// The former files without a file of now.
    var unpaired: [Int] { lost.indices.filter { pairs[$0] == nil } }
    /// The files of now that may belong to a former one.
    var open: [InputKey] { pairs.values.filter { $0.kind == .open }.map { found[$0.found].key } }

    /// Pairs each former file with the first file of now that has its mark and is not taken.
    private mutating func pair(
        _ kind: Kind, _ hash: (FormerFile) -> Mark.Hash?, with hashes: (InputKey) -> [Mark.Hash]
    ) {
        var marked: [Mark: [Int]] = [:]
        for index in found.indices where !taken.contains(index) {
            let source = found[index].key.source
            for hash in Set(hashes(found[index].key)) {
                marked[Mark(source: source, hash: hash), default: []].append(index)
            }
        }
        guard !marked.isEmpty else { return }
        var order = unpaired
        // The longest first: what begins with it may also begin with a shorter one.
        if kind == .grown { order.sort { (lost[$1].contentBytes, $0) < (lost[$0].contentBytes, $1) } }
        for index in order {
            guard let hash = hash(lost[index]) else { continue }
            let free = marked[Mark(source: lost[index].source, hash: hash), default: []].filter { !taken.contains($0) }
            let own = free.first { found[$0].key == keys[index] }
            // A path with other bytes than before is a changed file, even if its content is the same.
            guard let partner = kind == .same ? free.first(where: { $0 != own }) : own ?? free.first else { continue }
            pairs[index] = (partner, kind)
            taken.insert(partner)
        }
    }

    /// A file must be read if one of its source is gone, or if another former one had its size. It must be unpacked if it may
    /// have the content of one that is still gone.
    private mutating func findUnknown(_ outlines: [InputKey: FileOutline]) {
        let known = lost.indices.filter { lost[$0].fingerprint != nil }
        let left = known.filter { pairs[$0] == nil }
        let sourcesWithGone = Set(known.filter { isGone[$0] }.map { lost[$0].source })
        let sourcesStillWithGone = Set(left.filter { isGone[$0] }.map { lost[$0].source })
        let bySize = Dictionary(grouping: known) { lost[$0].bytes }
        let bySource = Dictionary(grouping: left.map { lost[$0] }, by: \.source)
        for index in found.indices where !taken.contains(index) {
            let (key, bytes) = (found[index].key, found[index].file.found.bytes)
            if let outline = outlines[key] {
                guard sourcesStillWithGone.contains(key.source) else { continue }
                let lengths = bySource[key.source, default: []].filter {
                    outline.mayBegin(with: $0.contentBytes, crc32: $0.content?.crc32)
                }.map(\.contentBytes)
                let wanted = Set(Set(lengths).sorted(by: >).prefix(FilePairing.mostLengths))
                if !wanted.allSatisfy({ outline.reading?.covers($0) ?? false }) { unknown[index] = wanted }
            } else if sourcesWithGone.contains(key.source)
                || bySize[bytes, default: []].contains(where: { lost[$0].source == key.source && keys[$0] != key })
            {
                unknown[index] = []
            }
        }
    }

    /// Pairs what is left with unknown files.
    private mutating func leaveOpen() {
        let open = unknown.sorted { $0.key < $1.key }
        for index in lost.indices where !open.isEmpty && pairs[index] == nil && lost[index].fingerprint != nil {
            let fitting = open.first { candidate, lengths in
                found[candidate].key.source == lost[index].source && found[candidate].key != keys[index]
                    && !taken.contains(candidate) && (lengths.isEmpty || lengths.contains(lost[index].contentBytes))
            }
            guard let fitting = fitting?.key else { continue }
            pairs[index] = (fitting, .open)
            taken.insert(fitting)
        }
    }
}

extension FormerFile {
    var key: InputKey { InputKey(source, path) }

    fileprivate var bytesHash: FilePairing.Mark.Hash? { fingerprint.map { .bytes(fingerprint: $0) } }

    /// A file without a stored content is taken for a plain one. If it is compressed, no content has its bytes.
    fileprivate var contentHash: FilePairing.Mark.Hash? { content.map { .unpacked($0) } ?? bytesHash }
}

extension ContentReading.Prefix {
    fileprivate var hashes: [FilePairing.Mark.Hash] { [.unpacked(content), .bytes(fingerprint: fingerprint)] }
}
