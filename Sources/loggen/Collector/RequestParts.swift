/// A request line in parts, for layouts that have a field for each.
struct RequestParts {
    let method: [UInt8]
    /// Path and query, without scheme and host. Empty if there is none.
    let target: [UInt8]
    /// The version of the protocol, with the space before it. Empty if there is none.
    let version: [UInt8]

    init(_ request: [UInt8]) {
        let words = request.split(separator: 0x20, omittingEmptySubsequences: false).map { Array($0) }
        method = words.first ?? []
        var target = words.count > 1 ? words[1] : []
        if target.starts(with: "http".utf8), let host = target.firstRange(of: Array("://".utf8)) {
            target = Array(target[host.upperBound...].drop { $0 != 0x2F })
        }
        self.target = target
        version = words.count > 2 ? [0x20] + words[2] : []
    }

    var path: [UInt8] {
        Array(target.prefix { $0 != 0x3F })
    }

    /// Without its question mark.
    var query: [UInt8] {
        Array(target.dropFirst(path.count + 1))
    }
}
