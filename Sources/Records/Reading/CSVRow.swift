/// A row of a CSV file with its fields as they are meant.
package struct CSVRow {
    /// The fields, one after the other.
    package private(set) var bytes: [UInt8] = []
    /// By field: the range in `bytes`.
    private(set) var ranges: [Range<Int>] = []

    package init() {}

    package var count: Int { ranges.count }

    /// The range of a field in `bytes`; empty if the row has fewer fields.
    package func range(_ field: Int) -> Range<Int> { field < count ? ranges[field] : 0..<0 }

    /// Copies the fields of the row that `reader` has read last.
    package mutating func copy(_ reader: borrowing CSVReader, of source: Span<UInt8>) {
        bytes.removeAll(keepingCapacity: true)
        ranges.removeAll(keepingCapacity: true)
        var omitted = reader.omitted[...]
        for field in reader.fields {
            let start = bytes.count
            var from = field.lowerBound
            while let offset = omitted.first, offset < field.upperBound {
                bytes.append(source, in: from..<offset)
                from = offset + 1
                omitted.removeFirst()
            }
            bytes.append(source, in: from..<field.upperBound)
            ranges.append(start..<bytes.count)
        }
    }
}
