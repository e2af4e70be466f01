import Calendar
import LogFiles

extension Pipeline {
    /// The warnings that apply to a command.
    /// - Parameters:
    ///   - outputIsGiven: whether the command names the output's folder itself.
    ///   - isLoad: whether it loads. Of a pattern without the year, which is right for logs that are deleted within a year,
    ///     nothing is said every night.
    package func warnings(outputIsGiven: Bool, isLoad: Bool = false) -> [PipelineFileError.Problem] {
        warnings.filter { warning in
            switch warning.fault {
            case .missingOutput: !outputIsGiven
            case .patternWithoutYear: !isLoad
            default: true
            }
        }
    }

    /// Checks that past log dates can be loaded: every source's pattern must contain the date.
    ///
    /// - Throws: `PipelineFileError` with all of them.
    package func checkDatePlaceholders() throws(PipelineFileError) {
        try check(patterns { !$0.hasDatePlaceholder }) { .noDatePlaceholder(source: $0, pattern: $1) }
    }

    /// Checks that this machine alone can load the files: no pattern may be a URI.
    ///
    /// - Throws: `PipelineFileError` with all of them.
    package func checkLocalFiles() throws(PipelineFileError) {
        try check(patterns { $0.uriRoot != nil }) { .filesAtURI(source: $0, pattern: $1) }
    }

    private typealias LocatedPattern = (source: String, pattern: String, location: PipelineFileError.Location)

    private func patterns(_ isWrong: (FilePattern) -> Bool) -> [LocatedPattern] {
        sources.flatMap { source in
            zip(source.files.patterns, source.fileLocations).filter { isWrong($0.0) }.map {
                (source.name, $0.text, $1)
            }
        }
    }

    private func check(
        _ wrong: [LocatedPattern], _ fault: (_ source: String, _ pattern: String) -> PipelineFileError.Fault
    ) throws(PipelineFileError) {
        guard !wrong.isEmpty else { return }
        throw PipelineFileError(
            problems: wrong.map {
                PipelineFileError.Problem(file: file, location: $0.location, fault: fault($0.source, $0.pattern))
            })
    }

    /// The latest log date for which a source has files; nil if there is none, or the folders cannot be searched.
    package var latestDateWithFiles: LogDate? {
        sources.compactMap { source in (try? source.files.dates(in: folder))?.last }.max()
    }
}
