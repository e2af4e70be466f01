import Hashing
import LogFiles

/// Pairs files of a log date's last load with files of now, one to one, each pair of one source. Log rotation renames and
/// compresses files, so what seems to be gone may be there under another name.
struct FilePairing: Sendable {
    /// For a former file, by its index in `lost`, a file of now, by its index in `found`.
    struct Pairs: Sendable {
        /// The same bytes or the same content.
        fileprivate(set) var same: [Int: Int] = [:]
        /// The content of the former file, which was not whole, or more than that.
        fileprivate(set) var grown: [Int: Int] = [:]
        /// Only unpacking tells.
        fileprivate(set) var open: [Int: Int] = [:]

        /// Whether a former file has a file of now, or may have.
        func has(_ former: Int) -> Bool { same[former] != nil || grown[former] != nil || open[former] != nil }
    }

    /// What the files of a pair have in common.
    private enum Mark: Hashable {
        case bytes(source: String, fingerprint: String?)
        case gzipContent(source: String, UnpackedContent)
        case plainContent(source: String, bytes: Int, fingerprint: String?)
    }

    /// The content of a file is compared at so many lengths at most, so that a great number of files cannot take forever.
    private static let mostLengths = 64

    /// Files of the last load whose path is gone, or has other bytes now.
    let lost: [FormerFile]
    /// Files of now whose path is new, or had other bytes at the last load.
    let found: [(key: InputKey, file: InputFile)]
    /// The paths that are gone.
    private let gone: Set<InputKey>

    init(lost: [FormerFile], found: [(key: InputKey, file: InputFile)]) {
        self.lost = lost
        self.found = found
        gone = Set(lost.map(\.key)).subtracting(found.map(\.key))
    }

    func isGone(_ former: Int) -> Bool { gone.contains(lost[former].key) }

    /// The files whose bytes must be read: a file of their source is gone, or a former one has the same size.
    func needingOutline(_ facts: [InputKey: CandidateFacts]) -> [Int] {
        var goneSources: Set<String> = []
        var bySize: [Int: [InputKey]] = [:]
        for former in lost where former.fingerprint != nil {
            if gone.contains(former.key) { goneSources.insert(former.key.source) }
            bySize[former.bytes, default: []].append(former.key)
        }
        return found.indices.filter { index in
            let (key, file) = found[index]
            guard facts[key] == nil else { return false }
            return goneSources.contains(key.source)
                || bySize[file.found.bytes, default: []].contains { $0.source == key.source && $0 != key }
        }
    }

    /// The files that must be unpacked, each with the lengths at which its content is to be compared.
    func needingReading(_ facts: [InputKey: CandidateFacts]) -> [Int: Set<Int>] {
        let (pairs, taken) = decided(by: facts)
        let left = lost.indices.filter { !pairs.has($0) && lost[$0].fingerprint != nil }
        let goneSources = Set(left.filter(isGone).map { lost[$0].key.source })
        let bySource = Dictionary(grouping: left.map { lost[$0] }, by: \.key.source)
        var needed: [Int: Set<Int>] = [:]
        for index in found.indices where goneSources.contains(found[index].key.source) && !taken.contains(index) {
            guard let known = facts[found[index].key] else { continue }
            let former = bySource[found[index].key.source, default: []]
            let wanted = FilePairing.lengths(of: former, in: known.outline)
            if !wanted.allSatisfy(known.covers) { needed[index] = wanted }
        }
        return needed
    }

    /// The lengths of former files that the content of a file may have, and the longest of those that it may exceed.
    private static func lengths(of former: [FormerFile], in outline: FileOutline) -> Set<Int> {
        // Of two plain files the bytes have told already.
        let exact = former.filter { former in
            (outline.isGzipped || former.content != nil)
                && outline.mayContain(former.contentBytes, crc32: former.content?.crc32)
        }
        let shorter = Set(former.map(\.contentBytes).filter(outline.mayExceed))
        return Set((Set(exact.map(\.contentBytes)).sorted(by: >) + shorter.sorted(by: >)).prefix(mostLengths))
    }

