import Events

/// The content of the delivery files about one delivery. A value that they leave empty is nil.
package struct Delivery: Equatable, Sendable {
    /// The messages of one platform, or of all.
    package struct Counts: Equatable, Sendable {
        /// Nil stands for all platforms.
        package let platform: Platform?
        package var sent: Int?
        package var delivered: Int?
    }

    /// In its normal form.
    package let id: String
    package var label: String?
    package var campaign: String?
    package var variant: String?
    /// In milliseconds since 1970.
    package var sentAt: Int64?
    /// By platform, all platforms first; never empty.
    package private(set) var counts: [Counts]

    /// Replaces the values for which a later row has others.
    mutating func update(from row: Delivery) {
        label = row.label ?? label
        campaign = row.campaign ?? campaign
        variant = row.variant ?? variant
        sentAt = row.sentAt ?? sentAt
        for new in row.counts {
            if let index = counts.firstIndex(where: { $0.platform == new.platform }) {
                counts[index].sent = new.sent ?? counts[index].sent
                counts[index].delivered = new.delivered ?? counts[index].delivered
            } else {
                counts.insert(new, at: counts.firstIndex { new.rank < $0.rank } ?? counts.endIndex)
            }
        }
    }

    /// The number of messages sent to all platforms: the number without a platform if it is given, else the sum of the
    /// known numbers. Nil if none is known, or if the sum is above 2^63 − 1, the largest integer of SQLite.
    package var sent: Int? { total(\.sent) }
    /// The number of messages delivered to all platforms, by the same rules as `sent`.
    package var delivered: Int? { total(\.delivered) }

    /// Whether `sent` or `delivered` is nil because the sum is too large.
    package var isUncountable: Bool {
        [\Counts.sent, \.delivered].contains { column in
            total(column) == nil && counts.contains { $0[keyPath: column] != nil }
        }
    }

    private func total(_ column: KeyPath<Counts, Int?>) -> Int? {
        // The row of all platforms is the first.
        if let first = counts.first, first.platform == nil, let total = first[keyPath: column] { return total }
        var total: Int?
        for count in counts.compactMap({ $0[keyPath: column] }) {
            let (sum, isTooLarge) = (total ?? 0).addingReportingOverflow(count)
            if isTooLarge { return nil }
            total = sum
        }
        return total
    }
}

extension Delivery.Counts {
    fileprivate var rank: Int { platform.map { Int($0.rawValue) } ?? -1 }
}
