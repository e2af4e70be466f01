import Calendar
import Counting

/// What stands out in a period.
struct Findings {
    /// Of a delivery to which fewer were sent it is not said that it failed.
    private static let leastSent = 500
    /// A change of opened by a smaller share is none to tell of.
    private static let leastChange = 0.05
    /// An action of which fewer events were to be expected is not judged.
    private static let leastEvents = 100.0

    let figures: ReportFigures
    /// What the compared days are called; nil if nothing is compared.
    let comparedName: String?

    /// At most six: one about deliveries, one about opened, two about variants, two about actions.
    var all: [Finding] {
        [failures, change].compactMap { $0 } + variants.filter(\.differs).prefix(2).compactMap(finding)
            + fallenActions.prefix(2).map(finding)
    }

    /// Says that nothing stands out, and of what.
    var nothing: String {
        var checks: [String] = []
        if !sent.isEmpty { checks.append("no delivery failed") }
        if variants.contains(where: { $0.z != nil }) { checks.append("variants of one campaign do not differ") }
        if let (now, before) = figures.compared() {
            let size = Double(abs(now[.opened] - before[.opened]))
            let isSmall = size < Double(before[.opened]) * Findings.leastChange || size == 0
            checks.append(
                isSmall ? "opened changed by less than 5 %" : "opened changed by no more than chance alone may make")
            checks.append("no action of a platform fell below a third of its share")
        }
        return checks.isEmpty
            ? "Nothing stands out. Without days to compare with, and without delivery files, little can."
            : "Nothing stands out: \(checks.joined(separator: ", "))."
    }

    // MARK: Deliveries

    /// The deliveries that may have failed: their log dates are complete, and a later one is loaded.
    private var sent: [(delivery: DeliveryResult, known: Double)] {
        figures.now.deliveries.compactMap { delivery in
            guard let sent = delivery.sent, sent >= Findings.leastSent, let known = delivery.knownRate,
                let day = delivery.firstDay, let last = figures.table.loaded.last, day < last,
                delivery.isWithCompleteLogs
            else { return nil }
            return (delivery, known)
        }
    }

    private var failures: Finding? {
        let sent = sent
        let known = sent.map(\.known).sorted()
        guard !known.isEmpty else { return nil }
        let median = (known[(known.count - 1) / 2] + known[known.count / 2]) / 2
        let failed = sent.filter { $0.known < median / 5 }.map(\.delivery)
            .sorted { ($1.size, $0.id) < ($0.size, $1.id) }
        guard !failed.isEmpty else { return nil }
        var parts: [Finding.Part] = [
            .text(failed.count == 1 ? "A delivery failed: " : "\(NumberText.exact(failed.count)) deliveries failed: ")
        ]
        for (index, delivery) in failed.prefix(3).enumerated() {
            parts += [
                .text(index == 0 ? "" : ", "), .name(delivery.name),
                .text(
                    " with \(NumberText.plural(delivery.counts.messages, "message")) of "
                        + "\(NumberText.exact(delivery.sent ?? 0)) sent (\(NumberText.percent(delivery.knownRate)))"),
            ]
        }
        if failed.count > 3 { parts.append(.text(" and \(NumberText.exact(failed.count - 3)) more")) }
        parts.append(
            .text(
                ". The median of \(NumberText.plural(sent.count, "delivery", "deliveries")) is "
                    + "\(NumberText.percent(median))."))
        return Finding("deliveries", parts)
    }

    // MARK: Opened

