/// What an export did with a file.
package struct ExportedFile: Encodable, Equatable, Sendable {
    package enum State: String, Encodable, Sendable {
        case written, unchanged, removed
    }

    package var path: String
    /// The table whose rows it holds; nil if it holds something else.
    package let table: String?
    /// Such as `2026-11`; nil for a table without days.
    package let month: String?
    /// Without the header; nil for a removed file, or one that holds something else.
    package let rows: Int?
    package let state: State
}
