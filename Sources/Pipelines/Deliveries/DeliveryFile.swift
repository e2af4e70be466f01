import Calendar
import Configuration
import Events
import LogFiles
import Messages
import Partitions
import Posix
import Records

/// A delivery file: CSV, gzipped or plain.
struct DeliveryFile {
    /// The path as the pattern gives it. Messages show it.
    let path: String
    /// The path that opens the file.
    let location: String
    let files: DeliveryFiles

    /// Adds the file's rows to a list. Returns warnings about values that counted as empty and rows that were left out.
    /// If the file cannot be used, the list is lost.
    func read(into list: inout DeliveryList) throws(DeliveryFault) -> [Message] {
        let before = FileStamp(path: location)
        var reader = DeliveryRowReader(path: path, files: files, into: list)
        // Only the reader may hold the list: a second owner would make it copy the list at the first row.
        list = DeliveryList()
        let report = try feed(&reader)
        guard before == FileStamp(path: location) else {
            throw fault(.deliveriesChanged, text: "the file changed while it was read; run again when it is complete")
        }
        switch report.status {
        case .ok: break
        case .truncated: throw fault(.deliveriesTruncated, text: "the file ends too early; give the whole file")
        case .damaged: throw fault(.deliveriesDamaged, text: "the file is damaged; give a good copy")
        }
        if let message = reader.fault { throw DeliveryFault(message: message) }
        if reader.fieldCount == nil {
            throw fault(.deliveriesEmpty, text: "the file is empty; it needs a header with the columns' names")
        }
        list = reader.list
        var warnings = reader.warnings
        if !reader.hasRows {
            warnings.append(
                .at(
                    path, code: .deliveriesNoRows, text: "the file has a header and no rows, so it names no delivery"
                ))
        }
        if let offset = report.trailingBytesAt {
            warnings.append(.at(path, code: .deliveriesTrailingBytes, text: .trailingBytes(from: offset)))
        }
        return warnings
    }

    private func fault(_ code: MessageCode, text: MessageText) -> DeliveryFault {
        DeliveryFault(message: .at(path, code: code, text: text))
    }

    private func fault(_ foreign: ForeignFile) -> DeliveryFault {
        let text = foreign.text(kindsRead: "delivery files in gzip and plain text")
        return DeliveryFault(message: Message(.deliveriesForeign, text: text, path: path))
    }

    private func feed(_ reader: inout DeliveryRowReader) throws(DeliveryFault) -> FileReport {
        do {
            var beginnings = BeginningReader(readsZstd: false)
            let beginning = try beginnings.read(location)
            if let foreign = ForeignFile(path: path, beginning: beginning) { throw fault(foreign) }
            let unpacker = Unpacker(readsZstd: false)
            var block = Block()
            try unpacker.begin(location)
            return try unpacker.feed(&reader, through: &block)
        } catch let fault as DeliveryFault {
            throw fault
        } catch {
            let error = error as? LogFileError
            if let kind = error?.foreignKind { throw fault(ForeignFile(path: path, kind: kind)) }
            let code = error?.code ?? 0
            var unreadable = fault(
                .deliveriesUnreadable,
                text: "cannot be read: \(SystemError.reason(code)); make the file readable and run again")
            unreadable.code = code
            throw unreadable
        }
    }
}

/// Reads the rows of a delivery file into a list.
struct DeliveryRowReader: ByteConsumer {
    /// The most faults of rows and values that are told one by one. Further faults are only counted.
    private static let mostWarnings = 10

    let path: String
    let files: DeliveryFiles
    private(set) var list: DeliveryList
    private var rows = CSVReader()
    private var row = CSVRow()
    /// The line of the file on which the row begins, from 1.
    private var line = 1
    /// Why the file cannot be used. Nothing after it is read.
    private(set) var fault: Message?
    /// The number of fields in the header; nil before it.
    private(set) var fieldCount: Int?
    /// Whether any row follows the header, even a row that is left out.
    private(set) var hasRows = false
    /// The columns that the header has, in their order, each with the number of its field.
    private var fields: [(column: DeliveryFiles.Column, field: Int)] = []
    private var faults: [Message] = []
    private var faultCount = 0
    /// Reused for each row.
    private var id: [UInt8] = []

    init(path: String, files: DeliveryFiles, into list: DeliveryList) {
        self.path = path
        self.files = files
        self.list = list
    }

    var warnings: [Message] {
        let more = faultCount - faults.count
        guard more > 0 else { return faults }
        let rest: MessageText =
            more == 1 ? "1 more row or value cannot be read" : "\(Text.number(more)) more rows or values cannot be read"
        return faults + [.at(path, code: .deliveriesMoreBadRows, text: rest)]
    }

    mutating func consume(_ bytes: Span<UInt8>, atEnd: Bool) -> Int {
        var index = 0
        while index < bytes.count, fault == nil {
            switch rows.read(bytes, from: index, atEnd: atEnd) {
            case .unfinished: return index
            case .emptyLine(let end):
                index = end
                line += 1
            case .openQuote, .tooLong: noteEndless(bytes, from: index)
            case .row(let end):
                row.copy(rows, of: bytes)
                checkEncoding()
                if fault == nil { take(row) }
                line += rows.lineFeeds + 1
                index = end
            }
        }
        return bytes.count
    }

    /// Notes that the row at `start` has no end.
    private mutating func noteEndless(_ bytes: Span<UInt8>, from start: Int) {
        let hasReturn = bytes.indices[start...].prefix(CSVReader.longestRow).contains { bytes[$0] == 0x0D }
        if let quote = rows.openQuote {
            fault = .at(
                path, line: line + bytes.lineFeeds(in: start..<quote), code: .deliveriesOpenQuote,
                text: "a quote begins there and never ends; close it")
        } else if fieldCount == nil, hasReturn {
            noteBareReturns()
        } else {
            fault = .at(path, line: line, code: .deliveriesLongRow, text: "the row is longer than 1 MiB; shorten it")
        }
    }

