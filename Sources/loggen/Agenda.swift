/// What the people of a file are going to do later on the same date, by the second at which they do it.
struct Agenda: ~Copyable {
    /// A message that was written, and the codes that its recipient still sends.
    struct Entry {
        var index: Int
        /// The collector file that the message belongs to; nil for the file's own.
        var host: Int?
        var rest: UInt32 = 0
    }

    /// The first instant of the day, in milliseconds.
    private let start: Int
    /// For each second of the day.
    private var entries: [[Entry]]
    private var second = 0

    /// From `start` to `end`, in milliseconds.
    init(start: Int, end: Int) {
        self.start = start
        entries = Array(repeating: [], count: max(0, (end - start) / 1000))
    }

    /// Nothing is kept that would happen after the end.
    mutating func add(_ entry: Entry, at time: Int) {
        let due = max(second, (time - start) / 1000)
        if due < entries.count { entries[due].append(entry) }
    }

    /// Takes the next entry that is due by `time`, with the time at which it is due.
    mutating func next(by time: Int) -> (entry: Entry, time: Int)? {
        let limit = min(entries.count - 1, (time - start) / 1000)
        while second <= limit {
            if let entry = entries[second].popLast() { return (entry, start + second * 1000) }
            entries[second] = []
            second += 1
        }
        return nil
    }
}
