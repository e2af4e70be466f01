/// The first syntax error in a JSON text.
enum JSONFault {
    /// The text ends within a value.
    case end
    /// A value is expected.
    case value
    /// A key, the colon after it, or the separator after a member or an element is expected.
    case key, colon, commaOrBrace, commaOrBracket
    /// The value is followed by something other than white space.
    case trailing
    /// An invalid number.
    case number
    /// An invalid escape in a string.
    case escape
    /// A byte below 0x20 in a string.
    case control
    /// Invalid UTF-8 in a string.
    case utf8
    /// An object or array is nested more than 64 deep.
    case depth

    /// What is expected at the fault, for messages.
    var expected: String {
        switch self {
        case .end: "the rest of the JSON object"
        case .value: "a JSON value"
        case .key: "a key in quotes"
        case .colon: "':'"
        case .commaOrBrace: "',' or '}'"
        case .commaOrBracket: "',' or ']'"
        case .trailing: "nothing after the JSON object"
        case .number: "a well-formed number"
        case .escape: "a JSON escape"
        case .control: "no control character in a string"
        case .utf8: "valid UTF-8"
        case .depth: "no deeper nesting"
        }
    }
}
