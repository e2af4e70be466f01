import Calendar
import Configuration
import Events
import Records
import Warehouse

/// Reads the rows of a delivery file into a list.
struct DeliveryRowReader: CSVConsumer {
    /// Rows that are left out beyond so many are only counted.
    private static let mostWarnings = 10

    /// A value that cannot be read.
    private struct BadValue: Error {
        let column: DeliveryFiles.Column
    }

    let path: String
    let files: DeliveryFiles
    private(set) var list: DeliveryList
    /// What is wrong with the header.
    private(set) var fault: DeliveryFault?
    /// The number of fields in the header; nil before it.
    private(set) var fieldCount: Int?
    private var fields: [DeliveryFiles.Column: Int] = [:]
    private let zone: ZoneRules
    private var badRows: [DeliveryWarning] = []
    private var badRowCount = 0
    /// Reused for each row.
    private var id: [UInt8] = []

    init(path: String, _ files: DeliveryFiles, into list: DeliveryList) {
        self.path = path
        self.files = files
        self.list = list
        zone = files.zone
    }

    var warnings: [DeliveryWarning] {
        let more = badRowCount - badRows.count
        return badRows + (more > 0 ? [.moreBadRows(path: path, count: more)] : [])
    }

    mutating func take(_ row: CSVRow) {
        guard fault == nil else { return }
        guard let fieldCount else { return readHeader(row) }
        guard row.count <= fieldCount else { return leaveOut(.tooManyFields(path: path, line: row.line)) }
        do throws(BadValue) {
            list.add(try delivery(row))
        } catch {
            leaveOut(.badValue(path: path, line: row.line, column: files.columns[error.column] ?? ""))
        }
    }

    private mutating func leaveOut(_ warning: DeliveryWarning) {
        badRowCount += 1
        if badRowCount <= DeliveryRowReader.mostWarnings { badRows.append(warning) }
    }

    // MARK: The header

    private mutating func readHeader(_ row: CSVRow) {
        fieldCount = row.count
        // Names are compared byte by byte, so not as strings.
        var indices: [[UInt8]: Int] = [:]
        for field in 0..<row.count {
            let name = Array(row.bytes[row.bytes.span.trimmed(row.range(field))])
            if name.isEmpty { continue }
            if indices.updateValue(field, forKey: name) != nil {
                fault = .duplicateColumn(path: path, line: row.line, name: String(decoding: name, as: UTF8.self))
                return
            }
        }
        for (column, name) in files.columns {
            let name = Array(name.utf8)
            fields[column] = indices[Array(name[name.span.trimmed(0..<name.count)])]
        }
        guard fields[.deliveryID] == nil, let name = files.columns[.deliveryID] else { return }
        let names = indices.keys.map { String(decoding: $0, as: UTF8.self) }.sorted()
        fault = .missingColumn(path: path, line: row.line, name: name, near: name.nearest(of: names))
    }

    // MARK: A row

    private mutating func delivery(_ row: CSVRow) throws(BadValue) -> Delivery {
        guard let id = readID(row) else { throw BadValue(column: .deliveryID) }
        return Delivery(
            id: id, platform: try platform(row), label: text(row, .label), campaign: text(row, .campaign),
            variant: text(row, .variant), sentAt: try time(row), sent: try count(row, .sent),
            delivered: try count(row, .delivered))
    }

    /// The range of a value in the row's bytes; nil if it is empty or missing.
    private func range(_ row: CSVRow, _ column: DeliveryFiles.Column) -> Range<Int>? {
        guard let field = fields[column] else { return nil }
        let range = row.range(field)
        return range.isEmpty ? nil : range
    }

    private func text(_ row: CSVRow, _ column: DeliveryFiles.Column) -> String? {
        range(row, column).map { String(decoding: row.bytes[$0], as: UTF8.self) }
    }

    private mutating func readID(_ row: CSVRow) -> String? {
        guard let range = range(row, .deliveryID) else { return nil }
        let trimmed = row.bytes.span.trimmed(range)
        switch files.idForm {
        case .decimal: return DecimalDeliveryID.text(row.bytes[trimmed])
        case .text:
            guard DeliveryID.normalize(row.bytes.span, trimmed, into: &id) else { return nil }
            return String(decoding: id, as: UTF8.self)
        }
    }

    private func platform(_ row: CSVRow) throws(BadValue) -> Platform? {
        guard let range = range(row, .platform) else { return nil }
        let name = row.bytes[range].map { $0 | 0x20 }
        guard let platform = Platform.allCases.first(where: { $0.name.utf8.elementsEqual(name) }),
            row.bytes[range].allSatisfy({ $0 >= UInt8(ascii: "A") })
        else { throw BadValue(column: .platform) }
        return platform
    }

    private mutating func time(_ row: CSVRow) throws(BadValue) -> Int64? {
        guard let range = range(row, .sentAt) else { return nil }
        guard let time = CivilTime(iso: row.bytes.span, range, dateAlone: true) else { throw BadValue(column: .sentAt) }
        return time.instant(offset: time.offset ?? zone.offset(atLocal: time.seconds))
    }

    private func count(_ row: CSVRow, _ column: DeliveryFiles.Column) throws(BadValue) -> Int? {
        guard let range = range(row, column) else { return nil }
        guard let number = row.bytes[range].wholeNumber, let count = Int(exactly: number) else {
            throw BadValue(column: column)
        }
        return count
    }
}
