import Configuration
import LogFiles
import Messages
import Partitions
import Posix

/// A delivery file: CSV, gzipped or plain.
struct DeliveryFile {
    /// As the pattern gives it, for messages.
    let path: String
    /// For opening the file.
    let location: String
    let files: DeliveryFiles

    /// Adds the file's rows to a list. Returns warnings about rows that were left out.
    func read(
        into list: inout DeliveryList, longestRow: Int = longestCSVRow
    ) throws(DeliveryFault) -> [Message] {
        let before = FileStamp(path: location)
        var reader = CSVReader(DeliveryRowReader(path: path, files, into: list), path: path, longestRow: longestRow)
        // The reader has the only copy now, so that it need not copy the list.
        list = DeliveryList()
        let report = try feed(&reader)
        guard before == FileStamp(path: location) else {
            throw fault("deliveries_changed", "the file changed while it was read; run again when it is complete")
        }
        switch report.status {
        case .ok: break
        case .truncated: throw fault("deliveries_truncated", "the file ends too early; give the whole file")
        case .damaged: throw fault("deliveries_damaged", "the file is damaged; give a good copy")
        }
        if let message = reader.fault ?? reader.consumer.fault { throw DeliveryFault(message: message) }
        if reader.consumer.fieldCount == nil {
            throw fault("deliveries_empty", "the file is empty; it needs a header with the columns' names")
        }
        list = reader.consumer.list
        var warnings = reader.consumer.warnings
        if !reader.consumer.hasRows {
            warnings.append(
                .at(path, "deliveries_no_rows", "the file has a header and no rows, so it names no delivery"))
        }
        if let offset = report.trailingBytesAt {
            warnings.append(
                .at(
                    path, "deliveries_trailing_bytes",
                    "the bytes from offset \(offset) on are not gzip data and were ignored"))
        }
        return warnings
    }

    private func fault(_ code: String, _ text: MessageText) -> DeliveryFault {
        DeliveryFault(message: .at(path, code, text))
    }

    private func fault(_ foreign: ForeignFile) -> DeliveryFault {
        let text = foreign.text(kindsRead: "delivery files in gzip and plain text")
        return DeliveryFault(message: Message("deliveries_foreign", text, path: path))
    }

    private func feed(_ reader: inout CSVReader<DeliveryRowReader>) throws(DeliveryFault) -> FileReport {
        do {
            var beginnings = BeginningReader(readsZstd: false)
            let beginning = try beginnings.read(LogFile(location))
            if let foreign = ForeignFile(path: path, beginning) { throw fault(foreign) }
            let unpacker = Unpacker(readsZstd: false)
            var block = Block()
            try unpacker.begin(LogFile(location))
            return try unpacker.feed(&reader, through: &block)
        } catch let fault as DeliveryFault {
            throw fault
        } catch {
            let error = error as? LogFileError
            if let kind = error?.foreignKind { throw fault(ForeignFile(path: path, kind: kind)) }
            let code = error?.code ?? 0
            var unreadable = fault(
                "deliveries_unreadable",
                "cannot be read: \(SystemError.reason(code)); make the file readable and run again")
            unreadable.code = code
            throw unreadable
        }
    }
}
