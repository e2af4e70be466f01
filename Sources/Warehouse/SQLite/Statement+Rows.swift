import CSQLite
import Events
import Foundation
import SQLite

extension Statement {
    /// Nil if the value is not a blob of 16 bytes.
    func id(_ column: Int32) -> EventID? {
        EventID(bytes: bytes(column))
    }

    /// Passes the first `columns` values of the current row.
    func write<Sink: ValueSink>(columns: Int, to sink: inout Sink) throws(Sink.Failure) {
        try write(columns: 0..<Int32(columns), to: &sink)
    }

    /// Passes some values of the current row.
    func write<Sink: ValueSink>(columns: Range<Int32>, to sink: inout Sink) throws(Sink.Failure) {
        for column in columns {
            switch type(column) {
            case SQLITE_NULL: try sink.addNull()
            case SQLITE_INTEGER: try sink.add(number(column))
            case SQLITE_FLOAT: try sink.add(double(column))
            case SQLITE_TEXT: try sink.add(text: bytes(column).assumingMemoryBound(to: UInt8.self).span)
            default: try sink.add(blob: bytes(column).assumingMemoryBound(to: UInt8.self).span)
            }
        }
    }

    /// Compares a text or blob with a column as SQLite does, byte by byte. Negative, 0 or positive.
    func compare(_ text: Span<UInt8>, column: Int32) -> Int {
        let other = bytes(column)
        let common = min(text.count, other.count)
        var order: Int32 = 0
        if common > 0, let other = other.baseAddress {
            order = text.withUnsafeBytes { memcmp($0.baseAddress ?? other, other, common) }
        }
        return order != 0 ? Int(order) : text.count - other.count
    }
}
