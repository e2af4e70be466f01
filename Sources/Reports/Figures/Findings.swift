import Calendar
import Counting
import Messages

/// What stands out in a period.
struct Findings {
    /// A change of opened by a smaller share is none to tell of.
    private static let leastChange = 0.05

    let figures: ReportFigures

    /// At most six: one about deliveries, one about opened, two about variants, two about what the platforms tell.
    var all: [Finding] {
        [failures, change].compactMap { $0 } + variants.filter(\.differs).prefix(2).compactMap(finding)
            + PlatformChange.all(figures.usual, until: figures.period.last).prefix(2).map(finding)
    }

    /// Says that nothing stands out, and of what.
    var nothing: String {
        var checks: [String] = []
        if usualShares.values.contains(where: { $0.median != nil }) { checks.append("no delivery failed") }
        if variants.contains(where: { $0.z != nil }) { checks.append("variants of one campaign do not differ") }
        if isOpenedJudged { checks.append("opened did not change by more than it usually does") }
        if figures.usual.count >= ShareChange.fewestDaysOfBoth {
            checks.append("no action of a platform fell below half of its share")
        }
        return checks.isEmpty
            ? "Nothing stands out: there is too little to compare."
            : "Nothing stands out: \(checks.joined(separator: ", "))."
    }

    // MARK: Deliveries

    private var usualShares: [DeliveryGroup: UsualShare] { UsualShare.all(figures.now.deliveries, figures.table) }

    private var failures: Finding? {
        let failed = figures.now.deliveries.filter(\.isFailed).sorted { ($1.size, $0.id) < ($0.size, $1.id) }
        guard let first = failed.first, let usual = usualShares[first.group], let median = usual.median else {
            return nil
        }
        var parts: [Finding.Part] = [
            .text(failed.count == 1 ? "A delivery failed: " : "\(NumberText.exact(failed.count)) deliveries failed: ")
        ]
        for (index, delivery) in failed.prefix(3).enumerated() {
            parts += [
                .text(index == 0 ? "" : ", "), .name(delivery.name),
                .text(
                    " with \(Text.plural(delivery.counts.seen, of: "message")) of "
                        + "\(NumberText.exact(delivery.sent ?? 0)) sent (\(NumberText.percent(delivery.seenRate)))"),
            ]
        }
        if failed.count > 3 { parts.append(.text(" and \(NumberText.exact(failed.count - 3)) more")) }
        let (count, all) = (usual.shares.count, figures.now.deliveries.count)
        parts.append(
            .text(
                " arrived or were seen. Of \(Text.plural(count, of: "delivery", irregular: "deliveries"))"
                    + (count < all ? " that can be compared, of \(NumberText.exact(all))," : "")
                    + " half have \(NumberText.percent(median)) or more."))
        return Finding("deliveries", parts)
    }

    // MARK: Opened

    /// The days on which opened is compared: those that still grow would seem to have fallen.
    private var days: [LogDate] { figures.comparableMatureDays }

    /// Whether opened changed by more than it usually does; nil if there are too few days to tell.
    private var isOpenedUnusual: Bool? {
        guard let before = figures.before else { return nil }
        let usual = figures.usual.filter { $0.key < figures.period.first }
        return Scatter(counts: usual.mapValues { $0.values.reduce(0) { $0 + $1[.opened] } }).isExceeded(
            by: days.map { day in
                (figures.now.sum([day])[.opened], before.sum(figures.counterparts([day]))[.opened])
            })
    }

    private var isOpenedJudged: Bool { isOpenedUnusual != nil }

    private var change: Finding? {
        guard isOpenedUnusual == true, let comparedName = figures.comparedName else { return nil }
        let (now, before) = figures.compared(days)
        let (opened, former) = (now[.opened], before[.opened])
        let difference = opened - former
        guard difference != 0, Double(abs(difference)) >= Double(former) * Findings.leastChange else { return nil }
        let platforms = Set(figures.now.platforms + (figures.before?.platforms ?? [])).map { name in
            let (now, before) = figures.compared(days, platform: name)
            return (name: name, change: now[.opened] - before[.opened])
        }.filter { $0.change != 0 }.sorted { (abs($1.change), $0.name) < (abs($0.change), $1.name) }
        let all = figures.period.count
        var parts: [Finding.Part] = [
            .text(
                "Opened \(difference < 0 ? "fell" : "rose") by \(NumberText.exact(abs(difference))) "
                    + (former > 0 ? "(\(NumberText.change(from: former, to: opened))) " : "")
                    + "against \(comparedName), from "
                    + "\(NumberText.exact(former)) to \(NumberText.exact(opened))"
                    + (days.count < all
                        ? " on the \(NumberText.exact(days.count)) of \(Text.plural(all, of: "day")) that can be compared"
                        : "") + ": ")
        ]
        for (index, platform) in platforms.enumerated() {
            parts += [
                .text(index == 0 ? "" : ", "), .name(platform.name), .text(" \(NumberText.signed(platform.change))"),
            ]
        }
        parts.append(.text(rates))
        return Finding("funnel", parts)
    }

    /// `. Of messages it is 18.0 %, before 20.0 %.`, for each group of deliveries.
    private var rates: String {
        let all = figures.groups.map { group in
            let (now, before) = figures.compared(days, of: group)
            return "it is \(NumberText.percent(now.rate(.opened, of: .messages))), before "
                + NumberText.percent(before.rate(.opened, of: .messages))
                + (figures.name(of: group).map { " (\($0))" } ?? "")
        }
        return ". Of messages \(all.joined(separator: "; "))."
    }

