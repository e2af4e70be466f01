import Calendar
import SQLite

/// Takes the values of a row, in the order of the table's columns.
protocol ValueSink {
    associatedtype Failure: Error

    mutating func addNull() throws(Failure)
    mutating func add(_ number: Int64) throws(Failure)
    mutating func add(_ number: Double) throws(Failure)
    mutating func add(text: Span<UInt8>) throws(Failure)
    mutating func add(blob: Span<UInt8>) throws(Failure)
}

extension ValueSink {
    mutating func add(_ text: String) throws(Failure) { try add(text: text.utf8.span) }

    mutating func add(_ value: DatabaseValue) throws(Failure) {
        switch value {
        case .null: try addNull()
        case .int64(let number): try add(number)
        case .double(let number): try add(number)
        case .string(let text): try add(text)
        case .blob(let bytes): try add(blob: bytes.span)
        }
    }

    /// A date, given as days since 1970-01-01.
    mutating func add(date day: Int32) throws(Failure) {
        let text = CalendarText.dateBytes(ofDay: day)
        try add(text: text.span)
    }

    /// The first columns of the tables by day: the date, its start as a timestamp, and its Unix time.
    mutating func add(day: Int32) throws(Failure) {
        let date = CalendarText.dateBytes(ofDay: day)
        try add(text: date.span)
        let start = CalendarText.hourBytes(0, of: date)
        try add(text: start.span)
        try add(Int64(day) * 86_400)
    }

    /// An optional time in milliseconds since 1970, as a DATETIME.
    mutating func add(time: Int64?) throws(Failure) {
        guard let time else { return try addNull() }
        let text = CalendarText.dateTimeBytes(ofMilliseconds: time)
        try add(text: text.span)
    }
}
