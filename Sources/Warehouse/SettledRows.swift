import Events
import Foundation

/// The first and last events that count of a partition's rows, as they were found when last the partition was read for
/// them: kept beside it in `partitions/.2026-11-19.settled`, so that it is read again only if other events do not count
/// any more. Nothing but time is lost with the file: what does not read, or was found for something else, is found anew.
///
///     words of 8 bytes, lowest byte first: hash of all that follows, what it was found for, then for each row its key
///     (2 words), first and last time
struct SettledRows {
    typealias Times = (first: Int64, last: Int64)

    private let path: String
    /// A hash of what the rows depend on.
    private let subject: UInt64

    init(of partition: Partition, folder: String, zoneName: String, notCounting: EventSet) {
        path = "\(folder)/.\(CalendarText.date(ofDay: partition.summary.logDate)).settled"
        let facts = [partition.summary.version, zoneName, String(notCounting.hash)].joined(separator: "\0")
        subject = WordHash.of(Array(facts.utf8).span)
    }

    /// What is known, if it is about all of `rows`.
    func times(of rows: [PackedKey]) -> PackedTable<Times>? {
        guard let data = FileManager.default.contents(atPath: path), data.count >= 16 else { return nil }
        let bytes = [UInt8](data)
        var table = PackedTable<Times>()
        do {
            let content = bytes.span.extracting(droppingFirst: 16)
            try FigureBytes.decode(content) { (words: InlineArray<4, UInt64>) throws(FigureBytesError) in
                _ = table.place(
                    of: PackedKey(high: words[0], low: words[1]),
                    initial: (Int64(bitPattern: words[2]), Int64(bitPattern: words[3])))
            }
            var head: InlineArray<2, UInt64> = [0, 0]
            try FigureBytes.decode(bytes.span.extracting(first: 16)) { head = $0 }
            guard head[0] == WordHash.of(bytes.span.extracting(droppingFirst: 8)), head[1] == subject else { return nil }
        } catch {
            return nil
        }
        return rows.allSatisfy { table.place(of: $0) != nil } ? table : nil
    }

    /// Remembers them, if that is possible.
    func keep(_ table: PackedTable<Times>) {
        var content: [UInt8] = []
        FigureBytes.append([subject], to: &content)
        for entry in table.entries {
            FigureBytes.append(
                [
                    entry.key.high, entry.key.low, UInt64(bitPattern: entry.value.first),
                    UInt64(bitPattern: entry.value.last),
                ], to: &content)
        }
        var bytes: [UInt8] = []
        FigureBytes.append([WordHash.of(content.span)], to: &bytes)
        let temporary = "\(path).\(getpid()).tmp"
        guard FileManager.default.createFile(atPath: temporary, contents: Data(bytes + content)) else { return }
        if rename(temporary, path) != 0 { unlink(temporary) }
    }
}
