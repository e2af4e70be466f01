import Calendar
import Configuration
import Hashing
import Warehouse

extension DeliveryList {
    private static let blockBytes = 1 << 16

    /// Calls `write` with the list as a delivery file with the default columns, block by block. It reads as the same
    /// list. Rows are in the order of the bytes of their ids, then of their platforms.
    func csv<Failure>(_ write: (Span<UInt8>) throws(Failure) -> Void) throws(Failure) {
        var csv: [UInt8] = []
        csv.append(contentsOf: DeliveryFiles.Column.allCases.map(\.rawValue).joined(separator: ",").utf8)
        csv.append(UInt8(ascii: "\n"))
        for delivery in self {
            let sentAt = delivery.sentAt.map { CalendarText.dateTime(ofMilliseconds: $0) + "Z" }
            for counts in delivery.counts {
                csv.add(delivery.id)
                csv.add(counts.platform?.name)
                csv.add(delivery.label)
                csv.add(delivery.campaign)
                csv.add(delivery.variant)
                csv.add(sentAt)
                csv.add(counts.sent.map(String.init))
                csv.add(counts.delivered.map(String.init), end: "\n")
            }
            if csv.count >= DeliveryList.blockBytes {
                try write(csv.span)
                csv.removeAll(keepingCapacity: true)
            }
        }
        try write(csv.span)
    }

    /// Identifies the bytes of `csv`, as `OutputFolder.deliveriesVersion` does.
    var version: String {
        var hash = FileHash()
        var bytes = 0
        csv { block in
            hash.add(block)
            bytes += block.count
        }
        return hash.text(byteCount: bytes)
    }
}

extension [UInt8] {
    fileprivate mutating func add(_ field: String?, end: Unicode.Scalar = ",") {
        if let field { add(field.utf8.span) }
        append(UInt8(ascii: end))
    }

    private mutating func add(_ field: Span<UInt8>) {
        var needsQuotes = false
        for index in field.indices {
            switch field[index] {
            case UInt8(ascii: ","), UInt8(ascii: "\""), UInt8(ascii: "\n"), UInt8(ascii: "\r"): needsQuotes = true
            default: break
            }
        }
        guard needsQuotes else {
            field.withUnsafeBufferPointer { append(contentsOf: $0) }
            return
        }
        append(UInt8(ascii: "\""))
        for index in field.indices {
            if field[index] == UInt8(ascii: "\"") { append(field[index]) }
            append(field[index])
        }
        append(UInt8(ascii: "\""))
    }
}
