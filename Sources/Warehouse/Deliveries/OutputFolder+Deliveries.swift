import Foundation
import Hashing
import Posix

extension OutputFolder {
    /// What the delivery files said when they could be read last, as a CSV file. Publishing reads this.
    package var deliveriesPath: String { path + "/deliveries.csv" }

    /// Replaces `deliveries.csv` by what `write` writes. The caller must hold the output's lock.
    package func replaceDeliveries(
        _ write: (FileDescriptor) throws(SystemError) -> Void
    ) throws(WarehouseError) {
        try reportingCalls { () throws(SystemError) in
            try WholeFile.store(at: deliveriesPath, durably: true, write)
        }
    }

    /// Removes `deliveries.csv`. The caller must hold the output's lock.
    package func removeDeliveries() throws(WarehouseError) {
        _ = try reportingCalls { () throws(SystemError) in try WholeFile.remove(deliveriesPath) }
    }

    /// Whether there is a `deliveries.csv`.
    /// - Throws: if something else has its name.
    package func hasDeliveries() throws(WarehouseError) -> Bool {
        try withDeliveries { _ in true } ?? false
    }

    /// Identifies the bytes of `deliveries.csv`; nil if the file is missing.
    package func deliveriesVersion() throws(WarehouseError) -> String? {
        try withDeliveries(OutputFolder.hash)
    }

    /// Nil if the file is missing.
    private func withDeliveries<Result>(
        _ body: (FileDescriptor) throws(SystemError) -> Result
    ) throws(WarehouseError) -> Result? {
        do throws(SystemError) {
            let file = try FileDescriptor(file: deliveriesPath)
            defer { file.close() }
            return try body(file)
        } catch {
            if error.code == ENOENT { return nil }
            throw .system(path: error.path, call: error.call, errno: error.code)
        }
    }

    private static func hash(_ file: FileDescriptor) throws(SystemError) -> String {
        var hash = FileHash()
        var block = [UInt8](repeating: 0, count: 1 << 16)
        var bytes = 0
        while true {
            let count = try file.fill(&block, 0..<block.count)
            if count == 0 { return hash.text(byteCount: bytes) }
            hash.add(block.span.extracting(0..<count))
            bytes += count
        }
    }
}
