import Foundation
import Posix
import SQLite

extension OutputFolder {
    /// What the delivery files said when they could be read last, as version 1.1.0 kept it. Now it is in the ledger. Nil once the
    /// ledger has it, or if there is no such file.
    package var formerDeliveriesPath: String? {
        let path = path + "/deliveries.csv"
        let isFormer = Ledger.read(in: self) { try Ledger.isUpgrade($0) } ?? OutputDatabase(self).isWithoutLedger
        return isFormer && FileStamp(path: path) != nil ? path : nil
    }

    /// The version of the list of deliveries that was accepted last; nil if there is none.
    package func acceptedDeliveries() -> String? { Ledger.read(in: self) { try LedgerDeliveries.version($0) } ?? nil }

    /// Whether the list of deliveries that was accepted last has any.
    package func hasDeliveries() -> Bool {
        Ledger.read(in: self) { try Int.fetchOne($0, sql: "SELECT 1 FROM listed") != nil } ?? false
    }
}
