/// What a statement does, as its first words say.
package enum StatementPurpose: Equatable, Sendable {
    case reading(table: String)
    case writing(table: String)
    /// Creating, changing or removing tables and other objects.
    case changingSchema
    case beginning
    case committing
    case pragma(String)

    /// Nil for other statements.
    init?(_ sql: String) {
        let words = sql.split { " \n,;()=".contains($0) }.prefix(1000)
        func word(after keyword: Substring) -> String? {
            let word = words.firstIndex(of: keyword).flatMap { words.dropFirst($0 + 1).first }
            // Without the name of the schema.
            return word?.split(separator: ".").last.map(String.init)
        }
        let purpose: StatementPurpose? =
            switch words.first {
            case "SELECT", "WITH": word(after: "FROM").map { .reading(table: $0) }
            case "INSERT": word(after: "INTO").map { .writing(table: $0) }
            case "UPDATE": word(after: "UPDATE").map { .writing(table: $0) }
            case "DELETE": word(after: "FROM").map { .writing(table: $0) }
            case "CREATE", "DROP", "ALTER", "ANALYZE": .changingSchema
            case "BEGIN": .beginning
            case "COMMIT": .committing
            case "PRAGMA": word(after: "PRAGMA").map { .pragma($0) }
            default: nil
            }
        guard let purpose else { return nil }
        self = purpose
    }
}
