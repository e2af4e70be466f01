extension Reading {
    /// What the bytes of a file have, and the records in them.
    func features(of file: InputFile) -> [Feature] {
        let unpacked = Unpacked(file.bytes)
        let isForeign = foreignKind(file.bytes) != nil
        if isForeign { return [Feature("packing", packing(of: file.bytes)), Feature("state", "foreign")] }
        let text = unpacked.text
        let breaks = text.count { $0 == 0x0A }
        let returns = zip(text, text.dropFirst()).count { $0 == 0x0D && $1 == 0x0A }
        let ends = breaks == 0 ? "none" : returns == 0 ? "LF" : returns == breaks ? "CRLF" : "both"
        var features = [
            Feature("packing", packing(of: file.bytes)),
            Feature("state", unpacked.status.rawValue),
            Feature("line ends", ends), Feature("byte order mark", text.starts(with: [0xEF, 0xBB, 0xBF])),
            Feature("last line", text.isEmpty ? "none" : text.last == 0x0A ? "ended" : "open"),
            Feature("offset", offset),
        ]
        if let isTimeFirst = source.isTimeFirst(in: unpacked.body) {
            features.append(Feature("time first", isTimeFirst))
        }
        let records = records(unpacked)
        let number =
            switch records.count {
            case 0, 1: "\(records.count)"
            case 2...9: "some"
            default: "many"
            }
        features.append(Feature("records", number))
        features += Set(records.map { recordOutcome($0.outcome) }).map { Feature("outcome", $0) }
        var keys: Set<[Bytes]> = []
        var hasDuplicates = false
        for case .accepted(let hit, _) in records.map(\.outcome) {
            if !keys.insert(hit.key).inserted { hasDuplicates = true }
            features += self.features(of: hit)
        }
        if source.layout == .csv, rowRecords(unpacked) == nil { features.append(Feature("outcome", "faulty header")) }
        return features + [Feature("duplicates", hasDuplicates)]
    }

    static let fileGroups = [
        FeatureGroup("packing", ["plain", "gzip", "gzip members", "zstd", "zstd members", "gzip and zstd"]),
        FeatureGroup("state", ["ok", "truncated", "damaged", "foreign"]),
        FeatureGroup("line ends", ["none", "LF", "CRLF", "both"], has: .oneAtMost),
        FeatureGroup("byte order mark", has: .oneAtMost),
        FeatureGroup("last line", ["none", "ended", "open"], has: .oneAtMost),
        FeatureGroup("offset", ["none", "behind", "ahead", "parts of an hour"], has: .oneAtMost),
        FeatureGroup("time first", has: .oneAtMost),
    ]

    static let outcomes =
        ["accepted", "clock_fallback", "faulty header"]
        + [
            "skipped", "not_tracking", "link", "not_push", "tracking_disabled", "http_error", "not_an_event",
            "unmapped_action", "tracking_off", "out_of_window",
        ].map { "filtered \($0)" }
        + [
            "malformed_line", "joined_lines", "malformed_id", "empty_id", "unknown_action", "bad_time", "no_body",
            "not_json", "bad_json", "not_users_track", "not_events", "missing_action", "bad_tracking", "missing_id",
        ].map { "rejected \($0)" }

    static let recordGroups = [
        FeatureGroup("records", ["0", "1", "some", "many"], has: .oneAtMost),
        FeatureGroup("duplicates", has: .oneAtMost),
        FeatureGroup("outcome", outcomes, has: .several),
        FeatureGroup(
            "id", ["32 bits", "negative", "64 bits", "UUID", "opaque", "of several"], has: .several),
        FeatureGroup(
            "lateness", ["days before", "day before", "own day", "day after", "days after"], has: .several),
        FeatureGroup("near midnight", has: .several), FeatureGroup("milliseconds", has: .several),
        FeatureGroup(
            "event",
            [
                "sent", "failed", "arrival", "impression", "click", "open", "button_1", "button_2", "button_close",
                "zero_0", "other",
            ], has: .several),
        FeatureGroup("device", ["ios", "android", "web", "unknown"], has: .several),
    ]

    private func recordOutcome(_ outcome: Outcome) -> String {
        if case .accepted(_, let clockFallback) = outcome { return clockFallback ? "clock_fallback" : "accepted" }
        return "\(outcome.kind) \(outcome.reason)"
    }

    /// Of the times without an offset.
    private var offset: String {
        let seconds = zone.offset(at: start / 1000)
        if seconds == 0 { return "none" }
        if seconds % 3600 != 0 { return "parts of an hour" }
        return seconds < 0 ? "behind" : "ahead"
    }

    private func features(of hit: Hit) -> [Feature] {
        let day = 86_400_000
        let end = believed.upperBound - day
        let (late, distance) = (hit.time - start, min(abs(hit.time - start), abs(hit.time - end)))
        let lateness =
            switch floored(late, by: day) {
            case _ where start..<end ~= hit.time: "own day"
            case ..<(-1): "days before"
            case -1: "day before"
            case _ where hit.time < end + day: "day after"
            default: "days after"
            }
        return [
            Feature("id", kind(of: hit.broadlogID)), Feature("lateness", lateness),
            Feature("near midnight", distance <= 1000), Feature("milliseconds", hit.time % 1000 != 0),
            Feature("event", hit.action), Feature("device", hit.platform),
        ]
    }

    private func kind(of id: BroadlogID) -> String {
        if id.hasPrefix("uuid:") { return "UUID" }
        if id.hasPrefix("opaque:") { return id.contains(0x1F) ? "of several" : "opaque" }
        let digits = id.dropFirst(4)
        return digits.count > 8
            ? "64 bits" : digits.count == 8 && digits.first.map { $0 >= 0x38 } == true ? "negative" : "32 bits"
    }

    /// Which kinds of members a file has.
    private func packing(of file: Bytes) -> String {
        if MemberKind(file: file) == .other { return "plain" }
        var rest = file[...]
        var kinds: [String] = []
        while !rest.isEmpty {
            let member: Member
            switch MemberKind(rest) {
            case .gzip: (member, kinds) = (Member(gzip: rest), kinds + ["gzip"])
            case .zstd: (member, kinds) = (Member(zstd: rest), kinds + ["zstd"])
            case .skippable:
                rest = rest.dropFirst(8 + littleEndian(rest.dropFirst(4).prefix(4)))
                continue
            case .cut, .other: return packing(of: kinds)
            }
            guard case .whole(_, let after) = member else { return packing(of: kinds) }
            rest = after.drop { [0, 0x0A, 0x0D, 0x20].contains($0) }
        }
        return packing(of: kinds)
    }

    private func packing(of members: [String]) -> String {
        guard let first = members.first else { return "zstd" }
        if Set(members).count > 1 { return "gzip and zstd" }
        return members.count == 1 ? first : "\(first) members"
    }
}

