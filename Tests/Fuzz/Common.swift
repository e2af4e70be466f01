import Calendar
import Events
import Foundation
import LogFiles
import Reference

@testable import Records

/// Ends the process unless `holds`, so that the fuzzer keeps the input.
func expect(_ holds: Bool, _ text: @autoclosure () -> String) {
    guard !holds else { return }
    FileHandle.standardError.write(Data((text() + "\n").utf8))
    abort()
}

/// A fuzzer's input, cut up from its front.
struct Input {
    private(set) var rest: ArraySlice<UInt8>

    init(_ data: UnsafePointer<UInt8>?, _ size: Int) {
        rest = Array(UnsafeBufferPointer(start: data, count: size))[...]
    }

    mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

    /// What stands before the next line feed, or all.
    mutating func line() -> [UInt8] {
        let line = rest.prefix { $0 != 0x0A }
        rest = rest.dropFirst(line.count + 1)
        return Array(line)
    }

    var bytes: [UInt8] { Array(rest) }
}

/// A source as the program has it and as the reference has it, and what each makes of the same bytes.
struct Twin {
    private static let zoneName = "Europe/Madrid"
    private static let actionNames = [
        "arrival", "button_1", "button_2", "button_close", "click", "impression", "open",
    ]

    let rules: RecordRules
    private let reading: Reading

    init(_ format: Pipeline.Format, _ layout: Pipeline.Layout, change: (inout Pipeline.Source) -> Void = { _ in }) {
        var pipeline = Pipeline()
        pipeline.timeZone = Twin.zoneName
        var source = Pipeline.Source(name: "fuzzed", format: format, files: "")
        source.layout = layout
        if format == .usersTrack {
            source.actions = ["push_impression": "impression", "push_click": "click", "push_open": "open"]
        }
        change(&source)
        guard let date = Day("2026-11-19") else { abort() }
        reading = Reading(source: source, pipeline: pipeline, logDate: date)
        func names(_ path: String) -> [String] { layout == .csv ? [path] : pathNames(path) }
        func place(_ path: String) -> ValuePlace {
            ValuePlace(firstOf: ([path] + (source.otherPaths[path] ?? [])).map(names))
        }
        var rules = RecordRules(
            format: RecordFormat(rawValue: format.rawValue) ?? .collector, requireMcid: source.requiresMcid,
            layout: Twin.layout(layout),
            actions: source.actions.mapValues { UInt16(Twin.actionNames.firstIndex(of: $0) ?? 0) },
            zone: (try? ZoneDatabase.zone(Twin.zoneName)) ?? .utc,
            window: LogWindow(
                start: Int64(reading.start), end: Int64(reading.believed.upperBound - 86_400_000),
                days: pipeline.windowDays),
            path: source.path,
            platform: source.platform.flatMap { name in Platform.allCases.first { $0.name == name } },
            fields: [:])
        for field in FieldPaths.Field.allCases { rules.fields[field] = source.fields[field.rawValue].map(place) ?? [] }
        rules.layouts = source.layouts.map { Twin.layout($0) }
        rules.skip = source.skip
        rules.unwrap = source.unwrap.map { [$0] } ?? []
        rules.fields.idParts = source.idParts.map(place)
        rules.require = source.required.map(names)
        rules.action = source.action.map { UInt16(Twin.actionNames.firstIndex(of: $0) ?? 0) }
        rules.times = source.times.map { time in
            (UInt16(Twin.actionNames.firstIndex(of: time.action) ?? 0), names(time.path))
        }
        rules.payloadZone = format == .events ? source.timeZone.flatMap { try? ZoneDatabase.zone($0) } : nil
        rules.elements = source.elements.map(pathNames) ?? []
        rules.platforms = source.platforms.compactMapValues { name in Platform.allCases.first { $0.name == name } }
        self.rules = rules
    }

    private static func layout(_ layout: Pipeline.Layout) -> Layout {
        guard let layout = try? Layout(parsing: layout.text) else { abort() }
        return layout
    }

