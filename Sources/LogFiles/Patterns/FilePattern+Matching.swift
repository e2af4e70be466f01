import Calendar

extension FilePattern {
    /// What the names on the way have said about the log date.
    struct DateParts: Hashable {
        var year: Int?
        var month: Int?
        var day: Int?
        var dayOfYear: Int?

        /// With this value too, or nil if the names on the way have said another.
        func setting(_ placeholder: Placeholder, to value: Int) -> DateParts? {
            let path: WritableKeyPath<DateParts, Int?> =
                switch placeholder {
                case .year: \.year
                case .month: \.month
                case .day: \.day
                case .dayOfYear: \.dayOfYear
                }
            guard let known = self[keyPath: path] else {
                var parts = self
                parts[keyPath: path] = value
                return parts
            }
            return known == value ? self : nil
        }

        /// The dates that it can be: none where the year is open, many where only the year is known.
        var dates: [LogDate] {
            guard let year, let newYear = LogDate(year: year, month: 1, day: 1) else { return [] }
            if let dayOfYear {
                guard (1...(CivilCalendar.isLeap(year) ? 366 : 365)).contains(dayOfYear) else { return [] }
                let date = newYear.adding(days: dayOfYear - 1)
                return (month ?? date.month, day ?? date.day) == (date.month, date.day) ? [date] : []
            }
            let months = month.map { $0...$0 } ?? 1...12
            return months.flatMap { month in
                (day.map { $0...$0 } ?? 1...31).compactMap { LogDate(year: year, month: month, day: $0) }
            }
        }
    }
}

extension FilePattern.Part {
    /// Whether the name fits, and what it says about the date: each way in which it fits gives one value; none if it
    /// does not fit.
    func matches(_ name: String, knowing parts: FilePattern.DateParts) -> Set<FilePattern.DateParts> {
        guard case .name(let tokens) = self else { return [] }
        if name.isDotName, tokens.first != .literal(".") { return [] }
        var match = NameMatch(tokens: tokens, name: Array(name.unicodeScalars))
        match.advance(from: .init(token: 0, scalar: 0, parts: parts))
        return match.found
    }
}

extension String {
    /// Whether a name is hidden. Not `hasPrefix`, which asks for a whole character: an accent may follow the dot.
    var isDotName: Bool { utf8.first == UInt8(ascii: ".") }
}

/// One name against one part. It remembers where it has been, so that many stars cost no exponential time.
private struct NameMatch {
    struct Place: Hashable {
        var token: Int
        var scalar: Int
        var parts: FilePattern.DateParts

        func moved(tokens: Int, scalars: Int) -> Place {
            Place(token: token + tokens, scalar: scalar + scalars, parts: parts)
        }
    }

    let tokens: [FilePattern.Token]
    let name: [Unicode.Scalar]
    var found: Set<FilePattern.DateParts> = []
    private var seen: Set<Place> = []

    init(tokens: [FilePattern.Token], name: [Unicode.Scalar]) {
        self.tokens = tokens
        self.name = name
    }

    mutating func advance(from start: Place) {
        var open = [start]
        while let place = open.popLast() {
            guard seen.insert(place).inserted else { continue }
            guard place.token < tokens.count else {
                if place.scalar == name.count { found.insert(place.parts) }
                continue
            }
            switch tokens[place.token] {
            case .anyRun:
                open.append(place.moved(tokens: 1, scalars: 0))
                if place.scalar < name.count { open.append(place.moved(tokens: 0, scalars: 1)) }
            case .placeholder(let placeholder):
                guard let value = number(at: place.scalar, digits: placeholder.width),
                    let parts = place.parts.setting(placeholder, to: value)
                else { continue }
                open.append(Place(token: place.token + 1, scalar: place.scalar + placeholder.width, parts: parts))
            case let token:
                guard place.scalar < name.count, fits(name[place.scalar], token) else { continue }
                open.append(place.moved(tokens: 1, scalars: 1))
            }
        }
    }

    private func fits(_ scalar: Unicode.Scalar, _ token: FilePattern.Token) -> Bool {
        switch token {
        case .literal(let wanted): scalar == wanted
        case .anyOne: true
        case .oneOf(let negated, let ranges): ranges.contains { $0.contains(scalar) } != negated
        case .anyRun, .placeholder: false
        }
    }

    private func number(at start: Int, digits: Int) -> Int? {
        guard start + digits <= name.count else { return nil }
        var value = 0
        for scalar in name[start..<(start + digits)] {
            guard ("0"..."9").contains(scalar) else { return nil }
            value = value * 10 + Int(scalar.value - 48)
        }
        return value
    }
}
