import Calendar
import Configuration
import Foundation
import LogFiles
import Posix
import Records

/// What the beginning of a file shows about its format and layout.
package struct FileGuess: Sendable {
    package let file: Preview.File
    package let packing: Packing
    /// Nil if the file can be read.
    package let foreign: ForeignFile?
    /// The number of lines that were read.
    package let lines: Int
    /// Whether the whole file was read.
    package let isWhole: Bool
    /// The state of the file as far as it was read.
    package let status: FileStatus
    /// The offset of bytes after a gzip member that are ignored.
    package let trailingBytesAt: Int?
    /// The best way to read the file, for each format of which it has hits.
    package let trials: [Trial]
    /// The lines that seem to hold a hit or a payload, for each format.
    package let signs: [RecordFormat: Int]
    /// Of these, the lines that do not fit the layout.
    package let misfittingSigns: [RecordFormat: Int]
    /// The lines of the file that seem to hold more than one hit or payload, for each format.
    package let crowdedLines: [RecordFormat: Int]
    /// Accepted lines of a collector whose time has no offset.
    package let timesWithoutOffset: Int
    /// Collectors' hits without an mcId.
    package let hitsWithoutMcid: Int
    /// What the hits leave open about the layout, for each format.
    package let doubts: [RecordFormat: LayoutDoubts]
    package let otherLayout: OtherLayout?
    /// If lines seem to hold hits, and no layout makes one of them a hit.
    package let nearMiss: NearMiss?
    /// Why nothing can be made of it, if that is known.
    package let obstacle: Obstacle?
    /// The layout that most lines fit, if no line is a hit; nil if it fits less than half of them.
    package let plainLayout: SourceDraft?

    /// Reads the sample of a file.
    /// - Parameter known: drafts that were right for other files; they are tried first.
    /// - Throws: `LogFileError`.
    package init(of file: Preview.File, known: [SourceDraft]) throws {
        self.file = file
        let sample = try Sample(of: LogFile(file.location))
        packing = sample.beginning.packing
        foreign = ForeignFile(path: file.path, sample.beginning)
        trailingBytesAt = sample.trailingBytesAt
        let fileLines = SampleLines(sample)
        let raw = fileLines.withObjectsApart
        let unwrap = raw.fieldsOfHits.pathOfLines ?? []
        let text = unwrap.isEmpty ? raw : raw.unwrapped(unwrap)
        let day = FileNamePattern(file.location, day: nil).date
        let search = LayoutSearch(lines: text, day: day)
        (lines, isWhole, status) = (raw.count, sample.isWhole, sample.status)

        crowdedLines = Dictionary(
            uniqueKeysWithValues: RecordFormat.allCases.map { ($0, fileLines.linesWithSeveral($0)) })
        var signs: [RecordFormat: Int] = [:]
        var misfittingSigns: [RecordFormat: Int] = [:]
        var trials: [Trial] = []
        var doubts: [RecordFormat: LayoutDoubts] = [:]
        var otherLayout: OtherLayout?
        for format in RecordFormat.allCases {
            let hinted = text.lines(of: format)
            signs[format] = hinted.isEmpty ? nil : hinted.count
            guard !hinted.isEmpty else { continue }
            let same = search.best(
                of: known.filter { $0.format == format && $0.unwrap == unwrap }.map { $0.unwrapping([]) })
            let isRight = same.map { $0.hits > 0 && $0.fitting == $0.tally.records } ?? false
            // What counts is what a load makes of the lines as they are.
            guard let best = isRight ? same : search.best(format, hinted), best.isOfUse,
                let trial = unwrap.isEmpty ? best : Trial(best.draft.unwrapping(unwrap), raw)
            else { continue }
            if trial.hits > trials.map(\.hits).max() ?? 0 { otherLayout = search.otherLayout(beside: best) }
            trials.append(trial)
            doubts[format] = LayoutDoubts(best.draft, text, hinted: hinted, on: day)
            misfittingSigns[format] = Set(raw.lines(of: format).map { $0 + 1 }).intersection(trial.misfits).count
        }
        self.signs = signs
        self.misfittingSigns = misfittingSigns
        self.trials = trials
        self.doubts = doubts
        self.otherLayout = otherLayout
        let collector = trials.first { $0.draft.format == .collector }
        // In a zone one hour to the east such a time is one hour earlier.
        timesWithoutOffset =
            collector.flatMap { trial in
                let east = Trial(trial.draft, raw, zone: ZoneRules(name: "UTC+1", offset: 3600))
                return east.map { Int((trial.instants - $0.instants) / 3_600_000) }
            } ?? 0
        hitsWithoutMcid =
            collector.flatMap { Trial($0.draft, raw, requireMcid: true)?.tally.count(.notPush) } ?? 0
        nearMiss =
            trials.isEmpty
            ? signs.max { $0.value < $1.value }.flatMap { search.nearMiss($0.key, text.lines(of: $0.key)) } : nil
        obstacle = trials.isEmpty ? Obstacle(of: file.path, raw, packing) : nil
        plainLayout =
            trials.isEmpty
            ? search.best(of: LayoutSearch.namedCollectors).flatMap {
                $0.fitting * 2 >= max(1, $0.tally.records) ? $0.draft : nil
            }
            : nil
    }

    /// The day of most records, in UTC; nil without records.
    package var mainDay: LogDate? {
        var days: [LogDate: Int] = [:]
        for trial in trials { days.merge(trial.days, uniquingKeysWith: +) }
        return days.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
    }

    /// The date in the file's path, if it has one.
    package var nameDate: LogDate? { FileNamePattern(file.location, day: mainDay).date }
}
