import Dispatch
import Foundation
import Messages
import Pipelines

/// One line on the terminal that shows progress: compressed bytes, rate and time left. With several log dates it shows
/// how many are done and which are being loaded.
///
/// `@unchecked Sendable`: `timer`, `isDrawn` and `begin` are only touched on `queue`.
final class ProgressBar: @unchecked Sendable {
    private static let interval = DispatchTimeInterval.milliseconds(100)
    /// Seconds of reading before a rate is shown.
    private static let leastSeconds = 0.25

    private let progress: LoadProgress
    private let isShown: Bool
    private let queue = DispatchQueue(label: "progress")
    private var timer: DispatchSourceTimer?
    private var isDrawn = false
    /// When reading was first seen, and the bytes read by then.
    private var begin: (time: ContinuousClock.Instant, read: Int)?

    init(_ progress: LoadProgress, isShown: Bool) {
        self.progress = progress
        self.isShown = isShown
    }

    func start() {
        guard isShown else { return }
        queue.sync {
            let timer = DispatchSource.makeTimerSource(queue: queue)
            timer.schedule(deadline: .now() + ProgressBar.interval, repeating: ProgressBar.interval)
            timer.setEventHandler { [self] in draw() }
            timer.resume()
            self.timer = timer
        }
    }

    func finish() {
        queue.sync {
            timer?.cancel()
            timer = nil
            if isDrawn { Console.draw("\r\u{1B}[K") }
        }
    }

    private func draw() {
        isDrawn = true
        Console.draw("\r\u{1B}[K" + text(width: Console.width(of: STDERR_FILENO) ?? 80))
    }

    private func text(width: Int) -> String {
        let now = progress.now
        let isOfMany = now.dates > 1
        if let wait = now.wait { return "waiting for \(wait.holder.words) (\(Int(wait.seconds)) of \(wait.limit) s)" }
        switch now.stage {
        case .merging where !isOfMany: return "merging events …"
        case .publishing: return "publishing …" + (now.steps > 0 ? " \(now.doneSteps) of \(now.steps) steps" : "")
        case .reporting: return "making pages … \(now.doneSteps) of \(now.steps)"
        case .comparing: return "comparing files …" + (now.comparedBytes > 0 ? " \(Text.bytes(now.comparedBytes))" : "")
        case .reading, .merging: break
        }
        guard now.bytes > 0 else { return "looking for files …" }
        let read = now.readBytes
        let total = now.bytes
        let begin = begin ?? (.now, read)
        self.begin = begin
        let seconds = (ContinuousClock.now - begin.time) / .seconds(1)
        let share = min(1, Double(read) / Double(total))
        let rate = seconds < ProgressBar.leastSeconds ? 0 : Double(read - begin.read) / seconds
        var figures =
            "\(Int(share * 100)) %" + (isOfMany ? "" : "  \(Text.bytes(read))") + " of \(Text.bytes(total))"
        if rate > 0 {
            let left = Double(max(0, total - read)) / rate
            figures += "  \(Text.bytes(Int(rate)))/s  \(Text.duration(left)) left"
        }
        if isOfMany {
            figures += "  \(now.doneDates) of \(now.dates) dates"
            for date in now.currentDates where figures.count + 12 < width { figures += "  \(date)" }
        }
        // With several dates there is no room for a bar.
        let room = isOfMany ? 0 : min(30, width - figures.count - 4)
        guard room >= 5 else { return String(figures.prefix(max(0, width - 1))) }
        let filled = Int(share * Double(room))
        let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: room - filled)
        return "[\(bar)] \(figures)"
    }
}

extension LoadProgress.Holder {
    fileprivate var words: String {
        switch self {
        case .reader: "a reader of push.db"
        case .command: "another command"
        }
    }
}

extension PrintingOptions {
    /// The progress of a command that tells once that it waits.
    /// - Parameter isShown: whether a bar says so.
    func progress(stage: LoadProgress.Stage = .reading, isShown: Bool = false) -> LoadProgress {
        let log = log
        let isTold = !isShown && !quiet
        return LoadProgress(stage: stage) { wait in
            guard isTold else { return }
            let code: MessageCode = wait.holder == .reader ? .waitingForReader : .waitingForCommand
            log.write(Message(code, text: "waiting for \(wait.holder.words) (at most \(wait.limit) s)"), as: .info)
        }
    }
}
