/// What one file's records mean.
struct FileTruth: Sendable {
    let file: Plan.File
    /// Whether the accepted records are kept, or only counted.
    let keepsHits: Bool
    private(set) var counts = [Int](repeating: 0, count: Meaning.allCases.count)
    private(set) var clockFallbacks = 0
    private(set) var hits: [Hit] = []
    /// Messages of the file's own date that it speaks of, by their delivery's rank among the campaigns and by platform.
    private(set) var recipients = [Int](repeating: 0, count: Campaign.all.count * Platform.allCases.count)
    var unpackedBytes = 0
    var packedBytes = 0

    init(file: Plan.File, keepsHits: Bool) {
        self.file = file
        self.keepsHits = keepsHits
    }

    var records: Int {
        counts.reduce(0, +)
    }

    mutating func count(_ meaning: Meaning) {
        counts[meaning.rawValue] += 1
    }

    /// A message that the file speaks of for the first time.
    mutating func countRecipient(of message: Message, platform: Platform) {
        guard message.rank < Campaign.all.count else { return }
        recipients[message.rank * Platform.allCases.count + platform.number] += 1
    }

    mutating func accept(clockFallback: Bool = false, _ hit: @autoclosure () -> Hit) {
        counts[Meaning.accepted.rawValue] += 1
        if clockFallback { clockFallbacks += 1 }
        if keepsHits { hits.append(hit()) }
    }
}
