import Foundation
import LogFiles
import Records

/// What is wrong with a pipeline file: all of it, in the order of the locations.
package struct PipelineFileError: Error, Equatable {
    package let problems: [Problem]
    /// What is allowed beside them, and looks like a slip.
    package var warnings: [Problem] = []

    package struct Problem: Hashable, Sendable {
        /// As the user gave it.
        package let file: String
        package let location: Location
        package let fault: Fault
        package var isWarning = false
    }

    /// A location in the file, both counted from 1, columns in Unicode scalars.
    package struct Location: Hashable, Comparable, Sendable {
        package let line: Int
        package let column: Int

        package static func < (a: Location, b: Location) -> Bool {
            (a.line, a.column) < (b.line, b.column)
        }
    }

    package enum Fault: Hashable, Sendable {
        /// The system's error code.
        case unreadable(Int32)
        case notUTF8
        /// In the words of the YAML parser.
        case notYAML(String)
        case emptyFile
        case unknownKey(String, near: String?)
        case duplicateKey(String, firstLine: Int)
        /// `owner` names the source; nil for the file itself.
        case missingKey(String, owner: String?)
        case foreignKey(String, format: String)
        case pathWithBody
        /// A path that no request can have.
        case pathWithoutSlash(String)
        /// Sources and whole files have no key of their own.
        case wrongType(what: String, expected: String, found: String)
        case emptyValue(String)
        case controlCharacter(String)
        case outOfRange(key: String, range: String, found: String)
        case unknownVersion(String)
        /// One of a few words: which, what stands there, the words, a near one.
        case unknownWord(String, found: String, words: [String], near: String?)
        case unknownZone(String, near: String?)
        case duplicateSource(String, firstLine: Int)
        case tooMany(String, limit: Int)
        case badFieldPath(key: String, found: String)
        case badActionName(String)
        case badActionCode(String)
        case unknownLayout(String, near: String?)
        case adjacentVariables(String, String)
        case strayDollar(layout: String, offset: Int)
        case foreignLayout(String, format: String)
        case layoutWithoutRequest
        case layoutWithoutTime
        case layoutWithoutBody(String, format: String)
        case badPattern(FilePatternError)
        /// A fault only of commands that load past log dates.
        case noDatePlaceholder(source: String, pattern: String)
        /// A warning where the layout has the right one too.
        case misspeltVariable(String, near: String)

        // What follows is only warned of.

        case nearActionName(String, near: String)
        case patternWithoutDay(String)
        case missingFolder(String, near: String?)
        /// The folder that stands for it.
        case missingOutput(String)
    }
}
