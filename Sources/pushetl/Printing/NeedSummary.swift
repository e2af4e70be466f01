import Pipelines

/// A log date that needs something, as a JSON object.
struct NeedSummary: Encodable {
    let logDate: String
    /// damaged, held_back, stale, unpublished, former_pipeline, partial, missing_usual_files, missing or not_loaded.
    let need: String
    let message: String

    init(_ need: LogDateNeed, _ sentence: Sentence) {
        logDate = need.state.date.description
        self.need = need.kind.rawValue
        message = sentence.of(need)
    }
}