    // MARK: Variants

    private var variants: [VariantComparison] { VariantComparison.all(figures.now.deliveries) }

    private func finding(_ comparison: VariantComparison) -> Finding? {
        guard let (best, worst) = comparison.ends else { return nil }
        func share(_ variant: VariantComparison.Variant, _ name: String) -> String {
            "\(NumberText.percent(variant.opened.rate)) of \(NumberText.exact(variant.opened.whole)) sent "
                + "(\(name)\(NumberText.interval(variant.opened.interval)))"
        }
        let (led, all) = (best.deliveriesAbove(worst), best.deliveries.count)
        let compared = comparison.variants.reduce(0) { $0 + $1.deliveries.count }
        return Finding(
            "variants",
            [
                .text("Variants of "), .name(comparison.campaign), .text(" differ: "), .name(best.name),
                .text(" was opened by \(share(best, "95 % interval ")), "), .name(worst.name),
                .text(" by \(share(worst, "")). "), .name(best.name),
                .text(" led on \(all == 1 ? "its one delivery" : "\(led) of its \(NumberText.exact(all)) deliveries")"),
                .text(
                    comparison.left > 0
                        ? "; of \(NumberText.exact(compared + comparison.left)) deliveries of the campaign, "
                            + "\(NumberText.exact(compared)) can be compared." : "."),
            ])
    }

    // MARK: What the platforms tell

    private func finding(_ platform: PlatformChange) -> Finding {
        let change = platform.first
        func noun(_ change: ShareChange) -> String { change.share.whole == .opened ? "open" : "message" }
        func share(_ share: Proportion, _ days: [LogDate]) -> String {
            "\(NumberText.percent(share.rate)) of \(Text.plural(share.whole, of: noun(change))) on "
                + "\(Text.plural(days.count, of: "day")) (\(DateText.range(days[0], days[days.count - 1])))"
        }
        let isFallen = change.share.isToFall
        let verb = change.share.part == .arrived ? " " : " were "
        let others = platform.shares.dropFirst().map { other in
            let name = other.share.isToFall ? other.share.part.name : "opens without a click"
            return
                "; \(name) \(NumberText.percent(other.now.rate)) of \(Text.plural(other.now.whole, of: noun(other))), "
                + "before \(NumberText.percent(other.before.rate))"
        }
        return Finding(
            isFallen ? "funnel" : "quality",
            [
                .text(isFallen ? "Fewer messages of " : "More opens of "), .name(change.platform),
                .text(
                    (isFallen ? verb + change.share.part.name : " came without a click")
                        + (change.since.map { " since \(DateText.short($0))" } ?? "") + ": "
                        + share(change.now, change.days) + ", before " + share(change.before, change.formerDays)
                        + others.joined() + "."),
            ])
    }
}

/// Something that stands out, as a sentence with the figures that it stands on.
struct Finding {
    enum Part {
        case text(String)
        /// A name from the data.
        case name(String)
    }

    /// The section of the page that shows more.
    let section: String
    let parts: [Part]

    init(_ section: String, _ parts: [Part]) {
        self.section = section
        self.parts = parts
    }
}

/// How much a count differs from that of a week earlier where nothing happens: earlier days say what is usual.
///
/// The difference of two counts a and b is taken as (a − b) / (a + b), so that quiet and busy days can be put together.
struct Scatter {
    /// Fewer pairs of days tell nothing.
    private static let leastPairs = 6

    /// The counts of the days that say what is usual.
    let counts: [LogDate: Int]

    /// Whether two sums differ by more than days and weeks usually do; nil if there are too few days to tell.
    /// - Parameter pairs: the counts of days, and those of their counterparts.
    func isExceeded(by pairs: [(now: Int, before: Int)]) -> Bool? {
        let sizes = pairs.map { Double($0.now) + Double($0.before) }
        let size = sizes.reduce(0, +)
        let (days, length) = (squaredDifferences(days: 1), min(pairs.count, 7))
        guard size > 0, days.count >= Scatter.leastPairs else { return nil }
        let weeks = squaredDifferences(days: length)
        let difference = abs(pairs.reduce(0.0) { $0 + Double($1.now) - Double($1.before) }) / size
        // Days that scatter each for itself; days of a week that rise and fall together; and counts by chance alone. Runs of
        // days overlap, so they tell less than as many single days.
        let limits = [
            Scatter.limit(days, sizes.reduce(0) { $0 + $1 * $1 } / (size * size), degrees: days.count),
            Scatter.limit(weeks, Double(length) / Double(pairs.count), degrees: 2 * weeks.count / (length + 1)),
            Chance.enough / size.squareRoot(),
        ]
        return limits.allSatisfy { difference >= $0 }
    }

    /// The difference that is too large to be usual, if the variance of a sum is so many times that of these differences.
    private static func limit(_ squared: [Double], _ factor: Double, degrees: Int) -> Double {
        guard degrees > 0 else { return 0 }
        let variance = squared.reduce(0, +) / Double(squared.count) * factor
        return variance.squareRoot() * Chance.bound(degrees: degrees)
    }

    /// The differences between runs of so many days and the same days a week earlier, of which each has its count.
    private func squaredDifferences(days length: Int) -> [Double] {
        counts.keys.sorted().compactMap { last in
            var (now, before) = (0.0, 0.0)
            for day in (0..<length).map({ last.adding(days: -$0) }) {
                guard let count = counts[day], let former = counts[day.adding(days: -7)] else { return nil }
                now += Double(count)
                before += Double(former)
            }
            let difference = (now - before) / max(now + before, 1)
            return difference * difference
        }
    }
}
