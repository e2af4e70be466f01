/// The first syntax error in a JSON text. The raw value says what is expected there, for messages.
enum JSONFault: String {
    /// The text ends within a value.
    case end = "the rest of the JSON object"
    case value = "a JSON value"
    case key = "a key in quotes"
    case colon = "':'"
    case commaOrBrace = "',' or '}'"
    case commaOrBracket = "',' or ']'"
    /// The value is followed by something other than white space.
    case trailing = "nothing after the JSON object"
    case number = "a well-formed number"
    case escape = "a JSON escape"
    /// A byte below 0x20 in a string.
    case control = "no control character in a string"
    case utf8 = "valid UTF-8"
    /// An object or array is nested more than 64 deep.
    case depth = "no deeper nesting"
}
