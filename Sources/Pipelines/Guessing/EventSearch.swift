import Calendar
import Records

/// Finds the events of a vendor in any text that a load can unwrap.
///
///     {"event":"opened",…}                                      objects, or the elements of a list in them
///     message_id,event,at                                       CSV with a header
///     {"log":"{\"event\":\"opened\",…}\n","stream":"stdout"}    JSON in a value of an object: Docker, SQS, a JSON log
///     2026-11-19T10:00:00Z stdout F {"event":"opened",…}        JSON in a line: CRI, syslog, nginx
struct EventSearch {
    let lines: SampleLines
    /// The date in the file's path.
    let day: LogDate?
    /// The action that the file's path says, such as `event_type=users.messages.pushnotification.Open`; nil if it says
    /// none.
    let action: String?

    /// The best guess; nil if nothing in the text can hold events.
    func best() -> EventGuess? {
        var guesses: [EventGuess] = []
        for draft in drafts {
            guard let guess = best(draft) else { continue }
            if guess.lack == nil, guess.isKnown { return guess }
            guesses.append(guess)
        }
        if let action, let draft = drafts.first, guesses.allSatisfy({ !$0.isKnown || $0.names.isEmpty }),
            let events = objects(draft)
        {
            guesses.insert(EventGuess(for: draft, objects: events, on: day, all: action), at: 0)
        }
        return guesses.ranked { [$0.lack == nil ? 0 : 1, $0.names.isEmpty ? 1 : 0] }.first
    }

    /// The drafts to try, without the places of values. Drafts that need no unwrapping come first.
    private var drafts: [SourceDraft] {
        let first = lines.lines.first { !$0.isEmpty } ?? []
        // The name of a column may stand in brackets too.
        let inArray = first.dropFirst().first { $0 > 0x20 }
        let isArray = first.first == UInt8(ascii: "[") && inArray.map { "{[]".utf8.contains($0) } ?? true
        guard isArray || first.first == UInt8(ascii: "{") else {
            return [SourceDraft(.events, layout: "csv")] + payloads
        }
        return [SourceDraft(.events, layout: "body")] + payloads + wrapped
    }

    /// The drafts that find a payload in each line.
    private var payloads: [SourceDraft] {
        let hinted = lines.lines.indices.filter { lines.holdsObject($0) }
        return LayoutSearch(lines: lines, day: day).drafts(as: .events, hinted: hinted).filter {
            $0.layoutText != "body"
        }
    }

    /// The drafts that find a payload in a line that is wrapped in a JSON object.
    private var wrapped: [SourceDraft] {
        let paths = lines.fields(of: lines.lines.indices.filter(lines.isJSON)).pathsOfPayloads
        return paths.flatMap { path in
            EventSearch(lines: lines.unwrapped(path), day: day, action: nil).payloads.map { $0.unwrapping(path) }
        }
    }

    /// The objects that a draft finds, or the rows of a table; nil if it finds nothing.
    private func objects(_ draft: SourceDraft) -> JSONFieldGuess? {
        if draft.layout == .csv { return JSONFieldGuess(table: lines.bytes.span) }
        let objects = Elements.of(lines, draft: draft)
        return objects.isEmpty ? nil : JSONFieldGuess(objects)
    }

    /// The best guess for the objects that a draft finds: each is an event, or has a list of events.
    private func best(_ draft: SourceDraft) -> EventGuess? {
        guard let objects = objects(draft) else { return nil }
        let itself = EventGuess.best(for: draft, objects: objects, on: day)
        // An event may itself have lists, such as the events before it. So lists are searched only if the object is no
        // event.
        if itself.lack == nil { return itself }
        let first = JSONFieldGuess(Array(Elements.of(lines, draft: draft).prefix(20)))
        let lists = first.listsOfObjects.filter { $0.allSatisfy(\.isNameOfProgram) }
        let inLists = lists.compactMap { path in
            var draft = draft
            draft.elements = path
            return self.objects(draft).map { EventGuess.best(for: draft, objects: $0, on: day) }
        }
        let sound = inLists.filter { $0.lack == nil }
        guard var best = sound.ranked(by: { [-$0.names.values.reduce(0, +)] }).first else {
            return ([itself] + inLists).first { !$0.names.isEmpty } ?? itself
        }
        for other in sound.map(\.draft.elements) where other != best.draft.elements { best.noteOtherList(other) }
        return best
    }
}

/// The events of some lines, as a load finds them.
private struct Elements: RecordSink {
    private var found: [[UInt8]] = []

    static func of(_ lines: SampleLines, draft: SourceDraft) -> [[UInt8]] {
        // These rules know no action, so every event ends as a reject, whose evidence is the event itself.
        guard let rules = draft.rules() else { return [] }
        var elements = Elements()
        var reader = RecordReader(rules)
        reader.readSample(lines.bytes.span, isAtEnd: lines.isAtEnd, rules: rules, into: &elements)
        return elements.found
    }

    mutating func accept(_ record: Record, delivery: Span<UInt8>) {}
    mutating func filter(_ reason: FilterReason) {}

    mutating func reject(_ reason: RejectReason, line: Int, detail: () -> String, evidence: Span<UInt8>) {
        if reason == .missingAction { found.append(evidence.indices.map { evidence[$0] }) }
    }
}
