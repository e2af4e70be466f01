import Calendar
import Foundation
import LogFiles
import Records
import Warehouse

/// What loading a log date came to.
package struct LogDateReport: Sendable {
    package enum Verdict: Sendable {
        case complete
        case partial
        /// Former content stands.
        case heldBack(HoldReason)
        case noFiles
        /// Former content stands.
        case failed(any Error)
    }

    /// Something that a person should know, and that stops nothing.
    package enum Warning: Sendable {
        /// A gzip file that ends inside a member.
        case truncatedFile(path: String)
        /// A plain file that became shorter while it was read.
        case shortenedFile(path: String)
        case damagedFile(path: String, wholeMembers: Int)
        case trailingBytes(path: String, offset: Int)
        case missingSource(name: String, pattern: String)
        case missingFolder(source: String, folder: String)
        /// Of a source with many records. `first` is the most frequent reason, and where it stands first.
        case nothingAccepted(source: String, records: Int, first: FileTally.FrequentReason)
        /// All accepted records have a user agent, and no platform is known of any.
        case unknownPlatforms(source: String, accepted: Int)
        /// Most events lie on days that are neither the log date nor next to it; the days of all events.
        case distantEvents(source: String, distant: Int, events: Int, days: ClosedRange<LogDate>)
        /// Of most accepted records the payload's time was implausible.
        case implausibleTimes(source: String, fallbacks: Int, accepted: Int)
    }

    package let date: LogDate
    package internal(set) var verdict: Verdict
    /// Whether the partition that stands says the same already, and was left as it is.
    package internal(set) var isUnchanged = false
    /// How the log date stood before; nil where nobody asked.
    package internal(set) var stateBefore: LogDateState?
    package internal(set) var files = 0
    package internal(set) var bytes = 0
    package internal(set) var tally = FileTally()
    package internal(set) var events = 0
    /// Days since 1970-01-01 on which the partition has events.
    package internal(set) var days: [Int32] = []
    package internal(set) var warnings: [Warning] = []
    /// Why the load is partial, if it is.
    package internal(set) var partialCauses: [PartialCause] = []
    /// Of a date that was held back, the first of each reason.
    package internal(set) var rejects: [Reject] = []
    package internal(set) var seconds = 0.0
    /// When the load began and ended.
    var started = Date()
    var finished = Date()

    package var duplicates: Int { max(0, tally.accepted - events) }

    /// Whether the log date's partition is what this load made, be it new or as it was.
    package var isLoaded: Bool {
        switch verdict {
        case .complete, .partial: true
        default: false
        }
    }

    /// Whether the log date has a new partition.
    package var isInstalled: Bool { isLoaded && !isUnchanged }
}
