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
    /// Whether rows follow the header, be they good or bad.
    private(set) var hasRows = false
    /// By the number of a column: the number of its field; nil if the header lacks it.
    private var fields: [Int?] = []
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
        hasRows = true
        guard row.count <= fieldCount else { return leaveOut(.tooManyFields(path: path, line: row.line)) }
        do throws(BadValue) {
            try add(row)
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
        let names = (0..<row.count).map { Array(row.bytes[row.bytes.span.trimmed(row.range($0))]) }
        // Names are compared byte by byte, so not as strings.
        fields = DeliveryFiles.Column.allCases.map { column in
            let name = Array((files.columns[column] ?? "").utf8)
            let trimmed = Array(name[name.span.trimmed(0..<name.count)])
            return trimmed.isEmpty ? nil : names.firstIndex(of: trimmed)
        }
        if fields[DeliveryFiles.Column.deliveryID.number] == nil, let name = files.columns[.deliveryID] {
            let near = name.nearest(of: names.map { String(decoding: $0, as: UTF8.self) }.sorted())
            fault = .missingColumn(path: path, line: row.line, name: name, near: near)
            return
        }
        var known: Set<[UInt8]> = []
        for name in names where !name.isEmpty && !known.insert(name).inserted {
            fault = .duplicateColumn(path: path, line: row.line, name: String(decoding: name, as: UTF8.self))
            return
        }
    }

    // MARK: A row

    private mutating func add(_ row: CSVRow) throws(BadValue) {
        guard readID(row) else { throw BadValue(column: .deliveryID) }
        let (platform, sentAt) = (try platform(row), try time(row))
        let (sent, delivered) = (try count(row, .sent), try count(row, .delivered))
        let (label, campaign, variant) = (text(row, .label), text(row, .campaign), text(row, .variant))
        let (id, bytes) = (id, row.bytes.span)
        list.add(
            id: id.span, platform: platform, label: bytes.extracting(label), campaign: bytes.extracting(campaign),
            variant: bytes.extracting(variant), sentAt: sentAt, sent: sent, delivered: delivered)
    }

    /// The range of a value in the row's bytes; nil if it is empty or missing.
    private func range(_ row: CSVRow, _ column: DeliveryFiles.Column) -> Range<Int>? {
        guard let field = fields[column.number] else { return nil }
        let range = row.range(field)
        return range.isEmpty ? nil : range
    }

    private func text(_ row: CSVRow, _ column: DeliveryFiles.Column) -> Range<Int> {
        range(row, column) ?? 0..<0
    }

    /// Sets `id`. Returns false if the row's id cannot be read.
    private mutating func readID(_ row: CSVRow) -> Bool {
        guard let range = range(row, .deliveryID) else { return false }
        let trimmed = row.bytes.span.trimmed(range)
        switch files.idForm {
        case .text: return DeliveryID.normalize(row.bytes.span, trimmed, into: &id)
        case .decimal:
            guard let text = DecimalDeliveryID.text(row.bytes[trimmed]) else { return false }
            id.removeAll(keepingCapacity: true)
            id.append(contentsOf: text.utf8)
            return true
        }
    }

    private func platform(_ row: CSVRow) throws(BadValue) -> Platform? {
        guard let range = range(row, .platform) else { return nil }
        let name = row.bytes[range].lazy.map { $0 | 0x20 }
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

extension DeliveryFiles.Column {
    /// The index in `allCases`.
    fileprivate var number: Int {
        switch self {
        case .deliveryID: 0
        case .platform: 1
        case .label: 2
        case .campaign: 3
        case .variant: 4
        case .sentAt: 5
        case .sent: 6
        case .delivered: 7
        }
    }
}
