import Counting
import Events
import Messages
import Output

/// The messages of a sample, each with its actions.
package struct SampleMessages: Sendable {
    private struct Key: Hashable {
        let space: String
        let kind: Section.Kind
        let id: EventID
    }

    private var actions: [Key: Set<String>] = [:]

    package init() {}

    mutating func add(_ action: String, of id: EventID, kind: Section.Kind, in space: String) {
        actions[Key(space: space, kind: kind, id: id), default: []].insert(action)
    }

    /// The messages with renamed actions. Actions without a new name are dropped, and so are messages without an
    /// action.
    func renamed(_ name: (String) -> String?) -> SampleMessages {
        var renamed = SampleMessages()
        renamed.actions = actions.mapValues { Set($0.compactMap(name)) }.filter { !$0.value.isEmpty }
        return renamed
    }

    /// Adds the messages of another file.
    package mutating func add(_ other: SampleMessages) {
        actions.merge(other.actions) { $0.union($1) }
    }

    /// The words for actions in sentences, where they are others.
    private static let words = [
        "arrival": "arrived", "impression": "impressed", "click": "clicked", "open": "opened",
    ]

    /// The counts in words: `12,044 sent, 310 failed, 1,204 opened; opens of 3 messages were never sent`. Nil if there
    /// is no message.
    package var sentence: String? {
        if actions.isEmpty { return nil }
        func count(_ action: String) -> Int { actions.values.count { $0.contains(action) } }
        let others = Set(actions.values.joined()).subtracting(Stages.actions).sorted()
        let list = (Stages.actions + others).filter { count($0) > 0 }
            .map { "\(Text.number(count($0))) \(SampleMessages.words[$0] ?? $0)" }.joined(separator: ", ")
        let unsent = actions.values.count { $0.contains("open") && !$0.contains("sent") }
        guard count("sent") > 0, unsent > 0 else { return list }
        return "\(list); opens of \(Text.plural(unsent, of: "message")) were never sent"
    }
}
