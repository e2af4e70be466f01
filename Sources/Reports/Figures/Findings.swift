import Calendar
import Counting
import Messages

/// The unusual facts of a period.
struct Findings {
    /// A smaller relative change of opened is not reported.
    private static let leastChange = 0.05

    private let figures: ReportFigures
    private let usualShares: [DeliveryGroup: UsualShare]
    private let variants: [VariantComparison]
    /// Whether opened changed by more than it usually does; nil if there are too few days to tell.
    private let isOpenedUnusual: Bool?

    init(of figures: ReportFigures) {
        self.figures = figures
        usualShares = UsualShare.all(of: figures.now.deliveries, with: figures.table)
        variants = VariantComparison.all(of: figures.now.deliveries)
        let usual = figures.usual.filter { $0.key < figures.period.first }
        let scatter = Scatter(counts: usual.mapValues { $0.values.reduce(0) { $0 + $1[.opened] } })
        isOpenedUnusual =
            figures.before == nil
            ? nil
            : scatter.isExceeded(
                by: figures.comparableMatureDays.map { day in
                    let (now, before) = figures.all.compared([day])
                    return (now[.opened], before[.opened])
                })
    }

    /// At most six: one about deliveries, one about opened, two about variants, two about what the platforms tell.
    var all: [Finding] {
        [failures, change].compactMap { $0 } + variants.filter(\.differs).prefix(2).compactMap(finding)
            + PlatformChange.all(in: figures.usual, until: figures.period.last).prefix(2).map(finding)
    }

    /// The sentence that nothing is unusual, with what was examined.
    var nothing: String {
        let hasEnoughDays = figures.usual.count >= ShareChange.fewestDaysOfBoth
        let checks = [
            usualShares.values.contains { $0.median != nil } ? "no delivery failed" : nil,
            variants.contains { $0.z != nil } ? "variants of one campaign do not differ" : nil,
            isOpenedUnusual != nil ? "opened did not change by more than it usually does" : nil,
            hasEnoughDays ? "no action of a platform fell below half of its share" : nil,
        ].compactMap(\.self)
        return checks.isEmpty
            ? "Nothing stands out: there is too little to compare."
            : "Nothing stands out: \(checks.joined(separator: ", "))."
    }

    private var failures: Finding? {
        let failed = figures.now.deliveries.filter(\.isFailed).largestFirst
        guard let first = failed.first, let usual = usualShares[first.group], let median = usual.median else {
            return nil
        }
        let begin = failed.count == 1 ? "A delivery failed" : "\(NumberText.exact(failed.count)) deliveries failed"
        let named = failed.prefix(3).map { delivery -> Finding.Sentence in
            let seen = Text.plural(delivery.ownCounts.seen, of: "message")
            let sent = NumberText.exact(delivery.sent ?? 0)
            return "\(name: delivery.name) with \(seen) of \(sent) sent (\(NumberText.percent(delivery.seenRate)))"
        }
        let more = failed.count > 3 ? " and \(NumberText.exact(failed.count - 3)) more" : ""
        let count = usual.shares.count
        let all = figures.now.deliveries.count
        let judged =
            NumberText.deliveries(count)
            + (count < all ? " that can be compared, of \(NumberText.exact(all))," : "")
        return Finding(
            section: "deliveries",
            sentence: """
                \(begin): \(named.joined)\(more) arrived or were seen. Of \(judged) half have \
                \(NumberText.percent(median)) or more.
                """)
    }

