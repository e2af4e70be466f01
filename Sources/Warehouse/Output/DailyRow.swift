import Calendar
import Counting
import Events
import Hashing

/// A row of a daily table, to be written to the output DB. In `table`, `day` is the first column, `day_epoch` the
/// second, and then follow the other key columns. All key columns are texts.
protocol DailyRow {
    static var table: Table { get }

    var day: Int32 { get }

    /// Binds a value to each column; if `before` is given, only to the columns that differ from it.
    func bind(to statement: RowStatement, after before: Self?, _ names: EventNames) throws

    /// Compares the key with the current row of a selection of all columns, as SQLite orders them. Negative, 0 or
    /// positive.
    func compareKey(with row: RowStatement, _ names: EventNames) -> Int32

    /// Whether the columns outside the key equal those of the current row.
    func hasValues(of row: RowStatement, _ names: EventNames) -> Bool

    /// The digest of the row as stored in the output DB. The caller passes the hash of the date, because all rows of a
    /// day have the same.
    func digest(_ names: NameHashes, dayHash: UInt64) -> UInt64
}

extension DailyRow {
    /// The digests of rows that are sorted by day, by day.
    static func digests(of rows: [Self], _ names: NameHashes) -> [Int32: UInt64] {
        var digests: [Int32: UInt64] = [:]
        var rest = rows[...]
        while let day = rest.first?.day {
            let end = rest.firstIndex { $0.day != day } ?? rest.endIndex
            let hash = RowDigest.hash(of: CalendarText.date(ofDay: day))
            digests[day] = rest[..<end].reduce(0) { $0 &+ $1.digest(names, dayHash: hash) }
            rest = rest[end...]
        }
        return digests
    }
}

/// The hashes of the platforms' names, by platform number.
private let platformHashes = Platform.allCases.sorted { $0.rawValue < $1.rawValue }.map { RowDigest.hash(of: $0.name) }

extension DailyActions.Row: DailyRow {
    static var table: Table { OutputSchema.dailyActions }

    func bind(to statement: RowStatement, after before: Self?, _ names: EventNames) throws {
        if day != before?.day {
            try statement.bind(CalendarText.date(ofDay: day), at: 1)
            try statement.bind(Int64(day) * 86_400, at: 2)
        }
        if source != before?.source { try statement.bind(names.sources[Int(source)], at: 3) }
        if platform != before?.platform { try statement.bind(platform.name, at: 4) }
        if delivery != before?.delivery { try statement.bind(names.deliveries[Int(delivery)], at: 5) }
        if action != before?.action { try statement.bind(names.actions[Int(action)], at: 6) }
        try statement.bind(Int64(events), at: 7)
        try statement.bind(Int64(duplicates), at: 8)
        try bind(firstAt, to: statement, at: 9)
        try bind(lastAt, to: statement, at: 10)
    }

    private func bind(_ time: Int64?, to statement: RowStatement, at index: Int32) throws {
        guard let time else { return try statement.bindNull(at: index) }
        let text = CalendarText.dateTimeBytes(ofMilliseconds: time)
        try statement.bind(text: text.span, at: index)
    }

    func compareKey(with row: RowStatement, _ names: EventNames) -> Int32 {
        var order = row.compare(names.sources[Int(source)], column: 2)
        if order == 0 { order = row.compare(platform.name, column: 3) }
        if order == 0 { order = row.compare(names.deliveries[Int(delivery)], column: 4) }
        return order == 0 ? row.compare(names.actions[Int(action)], column: 5) : order
    }

    func hasValues(of row: RowStatement, _ names: EventNames) -> Bool {
        row.number(1) == Int64(day) * 86_400 && row.number(6) == Int64(events) && row.number(7) == Int64(duplicates)
            && isTime(firstAt, row, column: 8) && isTime(lastAt, row, column: 9)
    }

