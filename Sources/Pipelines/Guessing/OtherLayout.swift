/// A second layout in the same file.
package struct OtherLayout: Sendable {
    package let draft: SourceDraft
    package let lines: Int
    package let hits: Int
}
