import Calendar
import Configuration
import Events
import Messages
import Partitions
import Records

/// Reads the rows of a delivery file into a list.
struct DeliveryRowReader: CSVConsumer {
    /// Faults of rows and values beyond so many are only counted.
    private static let mostWarnings = 10

    let path: String
    let files: DeliveryFiles
    private(set) var list: DeliveryList
    /// What is wrong with the header.
    private(set) var fault: Message?
    /// The number of fields in the header; nil before it.
    private(set) var fieldCount: Int?
    /// Whether rows follow the header, be they good or bad.
    private(set) var hasRows = false
    /// The columns that the header has, in their order, each with the number of its field.
    private var fields: [(column: DeliveryFiles.Column, field: Int)] = []
    private let zone: ZoneRules
    private var faults: [Message] = []
    private var faultCount = 0
    /// Reused for each row.
    private var id: [UInt8] = []

    init(path: String, _ files: DeliveryFiles, into list: DeliveryList) {
        self.path = path
        self.files = files
        self.list = list
        zone = files.zone
    }

    var warnings: [Message] {
        let more = faultCount - faults.count
        guard more > 0 else { return faults }
        let rest: MessageText =
            more == 1 ? "1 more row or value cannot be read" : "\(Text.number(more)) more rows or values cannot be read"
        return faults + [.at(path, "deliveries_more_bad_rows", rest)]
    }

    mutating func take(_ row: CSVRow) {
        guard fault == nil else { return }
        guard let fieldCount else { return readHeader(row) }
        hasRows = true
        if row.count <= fieldCount {
            add(row)
        } else {
            warn(row, "deliveries_too_many_fields", "the row was left out: it has more fields than the header")
        }
    }

    private mutating func warn(_ row: CSVRow, _ code: String, _ text: MessageText) {
        faultCount += 1
        if faultCount <= DeliveryRowReader.mostWarnings { faults.append(.at(path, line: row.line, code, text)) }
    }

    // MARK: The header

    private mutating func readHeader(_ row: CSVRow) {
        fieldCount = row.count
        let names = (0..<row.count).map { Array(row.bytes[row.bytes.span.trimmed(row.range($0))]) }
        // Names are compared byte by byte, so not as strings.
        fields = DeliveryFiles.Column.allCases.compactMap { column in
            let name = Array((files.columns[column] ?? "").utf8)
            let trimmed = Array(name[name.span.trimmed(0..<name.count)])
            return trimmed.isEmpty ? nil : names.firstIndex(of: trimmed).map { (column, $0) }
        }
        if fields.first?.column != .deliveryID, let name = files.columns[.deliveryID] {
            let near = name.nearest(of: names.map { String(decoding: $0, as: UTF8.self) }.sorted())
            let guess: MessageText = near.map { ", did you mean '\($0)'?" } ?? ""
            fault = .at(
                path, line: row.line, "deliveries_missing_column",
                "the header has no column '\(name)'\(guess); name the column of the delivery ids in 'columns', as 'delivery_id'"
            )
            return
        }
        var known: Set<[UInt8]> = []
        for name in names where !name.isEmpty && !known.insert(name).inserted {
            fault = .at(
                path, line: row.line, "deliveries_duplicate_column",
                "the header has two columns '\(String(decoding: name, as: UTF8.self))'; rename one")
            return
        }
    }

    // MARK: A row

    /// Adds a row to the list, unless nobody knows which delivery or platform it is about. Another value that cannot be read
    /// counts as empty.
    private mutating func add(_ row: CSVRow) {
        var (label, campaign, variant) = (0..<0, 0..<0, 0..<0)
        var (platform, sentAt): (Platform?, Int64?) = (nil, nil)
        var (sent, delivered): (Int?, Int?) = (nil, nil)
        for (column, field) in fields {
            let range = row.range(field)
            if range.isEmpty, column != .deliveryID { continue }
            let isRead: Bool
            switch column {
            case .deliveryID: isRead = readID(row, range)
            case .platform:
                platform = self.platform(row.bytes[range])
                isRead = platform != nil
            case .sentAt:
                sentAt = time(row, range)
                isRead = sentAt != nil
            case .sent:
                sent = row.bytes[range].wholeNumber.flatMap { Int(exactly: $0) }
                isRead = sent != nil
            case .delivered:
                delivered = row.bytes[range].wholeNumber.flatMap { Int(exactly: $0) }
                isRead = delivered != nil
            case .label: (label, isRead) = (range, true)
            case .campaign: (campaign, isRead) = (range, true)
            case .variant: (variant, isRead) = (range, true)
            }
            if isRead { continue }
            let name = files.columns[column] ?? ""
            if column == .deliveryID || column == .platform {
                return warn(row, "deliveries_bad_row", "the row was left out: its '\(name)' cannot be read")
            }
            warn(row, "deliveries_bad_value", "the value of '\(name)' cannot be read and counts as empty")
        }
        let (id, bytes) = (id, row.bytes.span)
        list.add(
            id: id.span, platform: platform, label: bytes.extracting(label), campaign: bytes.extracting(campaign),
            variant: bytes.extracting(variant), sentAt: sentAt, sent: sent, delivered: delivered)
    }

    /// Sets `id`. Returns false if the id is missing, or cannot be read.
    private mutating func readID(_ row: CSVRow, _ range: Range<Int>) -> Bool {
        let trimmed = row.bytes.span.trimmed(range)
        switch files.idForm {
        case .text: return !range.isEmpty && DeliveryID.normalize(row.bytes.span, trimmed, into: &id)
        case .decimal:
            guard let text = DecimalDeliveryID.text(row.bytes[trimmed]) else { return false }
            id.removeAll(keepingCapacity: true)
            id.append(contentsOf: text.utf8)
            return true
        }
    }

    private func platform(_ name: ArraySlice<UInt8>) -> Platform? {
        guard name.allSatisfy({ $0 >= UInt8(ascii: "A") }) else { return nil }
        return Platform.allCases.first { $0.name.utf8.elementsEqual(name.lazy.map { $0 | 0x20 }) }
    }

    private func time(_ row: CSVRow, _ range: Range<Int>) -> Int64? {
        guard let time = CivilTime(iso: row.bytes.span, range, dateAlone: true) else { return nil }
        return time.instant(offset: time.offset ?? zone.offset(atLocal: time.seconds))
    }
}
