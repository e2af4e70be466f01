import Events
import Messages

/// What the names of events and platforms mean.
package enum EventWords {
    private static let actions = [
        "sent": "sent", "send": "sent", "sends": "sent", "accepted": "sent", "delivering": "sent",
        "dispatch": "sent", "dispatched": "sent",
        "failed": "failed", "fail": "failed", "failure": "failed", "bounce": "failed", "bounced": "failed",
        "rejected": "failed", "aborted": "failed", "undelivered": "failed", "dropped": "failed", "error": "failed",
        "click": "click", "clicked": "click", "tap": "click", "tapped": "click", "open": "open", "opened": "open",
        "impression": "impression", "impressed": "impression", "displayed": "impression", "shown": "impression",
        "display": "impression", "show": "impression", "view": "impression", "viewed": "impression",
        "arrival": "arrival", "arrived": "arrival", "delivered": "arrival", "delivery": "arrival", "receive": "arrival",
        "received": "arrival", "dismiss": "dismiss", "dismissed": "dismiss", "close": "dismiss", "closed": "dismiss",
    ]
    private static let pushes: Set = [
        "push", "notification", "notifications", "pushnotification", "notif", "message", "messages", "msg",
    ]
    private static let others: Set = [
        "mobile", "ios", "android", "web", "event", "events", "user", "users", "campaign", "foreground", "background",
    ]
    /// Why Firebase Cloud Messaging could not send a message, as its export to BigQuery has it:
    /// https://firebase.google.com/docs/cloud-messaging/understand-delivery
    private static let failures: Set = [
        "AUTHENTICATION_ERROR", "INVALID_APNS_CREDENTIAL", "INVALID_PACKAGE_NAME", "INVALID_PARAMETERS",
        "INVALID_REGISTRATION", "INVALID_TTL", "MESSAGE_RECEIVED_INTERNAL_ERROR", "MISMATCH_SENDER_ID",
        "MISSING_REGISTRATIONS", "PAYLOAD_TOO_LARGE", "QUOTA_EXCEEDED", "UNAUTHORIZED_REGISTRATION",
    ]
    private static let timeWords: Set = ["at", "on", "time", "date", "ts", "timestamp", "datetime", "utc", "ms"]

    /// The action that an event's name says: `push_opened`, `message.push.clicked`, `Push Notification Tap`. Nil if the name has
    /// a word that is not in the tables above, as `email_opened` has, or if an app is opened and no word names a push.
    private static func action(named name: String) -> String? {
        let words = words(name)
        let isOfPush = words.contains(where: pushes.contains)
        let isKnown = words.allSatisfy { word in
            actions[word] != nil || pushes.contains(word) || others.contains(word) || word == "app" && isOfPush
        }
        // What is closed may be an app.
        let isOfApp = !isOfPush && words.contains { $0.hasPrefix("close") }
        if failures.contains(name) { return "failed" }
        guard isKnown, !isOfApp, name.shown == name else { return nil }
        return words.compactMap { actions[$0] }.last
    }

    /// Types of events may begin with a domain, as CloudEvents have it: `com.shop.push.sent`.
    private static func words(_ name: String) -> [String] {
        let own = name.replacing(#/^(?:com|org|net|app|dev|[a-z]{2})\.[a-z0-9\-]+\.(?=[a-z])/#, with: "")
        return slug(own).split(separator: "_").map(String.init)
    }

    /// The action of which a time is, by its name: `opened_at`, `timeDelivered`. Nil if the name does not say that it is a time.
    static func actionOfTime(named name: String) -> String? {
        let words = words(name)
        let others = words.filter { !timeWords.contains($0) }
        return others.count < words.count ? action(named: others.joined(separator: "_")) : nil
    }

    /// The action that a part of a path says; nil if none says one of a push.
    static func action(inPath path: String) -> String? {
        path.split { "/=".contains($0) }.map { String($0) }.last(where: namesPush).flatMap { action(named: $0) }
    }

    /// The place of an action among those of a message.
    static func order(_ action: String) -> Int {
        ["sent", "failed", "arrival", "impression", "click", "open"].firstIndex(of: action) ?? .max
    }

    /// The actions of events by their names, of those that are known. If none is, each is an action of its own. If there is one
    /// event for a tap, and no open, it is an open.
    package static func actions(named names: some Sequence<String>) -> [String: String] {
        var known = Dictionary(names.compactMap { name in action(named: name).map { (name, $0) } }) { a, _ in a }
        guard !known.isEmpty else { return Dictionary(names.map { ($0, slug($0)) }) { a, _ in a } }
        let taps = known.keys.filter(isTap)
        // On each system it may have another name.
        let kinds = Set(taps.map { words($0).filter { !others.contains($0) } })
        if kinds.count == 1, !known.values.contains("open") { for tap in taps { known[tap] = "open" } }
        return known
    }

    package static func isKnown(_ name: String) -> Bool { action(named: name) != nil }

    /// Whether a name says that it is of a push, and not what happens to it.
    static func isUnknownOfPush(_ name: String) -> Bool {
        let words = words(name)
        return !isKnown(name) && words.contains(where: pushes.contains) && !words.contains(where: settings.contains)
    }
    /// What people do with pushes as a whole.
    private static let settings: Set = [
        "token", "permission", "permissions", "opt", "setting", "settings", "subscription", "subscribe", "subscribed",
        "unsubscribe", "unsubscribed", "enabled", "disabled", "register", "registered", "registration",
    ]

    /// Whether a name says that somebody taps something.
    static func isTap(_ name: String) -> Bool { action(named: name) == "click" }

    /// Whether a name is known, and says that it is of a push.
    static func namesPush(_ name: String) -> Bool { isKnown(name) && words(name).contains(where: pushes.contains) }

    /// The name as an action's name in the figures: in lower case, with an underscore before each capital after a small
    /// letter.
    private static func slug(_ name: String) -> String {
        // One word, whatever its capitals say.
        let name = name.replacing("iOS", with: "IOS")
        let words = name.replacing(#/([a-z])([A-Z])/#.matchingSemantics(.unicodeScalar)) { "\($0.1)_\($0.2)" }
        let slug = words.unicodeScalars.map { scalar in
            scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
                ? String(scalar).lowercased() : "_"
        }.joined()
        let word = slug.drop { !$0.isLetter }
        return word.isEmpty ? "other" : String(word)
    }

    /// How words for platforms begin, the longest first where one begins another.
    private static let platforms: [(beginning: String, platform: Platform)] = [
        ("firefox", .web), ("web", .web), ("browser", .web), ("chrome", .web), ("safari", .web), ("edge", .web),
        ("opera", .web), ("ios", .ios), ("iphone", .ios), ("ipad", .ios), ("apple", .ios), ("apns", .ios),
        ("tvos", .ios), ("android", .android), ("amazon", .android), ("kindle", .android), ("fire", .android),
        ("huawei", .android), ("harmony", .android), ("gcm", .android),
    ]

    /// Which platform each word in lower case means, without the words that are pushetl's own names of platforms.
    package static func platforms(_ words: some Sequence<String>) -> [String: Platform] {
        let ours = Set(Platform.allCases.map(\.name))
        let known = words.filter { !ours.contains($0) }.compactMap { word in platform(word).map { (word, $0) } }
        return Dictionary(uniqueKeysWithValues: known)
    }

    /// The platform that a word in lower case names; nil if it names none.
    package static func platform(_ word: String) -> Platform? {
        platforms.first { word.hasPrefix($0.beginning) }?.platform
    }
}
