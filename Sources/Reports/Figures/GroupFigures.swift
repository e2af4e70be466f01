import Calendar

/// The figures of deliveries whose rates may stand in one table: of a group, or of all.
struct GroupFigures {
    let figures: ReportFigures
    /// Nil for all.
    let group: DeliveryGroup?

    /// What the group is called: `campaigns`, `other messages`; nil where all deliveries are of one group.
    var name: String? {
        let groups = figures.groups.map(\.group)
        switch group {
        case nil: return nil
        case .others: return "other messages"
        case .file: return groups.contains(.events) ? "campaigns of the delivery files" : "campaigns"
        case .events: return groups.contains(.file) ? "campaigns of the events" : "campaigns"
        }
    }

    /// What is added to the caption of a table: `, campaigns`.
    var suffix: String { name.map { ", \($0)" } ?? "" }

    /// The id of a figure of the page: `funnel-file`.
    func id(_ figure: String) -> String { "\(figure)-\(group?.rawValue ?? "all")" }

    /// Sums of the days of the period, or of some of them.
    func sum(_ days: [LogDate]? = nil, of platform: String? = nil) -> Totals {
        figures.now.sum(days ?? figures.period.days, of: platform, in: group)
    }

    /// Sums of the counterparts of some days; nil if nothing is compared.
    func former(_ days: [LogDate], of platform: String? = nil) -> Totals? {
        figures.before?.sum(figures.counterparts(of: days), of: platform, in: group)
    }

    /// Sums of the days that are compared, or of some of them, and of their counterparts.
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

    /// The figures whose rates stand apart.
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
