import Reference

/// A way in which a record is odd: a row of `Oddities.tsv`.
struct Oddity: Sendable {
    /// Of what kind of record.
    let kind: String
    /// The reason why it is filtered or rejected; empty if it is accepted.
    let reason: String
    /// What differs from an ordinary record. A change without a value takes a value away.
    let changes: [(name: String, value: Template?)]

    static let all = String(decoding: PackageResources.Oddities_tsv, as: UTF8.self).split(separator: "\n")
        .filter { !$0.hasPrefix("#") }.map { Oddity($0.split(separator: "\t", omittingEmptySubsequences: false)) }

    static let collector = all.filter { $0.kind == "collector" }
    static let mzip = all.filter { $0.kind == "mzip" }
    static let event = all.filter { $0.kind == "event" }
    static let body = all.filter { $0.kind == "body" }

    private init(_ row: [Substring]) {
        kind = String(row[0])
        reason = String(row[1])
        changes = row.dropFirst(2).map { cell in
            let parts = cell.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            return (parts[0], parts.count == 2 ? Template(parts[1]) : nil)
        }
    }

    static func ending(_ text: String) -> String { text == "crlf" ? "\r\n" : "\n\n" }
}
