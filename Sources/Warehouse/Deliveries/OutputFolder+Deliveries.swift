import Hashing
import Posix

extension OutputFolder {
    /// What the delivery files said when they could be read last, as a CSV file. Publishing reads this.
    package var deliveriesPath: String { path + "/deliveries.csv" }
    /// The new file is written here, and then renamed.
    var temporaryDeliveriesPath: String { path + "/.deliveries.csv.tmp" }

    /// The bytes of `deliveries.csv`; nil if there is no such file, or it cannot be read.
    package func deliveriesBytes() -> [UInt8]? {
        try? WholeFile.read(deliveriesPath)
    }

    /// Replaces `deliveries.csv`, or removes it if `bytes` is nil. The caller must hold the output's lock.
    package func replaceDeliveries(by bytes: [UInt8]?) throws(WarehouseError) {
        try reportingCalls { () throws(SystemError) in
            if let bytes {
                try WholeFile.replace(deliveriesPath, by: bytes, durably: true)
            } else {
                try WholeFile.remove(deliveriesPath)
            }
        }
    }

    /// Identifies the bytes of `deliveries.csv`; nil if the file is missing.
    package func deliveriesVersion() -> String? {
        guard let bytes = deliveriesBytes() else { return nil }
        var hash = FileHash()
        hash.add(bytes.span)
        return hash.text(byteCount: bytes.count)
    }
}