extension Pipeline.Source {
    /// Whether the time stands before the request, or before the id; nil where that is not to be seen.
    func isTimeFirst(in text: Bytes) -> Bool? {
        guard otherLayouts.isEmpty else { return nil }
        let places = places(in: text)
        guard let time = places.time, let subject = places.subject else { return nil }
        return time < subject
    }

    private func places(in text: Bytes) -> Places {
        switch layout {
        case .combined, .alb: return (0, 1)
        case .nginx(let format): return places(in: NginxFormat(withoutPastedQuotes(format)))
        case .apache(let format): return places(in: ApacheFormat(withoutPastedQuotes(format)))
        case .w3c, .cloudfront:
            let all = text.pieces("\n").lazy.compactMap { Reference.columns(inFieldsLine: $0) }
            return places(in: all.first ?? [])
        case .json, .gcpLB, .caddy:
            let request = ["request", "method", "url", "path"].compactMap { jsonKeys[$0] }
            let time = jsonKeys["time"].map { [$0] } ?? ReceiptTime.allCases.map(\.rawValue)
            return (
                first(of: time, in: text), first(of: request + ["request", "request_method", "request_uri"], in: text)
            )
        case .body, .csv:
            let time = times.map(\.path) + (fields["time"].map { [$0] } ?? [])
            let id = idParts + (fields["broadlog_id"].map { [$0] } ?? [])
            return (first(of: time, in: text), first(of: id, in: text))
        }
    }

    private typealias Places = (time: Int?, subject: Int?)

    private func places(in format: NginxFormat) -> Places {
        func place(_ names: [String]) -> Int? {
            format.pieces.firstIndex { if case .variable(let name) = $0 { names.contains(name) } else { false } }
        }
        return (place(["time_local", "time_iso8601", "msec"]), place(["request", "request_method", "request_body"]))
    }

    private func places(in format: ApacheFormat) -> Places {
        let time = format.pieces.firstIndex { piece in
            switch piece {
            case .timeLocal, .time: true
            default: false
            }
        }
        let subject = format.pieces.firstIndex { piece in
            switch piece {
            case .request, .method, .path, .pathAndQuery: true
            default: false
            }
        }
        return (time, subject)
    }

    private func places(in columns: [String]) -> Places {
        (columns.firstIndex(of: "time"), columns.firstIndex { ["cs-uri-stem", "cs-uri"].contains($0) })
    }

    /// Where the first key of some paths stands, or the first column, near the beginning of a text.
    private func first(of paths: [String], in text: Bytes) -> Int? {
        let beginning = Bytes(text.prefix(2000))
        let quote = layout == .csv ? "" : unwrap == nil ? "\"" : "\\\""
        let names = paths.map { layout == .csv ? $0 : pathNames($0).last ?? "" }
        return names.compactMap { beginning.firstIndex(of: Bytes(quote + $0 + quote), from: 0) }.min()
    }
}
