import Messages

/// A log date that somebody should do something about.
package struct LogDateNeed: Sendable {
    package enum Kind: String, Sendable {
        /// The partition cannot be read.
        case damaged
        /// The last load was held back.
        case heldBack = "held"
        /// Files are new or have other bytes, or the pipeline means something else.
        case stale
        /// Some of its files are not found any more.
        case shrunk
        /// It is loaded, and push.db does not show it.
        case unpublished
        /// It was loaded with another pipeline file, or by earlier rules of reading, and can be loaded again.
        case formerPipeline = "former_pipeline"
        /// A file is damaged or truncated, or a required source has no files.
        case partial
        /// It is one of the last loaded log dates, and lacks files that the log dates before it had.
        case missingUsualFiles = "missing_usual_files"
        /// It is one of them, and has no event of hours in which a source was never silent.
        case silentHours = "silent_hours"
        /// It has files and is not loaded.
        case missing
        /// It is yesterday, has no files and is not loaded.
        case notLoaded = "not_loaded"
    }

    package let kind: Kind
    package let state: LogDateState

    /// Which log date it is, and why, with what to do.
    package var message: Message {
        var message = Message(kind.rawValue, text: reason).about(state.date)
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
        case .damaged: state.canBeLoadedAgain ? Remedy() : nil
        case .heldBack: state.isHeldUnchanged || state.isShrunk ? state.held?.remedy : Remedy()
        case .partial: Remedy("accept: ", options: " --force")
        case .shrunk: Remedy("put the files back, or load it as it is now: ", options: " --only shrunk")
        // Their sentences end with it.
        case .missingUsualFiles, .silentHours: nil
        }
    }
}

extension LogDateNeed: Encodable {
    package func encode(to encoder: any Encoder) throws {
        try encoder.encode([
            "log_date": state.date, "need": kind.rawValue, "message": message.shown(encoder.shownPaths).words,
        ])
    }
}
