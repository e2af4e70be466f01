import Events
import Messages

/// What the names of events and platforms mean.
package enum EventWords {
    private static let actions = [
        "click": "click", "clicked": "click", "tap": "click", "tapped": "click", "open": "open", "opened": "open",
        "impression": "impression", "impressed": "impression", "displayed": "impression", "shown": "impression",
        "display": "impression", "show": "impression", "view": "impression", "viewed": "impression",
        "arrival": "arrival", "arrived": "arrival", "delivered": "arrival", "delivery": "arrival", "receive": "arrival",
        "received": "arrival", "dismiss": "dismiss", "dismissed": "dismiss", "close": "dismiss", "closed": "dismiss",
    ]
    private static let pushes: Set = [
        "push", "notification", "notifications", "pushnotification", "notif", "message", "messages", "msg",
    ]
    private static let others: Set = ["mobile", "ios", "android", "web", "event", "events", "user", "users"]

    /// The action that an event's name says: `push_opened`, `message.push.clicked`, `Push Notification Tap`. Nil if the name has
    /// a word that is not in the tables above, as `email_opened` has, or if an app is opened and no word names a push.
    private static func action(named name: String) -> String? {
        let words = slug(name).split(separator: "_").map(String.init)
        let isOfPush = words.contains(where: pushes.contains)
        let isKnown = words.allSatisfy { word in
            actions[word] != nil || pushes.contains(word) || others.contains(word) || word == "app" && isOfPush
        }
        guard isKnown, name.shown == name else { return nil }
        return words.compactMap { actions[$0] }.last
    }

    /// The actions of events by their names, of those that are known. If none is, each is an action of its own.
    package static func actions(named names: some Sequence<String>) -> [String: String] {
        let known = names.compactMap { name in action(named: name).map { (name, $0) } }
        let all = known.isEmpty ? names.map { ($0, slug($0)) } : known
        return Dictionary(uniqueKeysWithValues: all)
    }

    package static func isKnown(_ name: String) -> Bool { action(named: name) != nil }

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
        ("huawei", .android), ("gcm", .android),
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
