/// Where an event has a value: at a path, or at the first of several paths whose value is not missing, null or blank.
///
/// A path is a list of names. Through an array it leads to the array's first element.
package struct ValuePlace: Hashable, Sendable, ExpressibleByArrayLiteral {
    /// Empty if events have no such value.
    package let paths: [[String]]

    package init(_ path: [String]) {
        paths = path.isEmpty ? [] : [path]
    }

    package init(firstOf paths: [[String]]) {
        assert(paths.allSatisfy { !$0.isEmpty })
        self.paths = paths
    }

    /// The names of a single path; none if events have no such value.
    package init(arrayLiteral names: String...) {
        self.init(names)
    }

    package var isNowhere: Bool { paths.isEmpty }

    /// The paths as in a pipeline file, with commas between.
    package var text: String { paths.map { PathText.text($0) }.joined(separator: ", ") }
}

/// The text of a path in a pipeline file.
package enum PathText {
    /// `event.kind`, or `"event.kind".id` where a name holds a dot.
    package static func text(_ path: [String]) -> String {
        path.map { $0.utf8.contains(UInt8(ascii: ".")) ? "\"\($0)\"" : $0 }.joined(separator: ".")
    }

    /// The names of a path: separated by dots, where one in double quotes may hold a dot. Nil if a name is empty, or if
    /// anything but a dot follows a closing quote.
    package static func names(_ text: String) -> [String]? {
        let bytes = Array(text.utf8)
        var names: [String] = []
        var index = 0
        while true {
            var end = bytes[index...].firstIndex(of: UInt8(ascii: ".")) ?? bytes.count
            var name = bytes[index..<end]
            if index < bytes.count, bytes[index] == UInt8(ascii: "\"") {
                guard let quote = bytes[(index + 1)...].firstIndex(of: UInt8(ascii: "\"")) else { return nil }
                name = bytes[(index + 1)..<quote]
                end = quote + 1
            }
            guard !name.isEmpty else { return nil }
            names.append(String(decoding: name, as: UTF8.self))
            if end == bytes.count { return names }
            guard bytes[end] == UInt8(ascii: ".") else { return nil }
            index = end + 1
        }
    }
}

/// Where each value of an event lies. Not used for collectors.
package struct FieldPaths: Hashable, Sendable, ExpressibleByDictionaryLiteral {
    /// A value of an event. The raw value is its key in `fields`.
    package enum Field: String, CaseIterable, Sendable {
        case broadlogID = "broadlog_id"
        case deliveryID = "delivery_id"
        case action, time, platform
        /// Says whether tracking is on or off.
        case tracking
        /// What the delivery is called, see `NameKind`.
        case label, campaign, variant
    }

    private var places: [Field: ValuePlace]
    /// The places of the values that make an opaque id together; empty if the id is the value of `broadlogID`.
    package var idParts: [ValuePlace] = []

    package init(dictionaryLiteral places: (Field, ValuePlace)...) {
        self.places = Dictionary(uniqueKeysWithValues: places)
    }

    package subscript(field: Field) -> ValuePlace {
        get { places[field] ?? [] }
        set { places[field] = newValue.isNowhere ? nil : newValue }
    }

    /// The payloads of the iOS notification extension.
    package static let mzip: FieldPaths = [
        .broadlogID: ["log_content", "data", "_mId"], .deliveryID: ["log_content", "data", "_dId"],
        .action: ["log_content", "type"], .time: ["log_content", "time"],
        .tracking: ["log_content", "data", "_acsDeliveryTracking"],
    ]

    /// The elements of `events` in Braze's `/users/track`.
    package static let usersTrack: FieldPaths = [
        .broadlogID: ["properties", "broadlogId"], .deliveryID: ["properties", "deliveryId"], .action: ["name"],
        .time: ["time"], .platform: ["properties", "platform"], .tracking: ["properties", "_acsDeliveryTracking"],
    ]
}
