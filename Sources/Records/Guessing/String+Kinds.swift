import Events

// What a value of an unknown line looks like.

extension String {
    private static let requestMethods: Set = ["GET", "POST", "HEAD", "PUT", "DELETE", "OPTIONS", "PATCH"]

    var isRequestMethod: Bool { String.requestMethods.contains(self) }

    /// `GET /r/?id=… HTTP/1.1`
    var isRequestLine: Bool {
        let words = split(separator: " ", omittingEmptySubsequences: false)
        return (2...3).contains(words.count) && String(words[0]).isRequestMethod && String(words[1]).isRequestTarget
    }

    var isRequestTarget: Bool { hasPrefix("/") || hasPrefix("http://") || hasPrefix("https://") }

    /// Whether it is a status that servers send. Three digits alone may also be a number of bytes, or a port.
    var isHTTPStatus: Bool { utf8.count == 3 && String.statuses.contains(Int(self) ?? 0) }

    private static let statuses = Set(
        [100...103, 200...208, 226...226, 300...308, 400...418, 421...426, 428...431, 440...440, 444...444, 449...451]
            .joined()
            + [460, 463, 464, 494, 495, 496, 497, 498, 499] + [500...511, 520...530].joined() + [561, 598, 599])

    /// Whether a server may write it in place of a status.
    var isNoStatus: Bool { ["", "-", "0", "000"].contains(self) }

    var isUserAgent: Bool {
        ["Mozilla/", "Dalvik/", "CFNetwork/", "okhttp/", "Darwin/"].contains { contains($0) }
            || isProduct && platform != .unknown
    }

    /// The platform of a user agent.
    var platform: Platform {
        let bytes = Array(utf8)
        return UserAgent.platform(bytes.span, 0..<bytes.count)
    }

    /// Whether it is a name with a version, as in user agents: `Dalvik/2.1.0`.
    var isProduct: Bool {
        guard let slash = utf8.firstIndex(of: UInt8(ascii: "/")), let first = utf8.first, first.isLetter,
            !hasPrefix("HTTP/")
        else { return false }
        let marks = Array("._-".utf8)
        return utf8[..<slash].allSatisfy { $0.isLetter || $0.isDigit || marks.contains($0) }
            && utf8[slash...].dropFirst().first?.isDigit == true
    }

    /// Whether it begins like the body of a mzip or users_track request, perhaps with the escapes of a log file.
    var isPayload: Bool {
        ["mzip=", "%7b", "{", "\\x7b"].contains { lowercased().hasPrefix($0) }
    }

    var isCount: Bool { self == "-" || !isEmpty && utf8.allSatisfy(\.isDigit) }

    var isReferer: Bool { self == "-" || hasPrefix("http") }

    /// An IPv4 or IPv6 address.
    var isAddress: Bool {
        let isOfAddress = utf8.allSatisfy { $0.hexValue != nil || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: ":") }
        return isOfAddress && (split(separator: ".").count == 4 || split(separator: ":").count > 1)
    }
}
