import Posix
import SQLite

/// What the delivery files said when they could be read last.
package enum AcceptedDeliveries {
    /// The version of the list of deliveries; nil if no list was accepted yet.
    package static func version(in folder: OutputFolder) -> String? {
        Ledger.read(in: folder) { try LedgerDeliveries.version($0) } ?? nil
    }

    /// Whether the list names any.
    package static func areAny(in folder: OutputFolder) -> Bool {
        Ledger.read(in: folder) { try $0.hasRow("SELECT 1 FROM listed") } ?? false
    }

    /// The file in which version 1.1.0 kept the list. Nil once the ledger has it, or if there is no such file.
    package static func formerPath(in folder: OutputFolder) -> String? {
        let path = folder.path + "/deliveries.csv"
        let isFormer = Ledger.read(in: folder) { try Ledger.isUpgrade($0) } ?? OutputDatabase(folder).isWithoutLedger
        return isFormer && FileStamp(path: path) != nil ? path : nil
    }
}
