import Calendar
import Configuration
import Events
import Foundation
import Posix
import Records

/// The files to read for one log date, and the rules to read them by.
package struct LogDatePlan: Sendable {
    package let pipeline: Pipeline
    package let date: LogDate
    /// In the order of sources, then of paths.
    package let files: [InputFile]
    /// The stamps of the files when the plan was made, before any was read; nil where a later write might not show.
    package let stamps: [FileStamp?]
    /// By source index.
    let rules: [RecordRules]
    /// By source index.
    let sampleKeys: [SampleKeys]
    /// In order; one for each id space and kind of id.
    package let sections: [Section]
    /// By source index, the index of the section for the source's hex ids. The sections for UUIDs and opaque ids follow.
    let firstSections: [Int]

    package init(_ pipeline: Pipeline, date: LogDate, files: [InputFile]) {
        self.pipeline = pipeline
        self.date = date
        self.files = files
        let now = FileStamp.now()
        stamps = files.map { file in file.found.stamp.flatMap { $0.isSteady(at: now) ? $0 : nil } }
        let window = LogWindow(
            start: LogDatePlan.midnight(date, pipeline.zone),
            end: LogDatePlan.midnight(date.adding(days: 1), pipeline.zone), days: pipeline.windowDays)
        rules = pipeline.sources.map { $0.rules(pipeline, window: window) }
        sampleKeys = rules.map { SampleKeys($0) }
        let sections = Set(
            pipeline.sources.flatMap { source in
                Section.Kind.allCases.map { Section(idSpace: source.idSpace, kind: $0) }
            }
        ).sorted()
        self.sections = sections
        firstSections = pipeline.sources.map {
            sections.firstIndex(of: Section(idSpace: $0.idSpace, kind: Section.Kind.allCases[0])) ?? 0
        }
    }

    /// Required sources without files.
    var missingSources: [Source] {
        pipeline.sources.enumerated().filter { index, source in
            source.required && !files.contains { $0.source == index }
        }.map(\.element)
    }

    /// 00:00 of a date, in milliseconds since 1970-01-01T00:00:00Z; if the zone skips 00:00, the instant of the skip.
    private static func midnight(_ date: LogDate, _ zone: ZoneRules) -> Int64 {
        let local = Int64(date.dayNumber) * 86_400
        return (local - zone.offset(atLocal: local)) * 1000
    }
}

extension Source {
    fileprivate func rules(_ pipeline: Pipeline, window: LogWindow) -> RecordRules {
        let numbers = Dictionary(uniqueKeysWithValues: zip(pipeline.actionNames, UInt16(0)...))
        var rules = RecordRules(
            format: format, requireMcid: requireMcid, layout: layout, actions: actions.compactMapValues { numbers[$0] },
            zone: zone ?? pipeline.zone, window: window, path: path, platform: platform, fields: fields)
        (rules.unwrap, rules.elements, rules.platforms) = (unwrap, elements, platforms)
        return rules
    }
}
