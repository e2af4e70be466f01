/// What delivery files say about a delivery.
package struct NamedDelivery: Equatable {
    static let keys = ["label", "campaign", "variant"]

    /// `label`, `campaign` and `variant`.
    package var texts: [String: Bytes] = [:]
    /// In milliseconds.
    package var sentAt: Int?
    /// `sent` and `delivered` by platform, which is empty for all.
    var counts: [Bytes: [String: Int]] = [:]

    /// Whether the files say of any platform what was sent.
    var saysSent: Bool { counts.values.contains { $0["sent"] != nil } }

    /// `sent` or `delivered` of all platforms.
    package func total(_ key: String) -> Int? {
        if let total = counts[[]]?[key] { return total }
        let known = counts.values.compactMap { $0[key] }
        guard let first = known.first else { return nil }
        // A sum that no column can hold is unknown.
        return known.dropFirst().reduce(Optional(first)) { sum, more in
            sum.flatMap { $0 > Int.max - more ? nil : $0 + more }
        }
    }
}

/// What the delivery files of a pipeline say; nil if one of them cannot be used.
package func namedDeliveries(_ pipeline: Pipeline, _ files: [DeliveryFile]) -> [Bytes: NamedDelivery]? {
    var named: [Bytes: NamedDelivery] = [:]
    for entry in pipeline.deliveries {
        let own = files.filter { $0.path.hasPrefix("deliveries/\(entry.name)/") }
        if own.isEmpty { return nil }
        for file in own.sorted(by: { Bytes($0.path).lexicographicallyPrecedes(Bytes($1.path)) }) {
            let unpacked = Unpacked(file.bytes)
            guard foreignKind(file.bytes) == nil, !unpacked.hasZstd, unpacked.status == .ok,
                String(validating: unpacked.text, as: UTF8.self) != nil
            else { return nil }
            let isMarked = unpacked.text.starts(with: [0xEF, 0xBB, 0xBF])
            guard let rows = csvRows(Bytes(unpacked.text.dropFirst(isMarked ? 3 : 0))), let header = rows.first else {
                return nil
            }
            let names = header.map(\.trimmed)
            let filled = names.filter { !$0.isEmpty }
            guard Set(filled).count == filled.count else { return nil }
            func index(_ key: String) -> Int? { names.firstIndex(of: Bytes(entry.columns[key] ?? key).trimmed) }
            guard index("delivery_id") != nil else { return nil }
            let zone = Zone(entry.timeZone ?? pipeline.timeZone)
            for row in rows.dropFirst() where row.count <= header.count {
                func value(_ key: String) -> Bytes {
                    index(key).flatMap { $0 < row.count ? row[$0] : nil } ?? []
                }
                add(value, isDecimal: entry.isDecimal, zone, to: &named)
            }
        }
    }
    return named
}

/// Adds a row, unless its id or platform cannot be read. Another value that cannot be read counts as empty.
private func add(
    _ value: (String) -> Bytes, isDecimal: Bool, _ zone: Zone, to named: inout [Bytes: NamedDelivery]
) {
    let id = isDecimal ? decimalID(value("delivery_id").trimmed) : deliveryID(value("delivery_id").trimmed)
    let platform = value("platform").lowercased
    guard let id, ["", "android", "ios", "web", "unknown"].map({ Bytes($0) }).contains(platform) else { return }
    let time = value("sent_at").isEmpty ? nil : deliveryTime(value("sent_at"), zone: zone)
    var counts: [String: Int] = [:]
    for key in ["sent", "delivered"] where value(key).isDigits { counts[key] = Int(value(key).text) }
    var delivery = named[id] ?? NamedDelivery()
    for key in ["label", "campaign", "variant"] where !value(key).isEmpty { delivery.texts[key] = value(key) }
    delivery.sentAt = time ?? delivery.sentAt
    delivery.counts[platform, default: [:]].merge(counts) { $1 }
    named[id] = delivery
}

private func decimalID(_ text: Bytes) -> Bytes? {
    let digits = text.first == UInt8(ascii: "-") ? Bytes(text.dropFirst()) : text
    guard digits.isDigits else { return nil }
    if digits == text { return UInt64(text.text).flatMap { $0 == 0 ? nil : Bytes(String($0, radix: 16)) } }
    guard let value = Int32("-" + digits.text), value < 0 else { return nil }
    return Bytes(String(UInt32(bitPattern: value), radix: 16))
}

/// The rows of a CSV file; nil if a quote has no end.
private func csvRows(_ text: Bytes) -> [[Bytes]]? {
    var rows: [[Bytes]] = []
    var separator: UInt8?
    var row: [Bytes] = []
    var rest = text[...]
    var isQuoted = false
    func isSeparator(_ byte: UInt8) -> Bool {
        separator.map { $0 == byte } ?? [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")].contains(byte)
    }
    while !rest.isEmpty || !row.isEmpty {
        var field: Bytes = []
        if rest.first == UInt8(ascii: "\"") {
            isQuoted = true
            rest.removeFirst()
            while true {
                guard let end = rest.firstIndex(of: UInt8(ascii: "\"")) else { return nil }
                field += rest[..<end]
                rest = rest[(end + 1)...]
                if rest.first != UInt8(ascii: "\"") { break }
                field.append(rest.removeFirst())
            }
        }
        var plain = Bytes(rest.prefix { $0 != 0x0A && !isSeparator($0) })
        rest = rest.dropFirst(plain.count)
        let end = rest.popFirst()
        if end == nil || end == 0x0A, plain.last == 0x0D { plain.removeLast() }
        row.append(field + plain)
        if let end, end != 0x0A {
            separator = end
            continue
        }
        if row != [[]] || isQuoted {
            rows.append(row)
            separator = separator ?? UInt8(ascii: ",")
        }
        row = []
        isQuoted = false
    }
    return rows
}

/// What events call a delivery: the text, trimmed, as far as it has whole code points in 200 bytes. Nil if it is none.
func deliveryName(_ text: Bytes) -> Bytes? {
    var name = Bytes()
    for scalar in text.trimmed.text.unicodeScalars {
        let bytes = Bytes(String(scalar))
        if name.count + bytes.count > 200 { break }
        name += bytes
    }
    return name.isEmpty || name.contains(UInt8(ascii: "@")) ? nil : name
}

extension Publication {
    /// What the events of the latest log date that has a name call each delivery, by the key.
    var namesOfEvents: [Bytes: [String: Bytes]] {
        let sources = pipeline.sources.map(\.name)
        func place(_ hit: Hit) -> (Int, Int, String) {
            (hit.time, sources.firstIndex(of: hit.source) ?? sources.count, hit.source)
        }
        var names: [Bytes: [String: Bytes]] = [:]
        for partition in partitions.sorted(by: { $0.logDate < $1.logDate }) {
            let hits = partition.records.compactMap { record -> Hit? in
                if case .accepted(let hit, _) = record.outcome { hit } else { nil }
            }
            for key in NamedDelivery.keys {
                for (delivery, hits) in Dictionary(grouping: hits.filter { $0.names[key] != nil }, by: \.deliveryID) {
                    let ordered = hits.sorted { a, b in
                        let (place, other) = (place(a), place(b))
                        if place != other { return place < other }
                        return (a.names[key] ?? []).lexicographicallyPrecedes(b.names[key] ?? [])
                    }
                    names[delivery, default: [:]][key] = ordered[0].names[key]
                }
            }
        }
        return names
    }
}
