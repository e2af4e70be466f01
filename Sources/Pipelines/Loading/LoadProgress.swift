import Calendar
import Synchronization

/// The progress of a command. Workers add to it, a display reads it now and then.
package final class LoadProgress: Sendable {
    /// What the command is doing now.
    package enum Stage: Sendable {
        case reading, comparing, merging, publishing, reporting
    }

    /// Who holds the output while a command waits.
    package enum Holder: Sendable {
        /// A reader of push.db.
        case reader
        case command
    }

    /// A wait for whoever holds the output.
    package struct Wait: Sendable {
        package let holder: Holder
        /// The seconds waited so far, also before this wait. `limit` is the most seconds to wait.
        package let seconds: Double
        package let limit: Int
        fileprivate let toldAt: ContinuousClock.Instant
    }

    /// How far the command is.
    package struct State: Sendable {
        package internal(set) var stage = Stage.reading
        /// Bytes on disk of the files to be loaded.
        package internal(set) var bytes = 0
        package internal(set) var readBytes = 0
        /// Bytes read only to compare files.
        package internal(set) var comparedBytes = 0
        /// The number of log dates to be loaded.
        package internal(set) var dates = 0
        package internal(set) var doneDates = 0
        /// Log dates that are being loaded, in order.
        package internal(set) var currentDates: [LogDate] = []
        /// Steps of publishing, or pages of an archive, that are known so far.
        package internal(set) var steps = 0
        package internal(set) var doneSteps = 0
        fileprivate var lastWait: Wait?
        /// The seconds waited so far in all waits; `lastWaited` those in the last one.
        fileprivate(set) var waited = 0.0
        fileprivate var lastWaited = 0.0

        /// Whom the command waits for, and how long; nil while it does not wait.
        package var wait: Wait? {
            lastWait.flatMap { ContinuousClock.now - $0.toldAt < .milliseconds(300) ? $0 : nil }
        }
    }

    private let state: Mutex<State>
    /// Called once, when waits have taken a second, so that it is logged where no display is shown.
    private let didBeginToWait: @Sendable (_ wait: Wait) -> Void

    /// - Parameter didBeginToWait: may be called from any thread.
    package init(stage: Stage = .reading, didBeginToWait: @escaping @Sendable (_ wait: Wait) -> Void = { _ in }) {
        state = Mutex(State(stage: stage))
        self.didBeginToWait = didBeginToWait
    }

    package var now: State { state.withLock { $0 } }

    func update(_ change: (inout State) -> Void) {
        state.withLock { change(&$0) }
    }

    func begin(_ date: LogDate) {
        update { state in
            state.currentDates.append(date)
            state.currentDates.sort()
        }
    }

    func end(_ date: LogDate) {
        update { state in
            state.currentDates.removeAll { $0 == date }
            state.doneDates += 1
        }
    }

    /// - Parameter seconds: those of this wait so far.
    func didWait(_ seconds: Double, of limit: Int, for holder: Holder) {
        let begun: Wait? = state.withLock { state in
            let before = state.waited
            // One that is shorter than the last began after it.
            state.waited += seconds < state.lastWaited ? seconds : seconds - state.lastWaited
            state.lastWaited = seconds
            let wait = Wait(holder: holder, seconds: state.waited, limit: limit, toldAt: .now)
            state.lastWait = wait
            return state.waited >= 1 && before < 1 ? wait : nil
        }
        if let begun { didBeginToWait(begun) }
    }
}
