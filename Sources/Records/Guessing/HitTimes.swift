import Calendar

/// The times at one place of several hits, such as those of a key or a column, in the order of the hits.
package struct HitTimes {
    /// Milliseconds since 1970.
    private let instants: [Int64]
    /// Whether all of them are written as numbers, which may be something else, such as ids.
    private let areNumbers: Bool

    private static let day: Int64 = 86_400_000

    init(_ instants: [Int64], areNumbers: Bool) {
        self.instants = instants
        self.areNumbers = areNumbers
    }

    /// How likely these are the times of the hits, from 0, the likeliest; nil if they are none.
    /// - Parameters:
    ///   - day: the date in the file's path.
    ///   - isNamed: whether the place has the name of a time.
    func rank(on day: LogDate?, isNamed: Bool) -> Int? {
        if instants.count > 1, Set(instants).count == 1 {
            // The time of something else, such as a build. Of a few hits it may be the time.
            return areNumbers && !isNamed && !isNear(day) ? nil : 2
        }
        if isNear(day) { return 0 }
        return !areNumbers || isNamed || isNearOneAnother || isInOrder ? 1 : nil
    }

    /// A date in a path may be of any time zone.
    private func isNear(_ day: LogDate?) -> Bool {
        guard let day else { return false }
        let start = Int64(day.dayNumber) * Self.day
        return isMost { (start - Self.day / 2..<start + Self.day * 3 / 2).contains($0) }
    }

    private var isNearOneAnother: Bool {
        guard !instants.isEmpty else { return false }
        let middle = instants.sorted()[instants.count / 2]
        return isMost { abs($0 - middle) <= Self.day }
    }

    /// As the lines of a log are.
    private var isInOrder: Bool {
        let ordered = zip(instants, instants.dropFirst()).count { $0 <= $1 }
        return instants.count > 2 && ordered * 10 >= (instants.count - 1) * 9
            && (instants.max() ?? 0) - (instants.min() ?? 0) < 400 * Self.day
    }

    private func isMost(_ isSo: (Int64) -> Bool) -> Bool {
        !instants.isEmpty && instants.count(where: isSo) * 10 >= instants.count * 9
    }
}
