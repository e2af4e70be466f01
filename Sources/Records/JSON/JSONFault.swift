/// Where a text stops being JSON.
package struct JSONFault: Error, Equatable, Sendable {
    package enum Kind: Equatable, Sendable {
        /// The text ends before its value does.
        case end
        /// Something else than a value stands where one should.
        case value
        /// The same of a key, of the colon behind it, and of what comes behind a member or an element.
        case key, colon, commaOrBrace, commaOrBracket
        /// Something other than white space follows the value.
        case trailing
        case number
        case escape
        /// A byte below 0x20 in a string.
        case control
        case utf8
        /// An object or array nested over 64 deep.
        case depth
    }

    package var kind: Kind
    /// Of the first byte that cannot stand where it stands, from 0 on.
    package var offset: Int
    /// The line of that byte, from 1 on.
    package var line: Int
}

extension JSONFault.Kind {
    /// What should stand where the fault is.
    var expected: String {
        switch self {
        case .end: "the rest of the JSON object"
        case .value: "a JSON value"
        case .key: "a key in quotes"
        case .colon: "':'"
        case .commaOrBrace: "',' or '}'"
        case .commaOrBracket: "',' or ']'"
        case .trailing: "nothing behind the JSON object"
        case .number: "a well-formed number"
        case .escape: "a JSON escape"
        case .control: "no control character in a string"
        case .utf8: "valid UTF-8"
        case .depth: "no deeper nesting"
        }
    }
}
