/// What events may call a delivery. The raw value is its key in `fields`, and a column of deliveries.
package enum NameKind: String, CaseIterable, Codable, Sendable {
    case label, campaign, variant
}