    private var change: Finding? {
        guard let (now, before) = figures.compared(), let comparedName else { return nil }
        let (opened, former) = (now[.opened], before[.opened])
        let difference = opened - former
        let size = Double(abs(difference))
        // Three standard deviations of what chance alone would make of two such counts.
        guard size > 0, size >= Double(former) * Findings.leastChange,
            size >= 3 * Double(opened + former).squareRoot()
        else { return nil }
        let platforms = Set(figures.now.platforms + (figures.before?.platforms ?? [])).compactMap { name in
            figures.compared(platform: name).map { (name: name, change: $0.now[.opened] - $0.before[.opened]) }
        }.filter { $0.change != 0 }.sorted { (abs($1.change), $0.name) < (abs($0.change), $1.name) }
        var parts: [Finding.Part] = [
            .text(
                "Opened \(difference < 0 ? "fell" : "rose") by \(NumberText.exact(abs(difference))) "
                    + (former > 0 ? "(\(NumberText.change(from: former, to: opened))) " : "")
                    + "against \(comparedName), from "
                    + "\(NumberText.exact(former)) to \(NumberText.exact(opened)): ")
        ]
        for (index, platform) in platforms.enumerated() {
            parts += [
                .text(index == 0 ? "" : ", "), .name(platform.name), .text(" \(NumberText.signed(platform.change))"),
            ]
        }
        parts.append(
            .text(
                ". Of messages it is \(NumberText.percent(now.rate(.opened, of: .messages))), before "
                    + "\(NumberText.percent(before.rate(.opened, of: .messages)))."))
        return Finding("funnel", parts)
    }

    // MARK: Variants

    private var variants: [VariantComparison] { VariantComparison.all(figures.now.deliveries) }

    private func finding(_ comparison: VariantComparison) -> Finding? {
        guard let (best, worst) = comparison.ends, let z = comparison.z else { return nil }
        func share(_ variant: VariantComparison.Variant) -> String {
            "\(NumberText.percent(variant.opened.rate)) of \(NumberText.exact(variant.sent)) sent "
                + "(\(NumberText.interval(variant.opened.interval)))"
        }
        return Finding(
            "variants",
            [
                .text("Variants of "), .name(comparison.campaign), .text(" differ: "), .name(best.name),
                .text(" was opened by \(share(best)), "), .name(worst.name),
                .text(" by \(share(worst)); z is \(NumberText.decimal(z, places: 1))."),
            ])
    }

    // MARK: Actions

    private struct FallenAction {
        let platform: String
        let action: String
        let now: Proportion
        let before: Proportion

        /// The events that there would be if the share had stayed; if the platform has no events at all, those of before.
        var expected: Double { now.whole > 0 ? (before.rate ?? 0) * Double(now.whole) : Double(before.part) }
    }

    /// Those that lost most come first.
    private var fallenActions: [FallenAction] {
        guard let before = figures.before, !figures.comparableDays.isEmpty else { return [] }
        let formerDays = figures.counterparts(figures.comparableDays)
        var fallen: [FallenAction] = []
        for platform in before.platforms {
            let (former, now) = (
                before.events(formerDays, platform: platform),
                figures.now.events(figures.comparableDays, platform: platform)
            )
            let (formerSum, sum) = (former.values.reduce(0, +), now.values.reduce(0, +))
            for (action, count) in former {
                let action = FallenAction(
                    platform: platform, action: action, now: Proportion(part: now[action] ?? 0, whole: sum),
                    before: Proportion(part: count, whole: formerSum))
                let isFallen = action.now.rate ?? 0 < (action.before.rate ?? 0) / 3
                if isFallen, action.expected >= Findings.leastEvents { fallen.append(action) }
            }
        }
        return fallen.sorted { ($1.expected, $0.platform, $0.action) < ($0.expected, $1.platform, $1.action) }
    }

    private func finding(_ fallen: FallenAction) -> Finding {
        func share(_ share: Proportion) -> String {
            "\(NumberText.exact(share.part)) of \(NumberText.plural(share.whole, "event")) "
                + "(\(NumberText.percent(share.rate)))"
        }
        return Finding(
            "platforms",
            [
                .text("The share of "), .name(fallen.action), .text(" in the events of "), .name(fallen.platform),
                .text(" fell: \(share(fallen.now)), before \(share(fallen.before))."),
            ])
    }
}
