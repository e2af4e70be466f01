/// A point of a draft that a person has to check.
package struct Doubt: Hashable, Sendable {
    /// The most serious first.
    package enum Rank: Int, Sendable {
        case nothingCounts, lostLines, lostFiles, ids, time, status, platform, codes, dialect, actions, mcid, zone,
            files
        case output
    }

    package let rank: Rank
    package let text: String

    package init(_ rank: Rank, text: String) {
        self.rank = rank
        self.text = text
    }
}