    func digest(_ names: NameHashes, dayHash: UInt64) -> UInt64 {
        var digest = RowDigest()
        digest.add(textHash: dayHash)
        digest.add(Int64(day) * 86_400)
        digest.add(textHash: names.sources[Int(source)])
        digest.add(textHash: platformHashes[Int(platform.rawValue)])
        digest.add(textHash: names.deliveries[Int(delivery)])
        digest.add(textHash: names.actions[Int(action)])
        digest.add(Int64(events))
        digest.add(Int64(duplicates))
        DailyActions.Row.add(firstAt, to: &digest)
        DailyActions.Row.add(lastAt, to: &digest)
        return digest.value
    }

    @inline(__always)
    private static func add(_ time: Int64?, to digest: inout RowDigest) {
        guard let time else { return digest.addNull() }
        let text = CalendarText.dateTimeBytes(ofMilliseconds: time)
        digest.add(text: text.span)
    }

    private func isTime(_ time: Int64?, _ row: RowStatement, column: Int32) -> Bool {
        guard let time else { return row.isNull(column) }
        let text = CalendarText.dateTimeBytes(ofMilliseconds: time)
        return !row.isNull(column) && row.compare(text: text.span, column: column) == 0
    }
}

extension DailyFunnel.Row: DailyRow {
    static var table: Table { OutputSchema.dailyFunnel }

    /// The columns from `messages` to `opened_without_impression`.
    private var counts: InlineArray<8, Int> {
        [messages, arrived, impressed, clicked, opened, dismissed, openedWithoutClick, openedWithoutImpression]
    }

    /// The remaining columns; nil if there are no messages.
    private var rates: InlineArray<3, Double?> {
        guard messages != 0 else { return [nil, nil, nil] }
        return [
            Double(clicked) / Double(messages), Double(opened) / Double(messages), Double(dismissed) / Double(messages),
        ]
    }

    func bind(to statement: RowStatement, after before: Self?, _ names: EventNames) throws {
        if day != before?.day {
            try statement.bind(CalendarText.date(ofDay: day), at: 1)
            try statement.bind(Int64(day) * 86_400, at: 2)
        }
        if platform != before?.platform { try statement.bind(platform.name, at: 3) }
        if delivery != before?.delivery { try statement.bind(names.deliveries[Int(delivery)], at: 4) }
        let (counts, rates) = (counts, rates)
        for index in 0..<8 { try statement.bind(Int64(counts[index]), at: Int32(5 + index)) }
        for index in 0..<3 {
            if let rate = rates[index] {
                try statement.bind(rate, at: Int32(13 + index))
            } else {
                try statement.bindNull(at: Int32(13 + index))
            }
        }
    }

    func digest(_ names: NameHashes, dayHash: UInt64) -> UInt64 {
        var digest = RowDigest()
        digest.add(textHash: dayHash)
        digest.add(Int64(day) * 86_400)
        digest.add(textHash: platformHashes[Int(platform.rawValue)])
        digest.add(textHash: names.deliveries[Int(delivery)])
        let (counts, rates) = (counts, rates)
        for index in 0..<8 { digest.add(Int64(counts[index])) }
        for index in 0..<3 {
            if let rate = rates[index] { digest.add(rate) } else { digest.addNull() }
        }
        return digest.value
    }

    func compareKey(with row: RowStatement, _ names: EventNames) -> Int32 {
        let order = row.compare(platform.name, column: 2)
        return order == 0 ? row.compare(names.deliveries[Int(delivery)], column: 3) : order
    }

    func hasValues(of row: RowStatement, _ names: EventNames) -> Bool {
        guard row.number(1) == Int64(day) * 86_400 else { return false }
        let (counts, rates) = (counts, rates)
        for index in 0..<8 where row.number(Int32(4 + index)) != Int64(counts[index]) { return false }
        for index in 0..<3 {
            let column = Int32(12 + index)
            guard row.isNull(column) ? rates[index] == nil : rates[index] == row.double(column) else { return false }
        }
        return true
    }
}
