import Counting
import Events

/// The index of the blocks of a partition's shared messages: which ids each holds, and where its bytes lie.
struct SharedBlocks: Sendable {
    private(set) var entries: [Section: [BlockEntry]] = [:]
    /// By block number, where it begins; and the end of the last.
    private var offsets: [Int]
    /// By block number: the events of the blocks before it; and of all.
    private var eventsBefore = [0]

    /// - Parameter start: where the first block begins.
    init(start: Int) {
        offsets = [start]
    }

    var count: Int { offsets.count - 1 }

    mutating func append(first: EventID, last: EventID, events: Int, end: Int, _ section: Section) {
        entries[section, default: []].append(
            BlockEntry(number: Int64(count), first: first, last: last, events: events))
        eventsBefore.append(eventsBefore[eventsBefore.count - 1] + events)
        offsets.append(max(end, offsets[offsets.count - 1]))
    }

    /// How many events all blocks have.
    var events: Int { eventsBefore[count] }

    /// Where a block lies.
    func bytes(of number: Int64) -> Range<Int> { offsets[Int(number)]..<offsets[Int(number) + 1] }

    /// The indices of the events of some blocks that follow one another, among those of all blocks.
    func events(of entries: ArraySlice<BlockEntry>) -> Range<Int> {
        guard let first = entries.first, let last = entries.last else { return 0..<0 }
        return eventsBefore[Int(first.number)]..<eventsBefore[Int(last.number) + 1]
    }
}
