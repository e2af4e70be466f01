import Calendar

/// The changed shares of a platform. They usually have one cause.
struct PlatformChange {
    /// The changed shares, all about the same days. The first is the largest fall.
    let shares: [ShareChange]

    var first: ShareChange { shares[0] }

    /// The changes of the platforms, the largest first.
    static func all(in totals: [LogDate: [String: Totals]], until last: LogDate) -> [PlatformChange] {
        let all = Set(totals.values.flatMap(\.keys)).sorted().compactMap { platform -> PlatformChange? in
            let found = ShareChange.Share.all.compactMap { ShareChange($0, of: platform, in: totals, until: last) }
            let sorted = found.sorted {
                ($1.share.isToFall ? 1 : 0, $1.size, $0.share.part.name)
                    < ($0.share.isToFall ? 1 : 0, $0.size, $1.share.part.name)
            }
            // The change that began first decides the days.
            let dated = found.filter { $0.since != nil }
            let began = dated.min { $0.since?.dayNumber ?? 0 < $1.since?.dayNumber ?? 0 }
            guard let days = began ?? sorted.first else { return nil }
            return PlatformChange(shares: sorted.map { ShareChange($0.share, like: days, in: totals) })
        }
        return all.sorted { ($1.first.size, $0.first.platform) < ($0.first.size, $1.first.platform) }
    }
}