    private var change: Finding? {
        guard isOpenedUnusual == true, let comparedName = figures.comparedName else { return nil }
        // Days that still grow would seem to have fallen.
        let days = figures.comparableMatureDays
        let (now, before) = figures.all.compared(days)
        let opened = now[.opened]
        let former = before[.opened]
        let difference = opened - former
        guard difference != 0, Double(abs(difference)) >= Double(former) * Findings.leastChange else { return nil }
        let platforms = Set(figures.now.platforms + (figures.before?.platforms ?? [])).map { name in
            let (now, before) = figures.all.compared(days, of: name)
            return (name: name, change: now[.opened] - before[.opened])
        }.filter { $0.change != 0 }.sorted { (abs($1.change), $0.name) < (abs($0.change), $1.name) }
        let parts = platforms.map { platform -> Finding.Sentence in
            "\(name: platform.name) \(NumberText.signed(platform.change))"
        }
        let all = figures.period.count
        let compared = "\(NumberText.exact(days.count)) of \(Text.plural(all, of: "day"))"
        let rates = figures.groups.map { group in
            let (now, before) = group.compared(days)
            return "it is \(NumberText.percent(now.openRate)), before \(NumberText.percent(before.openRate))"
                + (group.name.map { " (\($0))" } ?? "")
        }
        return Finding(
            section: "funnel",
            sentence: """
                Opened \(difference < 0 ? "fell" : "rose") by \(NumberText.exact(abs(difference))) \
                \(former > 0 ? "(\(NumberText.change(from: former, to: opened))) " : "")against \(comparedName), from \
                \(NumberText.exact(former)) to \(NumberText.exact(opened))\
                \(days.count < all ? " on the \(compared) that can be compared" : ""): \(parts.joined). \
                Of messages \(rates.joined(separator: "; ")).
                """)
    }

    private func finding(_ comparison: VariantComparison) -> Finding? {
        guard let (best, worst) = comparison.ends else { return nil }
        func share(_ variant: VariantComparison.Variant, explained: String = "") -> String {
            "\(NumberText.percent(variant.opened.rate)) of \(NumberText.exact(variant.opened.whole)) sent "
                + "(\(explained)\(NumberText.interval(variant.opened.interval)))"
        }
        let led = best.deliveriesAbove(worst)
        let all = best.deliveries.count
        let compared = comparison.variants.reduce(0) { $0 + $1.deliveries.count }
        let left =
            comparison.left > 0
            ? "; of \(NumberText.exact(compared + comparison.left)) deliveries of the campaign, "
                + "\(NumberText.exact(compared)) can be compared" : ""
        return Finding(
            section: "variants",
            sentence: """
                Variants of \(name: comparison.campaign) differ: \(name: best.name) was opened by \
                \(share(best, explained: "95 % interval ")), \(name: worst.name) by \(share(worst)). \(name: best.name) led on \
                \(all == 1 ? "its one delivery" : "\(led) of its \(NumberText.exact(all)) deliveries")\(left).
                """)
    }

    private func finding(_ platform: PlatformChange) -> Finding {
        let change = platform.first
        func noun(_ change: ShareChange) -> String { change.share.whole == .opened ? "open" : "message" }
        func share(_ share: Proportion, on days: [LogDate]) -> String {
            "\(NumberText.percent(share.rate)) of \(Text.plural(share.whole, of: noun(change))) on "
                + "\(Text.plural(days.count, of: "day")) (\(DateText.range(days[0], to: days[days.count - 1])))"
        }
        let others = platform.shares.dropFirst().map { other in
            let name = other.share.isToFall ? other.share.part.name : "opens without a click"
            return
                "; \(name) \(NumberText.percent(other.now.rate)) of \(Text.plural(other.now.whole, of: noun(other))), "
                + "before \(NumberText.percent(other.before.rate))"
        }
        let isFallen = change.share.isToFall
        let verb = (change.share.part == .arrived ? " " : " were ") + change.share.part.name
        return Finding(
            section: isFallen ? "funnel" : "quality",
            sentence: """
                \(isFallen ? "Fewer messages" : "More opens") of \(name: change.platform)\
                \(isFallen ? verb : " came without a click")\(change.since.map { " since \(DateText.short($0))" } ?? ""): \
                \(share(change.now, on: change.days)), before \(share(change.before, on: change.formerDays))\(others.joined()).
                """)
    }
}
