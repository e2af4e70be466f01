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
        case .formerPipeline: "loaded with another pipeline file, or by earlier rules of reading or of the zone"
        case .damaged, .heldBack, .stale, .partial, .shrunk: state.text
        case .missingUsualFiles, .silentHours: state.warnings.text
        }
    }

    private var remedy: Remedy? {
        switch kind {
        case .missing, .stale, .unpublished: Remedy()
        case .notLoaded: Remedy("once they are there: ")
        case .formerPipeline: Remedy(options: state.isStale ? "" : " --only all")
        case .damaged: state.remedyOfDamage
        case .heldBack: state.remedyOfHold
        case .partial: .acceptance
        case .shrunk: state.remedyOfShrunk
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
