import Calendar

extension FilePattern {
    /// The pattern as a glob of Hadoop's `FileSystem.globStatus`, which finds at least the files of the pattern. A
    /// placeholder stands for as many characters as it has digits, unless a date is given.
    package func hadoopGlob(on date: LogDate?) -> String {
        let names = parts.map { part in
            guard case .name(let tokens) = date.map(part.filled) ?? part else { return "*" }
            return tokens.map(\.hadoopGlob).joined()
        }
        return (uriRoot ?? "") + "/" + names.joined(separator: "/")
    }
}

extension FilePattern.Token {
    fileprivate var hadoopGlob: String {
        switch self {
        case .literal(let scalar): "*?[]{}\\^,".unicodeScalars.contains(scalar) ? "\\\(scalar)" : "\(scalar)"
        case .anyRun: "*"
        // What a set matches is looked at later.
        case .anyOne, .oneOf: "?"
        case .placeholder(let placeholder): String(repeating: "?", count: placeholder.width)
        }
    }
}
