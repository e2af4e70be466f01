import Reference

/// The spellings of a time in JSON.
enum TimeText: String, CaseIterable {
    case zulu, offset, fraction, brazePattern, shortOffset, seconds, milliseconds
    // Rarer ones.
    case zoneless, decimalText, dateAlone, nanoseconds, decimal, west, exponent, millisecondText

    static let all = allCases
    static let common = Array(allCases.prefix(7))

    /// The pattern as `Bytes.append(time:as:)` takes it, the offset, and what gets lost: a rest of so many milliseconds.
    private var form: (pattern: String, offset: Int, grain: Int) {
        switch self {
        case .zulu: ("\"%Y-%m-%dT%H:%M:%SZ\"", 0, 1000)
        case .offset: ("\"%Y-%m-%dT%H:%M:%S%E\"", 3600, 1000)
        case .fraction: ("\"%Y-%m-%dT%H:%M:%S.%LZ\"", 0, 1)
        case .brazePattern: ("\"%Y-%m-%dT%H:%M:%S:%L%z\"", 3600, 1)
        case .shortOffset: ("\"%Y-%m-%dT%H:%M:%S+02\"", 7200, 1000)
        case .seconds: ("%s", 0, 1000)
        case .milliseconds: ("%Q", 0, 1)
        case .zoneless: ("\"%Y-%m-%d %H:%M:%S\"", 0, 1000)
        case .decimalText: ("\"%s.%L\"", 0, 1)
        case .dateAlone: ("\"%Y-%m-%d\"", 0, 86_400_000)
        case .nanoseconds: ("\"%Y-%m-%dT%H:%M:%S.%L987654Z\"", 0, 1)
        case .decimal: ("%s.%L9", 0, 1)
        case .west: ("\"%Y-%m-%dT%H:%M:%S.%L%E\"", -18_000, 1)
        case .exponent: ("%s.%Le0", 0, 1)
        case .millisecondText: ("\"%Q\"", 0, 1)
        }
    }

    /// The JSON text of a time, and what is left of the time, in milliseconds.
    func spell(_ milliseconds: Int) -> (json: String, time: Int) {
        let (pattern, offset, grain) = form
        var json = Bytes()
        json.append(time: milliseconds, as: pattern, offset: offset)
        return (json.text, floored(milliseconds, by: grain) * grain)
    }
}
