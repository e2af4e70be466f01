import Output

extension PipelineFileReader {
    private static let mostChecks = 100

    mutating func checks(_ entry: Entry?) -> [Check] {
        guard let entry, let nodes = list(entry) else { return [] }
        if nodes.count > Self.mostChecks {
            noteTooMany("checks", limit: Self.mostChecks, at: nodes[Self.mostChecks].place)
        }
        var lines: [String: Int] = [:]
        return nodes.prefix(Self.mostChecks).compactMap { check($0, &lines) }
    }

    /// - Parameter lines: those of the names so far.
    private mutating func check(_ node: YAMLNode, _ lines: inout [String: Int]) -> Check? {
        guard let keys = mapping(node, "a check", keys: ["name", "severity", "sql"]) else { return nil }
        for key in ["name", "sql"] where keys[key] == nil { noteMissing(key, in: "a check", at: keys.place) }
        let severity: Check.Severity = word(keys["severity"]) ?? .warn
        let sql = sql(keys["sql"])
        guard let entry = keys["name"], let name = text(entry) else { return nil }
        if name.wholeMatch(of: /[a-z][a-z0-9_]*/) == nil {
            fault(
                "bad_check_name", "the name of a check '\(name)' must begin with a-z and hold only a-z, 0-9 and '_'",
                at: entry.value.place)
        }
        if let first = lines[name] {
            fault("duplicate_check", "duplicate check name '\(name)', first in line \(first)", at: entry.value.place)
        }
        lines[name] = entry.value.place.line
        return sql.map { Check(name: name, severity: severity, sql: $0) }
    }

    /// The SQL of a check, if it can be asked.
    private mutating func sql(_ entry: Entry?) -> String? {
        guard let entry, let sql = text(entry, isFormat: true) else { return nil }
        do {
            guard let words = try CheckAnswer.fault(of: sql) else { return sql }
            fault("bad_check_sql", "the SQL of the check cannot be used: \(words)", at: entry.value.place)
        } catch {
            fault("bad_check_sql", "the SQL of the check cannot be used: \(error.message.words)", at: entry.value.place)
        }
        return nil
    }
}
