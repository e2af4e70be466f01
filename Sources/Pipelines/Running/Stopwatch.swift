import Foundation

/// When something began, and how long it took. The duration comes from a monotonic clock, so nothing ends before it
/// began even if the system's time is set back.
package struct Stopwatch: Sendable {
    package let started = Date()
    private let begin = ContinuousClock.now

    package init() {}

    /// The seconds since the beginning.
    package var seconds: Double { (ContinuousClock.now - begin) / .seconds(1) }
    /// The time at which it began, and the seconds since.
    package var finished: Date { started + seconds }
}
