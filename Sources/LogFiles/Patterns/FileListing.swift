import Calendar
import Posix

/// The files that are at URIs, as another program has listed them: pushetl itself looks for files on its own machine
/// only.
package struct FileListing: Sendable {
    /// A file at a URI.
    package struct File: Codable, Hashable, Sendable {
        /// The URI. Its scheme and authority may be written in another way than in the pattern.
        package let location: String
        /// The size.
        package let bytes: Int
        /// When its bytes last changed, in milliseconds since 1970.
        package let modified: Int64

        package init(location: String, bytes: Int, modified: Int64) {
            self.location = location
            self.bytes = bytes
            self.modified = modified
        }
    }

    /// The largest file at a URI that can be read, in bytes: 1 GiB.
    package static let mostBytes = 1 << 30

    /// By the text of the pattern.
    private var files: [String: [File]] = [:]

    package init() {}

    /// Adds the files that the pattern's glob has found. There may be others among them.
    package mutating func add(_ found: [File], of pattern: FilePattern) {
        files[pattern.text, default: []] += found
    }

    /// Whether there is a file of the pattern, of any log date.
    func hasFiles(of pattern: FilePattern) -> Bool {
        files[pattern.text, default: []].contains { !pattern.matches($0.names).isEmpty }
    }

    /// The files of some log dates. Dates without files are omitted.
    func files(of pattern: FilePattern, on dates: [LogDate]) -> [LogDate: [FoundFile]] {
        let wanted = Set(dates)
        var found: [LogDate: FoundFiles] = [:]
        for file in files[pattern.text, default: []] {
            // To Hadoop a name such as `_SUCCESS` is that of a hidden file.
            guard let last = file.names.last, last.utf8.first != UInt8(ascii: "_") else { continue }
            let parts = pattern.matches(file.names)
            guard !parts.isEmpty else { continue }
            let matching = pattern.hasDatePlaceholder ? wanted.intersection(parts.flatMap(\.dates)) : wanted
            // In nanoseconds, which end in the year 2262.
            let modified = min(max(file.modified, 0), Int64.max / 1_000_000) * 1_000_000
            let match = FoundFile(
                path: (pattern.uriRoot ?? "") + "/" + file.names.joined(separator: "/"), location: file.location,
                bytes: file.bytes, listedStamp: FileStamp(bytes: file.bytes, modified: modified))
            for date in matching { found[date, default: FoundFiles()].add([match]) }
        }
        return found.mapValues(\.onceEach)
    }
}

extension FileListing.File {
    /// The names of the path, from the root. The URI is as in `hdfs://namenode/logs/a.gz` or `file:/logs/a.gz`.
    fileprivate var names: [String] {
        let slash = UInt8(ascii: "/")
        let rest = location.utf8.drop { $0 != UInt8(ascii: ":") }.dropFirst()
        let path = rest.starts(with: "//".utf8) ? rest.dropFirst(2).drop { $0 != slash } : rest
        return path.split(separator: slash).map { String(Substring($0)) }
    }
}

extension FilePattern {
    /// The pattern as a glob of Hadoop's `FileSystem.globStatus`, which finds at least the files of the pattern. A
    /// placeholder stands for as many characters as it has digits, unless a date is given.
    package func hadoopGlob(on date: LogDate?) -> String {
        let known = date.map { DateParts($0) } ?? DateParts()
        let names = parts.map { part in
            guard case .name(let tokens) = part else { return "*" }
            return tokens.map { token in
                switch token {
                case .literal(let scalar): "*?[]{}\\^,".unicodeScalars.contains(scalar) ? "\\\(scalar)" : "\(scalar)"
                case .anyRun: "*"
                // What a set matches is looked at later.
                case .anyOne, .oneOf: "?"
                case .placeholder(let placeholder):
                    known.digits(placeholder) ?? String(repeating: "?", count: placeholder.width)
                }
            }.joined()
        }
        return (uriRoot ?? "") + "/" + names.joined(separator: "/")
    }
}
