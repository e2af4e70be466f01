import Calendar

/// The figures of one group of deliveries, whose rates may stand in one table, or of all deliveries.
struct GroupFigures {
    let figures: ReportFigures
    /// Nil for all deliveries.
    let group: DeliveryGroup?

    /// The name of the group: `campaigns`, `other messages`; nil if all deliveries are of one group.
    var name: String? {
        let groups = figures.groups.map(\.group)
        switch group {
        case nil: return nil
        case .others: return "other messages"
        case .file: return groups.contains(.events) ? "campaigns of the delivery files" : "campaigns"
        case .events: return groups.contains(.file) ? "campaigns of the events" : "campaigns"
        }
    }

    /// The end of a table's caption: `, campaigns`.
    var suffix: String { name.map { ", \($0)" } ?? "" }

    /// The id of a figure of the page: `funnel-file`.
    func id(_ figure: String) -> String { "\(figure)-\(group?.rawValue ?? "all")" }

    /// The sums over the days of the period, or over the given days.
    func sum(_ days: [LogDate]? = nil, of platform: String? = nil) -> Totals {
        figures.now.sum(days ?? figures.period.days, of: platform, in: group)
    }

    /// Sums of the counterparts of some days; nil if nothing is compared.
    func former(_ days: [LogDate], of platform: String? = nil) -> Totals? {
        figures.before?.sum(figures.counterparts(of: days), of: platform, in: group)
    }

    /// The sums over the given days and over their counterparts, by default all comparable days.
    func compared(_ days: [LogDate]? = nil, of platform: String? = nil) -> (now: Totals, before: Totals) {
        let days = days ?? figures.comparableDays
        return (sum(days, of: platform), former(days, of: platform) ?? Totals())
    }

    var deliveries: [DeliveryResult] { figures.now.deliveries(of: group) }
    var formerDeliveries: [DeliveryResult] { figures.before?.deliveries(of: group) ?? [] }

    /// The platforms with messages, in the usual order.
    var platforms: [String] { figures.now.platforms.filter { sum(of: $0)[.messages] > 0 } }
}

extension ReportFigures {
    /// The figures of all deliveries.
    var all: GroupFigures { GroupFigures(figures: self, group: nil) }

    /// The figures of each group whose rates must be shown separately.
    var groups: [GroupFigures] { separateGroups.map { GroupFigures(figures: self, group: $0) } }

    /// Something for each group, under its name where there are several.
    func apart(@Markup.Builder _ content: (GroupFigures) -> Markup) -> Markup {
        groups.reduce(into: Markup.nothing) { all, group in
            if let name = group.name {
                all.append(.element("h3") { name.prefix(1).uppercased() + name.dropFirst() })
            }
            all.append(content(group))
        }
    }
}
