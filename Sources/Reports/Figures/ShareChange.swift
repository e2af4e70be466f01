import Calendar
import Counting

/// A share of a platform that differs on its last days from the days before, as when an app release loses clicks.
///
/// The last days are the last 7 days with enough later log dates. They are compared with the 28 days before them. If
/// the day is found on which the change began, the 28 days end before that day, and the last days do not begin earlier.
/// Only the last day of a page decides these days, so pages of one week and of three months say the same.
struct ShareChange {
    /// The part and the whole of a share, as columns of the funnel.
    struct Share {
        let part: FunnelColumn
        let whole: FunnelColumn
        /// Whether a fall is looked for, or else a rise. A fall must be below half of the former share, with at least
        /// 100 expected. A rise must be at least three times the former share, with at least 100 found.
        let isToFall: Bool

        /// The actions of a platform, each as a share of its messages; and opens without a click.
        static let all =
            [FunnelColumn.arrived, .impressed, .clicked, .opened].map {
                Share(part: $0, whole: .messages, isToFall: true)
            } + [Share(part: .openedWithoutClick, whole: .opened, isToFall: false)]

        /// Whether the share on the first of some days, and on each later day with enough expected, lies outside the
        /// range of all former shares.
        fileprivate func isOutside(_ former: [Proportion], on days: [Proportion]) -> Bool {
            guard former.count >= fewestFormer, let rate = Proportion(adding: former).rate,
                let lowest = former.compactMap(\.rate).min(), let highest = former.compactMap(\.rate).max()
            else { return false }
            let judged = days.filter { Double($0.whole) * rate >= leastOfDay }
            guard let first = days.first, judged.first == first else { return false }
            return judged.allSatisfy { day in day.rate.map { isToFall ? $0 < lowest : $0 > highest } ?? false }
        }
    }

    private static let lastDays = 7
    private static let formerDays = 28
    /// An earlier beginning cannot be found, since its days would be among the 28 days before.
    private static let reach = lastDays + formerDays
    /// With fewer than 100, nothing is judged. A day with fewer than 50 expected cannot begin a change.
    private static let (least, leastOfDay) = (100.0, 50.0)
    /// A single day, or a comparison with a single day, may be chance.
    private static let fewestDays = 2
    static let fewestDaysOfBoth = 9
    /// With fewer former days, the usual range of a day's share is not known.
    private static let fewestFormer = 7

    let platform: String
    let share: Share
    /// The days, and the share on them.
    let days: [LogDate]
    let now: Proportion
    let formerDays: [LogDate]
    let before: Proportion

    /// The first day of the change: from it on, each day's share lies outside the range before. Nil if no such day is
    /// found.
    private(set) var since: LogDate?

    /// By how many the part differs from what the former share would give.
    var size: Double { abs(Double(now.part) - (before.rate ?? 0) * Double(now.whole)) }

    /// A change of a share that lasts until a day; nil if the share has not changed.
    /// - Parameter totals: of the days that may be judged.
    init?(_ share: Share, of platform: String, in totals: [LogDate: [String: Totals]], until last: LogDate) {
        let shares = totals.mapValues { ($0[platform] ?? Totals()).share(share.part, of: share.whole) }
        let all = shares.keys.filter { $0 <= last }.sorted()
        guard let end = all.last else { return nil }
        var clearest: (change: ShareChange, z: Double)?
        var sum = Proportion(part: 0, whole: 0)
        var since: ShareChange?
        for index in all.indices.reversed() where end.dayNumber - all[index].dayNumber < ShareChange.reach {
            sum = Proportion(adding: [sum, shares[all[index]] ?? sum])
            let later = all[index...]
            let former = ShareChange.former(of: all, before: index)
            let last = Array(later.suffix(ShareChange.lastDays))
            let change = ShareChange(share, of: platform, with: shares, on: last, after: former)
            guard var change, let z = sum.z(above: change.before).map(abs) else { continue }
            if z > clearest?.z ?? 0 { clearest = (change, z) }
            if share.isOutside(former.compactMap { shares[$0] }, on: later.compactMap { shares[$0] }) {
                change.since = all[index]
                since = change
            }
        }
        guard let change = since ?? clearest?.change else { return nil }
        self = change
    }

    /// Another share of the same platform, on the same days as a given change.
    init(_ share: Share, like other: ShareChange, in totals: [LogDate: [String: Totals]]) {
        (platform, self.share, days, formerDays, since) =
            (other.platform, share, other.days, other.formerDays, other.since)
        func sum(_ days: [LogDate]) -> Proportion {
            Proportion(adding: days.compactMap { totals[$0]?[other.platform]?.share(share.part, of: share.whole) })
        }
        now = sum(days)
        before = sum(formerDays)
    }

    /// The days among the 28 before a day that may be judged.
    private static func former(of all: [LogDate], before index: Int) -> [LogDate] {
        all[..<index].suffix(formerDays).filter { all[index].dayNumber - $0.dayNumber <= formerDays }
    }

    /// Nil if the share has not changed enough.
    private init?(
        _ share: Share, of platform: String, with shares: [LogDate: Proportion], on days: [LogDate],
        after formerDays: [LogDate]
    ) {
        guard min(days.count, formerDays.count) >= ShareChange.fewestDays,
            days.count + formerDays.count >= ShareChange.fewestDaysOfBoth
        else { return nil }
        let groups = [days, formerDays].map { $0.compactMap { shares[$0] } }
        let now = Proportion(adding: groups[0])
        let before = Proportion(adding: groups[1])
        guard let rate = now.rate, let former = before.rate else { return nil }
        func isChanged(from former: Double, to now: Double) -> Bool {
            share.isToFall ? now < former / 2 : now >= former * 3
        }
        let judged = share.isToFall ? former * Double(now.whole) : Double(now.part)
        // A large delivery of another kind may change the sums, but not most of the days. So the median day must change
        // too. With an even number of days, the less changed of the two middle days counts.
        let middle = groups.map { $0.compactMap(\.rate).sorted() }.enumerated().map { index, rates in
            share.isToFall == (index == 0) ? rates[rates.count / 2] : rates[(rates.count - 1) / 2]
        }
        guard judged >= ShareChange.least, isChanged(from: former, to: rate), isChanged(from: middle[1], to: middle[0])
        else { return nil }
        let scatter = ProportionGroups(groups)
        guard let z = scatter.z(of: now, above: before), abs(z) >= Chance.bound(degrees: scatter.degrees) else {
            return nil
        }
        self.platform = platform
        self.share = share
        self.days = days
        self.formerDays = formerDays
        self.now = now
        self.before = before
    }
}
