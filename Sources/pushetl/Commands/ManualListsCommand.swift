import ArgumentParser
import Foundation
import Messages

/// The lists of the manual that `--help` does not show, as JSON: the codes of messages, and the exit codes.
struct ManualListsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "manual-lists",
        abstract: "Print the lists of the manual: the codes of messages and the exit codes, as JSON.",
        shouldDisplay: false)

    private struct Lists: Encodable {
        struct Code: Encodable {
            let code: String
            let levels: [MessageLevel]
            let meaning: String
        }
        struct Exit: Encodable {
            let code: Int32
            let meaning: String
        }

        let messageCodes = MessageCode.allCases.map { Code(code: $0.name, levels: $0.levels, meaning: $0.meaning) }
            .sorted { $0.code < $1.code }
        /// In the order of seriousness, the most serious last.
        let exitCodes = ExitStatus.allCases.map { Exit(code: $0.rawValue, meaning: $0.meaning) }
    }

    func run() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        encoder.keyEncodingStrategy = .convertToSnakeCase
        print(String(decoding: try encoder.encode(Lists()), as: UTF8.self))
    }
}
