import Events

extension LineParser {
    /// What the record that was accepted last calls its delivery.
    var names: [FoundName] { payload.rules.findsNames ? payload.rules.names : [] }

    /// What a line has besides its request.
    package struct FoundFields {
        /// Of time, status and user agent those that are there.
        package var fields: Set<JSONFields.Field> = []
        /// The path to which a body was posted; nil if there is none.
        package var payloadPath: String?
        /// Milliseconds since 1970-01-01T00:00:00Z.
        package var time: Int64?
        package var platform = Platform.unknown
    }
}
