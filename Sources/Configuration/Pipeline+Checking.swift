import Calendar
import LogFiles

extension Pipeline {
    /// The warnings of a command that may name the output itself.
    package func warnings(outputIsGiven: Bool) -> [PipelineFileError.Problem] {
        warnings.filter { warning in
            if case .missingOutput = warning.fault { !outputIsGiven } else { true }
        }
    }

    /// What keeps past log dates from being loaded: sources whose patterns do not tell one from another.
    ///
    /// - Throws: `PipelineFileError` with all of them.
    package func checkDatePlaceholders() throws(PipelineFileError) {
        let problems = sources.filter { !$0.files.hasDatePlaceholder }.map { source in
            PipelineFileError.Problem(
                file: file, location: source.filesLocation,
                fault: .noDatePlaceholder(source: source.name, pattern: source.files.text))
        }
        if !problems.isEmpty { throw PipelineFileError(problems: problems) }
    }
}

extension Pipeline {
    /// The latest log date for which a source has files; nil where there is none, or nobody can tell.
    package var latestDateWithFiles: LogDate? {
        sources.compactMap { source in (try? source.files.dates(in: folder))?.last }.max()
    }
}
