import ArgumentParser
import Dispatch
import Foundation
import Pipelines

/// Raises the stop flag on SIGINT and SIGTERM.
///
/// `@unchecked Sendable`: `sources` is only changed in `init`, before anyone else has the object.
final class Stopping: @unchecked Sendable {
    let flag = StopFlag()
    private var sources: [any DispatchSourceSignal] = []

    init() {
        // A file that may not grow is an error of the call that makes it grow, as a full disk is.
        signal(SIGXFSZ, SIG_IGN)
        for number in [SIGINT, SIGTERM] {
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { [flag] in flag.raise(number) }
            source.resume()
            sources.append(source)
        }
    }

    /// 130 or 143.
    var exitCode: ExitCode { ExitCode(flag.exitCode) }
}
