/// An nginx `log_format`.
package struct LogFormat: Equatable, Sendable {
    package init(parsing text: String) throws(LayoutError) {
    }
}
