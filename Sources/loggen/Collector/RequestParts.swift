import Reference

/// A request line in parts, for layouts that have a field for each.
struct RequestParts {
    let method: Bytes
    /// Path and query, without scheme and host. Empty if there is none.
    let target: Bytes
    /// The version of the protocol, with the space before it. Empty if there is none.
    private let version: Bytes

    init(_ request: Bytes) {
        let words = request.pieces(" ")
        method = words[0]
        let url = words.count > 1 ? words[1] : []
        let afterScheme = url.hasPrefix("http") ? url.cut(at: "://")?.after : nil
        target = afterScheme.map { Bytes($0.drop { $0 != 0x2F }) } ?? url
        version = words.count > 2 ? Bytes(" ") + words[2] : []
    }

    var isMethod: Bool { !method.isEmpty && method.allSatisfy { (0x21...0x7E).contains($0) } }

    var path: Bytes { Bytes(target.prefix { $0 != 0x3F }) }

    var query: Bytes { Bytes(target.dropFirst(path.count + 1)) }

    /// The request as a load balancer of AWS logs it.
    var absolute: Bytes {
        let method = isMethod ? method : Bytes("-")
        if target.isEmpty { return method + Bytes(" http://track.example.com:80- ") }
        return method + Bytes(" https://track.example.com:443") + target + version
    }
}
