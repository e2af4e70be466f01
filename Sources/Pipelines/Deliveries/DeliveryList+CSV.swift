import Calendar
import Configuration
import Warehouse

extension DeliveryList {
    /// The list as a delivery file with the default columns, which reads as the same list. Rows are in the order of the
    /// bytes of their ids, then of their platforms.
    var csv: [UInt8] {
        var csv: [UInt8] = []
        csv.addLine(DeliveryFiles.Column.allCases.map(\.rawValue))
        for delivery in sorted {
            for counts in delivery.counts {
                csv.addLine([
                    delivery.id, counts.platform?.name, delivery.label, delivery.campaign, delivery.variant,
                    delivery.sentAt.map { CalendarText.dateTime(ofMilliseconds: $0) + "Z" },
                    counts.sent.map(String.init), counts.delivered.map(String.init),
                ])
            }
        }
        return csv
    }
}

extension [UInt8] {
    fileprivate mutating func addLine(_ fields: [String?]) {
        for (index, field) in fields.enumerated() {
            if index > 0 { append(UInt8(ascii: ",")) }
            guard let field else { continue }
            let needsQuotes = field.utf8.contains {
                $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\n")
                    || $0 == UInt8(ascii: "\r")
            }
            if needsQuotes { append(UInt8(ascii: "\"")) }
            for byte in field.utf8 {
                if byte == UInt8(ascii: "\"") { append(byte) }
                append(byte)
            }
            if needsQuotes { append(UInt8(ascii: "\"")) }
        }
        append(UInt8(ascii: "\n"))
    }
}
