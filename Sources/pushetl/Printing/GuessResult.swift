import Messages
import Pipelines
import Records

/// The pipeline that `guess` has made.
struct GuessResult: CommandResult {
    struct Source: Encodable {
        let name: String
        let format: String
        let layout: String
        let layoutFields: [String: String]
        let dialect: String?
        let dialectIsSure: Bool?
        let actions: [Count]
        let patterns: [String]
    }

    struct Count: Encodable {
        let action: String
        let records: Int
    }

    struct File: Encodable {
        let path: String
        let packing: String
        let isWhole: Bool
        let status: String
        let lines: Int
        let hits: Int
    }

    /// The text of the pipeline file.
    let pipeline: String
    /// The file that it was written to.
    let writtenTo: String?
    /// The number of lines marked with `# check`.
    let checks: Int
    let sources: [Source]
    let files: [File]

    init(_ guess: Guess, _ draft: PipelineDraft, out: String?) {
        pipeline = draft.text
        writtenTo = out
        checks = draft.checks
        sources = guess.sources.map { source in
            let isCollector = source.draft.format == .collector
            return Source(
                name: source.name, format: source.draft.format.rawValue, layout: source.draft.layoutText,
                layoutFields: Dictionary(
                    uniqueKeysWithValues: source.draft.layoutFields.map { ($0.name, $1.joined(separator: ".")) }),
                dialect: isCollector ? source.dialect.dialect.rawValue : nil,
                dialectIsSure: isCollector ? source.dialect.isSure : nil,
                actions: source.codes.sorted { $0.key < $1.key }.map { Count(action: $0, records: $1) },
                patterns: source.patterns)
        }
        files = guess.files.map { file in
            File(
                path: file.file.path, packing: file.packing.rawValue, isWhole: file.isWhole,
                status: file.status.rawValue,
                lines: file.lines, hits: file.trials.reduce(0) { $0 + $1.hits })
        }
    }

    var text: String {
        guard let writtenTo else { return String(pipeline.dropLast()) }
        return "\(writtenTo.shown): written, with \(Text.plural(sources.count, "source")); "
            + "\(Text.plural(checks, "line")) to check are marked '# check'"
    }
}
