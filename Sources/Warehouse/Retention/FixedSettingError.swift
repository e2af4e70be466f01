import Messages

/// A setting that is fixed once a log date is settled, and has another value now.
package enum FixedSettingError: Error, Equatable, Sendable {
    case timezone(was: String, is: String)
    case windowDays(was: Int, is: Int)
    /// In the order that breaks ties: of the sources that were there when log dates settled.
    case sources(was: [String], are: [String])
}

extension FixedSettingError: MessageError {
    package var exitStatus: ExitStatus { .badPipeline }

    package var message: Message {
        let (what, was, now, advice) =
            switch self {
            case .timezone(let was, let now): ("timezone", was, now, "set it back")
            case .windowDays(let was, let now): ("dedup.window_days", "\(was)", "\(now)", "set it back")
            case .sources(let was, let now):
                (
                    "the order of the sources", was.joined(separator: ", "), now.joined(separator: ", "),
                    "set it back, and keep a source that is not used any more, with 'required: false'"
                )
            }
        return Message(
            "fixed_setting",
            "\(what) was \(was) when log dates settled, and is \(now); settled figures cannot be computed again; "
                + "\(advice), or give another output, which is loaded anew")
    }
}
