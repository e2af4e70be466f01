/// How serious a message is.
package enum MessageLevel: String, Encodable, Sendable {
    case info, warning, error
}
