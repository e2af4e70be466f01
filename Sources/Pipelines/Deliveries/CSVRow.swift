/// A row of a CSV file: its fields, without quotes.
struct CSVRow {
    /// The line of the file on which the row begins, from 1.
    var line = 1
    /// The fields, one after the other.
    var bytes: [UInt8] = []
    /// By field: the offset in `bytes` at which it ends.
    var ends: [Int] = []

    var count: Int { ends.count }

    /// The range of a field in `bytes`; empty if the row has fewer fields.
    func range(_ field: Int) -> Range<Int> {
        guard field < count else { return 0..<0 }
        return (field == 0 ? 0 : ends[field - 1])..<ends[field]
    }

    func text(_ field: Int) -> String {
        String(decoding: bytes[range(field)], as: UTF8.self)
    }
}
