import Messages

/// A log date for which a person should do something.
package struct LogDateNeed: Sendable {
    package enum Kind: Sendable {
        case damaged, heldBack, stale, shrunk, unpublished, formerPipeline, partial, missing
        /// Only for the latest loaded log dates.
        case missingUsualFiles, silentHours
        /// It is yesterday, and has no files.
        case notLoaded

        package var code: MessageCode {
            switch self {
            case .damaged: .damaged
            case .heldBack: .held
            case .stale: .stale
            case .shrunk: .shrunk
            case .unpublished: .unpublished
            case .formerPipeline: .formerPipeline
            case .partial: .partial
            case .missing: .missing
            case .missingUsualFiles: .missingUsualFiles
            case .silentHours: .silentHours
            case .notLoaded: .notLoaded
            }
        }
    }

    package let kind: Kind
    package let state: LogDateState

    /// The message about the log date: why it needs something, and the remedy.
    package var message: Message {
        var message = Message(kind.code, text: reason).about(state.date)
        message.remedy = remedy
        return message
    }

    /// Whether files or hours are missing.
    package var isGap: Bool { kind == .missingUsualFiles || kind == .silentHours }

    private var reason: MessageText {
        switch kind {
        case .missing: "is not loaded, and has files"
        case .notLoaded: "is not loaded, and has no files"
        case .unpublished: "loaded and not published"
        case .formerPipeline: "loaded with another pipeline file, or by earlier rules of reading"
        case .damaged, .heldBack, .stale, .partial, .shrunk: state.text
        case .missingUsualFiles, .silentHours: state.warnings.text
        }
    }

    private var remedy: Remedy? {
        switch kind {
        case .missing, .stale, .unpublished: Remedy()
        case .notLoaded: Remedy("once they are there: ")
        case .formerPipeline: Remedy(options: state.isStale ? "" : " --only all")
        case .damaged:
            if state.damage?.isStray ?? false {
                .removal
            } else if state.phase == .open {
                state.canBeLoadedAgain ? Remedy() : Remedy("once its files are there: ")
            } else {
                state.canReplaceDamage ? Remedy() : .backup
            }
        case .heldBack: state.isHeldUnchanged || state.isShrunk ? state.held?.remedy : Remedy()
        case .partial: .acceptance
        case .shrunk: Remedy("put the files back, or load it as it is now: ", options: " --only shrunk")
        // Their sentences already end with the remedy.
        case .missingUsualFiles, .silentHours: nil
        }
    }
}

extension LogDateNeed: Encodable {
    package func encode(to encoder: any Encoder) throws {
        try encoder.encode([
            "log_date": state.date, "need": kind.code.name, "message": message.shown(encoder.shownPaths).words,
        ])
    }
}
