import Configuration
import LogFiles
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
    ) throws(DeliveryFault) -> [DeliveryWarning] {
        let before = FileStamp(path: location)
        var reader = CSVReader(DeliveryRowReader(path: path, files, into: list), path: path, longestRow: longestRow)
        // The reader has the only copy now, so that it need not copy the list.
        list = DeliveryList()
        let report = try feed(&reader)
        guard before == FileStamp(path: location) else { throw .changed(path: path) }
        switch report.status {
        case .ok: break
        case .truncated: throw .truncated(path: path)
        case .damaged: throw .damaged(path: path)
        }
        if let fault = reader.fault ?? reader.consumer.fault { throw fault }
        if reader.consumer.fieldCount == nil { throw .empty(path: path) }
        list = reader.consumer.list
        var warnings = reader.consumer.warnings
        if !reader.consumer.hasRows { warnings.append(.noRows(path: path)) }
        if let offset = report.trailingBytesAt { warnings.append(.trailingBytes(path: path, offset: offset)) }
        return warnings
    }

    private func feed(_ reader: inout CSVReader<DeliveryRowReader>) throws(DeliveryFault) -> FileReport {
        do {
            var beginnings = BeginningReader(readsZstd: false)
            let beginning = try beginnings.read(LogFile(location))
            if let foreign = ForeignFile(path: path, beginning) { throw DeliveryFault.foreign(foreign) }
            let unpacker = Unpacker(readsZstd: false)
            var block = Block()
            try unpacker.begin(LogFile(location))
            return try unpacker.feed(&reader, through: &block)
        } catch let fault as DeliveryFault {
            throw fault
        } catch {
            let error = error as? LogFileError
            if let kind = error?.foreignKind { throw .foreign(ForeignFile(path: path, kind: kind)) }
            throw .unreadable(path: path, code: error?.code ?? 0)
        }
    }
}
