import Foundation

/// When something began, and how long it has taken. The duration does not depend on the system's time, which may be set
/// back meanwhile, and nothing ends before it began.
package struct Stopwatch: Sendable {
    package let started = Date()
    private let begin = ContinuousClock.now

    package init() {}

    /// Since the beginning.
    package var seconds: Double { (ContinuousClock.now - begin) / .seconds(1) }
    /// The time at which it began, and the seconds since.
    package var finished: Date { started + seconds }
}
