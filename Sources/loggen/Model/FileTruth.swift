import Reference

/// What one file's records mean.
struct FileTruth: Sendable {
    let file: Plan.File
    /// Whether the accepted records are kept, or only counted.
    let keepsHits: Bool
    private(set) var counts: [Meaning: Int] = [:]
    private(set) var clockFallbacks = 0
    private(set) var hits: [Hit] = []
    /// Messages of the file's own date that it speaks of, by their delivery's rank among the campaigns and by platform.
    var recipients: [Int: [Platform: Int]] = [:]
    var unpackedBytes = 0
    var packedBytes = 0

    init(file: Plan.File, keepsHits: Bool) {
        self.file = file
        self.keepsHits = keepsHits
    }

    /// How many records it has.
    var count: Int { counts.values.reduce(0, +) }

    mutating func count(_ meaning: Meaning) {
        counts[meaning, default: 0] += 1
    }

    mutating func accept(clockFallback: Bool = false, _ hit: @autoclosure () -> Hit) {
        count(.accepted)
        if clockFallback { clockFallbacks += 1 }
        if keepsHits { hits.append(hit()) }
    }

    /// The records, in another order. It is known how many clocks were not believed, but not whose.
    var records: [Record] {
        let accepted = hits.enumerated().map { Outcome.accepted($1, clockFallback: $0 < clockFallbacks) }
        let others = counts.flatMap { meaning, count in
            meaning.outcome.map { Array(repeating: $0, count: count) } ?? []
        }
        return (accepted + others).map { Record(line: 0, outcome: $0) }
    }
}
