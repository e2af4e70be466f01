import Calendar
import Counting

/// A share of a platform that is another on its last days than before: an app release that loses clicks, for example.
///
/// The last days are the last 7 that have enough later log dates, and those before are the 28 before these. Where the change
/// began later than that, there are fewer last days; where it began earlier, the 28 days are those before it began.
struct ShareChange {
    /// What is divided by what.
    struct Share {
        let part: FunnelColumn
        let whole: FunnelColumn
        /// Whether it must be below half of what it was, and 100 or more were to be expected. Else it must be three times that, and
        /// there are 100 or more.
        let isToFall: Bool

        /// The actions of a platform, each as a share of its messages; and opens without a click.
        static let all =
            [FunnelColumn.arrived, .impressed, .clicked, .opened].map {
                Share(part: $0, whole: .messages, isToFall: true)
            } + [Share(part: .openedWithoutClick, whole: .opened, isToFall: false)]
    }

    private static let lastDays = 7
    private static let formerDays = 28
    /// On fewer than 100 nothing is judged.
    private static let least = 100.0
    /// What is one day alone, or is compared with one day alone, may be chance.
    private static let fewestDays = 2
    static let fewestDaysOfBoth = 9

    let platform: String
    let share: Share
    /// The days, and the share on them.
    let days: [LogDate]
    let now: Proportion
    let formerDays: [LogDate]
    let before: Proportion

    /// The day from which on the share is the new one, as far as the days tell.
    let since: LogDate

    /// How many are missing, or too many, against the former share.
    var size: Double { abs(Double(now.part) - (before.rate ?? 0) * Double(now.whole)) }

    /// A change of a share that may have begun in a period, where it is clearest; nil if there is none.
    /// - Parameter totals: of the days that may be judged, also before the period.
    init?(_ share: Share, of platform: String, _ totals: [LogDate: [String: Totals]], in period: ReportPeriod) {
        let shares = totals.mapValues { ($0[platform] ?? Totals()).share(share.part, of: share.whole) }
        let all = shares.keys.filter { $0 <= period.last }.sorted()
        // The last 7 days may begin before the period.
        let first = period.first.adding(days: 1 - ShareChange.lastDays)
        var clearest: (change: ShareChange, z: Double)?
        var since = Proportion(part: 0, whole: 0)
        for index in all.indices.reversed() where all[index] >= first {
            let day = all[index]
            since = Proportion(adding: [since, shares[day] ?? since])
            let former = all[..<index].suffix(ShareChange.formerDays)
                .filter { day.dayNumber - $0.dayNumber <= ShareChange.formerDays }
            let change = ShareChange(
                share, platform, shares, Array(all[index...].suffix(ShareChange.lastDays)), former, day)
            guard let change, let z = since.z(above: change.before).map(abs), z > clearest?.z ?? 0 else { continue }
            clearest = (change, z)
        }
        guard let clearest else { return nil }
        self = clearest.change
    }

    /// Nil if the share has not changed enough.
    private init?(
        _ share: Share, _ platform: String, _ shares: [LogDate: Proportion], _ days: [LogDate], _ formerDays: [LogDate],
        _ since: LogDate
    ) {
        guard min(days.count, formerDays.count) >= ShareChange.fewestDays,
            days.count + formerDays.count >= ShareChange.fewestDaysOfBoth
        else { return nil }
        let groups = [days, formerDays].map { $0.compactMap { shares[$0] } }
        let (now, before) = (Proportion(adding: groups[0]), Proportion(adding: groups[1]))
        guard let rate = now.rate, let former = before.rate else { return nil }
        func isChanged(from former: Double, to now: Double) -> Bool {
            share.isToFall ? now < former / 2 : now >= former * 3
        }
        let judged = share.isToFall ? former * Double(now.whole) : Double(now.part)
        // Large deliveries of another kind change the sums, but not most of the days: the middle day must change as well. Of an
        // even number of days it is the one that changes less.
        let middle = groups.map { $0.compactMap(\.rate).sorted() }.enumerated().map { index, rates in
            share.isToFall == (index == 0) ? rates[rates.count / 2] : rates[(rates.count - 1) / 2]
        }
        guard judged >= ShareChange.least, isChanged(from: former, to: rate), isChanged(from: middle[1], to: middle[0])
        else { return nil }
        let scatter = ProportionGroups(groups)
        guard let z = scatter.z(of: now, above: before), abs(z) >= Chance.bound(degrees: scatter.degrees) else {
            return nil
        }
        (self.platform, self.share, self.days, self.formerDays) = (platform, share, days, formerDays)
        (self.now, self.before, self.since) = (now, before, since)
    }
}
