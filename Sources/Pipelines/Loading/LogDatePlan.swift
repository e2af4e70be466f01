import Calendar
import Configuration
import Events
import Foundation
import Hashing
import LogFiles
import Partitions
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
    /// By source index, the index of the section for the source's hex ids. The sections for UUIDs and opaque ids
    /// follow.
    let firstSections: [Int]

    package init(_ pipeline: Pipeline, date: LogDate, files: [InputFile]) {
        self.pipeline = pipeline
        self.date = date
        self.files = files
        let now = FileStamp.now()
        stamps = files.map { file in file.found.stamp.flatMap { $0.isSteady(at: now) ? $0 : nil } }
        let window = LogWindow(
            start: LogDatePlan.midnight(of: date, in: pipeline.zone),
            end: LogDatePlan.midnight(of: date.adding(days: 1), in: pipeline.zone), days: pipeline.windowDays)
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

    /// The sources as the partition knows them.
    var loadedSources: [LoadedSource] {
        pipeline.sources.enumerated().map { index, source in
            LoadedSource(
                name: source.name, rules: pipeline.rules(of: source), hasFiles: files.contains { $0.source == index })
        }
    }

    /// 00:00 of a date, in milliseconds since 1970-01-01T00:00:00Z; if the zone skips 00:00, the instant of the skip.
    private static func midnight(of date: LogDate, in zone: ZoneRules) -> Int64 {
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
        rules.layouts = layouts
        rules.skip = skip
        rules.unwrap = unwrap
        rules.elements = elements
        rules.platforms = platforms
        rules.require = require
        rules.payloadZone = payloadZone
        rules.action = action.flatMap { numbers[$0] }
        rules.times = times.compactMap { action, path in numbers[action].map { ($0, path) } }
        return rules
    }
}

// The records about the files of a log date.

extension LogDatePlan {
    /// Installs the partition, unless the installed one has the same version and is undamaged. Returns whether that is
    /// so.
    /// - Parameter version: the version of the new partition.
    /// - Throws: `Stopped`, `OutputError`.
    func install(
        _ writer: PartitionWriter, version: String, in folder: OutputFolder, stop: StopFlag
    ) throws -> Bool {
        try stop.check()
        // Whatever is wrong with the installed partition, the new one replaces it.
        let installed = try? Partition(of: date, in: folder)
        let isSound =
            installed?.summary.version == version && (try? installed?.verify { stop.isRaised }) != nil
        try stop.check()
        if isSound { writer.discard() } else { try writer.install() }
        return isSound
    }

    /// Remembers the stamps of the loaded files, and ends an earlier hold.
    func noteLoaded(_ results: [FileResult], version: String, in locked: LockedOutput) throws {
        let remembered = results.compactMap { result in
            result.report.stamp.map { RememberedInputs.File(result.file.key(in: pipeline), stamp: $0) }
        }
        RememberedInputs(version: version, files: remembered).write(date, in: locked)
        try HeldLoad.remove(date, in: locked)
    }

    func loadedFile(_ result: FileResult) -> LoadedFile {
        LoadedFile(
            source: pipeline.sources[result.file.source].name, path: result.file.found.path,
            bytes: result.report.bytes, fingerprint: result.report.fingerprint, content: result.report.content,
            status: result.report.status, records: result.tally.records, accepted: result.tally.accepted,
            filtered: result.tally.filtered,
            rejected: result.tally.rejected)
    }

    /// The files of a held-back load. Of files that were not read, only size and stamp are known.
    func heldFiles(_ results: [FileResult]) -> [FormerFile] {
        guard results.isEmpty else { return results.map { FormerFile(loadedFile($0), stamp: $0.report.stamp) } }
        return zip(files, stamps).map { file, stamp in
            FormerFile(
                source: pipeline.sources[file.source].name, path: file.found.path, bytes: file.found.bytes,
                stamp: stamp)
        }
    }

    /// A fingerprint of all that the partition's content depends on: the program, the pipeline, and the files.
    func version(_ results: [FileResult]) -> String {
        let parts =
            [programVersion, pipeline.fingerprint, pipeline.zoneVersions, date.description]
            + results.map { loadedFile($0) }.flatMap { [$0.source, $0.path, $0.fingerprint, $0.status.rawValue] }
        let bytes = Array(parts.joined(separator: "\0").utf8)
        return WordHash.of(bytes.span, seed: 1).hexDigits + WordHash.of(bytes.span, seed: 2).hexDigits
    }
}

extension LogDatePlan {
    /// The files that are neither gzip, zstd nor plain text, by the beginning of every file; in the order of the plan's
    /// files.
    ///
    /// - Throws: `LogFileError` or `Stopped`.
    package func foreignFiles(jobs: Int, stop: StopFlag) throws -> [ForeignFile] {
        let found = try Fanout.map(jobs: jobs, pieces: files.count, stop: stop) { index in
            Result {
                var reader = BeginningReader()
                return try files[index].naming { try reader.read($0) }
            }
        }
        return try zip(files, found).compactMap { try ForeignFile(path: $0.found.path, beginning: $1.get()) }
    }
}
