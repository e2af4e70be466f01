import Configuration
import Messages
import Records

// What a draft says of the names of actions.

extension EventGuess {
    /// Notes what counts as an open where no name says so.
    mutating func noteTaps(_ meanings: [String: String]) {
        let taps = meanings.filter { EventWords.isTap($0.key) }
        guard !taps.isEmpty, !meanings.contains(where: { $0.value == "open" && taps[$0.key] == nil }) else { return }
        let areOpens = taps.values.contains("open")
        let text =
            areOpens
            ? "no name says 'open', so \(taps.keys.sorted().map { "'\($0)'" }.joined(separator: ", ")) counts as open: "
                + "a tap opens the app; write click where it does not"
            : "no name says 'open': where a click opens the app, write open for click, or no message is opened"
        doubts.insert(Doubt(.actions, text: text))
    }

    /// Notes names that are of a push although it is not known what happens in them, and events that do not count for
    /// other reasons if they are most of all.
    mutating func noteUncounted(_ meanings: [String: String]) {
        guard isKnown else { return }
        let saysOpen = meanings.contains { $0.value == "open" && !EventWords.isTap($0.key) }
        if !saysOpen, !hiddenNames.isEmpty {
            let hidden = Text.plural(hiddenNames.count, of: "other name")
            let key = draft.fields[.action].text
            doubts.insert(Doubt(.actions, text: "no name says 'open', and \(key) has \(hidden), which may be personal"))
        }
        let uncounted = names.filter { meanings[$0.key] == nil }
        let ofPush = uncounted.filter { EventWords.isUnknownOfPush($0.key) }
        if !ofPush.isEmpty {
            let what = "it is not known what happens in \(Self.few(ofPush))"
            let text = saysOpen ? "not counted, since \(what)" : "no name says 'open', and \(what)"
            doubts.insert(Doubt(.actions, text: text))
        }
        let others = uncounted.filter { ofPush[$0.key] == nil }
        let events = names.values.reduce(0, +) + hiddenNames.values.reduce(0, +)
        let left = others.values.reduce(0, +)
        if left * 2 > events {
            let number = "\(Text.number(left)) of \(Text.plural(events, of: "event"))"
            doubts.insert(Doubt(.actions, text: "not counted: \(number), such as \(Self.few(others))"))
        }
    }

    /// The most frequent names: `'feed_viewed', 'app_started', 'login' and 36 more`.
    private static func few(_ names: [String: Int]) -> String {
        let listed = names.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(3).map { "'\($0.key)'" }
        let rest = names.count > listed.count ? " and \(names.count - listed.count) more" : ""
        return listed.joined(separator: ", ") + rest
    }
}
