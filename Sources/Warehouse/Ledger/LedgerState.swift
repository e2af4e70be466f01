import SQLite

/// What the ledger says about the last publishing.
struct LedgerState {
    let facts: [String: String]
    /// Whether something is still to be written to push.db.
    let hasWork: Bool
    /// Whether rows of the history are still to be written.
    let isWaiting: Bool
    /// Whether push.db shows figures of this ledger. If not, its figures were computed anew.
    let isWhole: Bool

    init(_ database: Database, in schema: String = "main") throws {
        var facts: [String: String] = [:]
        try database.forEach("SELECT key, value FROM \(schema).facts") { row in
            facts[try row.read(0)] = try row.read(1)
        }
        self.facts = facts
        isWhole = facts["all"] == nil
        isWaiting = facts["waiting"] != nil
        let isUnpublished = facts["unpublished"] != nil
        hasWork =
            try isUnpublished
            || Ledger.toDoLists.contains { try database.hasRow("SELECT 1 FROM \(schema).\($0)") }
    }

    /// Whether all figures here are those that were published last.
    var showsPublished: Bool { isWhole && !hasWork }

    /// Whether something of any kind is still to be written to push.db.
    var hasAnything: Bool { !isWhole || isWaiting || hasWork }

    /// Whether push.db shows all, with these settings. Another version of the program alone changes nothing.
    func isCurrent(_ settings: PublicationSettings) -> Bool {
        !hasAnything && settings.facts.allSatisfy { $0.key == "version" || facts[$0.key] == $0.value }
    }
}
