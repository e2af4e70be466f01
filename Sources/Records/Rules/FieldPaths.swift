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
