import Reference

/// One thing that somebody does. It is a command of the shell, so that a history can be printed and pasted.
struct HistoryStep: Sendable {
    let shell: String
    let effect: Effect

    init(_ shell: String, _ effect: Effect = .inputs) {
        self.shell = shell
        self.effect = effect
    }

    /// What a step touches, as far as the expectations depend on it.
    enum Effect: Sendable {
        /// Log files, delivery files, copies. They are looked at again before each command.
        case inputs
        /// Log files have other names or other bytes, and the same lines.
        case rotation
        case pipeline(Pipeline)
        case push(Obstacle?)
        case partition(Day, Obstacle?)
        case caches(Obstacle?)
        /// Another file of the output that is no cache.
        case otherFile(Obstacle?)
        case load(LoadingCommand)
        case look(LookingCommand)

        var obstacle: Obstacle? {
            switch self {
            case .push(let obstacle), .partition(_, let obstacle), .caches(let obstacle), .otherFile(let obstacle):
                obstacle
            case .inputs, .rotation, .pipeline, .load, .look: nil
            }
        }
    }

    /// Something of somebody else's that a command may refuse to go on with, and how its owner takes it away.
    struct Obstacle: Sendable {
        let removal: String
        /// Whether push.db must stay as it is, byte by byte.
        var keepsFile = false
        /// What the message must name.
        var name: String?
    }
}

/// A command that may load and publish.
struct LoadingCommand: Sendable {
    enum Circumstance: Equatable, Sendable {
        case undisturbed
        /// It is killed after so many milliseconds.
        case killed(Int)
        /// It is killed before it renames or removes a file for the so manieth time, if it does so often.
        case killedAt(Int)
        /// A reader has a transaction open.
        case read
        /// A writer has a transaction open.
        case locked
        /// Another command works on the same output.
        case beside(String)
        /// The system's clock shows another day.
        case clock(Day)
    }

    var arguments: String
    /// The log dates that it may load.
    var dates: [Day]
    var isForced = false
    /// Whether more than a few log dates may be closed at once.
    var settles = false
    /// The log date of `--give-up`.
    var givenUp: Day?
    var circumstance = Circumstance.undisturbed

    var step: HistoryStep { HistoryStep(shell, .load(self)) }

    private var shell: String {
        let options = "-p push.yaml --json --no-progress --wait 0"
        let command =
            arguments + (isForced ? " --force" : "") + (settles ? " --settle" : "") + " \(options)"
        return switch circumstance {
        case .undisturbed: "pushetl \(command)"
        case .killed(let milliseconds): "kill_after 0.\(padded(milliseconds, 3)) \(command)"
        case .killedAt(let commit): "killed_at \(commit) \(command)"
        case .read: "while_open 'begin; select count(*) from days;' pushetl \(command)"
        case .locked: "while_open 'begin exclusive;' pushetl \(command)"
        case .beside(let other): "beside '\(other) \(options)' pushetl \(command)"
        case .clock(let day): "at \(day) \(command)"
        }
    }
}

/// A command that changes nothing.
struct LookingCommand: Sendable {
    let arguments: String

    var step: HistoryStep { HistoryStep("pushetl \(arguments) --output out", .look(self)) }

    static let all = [
        "status", "report --out report.html", "explain h1", "rejects", "export csv --out csv", "doctor",
    ].map { LookingCommand(arguments: "\($0) -p push.yaml") }
}