    /// What the reference says of a file, a line a record.
    /// - Parameter longestBody: in bytes; nil for the program's own limit.
    func expected(_ file: Unpacked, longestBody: Int? = nil) -> [String] {
        var reading = reading
        if let longestBody { reading.longestBody = longestBody }
        return reading.records(file).map { record in
            switch record.outcome {
            case .accepted(let hit, let clockFallback):
                let fallback = clockFallback ? " by another clock" : ""
                return
                    "accepted \(Twin.id(hit.broadlogID)) \(hit.action) \(hit.time) \(hit.platform) "
                    + "'\(hit.deliveryID.text)'\(fallback)"
            case .filtered(let reason): return "filtered \(reason)"
            case .rejected(let reason): return "rejected \(reason) \(record.line)"
            }
        }
    }

    /// An opaque id is only known by its digest.
    private static func id(_ id: Reference.BroadlogID) -> String {
        guard id.hasPrefix("opaque:") else { return id.text }
        return "opaque:\(Records.BroadlogID(joined: Array(id.dropFirst(7)).span).id)"
    }

    struct Lines: RecordSink {
        let keys: SampleKeys
        var lines: [String] = []

        init(_ rules: RecordRules) { keys = SampleKeys(rules) }

        mutating func accept(_ record: Records.Record, delivery: Span<UInt8>) {
            let id = BroadlogID(kind: record.kind, id: record.id)
            let text = record.kind == .opaque ? "opaque:\(record.id)" : "\(record.kind):\(id)"
            let fallback = record.clockFallback ? " by another clock" : ""
            let deliveryText = delivery.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
            lines.append(
                "accepted \(text) \(Twin.actionNames[Int(record.action)]) \(record.time) \(record.platform.name) "
                    + "'\(deliveryText)'\(fallback)")
        }

        mutating func filter(_ reason: FilterReason) {
            lines.append("filtered \(reason.code)")
        }

        mutating func reject(_ reason: RejectReason, line: Int, detail: () -> String, evidence: Span<UInt8>) {
            _ = detail()
            lines.append("rejected \(reason.code) \(line)")
            let sample = maskedSample(of: evidence, keys: keys)
            expect(sample.utf8.count <= 200, "a sample of \(sample.utf8.count) bytes")
        }
    }

    /// What the program says of a file that it reads line by line.
    func linesFound(_ file: Unpacked) -> [String] {
        var parser = LineParser(rules)
        var sink = Lines(rules)
        for line in file.lines {
            // As the program does it: the quick way first. Some bytes must lie after a line.
            let text = line.bytes + [UInt8](repeating: 0x0A, count: 65)
            if parser.parseOrdinaryLines(text.span, from: 0, into: &sink).lines == 0 {
                parser.parse(line.bytes.span, number: line.number, into: &sink)
            }
        }
        return sink.lines
    }

    /// What the program says of a file of bodies, or of rows, that comes in pieces of `chunk` more bytes.
    func bodiesFound(_ file: Unpacked, chunk: Int, longestBody: Int?) -> [String] {
        if rules.layout == .csv { return found(file, chunk, RowReader(rules)) { $0.read($1, ending: $2, into: &$3) } }
        let reader = BodyReader(rules, limit: longestBody ?? Reference.longestBody, rowLimit: 4)
        return found(file, chunk, reader) { $0.read($1, ending: $2, into: &$3) }
    }

    private func found<Reader>(
        _ file: Unpacked, _ chunk: Int, _ reader: Reader,
        read: (inout Reader, Span<UInt8>, BodyReader.Ending, inout Lines) -> Int
    ) -> [String] {
        var reader = reader
        let bytes = file.text
        var sink = Lines(rules)
        var done = 0
        var end = 0
        while end < bytes.count {
            end = min(end + chunk, bytes.count)
            let last = file.status == .truncated ? BodyReader.Ending.cut : .fileEnds
            let ending = end == bytes.count ? last : .moreComes
            done += read(&reader, bytes.span.extracting(done..<end), ending, &sink)
        }
        return sink.lines
    }

    /// In any order: of the records of a body only rejects have a place that matters, and it is compared.
    func compareLines(_ bytes: [UInt8]) {
        let expected = expected(Unpacked(bytes)).sorted()
        let found = linesFound(Unpacked(bytes)).sorted()
        expect(found == expected, "the program: \(found)\nthe reference: \(expected)")
    }
}
