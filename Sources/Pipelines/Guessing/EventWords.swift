import Counting
import Events
import Messages

/// What the names of events and platforms mean.
package enum EventWords {
    private static let actions = [
        "sent": "sent", "send": "sent", "sends": "sent", "accepted": "sent", "delivering": "sent",
        "dispatch": "sent", "dispatched": "sent", "dispatches": "sent",
        "failed": "failed", "fail": "failed", "fails": "failed", "failure": "failed", "failures": "failed",
        "bounce": "failed", "bounces": "failed", "bounced": "failed", "rejected": "failed", "aborted": "failed",
        "undelivered": "failed", "dropped": "failed", "error": "failed", "errors": "failed",
        "click": "click", "clicks": "click", "clicked": "click", "tap": "click", "taps": "click", "tapped": "click",
        "open": "open", "opens": "open", "opened": "open", "read": "open",
        "impression": "impression", "impressions": "impression", "impressed": "impression", "displayed": "impression",
        "display": "impression", "displays": "impression", "shown": "impression", "show": "impression",
        "view": "impression", "views": "impression", "viewed": "impression", "seen": "impression",
        "arrival": "arrival", "arrivals": "arrival", "arrived": "arrival",
        "delivered": "arrival", "delivery": "arrival", "deliveries": "arrival",
        "receive": "arrival", "receives": "arrival", "received": "arrival",
        "dismiss": "dismiss", "dismisses": "dismiss", "dismissed": "dismiss", "dismissal": "dismiss",
        "dismissals": "dismiss", "close": "dismiss", "closes": "dismiss", "closed": "dismiss",
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

    // A `Regex` never changes, but is not Sendable. Each is made once, since names are many.
    /// Whose name it is, before the name: a domain, as in CloudEvents, or a vendor, as in `[Amplitude] Push Opened`.
    nonisolated(unsafe) private static let owner =
        #/^(?:(?:com|org|net|app|dev|[a-z]{2})\.[a-z0-9\-]+\.(?=[a-z])|\[[A-Za-z ]+\] )/#
    /// Where a word begins with a capital letter.
    nonisolated(unsafe) private static let capital = #/([a-z])([A-Z])/#.matchingSemantics(.unicodeScalar)

    /// The action in an event's name: `push_opened`, `message.push.clicked`, `Push Notification Tap`. Nil if the name
    /// has a word that is not in the tables above, such as `email_opened`, or says that an app is opened without a word
    /// for a push.
    private static func action(named name: String) -> String? {
        let words = words(name)
        let isOfPush = words.contains(where: pushes.contains)
        let isKnown = words.allSatisfy { word in
            actions[word] != nil || pushes.contains(word) || others.contains(word) || word == "app" && isOfPush
        }
        // Without a word for a push, the app may be what is closed.
        let isOfApp = !isOfPush && words.contains { $0.hasPrefix("close") }
        if failures.contains(name) { return "failed" }
        guard isKnown, !isOfApp, name.shown == name else { return nil }
        return words.compactMap { actions[$0] }.last
    }

    /// The words of a name, without its owner: `com.shop.push.sent`.
    private static func words(_ name: String) -> [String] {
        slug(name.replacing(owner, with: "")).split(separator: "_").map(String.init)
    }

    /// The action in the name of a time: `opened_at`, `timeDelivered`, `opened`.
    static func actionOfTime(named name: String) -> String? {
        action(named: words(name).filter { !timeWords.contains($0) }.joined(separator: "_"))
    }

    /// Whether a name has a word for a time: `opened_at`.
    static func namesTime(_ name: String) -> Bool { words(name).contains(where: timeWords.contains) }

    /// The action in the last part of a path that names a push; nil if there is none.
    static func action(inPath path: String) -> String? {
        path.split { "/=".contains($0) }.map { String($0) }.last(where: namesPush).flatMap { action(named: $0) }
    }

    /// The place of an action in the usual order of a message's actions.
    static func order(_ action: String) -> Int {
        Stages.actions.firstIndex(of: action) ?? .max
    }

    /// The known actions, by the name of the event. If no name is known, each name becomes its own action. If all taps
    /// have one name and no name means an open, the tap counts as the open.
    package static func actions(named names: some Sequence<String>) -> [String: String] {
        var known = Dictionary(names.compactMap { name in action(named: name).map { (name, $0) } }) { a, _ in a }
        guard !known.isEmpty else { return Dictionary(names.map { ($0, slug($0)) }) { a, _ in a } }
        let taps = known.keys.filter(isTap)
        // The name may differ by system, such as `ios_push_tap` and `android_push_tap`.
        let kinds = Set(taps.map { words($0).filter { !others.contains($0) } })
        if kinds.count == 1, !known.values.contains("open") { for tap in taps { known[tap] = "open" } }
        return known
    }

    package static func isKnown(_ name: String) -> Bool { action(named: name) != nil }

    /// Whether a name is of a push although its action is not known.
    static func isUnknownOfPush(_ name: String) -> Bool {
        let words = words(name)
        return !isKnown(name) && words.contains(where: pushes.contains) && !words.contains(where: settings.contains)
    }
    /// Words for actions on push as a whole, not on one message.
    private static let settings: Set = [
        "token", "permission", "permissions", "opt", "setting", "settings", "subscription", "subscribe", "subscribed",
        "unsubscribe", "unsubscribed", "enabled", "disabled", "register", "registered", "registration",
    ]

    /// Whether a name means a tap.
    static func isTap(_ name: String) -> Bool { action(named: name) == "click" }

    /// Whether a name is known, and says that it is of a push.
    static func namesPush(_ name: String) -> Bool { isKnown(name) && words(name).contains(where: pushes.contains) }

    /// The name as an action's name in the figures: in lower case, with an underscore before each capital after a small
    /// letter.
    private static func slug(_ name: String) -> String {
        // `iOS` must stay one word.
        let name = name.replacing("iOS", with: "IOS")
        let words = name.replacing(capital) { "\($0.1)_\($0.2)" }
        let slug = words.unicodeScalars.map { scalar in
            scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
                ? String(scalar).lowercased() : "_"
        }.joined()
        let word = slug.drop { !$0.isLetter }
        return word.isEmpty ? "other" : String(word)
    }

    /// Beginnings of words for platforms. Where one beginning is part of another, the longer one comes first.
    private static let platforms: [(beginning: String, platform: Platform)] = [
        ("firefox", .web), ("web", .web), ("browser", .web), ("chrome", .web), ("safari", .web), ("edge", .web),
        ("opera", .web), ("ios", .ios), ("iphone", .ios), ("ipad", .ios), ("apple", .ios), ("apns", .ios),
        ("tvos", .ios), ("android", .android), ("amazon", .android), ("kindle", .android), ("fire", .android),
        ("huawei", .android), ("harmony", .android), ("gcm", .android),
    ]

    /// The platform of each word, in lower case. The words that pushetl itself uses for platforms are left out.
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
