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
            try WholeFile.replace(deliveriesPath, durably: true, write)
        }
    }

    /// Removes `deliveries.csv`. The caller must hold the output's lock.
    package func removeDeliveries() throws(WarehouseError) {
        try reportingCalls { () throws(SystemError) in try WholeFile.remove(deliveriesPath) }
    }

    /// Identifies the bytes of `deliveries.csv`; nil if the file is missing.
    package func deliveriesVersion() throws(WarehouseError) -> String? {
        do throws(SystemError) {
            return try hashOfDeliveries()
        } catch {
            if error.code == ENOENT { return nil }
            throw .system(path: error.path, call: error.call, errno: error.code)
        }
    }

    private func hashOfDeliveries() throws(SystemError) -> String {
        let file = try FileDescriptor(reading: deliveriesPath)
        defer { file.close() }
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
