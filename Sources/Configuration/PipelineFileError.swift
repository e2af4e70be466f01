import Calendar
import Foundation
import LogFiles

/// Everything that is wrong with a pipeline file, in the order of the locations.
package struct PipelineFileError: Error, Equatable {
    package let problems: [Problem]
    /// Things beside the problems that are allowed and look like slips.
    package var warnings: [Problem] = []

    /// One problem or warning.
    package struct Problem: Hashable, Sendable {
        /// As given by the user.
        package let file: String
        package let location: Location
        /// What is wrong.
        package let fault: Fault
        /// Whether the file can be used in spite of it.
        package var isWarning = false
    }

    /// A location in the file. Lines and columns count from 1, columns in Unicode scalars.
    package struct Location: Hashable, Comparable, Sendable {
        package let line: Int
        package let column: Int

        package static func < (a: Location, b: Location) -> Bool {
            (a.line, a.column) < (b.line, b.column)
        }
    }

    /// What can be wrong. Texts are as written in the file.
    package enum Fault: Hashable, Sendable {
        /// The system's error code.
        case unreadable(Int32)
        case notRegular
        case tooLarge(limit: Int)
        case notUTF8
        /// In the words of the YAML parser.
        case notYAML(String)
        /// Lists and mappings are nested too deep.
        case tooDeep
        case tooManyNodes(limit: Int)
        case emptyFile
        case unknownKey(String, near: String?)
        case duplicateKey(String, firstLine: Int)
        /// `owner` names the source; nil for the file itself.
        case missingKey(String, owner: String?)
        case foreignKey(String, format: String)
        case pathWithBody
        /// `timezone` with a layout whose times are always in UTC.
        case zoneOfUTCLayout(String)
        /// A path that does not begin with a slash.
        case pathWithoutSlash(String)
        /// `what` is a key in quotes, or describes a source or the whole file.
        case wrongType(what: String, expected: String, found: String)
        case emptyValue(String)
        case controlCharacter(String)
        case outOfRange(key: String, range: String, found: String)
        /// `retention.ids` is too small for `window_days`.
        case shortRetention(Int, least: Int, windowDays: Int)
        case unknownVersion(String)
        /// A word that is not among the allowed `words`; `near` is a similar one.
        case unknownWord(String, found: String, words: [String], near: String?)
        case unknownZone(String, near: String?)
        case unusableZone(String, ZoneError)
        case duplicateSource(String, firstLine: Int)
        case tooMany(String, limit: Int)
        case badFieldPath(key: String, found: String)
        case badActionName(String)
        case badActionCode(String)
        case unknownLayout(String, near: String?)
        case adjacentValues(String, String)
        case strayDollar(layout: String, offset: Int)
        case strayPercent(layout: String, offset: Int)
        case badTimeFormat(String)
        case incompleteTime
        case layoutFieldsWithoutJSON(String)
        case dateWithoutTime
        case unwrapOfBodies
        case foreignLayout(String, format: String)
        case layoutWithoutRequest(isApache: Bool)
        case layoutWithoutTime(isApache: Bool)
        case layoutWithoutBody(String, format: String)
        case badPattern(FilePatternError)
        /// A pattern of `deliveries` with a placeholder for the log date.
        case datedDeliveries(String)
        /// Only for commands that load past log dates.
        case noDatePlaceholder(source: String, pattern: String)
        /// Only for commands that read files of their own machine.
        case filesAtURI(source: String, pattern: String)
        case deliveriesAtURI(String)
        /// A warning if the layout has the right variable too.
        case misspeltVariable(String, near: String)

        // The following are always warnings.

        case nearActionName(String, near: String)
        /// `dialect` beside `actions`.
        case replacedDialect
        /// `timezone` with a layout that has no times.
        case zoneWithoutTimes(layout: String)
        case layoutWithoutStatus(isApache: Bool)
        case layoutWithoutUserAgent(isApache: Bool)
        /// A value of a layout without quotes, which ends at the first space in it.
        case cutValue(String)
        case patternWithoutDay(String)
        /// A pattern with the day and without the year.
        case patternWithoutYear(String)
        case missingFolder(String, near: String?)
        /// The default folder.
        case missingOutput(String)
    }
}
