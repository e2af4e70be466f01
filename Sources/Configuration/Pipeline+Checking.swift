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
        let problems = sources.flatMap { source in
            zip(source.files.patterns, source.fileLocations).filter { !$0.0.hasDatePlaceholder }.map {
                pattern, location in
                PipelineFileError.Problem(
                    file: file, location: location,
                    fault: .noDatePlaceholder(source: source.name, pattern: pattern.text))
            }
        }
        if !problems.isEmpty { throw PipelineFileError(problems: problems) }
    }

    /// The latest log date for which a source has files; nil if there is none, or the folders cannot be searched.
    package var latestDateWithFiles: LogDate? {
        sources.compactMap { source in (try? source.files.dates(in: folder))?.last }.max()
    }
}
