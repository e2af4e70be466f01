/// A way in which a record is odd: a row of `Oddities.tsv`.
struct Oddity: Sendable {
    enum Change: String {
        /// `hex`, `combined`: the row changes nothing where ids or the layout are others.
        case only
        // Of a line.
        case request, status, user, size, address, agent, moreagent, shape, raw, clock, ending, body
        /// A text that is no time, and the one for layouts other than combined.
        case time, isotime
        // Of a record's meaning: the id and the delivery that count, the time that it says in milliseconds.
        case key, delivery, said, hasmcid
        // Of the JSON, and of the form around it.
        case id, deliveryid, action, spelling, platform, tracking, more, whole, before, after, escaping
    }

    /// Nil if it is left to other checks.
    let verdict: Meaning?
    /// A change without a value takes a value away.
    let changes: [(name: Change, value: Template<Message.Value>?)]

    static let collector = rows("collector")
    static let request = rows("request")
    static let mzip = rows("mzip")
    static let event = rows("event")
    static let body = rows("body")

    private init(_ row: [Substring]) {
        verdict = row[1].isEmpty ? nil : Meaning(rawValue: String(row[1]))
        changes = row.dropFirst(2).compactMap { cell in
            let parts = cell.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let value = parts.count == 2 ? Template<Message.Value>(parts[1]) : nil
            return Change(rawValue: parts[0]).map { ($0, value) }
        }
    }

    private static func rows(_ kind: String) -> [Oddity] {
        String(decoding: PackageResources.Oddities_tsv, as: UTF8.self).split(separator: "\n")
            .map { $0.split(separator: "\t", omittingEmptySubsequences: false) }.filter { $0[0] == kind }
            .map { Oddity($0) }
    }
}