    private mutating func noteBareReturns() {
        fault = .at(
            path, line: line, code: .deliveriesBareReturn,
            text: "the lines end in CR alone; save the file with line endings LF or CRLF")
    }

    /// Sets `fault` if a field is not UTF-8.
    private mutating func checkEncoding() {
        for field in 0..<row.count {
            guard let bad = row.bytes.span.invalidUTF8(in: row.range(field)) else { continue }
            fault = .at(
                path, line: line + row.bytes.span.lineFeeds(in: 0..<bad), code: .deliveriesBadEncoding,
                text: "the file is not UTF-8 text; export it as UTF-8")
            return
        }
    }

    private mutating func take(_ row: CSVRow) {
        guard let fieldCount else { return readHeader(row) }
        hasRows = true
        if row.count <= fieldCount {
            add(row)
        } else {
            warn(.deliveriesTooManyFields, text: "the row was left out: it has more fields than the header")
        }
    }

    private mutating func warn(_ code: MessageCode, text: MessageText) {
        faultCount += 1
        if faultCount <= DeliveryRowReader.mostWarnings { faults.append(.at(path, line: line, code: code, text: text)) }
    }

    // MARK: The header

    private mutating func readHeader(_ row: CSVRow) {
        fieldCount = row.count
        let names = (0..<row.count).map { Array(row.bytes[row.bytes.span.trimmed(row.range($0))]) }
        // A CR in a name is rather the end of a line.
        if names.contains(where: { $0.contains(0x0D) }) { return noteBareReturns() }
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
                path, line: line, code: .deliveriesMissingColumn,
                text:
                    "the header has no column '\(name)'\(guess); name the column of the delivery ids in 'columns', as 'delivery_id'"
            )
            return
        }
        var known: Set<[UInt8]> = []
        for name in names where !name.isEmpty && !known.insert(name).inserted {
            fault = .at(
                path, line: line, code: .deliveriesDuplicateColumn,
                text: "the header has two columns '\(String(decoding: name, as: UTF8.self))'; rename one")
            return
        }
    }

    // MARK: A row

    /// Adds a row to the list. A row whose delivery id or platform cannot be read is left out. Any other value that
    /// cannot be read counts as empty.
    private mutating func add(_ row: CSVRow) {
        var label = 0..<0
        var campaign = 0..<0
        var variant = 0..<0
        var (platform, sentAt): (Platform?, Int64?) = (nil, nil)
        var (sent, delivered): (Int?, Int?) = (nil, nil)
        for (column, field) in fields {
            let range = row.range(field)
            if range.isEmpty, column != .deliveryID { continue }
            let isRead: Bool
            switch column {
            case .deliveryID: isRead = readID(of: row, in: range)
            case .platform:
                platform = self.platform(row.bytes[range])
                isRead = platform != nil
            case .sentAt:
                sentAt = time(of: row, in: range)
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
                return warn(.deliveriesBadRow, text: "the row was left out: its '\(name)' cannot be read")
            }
            warn(.deliveriesBadValue, text: "the value of '\(name)' cannot be read and counts as empty")
        }
        let id = id
        let bytes = row.bytes.span
        list.add(
            id: id.span, platform: platform, label: bytes.extracting(label), campaign: bytes.extracting(campaign),
            variant: bytes.extracting(variant), sentAt: sentAt, sent: sent, delivered: delivered)
    }

    /// Sets `id`. Returns false if the id is missing, or cannot be read.
    private mutating func readID(of row: CSVRow, in range: Range<Int>) -> Bool {
        let trimmed = row.bytes.span.trimmed(range)
        switch files.idForm {
        case .text: return !range.isEmpty && DeliveryID.normalize(row.bytes.span, in: trimmed, into: &id)
        case .decimal:
            guard let text = row.bytes[trimmed].decimalDeliveryID else { return false }
            id.removeAll(keepingCapacity: true)
            id.append(contentsOf: text.utf8)
            return true
        }
    }

    private func platform(_ name: ArraySlice<UInt8>) -> Platform? {
        guard name.allSatisfy({ $0 >= UInt8(ascii: "A") }) else { return nil }
        return Platform.allCases.first { $0.name.utf8.elementsEqual(name.lazy.map { $0 | 0x20 }) }
    }

    private func time(of row: CSVRow, in range: Range<Int>) -> Int64? {
        let text = row.bytes.span
        guard let time = CivilTime(iso: text, in: range, dateAlone: true) ?? CivilTime(digits: text, in: range) else {
            return nil
        }
        let instant = time.instant(offset: time.offset ?? files.zone.offset(atLocal: time.seconds))
        return CalendarText.milliseconds.contains(instant) ? instant : nil
    }
}

extension ArraySlice<UInt8> {
    /// The hexadecimal form, as in the logs, of a delivery id that Adobe Campaign's lists give in decimal. A negative
    /// number stands for 32 bits: `-2` is `fffffffe`. Nil if the text is no number, or the number is 0 or out of range.
    fileprivate var decimalDeliveryID: String? {
        let isNegative = first == UInt8(ascii: "-")
        guard let value = dropFirst(isNegative ? 1 : 0).wholeNumber, value > 0, !isNegative || value <= 1 << 31
        else { return nil }
        return String(isNegative ? 1 << 32 - value : value, radix: 16)
    }

    /// The value of decimal digits; nil if the text is empty, has other bytes, or needs more than 64 bits.
    var wholeNumber: UInt64? {
        allSatisfy { (0x30...0x39).contains($0) } ? UInt64(String(decoding: self, as: UTF8.self)) : nil
    }
}
