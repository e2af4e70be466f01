extension Pipeline.Layout {
    /// Where the values of its JSON lines lie; nil if its lines are no JSON objects.
    package var jsonKeys: [String: String]? {
        switch self {
        case .json: [:]
        case .gcpLB:
            [
                "time": "timestamp", "method": "httpRequest.requestMethod", "url": "httpRequest.requestUrl",
                "status": "httpRequest.status", "user_agent": "httpRequest.userAgent",
            ]
        case .caddy:
            [
                "time": "ts", "method": "request.method", "url": "request.uri", "status": "status",
                "user_agent": "request.headers.User-Agent",
            ]
        default: nil
        }
    }

    /// Whether lines hold JSON objects alone.
    package var isJSON: Bool { jsonKeys != nil }
}

extension Pipeline.Source {
    /// The same with those of `layout_fields`. A name that is not here has nginx's keys.
    package var jsonKeys: [String: String] {
        (layout.jsonKeys ?? [:]).merging(layoutFields) { _, given in given }
    }
}

func readJSON(_ line: Bytes, keys: [String: String], zone: Zone) -> LogLine? {
    guard let tree = JSONReader.document(line, checksUTF8: false), case .object = tree.kind else { return nil }
    /// The value of a name, by its mapping or at the key that it has without one. Only a mapped array is its first
    /// element.
    func value(_ name: String, unmapped key: String?) -> JSONTree? {
        guard let path = keys[name] else { return key.flatMap { tree[$0] } }
        return tree.value(at: path)
    }
    var found = LogLine()
    if let request = value("request", unmapped: "request")?.string {
        found.setRequest(request)
    } else {
        found.method = value("method", unmapped: "request_method")?.string
        found.uri = value("url", unmapped: "request_uri")?.string
        if found.uri == nil, let path = value("path", unmapped: nil)?.string {
            let query = value("query", unmapped: nil)?.string ?? []
            found.uri = path + Bytes(query.isEmpty || query.hasPrefix("?") ? "" : "?") + query
        }
    }
    if let status = value("status", unmapped: "status") {
        found.status = status.isNull ? nil : status.written ?? Bytes("no number")
    }
    if let date = keys["date"].flatMap({ _ in value("date", unmapped: nil) }) {
        let time = value("time", unmapped: "time")?.written ?? []
        found.setTime(.timeISO8601, (date.written ?? []) + Bytes("T") + time, zone: zone)
    } else if keys["date"] != nil {
        // A line without its date has no time.
    } else if keys["time"] != nil {
        let text = value("time", unmapped: nil)?.written ?? []
        found.hasTime = !text.isEmpty
        found.time = ReceiptTime.time.milliseconds(text, zone: zone)
    } else {
        for form in ReceiptTime.allCases {
            guard let value = tree[form.rawValue], !value.isNull else { continue }
            found.setTime(form, value.written ?? Bytes("neither a string nor a number"), zone: zone)
        }
    }
    found.userAgent = value("user_agent", unmapped: "http_user_agent")?.string ?? header(keys["user_agent"], of: tree)
    found.body = value("request_body", unmapped: "request_body")?.string
    return found
}

/// The value of a header in an array of them, each with a name and a value.
private func header(_ path: String?, of tree: JSONTree) -> Bytes? {
    let names = path?.split(separator: ".").map(String.init) ?? []
    let parent = names.dropLast().joined(separator: ".")
    guard names.count > 1, case .array(let headers)? = tree.value(at: parent, isWhole: true)?.kind else { return nil }
    let name = Bytes(names[names.count - 1]).lowercased
    return headers.first { $0["name"]?.string?.lowercased == name && $0["value"]?.string != nil }?["value"]?.string
}

extension JSONTree {
    /// A string, or a number as it is written.
    fileprivate var written: Bytes? {
        if case .number(let literal) = kind { literal } else { string }
    }
}
