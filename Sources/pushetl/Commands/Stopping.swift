import Dispatch
import Foundation
import Pipelines

/// Raises the stop flag on SIGINT, SIGTERM and SIGHUP. A SIGHUP that was ignored when the program began, as under `nohup`,
/// stays ignored.
///
/// `@unchecked Sendable`: `sources` is only changed in `init`, before anyone else has the object.
final class Stopping: @unchecked Sendable {
    let flag = StopFlag()
    private var sources: [any DispatchSourceSignal] = []

    init() {
        // Ignored, so that exceeding a file size limit is an error of the call, as on a full disk.
        signal(SIGXFSZ, SIG_IGN)
        for number in [SIGINT, SIGTERM, SIGHUP] where number != SIGHUP || !Stopping.isIgnored(number) {
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { [flag] in flag.raise(number) }
            source.resume()
            sources.append(source)
        }
    }

    private static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        guard sigaction(number, nil, &action) == 0 else { return false }
        return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
    }
}
