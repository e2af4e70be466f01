import Calendar

/// A message, and how serious it is.
package struct Notice: Hashable, Sendable {
    package let level: MessageLevel
    package var message: Message

    package init(_ level: MessageLevel, message: Message) {
        self.level = level
        self.message = message
    }

    /// What comes first for an operator: errors, then held-back log dates, missing files and hours, and other warnings.
    fileprivate var rank: Int {
        switch message.code {
        case .held: 1
        case let code where code.isOfHeldBack: 1
        case .missingSource, .missingUsualFiles, .silentHours, .noFiles: 2
        default: level == .error ? 0 : level == .warning ? 3 : 4
        }
    }

    /// What notices with one cause have in common: numbers and paths differ from file to file.
    fileprivate struct Cause: Hashable {
        let level: MessageLevel
        let code: MessageCode
        let words: String
        /// Of one log date, or of none, each is a message.
        var number = 0
    }

    fileprivate var cause: Cause {
        Cause(level: level, code: message.code, words: message.text.withoutPaths.replacing(/[0-9][0-9,.]*/, with: "0"))
    }
}

extension [Notice] {
    /// One for each cause, with all its log dates and the words of the latest, in the order in which an operator reads
    /// them.
    package func gathered() -> [Notice] {
        var causes: [Notice.Cause] = []
        var groups: [Notice.Cause: [Notice]] = [:]
        var counts: [Notice.Cause: [LogDate?: Int]] = [:]
        for notice in self {
            var cause = notice.cause
            let date = notice.message.logDate
            let number = counts[cause, default: [:]][date, default: 0]
            counts[cause, default: [:]][date] = number + 1
            cause.number = date == nil ? -1 - number : number
            if groups[cause] == nil { causes.append(cause) }
            groups[cause, default: []].append(notice)
        }
        // The sort is stable.
        return causes.compactMap { groups[$0].map { (latest: $0.compactMap(\.message.logDate).max(), of: $0) } }
            .sorted { a, b in
                if a.of[0].rank != b.of[0].rank { return a.of[0].rank < b.of[0].rank }
                let none = LogDate.written.lowerBound
                return a.latest ?? none > b.latest ?? none
            }
            .map { $0.of.merged }
    }

    /// Those of one cause.
    private var merged: Notice {
        let dates = Set(compactMap(\.message.logDate)).sorted()
        var notice = first { $0.message.logDate == dates.last } ?? self[0]
        if dates.count > 1 {
            let areSame = allSatisfy { $0.message.text == notice.message.text }
            notice.message = notice.message.about(dates, areSame: areSame)
        }
        return notice
    }
}
