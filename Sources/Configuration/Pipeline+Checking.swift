import Calendar
import LogFiles

extension Pipeline {
    /// The warnings that apply to a command; without the one about `output` if the command names the folder itself.
    package func warnings(outputIsGiven: Bool) -> [PipelineFileError.Problem] {
        warnings.filter { warning in
            if case .missingOutput = warning.fault { !outputIsGiven } else { true }
        }
    }

    /// Checks that past log dates can be loaded: every source's pattern must contain the date.
    ///
    /// - Throws: `PipelineFileError` with all of them.
    package func checkDatePlaceholders() throws(PipelineFileError) {
        try checkPatterns(\.hasDatePlaceholder) { .noDatePlaceholder(source: $0, pattern: $1) }
    }

    /// Checks that this machine alone can load the files: no pattern may be a URI.
    ///
    /// - Throws: `PipelineFileError` with all of them.
    package func checkLocalFiles() throws(PipelineFileError) {
        try checkPatterns({ $0.uriRoot == nil }) { .filesAtURI(source: $0, pattern: $1) }
    }

    /// - Throws: the faults of all patterns that are not right.
    private func checkPatterns(
        _ isRight: (FilePattern) -> Bool, _ fault: (_ source: String, _ pattern: String) -> PipelineFileError.Fault
    ) throws(PipelineFileError) {
        let problems = sources.flatMap { source in
            zip(source.files.patterns, source.fileLocations).filter { !isRight($0.0) }.map { pattern, location in
                PipelineFileError.Problem(file: file, location: location, fault: fault(source.name, pattern.text))
            }
        }
        if !problems.isEmpty { throw PipelineFileError(problems: problems) }
    }

    /// The latest log date for which a source has files; nil if there is none, or the folders cannot be searched.
    package var latestDateWithFiles: LogDate? {
        sources.compactMap { source in (try? source.files.dates(in: folder))?.last }.max()
    }
}
