import Calendar
import Configuration
import Foundation
import LogFiles
import Messages
import Output
import Partitions

/// Compares what is loaded of a log date with the log dates before it: files that came on each of them, and hours in
/// which a source was never silent.
struct UsualLoads {
    /// The most earlier log dates to compare with.
    private static let most = 7
    /// With fewer, nothing is compared.
    private static let fewest = 3
    /// With fewer events in each earlier hour, silence may be chance.
    private static let busy = 20

    /// The part of a log date that is compared.
    private struct Load {
        /// Names of files without their date, by source.
        var names: [String: Set<String>] = [:]
        var files: [String: Int] = [:]
        /// Numbers of events of its own day, by source and hour.
        let hours: [String: [Int: Int]]
    }

    private let pipeline: Pipeline
    private let output: OutputFolder
    private let loaded: [LogDate]
    private var known: [LogDate: Load] = [:]

    /// - Parameter output: all loads have ended.
    init(of pipeline: Pipeline, in output: OutputFolder) throws {
        self.pipeline = pipeline
        self.output = output
        loaded = try output.logDates().reversed()
    }

    mutating func warnings(_ date: LogDate) -> [Message] {
        guard let today = load(of: date) else { return [] }
        let before = loaded.filter { $0 < date }.prefix(UsualLoads.most).compactMap { load(of: $0) }
        guard before.count >= UsualLoads.fewest else { return [] }
        let hours = pipeline.zone.hours(of: date)
        return pipeline.sources.compactMap { source in
            // Another message tells that the required source has no files.
            if source.required, today.files[source.name] == nil { return nil }
            return missingFiles(of: source, today: today, before: before, date: date, hours: hours)
                ?? silentHours(of: source, today: today, before: before, date: date, hours: hours)
        }
    }

    private func missingFiles(
        of source: Source, today: Load, before: [Load], date: LogDate, hours: [Int]
    ) -> Message? {
        let least = before.map { $0.files[source.name] ?? 0 }.min() ?? 0
        guard today.files[source.name] ?? 0 < least else { return nil }
        let always = before.dropFirst().reduce(before.first?.names[source.name] ?? []) {
            $0.intersection($1.names[source.name] ?? [])
        }
        // With one file per hour, an hour that the clock skips on this day has no file. Then there is one of the last
        // hour, too.
        let skipped = Set(0..<24).subtracting(hours)
        func isOfSkippedHour(_ name: String) -> Bool {
            name.ranges(of: /[0-9]+/).contains { range in
                name[range].count == 2 && Int(name[range]).map(skipped.contains) == true
                    && always.contains(name.replacingCharacters(in: range, with: "23"))
            }
        }
        // An invalid pattern has no name to show.
        let names = always.subtracting(today.names[source.name] ?? []).filter { !isOfSkippedHour($0) }.compactMap {
            (try? FilePattern($0))?.text(on: date)
        }.sorted()
        guard !names.isEmpty else { return nil }
        let message = Message(
            .missingUsualFiles,
            text:
                "source '\(source.name)' lacks \(names.few { "\(path: $0)" }), which the last \(before.count) dates had"
        )
        let short = names.few { path in "\(path.split(separator: "/").suffix(2).joined(separator: "/"))" }
        return message.with(gap: "lacks \(short)").acceptable(on: date)
    }

    private func silentHours(
        of source: Source, today: Load, before: [Load], date: LogDate, hours: [Int]
    ) -> Message? {
        let silent = hours.filter { hour in
            (today.hours[source.name]?[hour] ?? 0) == 0
                && before.allSatisfy { ($0.hours[source.name]?[hour] ?? 0) >= UsualLoads.busy }
        }
        guard !silent.isEmpty else { return nil }
        // Hours are neighbours if they follow one another on this day, even where the clock skips one.
        let places = silent.compactMap(hours.firstIndex)
        var ranges: [ClosedRange<Int>] = []
        for place in places {
            if let last = ranges.last, last.upperBound + 1 == place {
                ranges[ranges.count - 1] = last.lowerBound...place
            } else {
                ranges.append(place...place)
            }
        }
        let texts = ranges.map { (hours[$0.lowerBound], hours[$0.upperBound] + 1) }
        let more = ranges.count > 2 ? " and \(ranges.count - 2) more" : ""
        let text: MessageText =
            ranges.count == 1
            ? "from \(texts[0].0):00 to \(texts[0].1):00"
            : texts.prefix(2).map { "\($0.0):00-\($0.1):00" as MessageText }.joined(separator: ", ") + "\(more)"
        return Message(.silentHours, text: "source '\(source.name)' has no event \(text)")
            .with(gap: "has no event of \(source.name) \(text)").acceptable(on: date)
    }

    /// Nil if the log date is not loaded, or its partition cannot be read.
    private mutating func load(of date: LogDate) -> Load? {
        if let load = known[date] { return load }
        guard let partition = output.partition(of: date), let files = try? partition.files(),
            let hours = try? partition.hoursOfOwnDay()
        else { return nil }
        let renamed = pipeline.renamed(partition.summary.sources)
        func name(_ source: String) -> String { renamed[source] ?? source }
        var load = Load(hours: Dictionary(hours.map { (name($0.key), $0.value) }) { first, _ in first })
        let patterns = Dictionary(pipeline.sources.map { ($0.name, $0.files) }) { first, _ in first }
        for file in files {
            let source = name(file.source)
            load.files[source, default: 0] += 1
            if let path = patterns[source]?.undated(file.path, on: date) {
                load.names[source, default: []].insert(path.undated(date))
            }
        }
        known[date] = load
        return load
    }
}

extension Message {
    /// The message with the command that accepts the log date as it is.
    func acceptable(on date: LogDate) -> Message {
        var message = about(date, isNamed: false)
        message.remedy = .acceptance
        return message
    }
}

extension ZoneRules {
    /// The hours of the clock that a day has, in order.
    fileprivate func hours(of date: LogDate) -> [Int] {
        (0..<24).filter { hour in
            let local = Int64(date.dayNumber) * 86_400 + Int64(hour) * 3600
            let instant = local - offset(atLocal: local)
            return instant + offset(at: instant) == local
        }
    }
}

extension String {
    /// The text with placeholders for dates that are written out, as in `access-20261119.log`: the pattern may match a
    /// date by a star.
    fileprivate func undated(_ date: LogDate) -> String {
        let text = "\(date)"
        return replacing(text, with: "%Y-%m-%d").replacing(text.replacing("-", with: ""), with: "%Y%m%d")
    }
}

extension OutputFolder {
    /// A log date's partition; nil if there is none, or if it cannot be read or is known to be damaged.
    package func partition(of date: LogDate) -> Partition? {
        KnownPartitions(in: self).content(of: date, in: self)?.isSound ?? true
            ? try? Partition(of: date, in: self) : nil
    }
}