    /// - Parameter unreadable: files that could not be read, so that they have no facts. Other files without facts may be
    ///   anything.
    func pairs(_ facts: [InputKey: CandidateFacts], unreadable: Set<InputKey>) -> Pairs {
        var (pairs, taken) = decided(by: facts)
        let unread = needingOutline(facts).filter { !unreadable.contains(found[$0].key) }
        let unpacked = needingReading(facts).filter { !unreadable.contains(found[$0.key].key) }
        let open = Set(unread).union(unpacked.keys).sorted()
        for index in lost.indices where !open.isEmpty && !pairs.has(index) && lost[index].fingerprint != nil {
            let former = lost[index]
            let fitting = open.first { candidate in
                let key = found[candidate].key
                guard key.source == former.key.source, key != former.key, !taken.contains(candidate) else {
                    return false
                }
                return unpacked[candidate].map { $0.contains(former.contentBytes) } ?? true
            }
            guard let fitting else { continue }
            pairs.open[index] = fitting
            taken.insert(fitting)
        }
        return pairs
    }

    /// The pairs that are certain, and the files of now that they take.
    private func decided(by facts: [InputKey: CandidateFacts]) -> (pairs: Pairs, taken: Set<Int>) {
        var pairs = Pairs()
        var taken: Set<Int> = []
        // A path with other bytes than before is a changed file, even if its content is the same.
        pairs.same = pair(lost.indices, &taken, isSamePath: false) { former in
            .bytes(source: former.key.source, fingerprint: former.fingerprint)
        } with: { key in
            facts[key].map { [.bytes(source: key.source, fingerprint: $0.outline.fingerprint)] } ?? []
        }
        let whole = lost.indices.filter { lost[$0].isOK && !pairs.has($0) }
        pairs.same.merge(
            pair(whole, &taken, isSamePath: false, by: FilePairing.content) { key in
                guard let reading = facts[key]?.reading, reading.isOK, let whole = reading.whole else { return [] }
                return FilePairing.marks(of: whole, key)
            }
        ) { $1 }
        // The longest first: what begins with it may also begin with a shorter one.
        let byLength = lost.indices.filter { !pairs.has($0) }.sorted { lost[$0].contentBytes > lost[$1].contentBytes }
        pairs.grown = pair(byLength, &taken, isSamePath: true, by: FilePairing.content) { key in
            facts[key]?.reading?.prefixes.flatMap { FilePairing.marks(of: $0, key) } ?? []
        }
        return (pairs, taken)
    }

    /// Pairs each former file with the first file that has its mark and is not taken: its own path before others, or never.
    private func pair(
        _ order: some Sequence<Int>, _ taken: inout Set<Int>, isSamePath: Bool, by mark: (FormerFile) -> Mark,
        with marks: (InputKey) -> [Mark]
    ) -> [Int: Int] {
        var marked: [Mark: [Int]] = [:]
        for index in found.indices where !taken.contains(index) {
            for mark in Set(marks(found[index].key)) { marked[mark, default: []].append(index) }
        }
        var pairs: [Int: Int] = [:]
        for index in order where lost[index].fingerprint != nil {
            let former = lost[index]
            let free = marked[mark(former), default: []].filter { !taken.contains($0) }
            let own = free.first { found[$0].key == former.key }
            guard let partner = isSamePath ? own ?? free.first : free.first(where: { $0 != own }) else { continue }
            pairs[index] = partner
            taken.insert(partner)
        }
        return pairs
    }

    /// A former file without a stored content is taken for a plain one. If it is a gzip file, no content has its bytes.
    private static func content(_ former: FormerFile) -> Mark {
        let source = former.key.source
        return former.content.map { .gzipContent(source: source, $0) }
            ?? .plainContent(source: source, bytes: former.bytes, fingerprint: former.fingerprint)
    }

    private static func marks(of prefix: ContentPrefix, _ key: InputKey) -> [Mark] {
        [
            .gzipContent(source: key.source, prefix.content),
            .plainContent(source: key.source, bytes: prefix.content.bytes, fingerprint: prefix.fingerprint),
        ]
    }
}
