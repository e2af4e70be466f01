import ArgumentParser
import Dispatch
import Foundation
import Pipelines

/// Raises the stop flag on SIGINT, SIGTERM and SIGHUP. A SIGHUP that was ignored when the program began, as under
/// `nohup`, stays ignored.
///
/// `@unchecked Sendable`: `sources` is only changed in `init`, before anyone else has the object.
final class Stopping: @unchecked Sendable {
    let flag = StopFlag()
    /// The value of SIG_IGN. Swift cannot compare a signal handler with SIG_IGN itself.
    private static let ignored = 1
    private var sources: [any DispatchSourceSignal] = []

    init() {
        for number in [SIGINT, SIGTERM, SIGHUP] {
            let former = signal(number, SIG_IGN)
            if number == SIGHUP, unsafeBitCast(former, to: Int.self) == Stopping.ignored { continue }
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { [flag] in flag.raise(number) }
            source.resume()
            sources.append(source)
        }
    }
}
