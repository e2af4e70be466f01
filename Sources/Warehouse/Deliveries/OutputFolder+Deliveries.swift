import Foundation
import Posix
import SQLite

extension OutputFolder {
    /// What the delivery files said when they could be read last, as version 1.1.0 kept it. It is now in the ledger.
    package var formerDeliveriesPath: String { path + "/deliveries.csv" }

    /// The version of the list of deliveries that was accepted last; nil if there is none.
    package func acceptedDeliveries() -> String? { Ledger.read(in: self) { try LedgerDeliveries.version($0) } ?? nil }

    /// Whether the list of deliveries that was accepted last has any.
    package func hasDeliveries() -> Bool {
        Ledger.read(in: self) { try Int.fetchOne($0, sql: "SELECT 1 FROM listed") != nil } ?? false
    }

    /// Removes what former versions kept beside the ledger. The caller must hold the output's lock.
    func removeFormerFiles() throws(WarehouseError) {
        try reportingCalls { () throws(SystemError) in
            for path in [formerDeliveriesPath, FormerHistory.path(in: self)] { _ = try WholeFile.remove(path) }
        }
    }
}
