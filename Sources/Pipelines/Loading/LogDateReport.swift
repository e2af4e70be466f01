import Calendar
import Foundation
import LogFiles
import Output
import Partitions

/// The result of loading a log date.
package struct LogDateReport: Sendable {
    /// How the load ended.
    package enum Verdict: Sendable {
        case complete
        case partial
        /// The partition from before stays.
        case heldBack(HoldReason)
        case noFiles
        /// The partition from before stays.
        case failed(any Error)
    }

    /// Something that a person should know and that does not stop the load.
    package enum Warning: Sendable {
        /// A compressed file that ends inside a member.
        case truncatedFile(path: String, Packing)
        /// A plain file that became shorter while it was read.
        case shortenedFile(path: String)
        case damagedFile(path: String, wholeMembers: Int)
        case trailingBytes(path: String, offset: Int)
        case missingSource(name: String, pattern: String)
        case missingFolder(source: String, folder: String)
        /// No record of a source was accepted. `first` is the most frequent reason, with its first location.
        case nothingAccepted(source: String, records: Int, first: FileTally.Count)
        /// All accepted records have a user agent, and no user agent names a platform.
        case unknownPlatforms(source: String, accepted: Int)
        /// Most events are more than a day from the log date. `days` spans all events.
        case distantEvents(source: String, distant: Int, events: Int, days: ClosedRange<LogDate>)
        /// A source has far fewer or far more records than usual.
        case unusualVolume(VolumeDeviation)
        /// An action of a platform has far fewer or far more events than usual.
        case unusualEvents(VolumeDeviation)
        /// Files of a source that the last log dates all had. The date is a mark in their paths.
        /// Accepted are the files of a load with `--force`, and of one with the same content as an accepted one.
        case missingUsualFiles(paths: [String], dates: Int, isAccepted: Bool)
        /// Most accepted records have an implausible payload time.
        case implausibleTimes(source: String, fallbacks: Int, accepted: Int)
    }

    package let date: LogDate
    package var verdict: Verdict
    /// Whether the installed partition has the same content already, so that it was left alone.
    package var isUnchanged = false
    /// The log date's state before the load; nil if it was not compared.
    package internal(set) var stateBefore: LogDateState?
    /// Number of log files.
    package internal(set) var files = 0
    /// Bytes of the log files on disk.
    package internal(set) var bytes = 0
    /// Counts of the records of all files.
    package internal(set) var tally = FileTally()
    /// Events of the new partition, before it is compared with others.
    package internal(set) var events = 0
    /// Days since 1970-01-01 on which the partition has events.
    package internal(set) var days: [Int32] = []
    package internal(set) var warnings: [Warning] = []
    /// If the installed partition has the same content already, the warnings that push.db keeps of it.
    package internal(set) var standingWarnings = LoadWarnings()
    /// Why the load is partial, if it is.
    package internal(set) var partialCauses: [PartialCause] = []
    /// If the date was held back, the first reject of each reason.
    package internal(set) var rejects: [Reject] = []
    /// Seconds from the beginning to the end of the load.
    package internal(set) var seconds = 0.0
    /// When the load began and ended.
    private(set) var started = Date()
    private(set) var finished = Date()

    package init(date: LogDate, verdict: Verdict) {
        self.date = date
        self.verdict = verdict
    }

    /// Notes how long the load has taken.
    package mutating func end(_ stopwatch: Stopwatch) {
        (started, finished, seconds) = (stopwatch.started, stopwatch.finished, stopwatch.seconds)
    }

    /// Accepted records that are not events of the partition.
    package var duplicates: Int { max(0, tally.accepted - events) }

    /// Whether the log date's partition has the content of this load.
    package var isLoaded: Bool {
        switch verdict {
        case .complete, .partial: true
        default: false
        }
    }

    /// Whether the log date has a new partition.
    package var isInstalled: Bool { isLoaded && !isUnchanged }
}
