import Reference
import Synchronization
import Testing

@testable import Records

/// The reference must make the same of a text as the program has: the same outcomes in any order, the lines of rejects, and of
/// each accepted record all its values.
/// - Parameter layout: the text of a layout that has no name.
func expectReference(
    _ found: Collected, _ rules: RecordRules, layout: String? = nil, _ text: [UInt8], isTruncated: Bool = false,
    longestBody: Int = 8 << 20
) {
    guard let source = rules.source(layout) else { return }
    let expected = summaries(rules, source, text, isTruncated: isTruncated, longestBody: longestBody)
    #expect(found.summaries.sorted() == expected.sorted(), "\(String(decoding: text.prefix(2000), as: UTF8.self))")
}

/// What the reference makes of a text.
private func summaries(
    _ rules: RecordRules, _ source: Pipeline.Source, _ text: [UInt8], isTruncated: Bool, longestBody: Int
) -> [String] {
    var pipeline = Pipeline()
    pipeline.timeZone = "Europe/Madrid"
    // 2026-11-19
    var reading = Reading(source: source, pipeline: pipeline, logDate: Day(number: 20_776))
    reading.longestBody = longestBody
    var file = Unpacked([])
    file.text = text
    if isTruncated { file.status = .truncated }
    return reading.records(file).map { record in
        switch record.outcome {
        case .accepted(let hit, let isFallback):
            let number = hit.broadlogID.pieces(":")[1].text.filter { $0 != "-" }
            let id = hit.broadlogID.hasPrefix("opaque:") ? digest(Bytes(hit.broadlogID.dropFirst(7))) : number
            return "\(id) \(hit.deliveryID.text) \(hit.action) \(hit.time) \(hit.platform) \(isFallback)"
        case .filtered(let reason): return reason
        case .rejected(let reason): return "\(reason) \(record.line)"
        }
    }
}

/// An opaque id is known by its digest alone.
private func digest(_ text: [UInt8]) -> String {
    let id = Records.BroadlogID(joined: text.span).id
    return "opaque \(id.high) \(id.low)"
}

extension Collected {
    fileprivate var summaries: [String] {
        items.map { item in
            switch item {
            case .accepted(let record, let delivery):
                let (high, low) = (record.id.high, record.id.low)
                let low16 = String(repeating: "0", count: low.leadingZeroBitCount / 4) + String(low, radix: 16)
                let high16 = String(repeating: "0", count: high.leadingZeroBitCount / 4) + String(high, radix: 16)
                let id =
                    switch record.kind {
                    case .hex: String(low, radix: 16)
                    case .uuid: high16 + low16
                    default: "opaque \(high) \(low)"
                    }
                let platform = record.platform
                return "\(id) \(delivery) \(record.action) \(record.time) \(platform) \(record.clockFallback)"
            case .filtered(let reason): return reason.code
            case .rejected(let reason, let line, _): return "\(reason.code) \(line)"
            }
        }
    }
}

/// Layouts by their texts, since reading one takes longer than reading a line by it.
private let layouts = Mutex<[String: Layout?]>([:])

private func layout(_ text: String) -> Layout? {
    layouts.withLock { known in
        if let layout = known[text] { return layout }
        let layout = try? Layout(parsing: text)
        known[text] = .some(layout)
        return layout
    }
}

extension RecordRules {
    /// The same for the reference. Nil if it is not known how the layout is spelt.
    fileprivate func source(_ text: String?) -> Pipeline.Source? {
        guard layouts.count == 1 || text == nil,
            let text = text ?? (Layout.names.contains(self.layout.name) ? self.layout.name : nil),
            RecordsTests.layout(text) == self.layout
        else { return nil }
        let formats: [RecordFormat: Pipeline.Format] = [
            .collector: .collector, .mzip: .mzip, .usersTrack: .usersTrack, .events: .events,
        ]
        var source = Pipeline.Source(name: "a", format: formats[format] ?? .collector, files: "")
        let named = Dictionary(uniqueKeysWithValues: Pipeline.Layout.named.map { ($0.text, $0) })
        let isApache = if case .apache = self.layout { true } else { false }
        source.layout = named[text] ?? (isApache ? .apache(text) : .nginx(text))
        // Of several layouts each has a name.
        source.otherLayouts = layouts.dropFirst().compactMap { named[$0.name] }
        guard source.layouts.count == layouts.count else { return nil }
        source.skip = skip
        source.unwrap = unwrap.isEmpty ? nil : unwrap.joined(separator: ".")
        source.requiresMcid = requireMcid
        source.path = path
        source.platform = platform.map { "\($0)" }
        source.actions = actions.mapValues { "\($0)" }
        for field in FieldPaths.Field.allCases {
            source.fields[field.rawValue] = source.path(of: fields[field])
        }
        source.idParts = fields.idParts.compactMap { source.path(of: $0) }
        source.required = require.map { PathText.text($0) }
        source.action = action.map { "\($0)" }
        source.times = times.map { Pipeline.TimedAction("\($0.action)", PathText.text($0.path)) }
        source.timeZone = payloadZone?.name
        source.elements = elements.isEmpty ? nil : elements.joined(separator: ".")
        source.platforms = Dictionary(uniqueKeysWithValues: platforms.map { ($0.key.lowercased(), "\($0.value)") })
        return source
    }
}

extension Pipeline.Source {
    /// The first path of a place, the others being noted; nil if there is none.
    fileprivate mutating func path(of place: ValuePlace) -> String? {
        let paths = place.paths.map { PathText.text($0) }
        if paths.count > 1 { otherPaths[paths[0]] = Array(paths.dropFirst()) }
        return paths.first
    }
}
