/// An accepted record, as the truth keeps it.
struct Hit: Sendable {
    /// A letter for the form and the id in its one spelling: `x1685a5`, `u6b6499a8-…`, `oT-ab3a`.
    var message: String
    var action: String
    /// Milliseconds since 1970 in UTC.
    var time: Int
    /// The source's position in the pipeline file.
    var source: Int
    var delivery: String
    var platform: Platform
    var date: Day
}
