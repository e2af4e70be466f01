import Foundation
import Yams

/// One YAML document, with the text and the location of each key.
///
/// Yams refuses a file with a duplicate key, and names only the first of the two. To report it together with all other
/// problems, the first character of that key is replaced by a private-use character and the document is parsed again. No
/// location changes by this. `text(ofKey:)` returns the original key.
struct YAMLDocument {
    struct Problem: Error {
        let location: PipelineFileError.Location
        let fault: PipelineFileError.Fault
    }

    let root: Node?
    private var renamed: [PipelineFileError.Location: String] = [:]

    init(_ text: String) throws {
        var lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }.map { Array($0.unicodeScalars) }
        var document = text
        while true {
            do {
                root = try Parser(yaml: document).singleRoot()
                return
            } catch YamlError.duplicatedKeysInMapping(let keys, let context) {
                let location = PipelineFileError.Location(line: context.mark.line, column: context.mark.column)
                let key = keys.first ?? ""
                guard renamed.count < 1000, let mask = Unicode.Scalar(0xE000 + UInt32(renamed.count)),
                    Self.mask(key, at: location, by: mask, in: &lines)
                else { throw Problem(location: location, fault: .duplicateKey(key, firstLine: location.line)) }
                renamed[location] = key
                document = lines.map { line in
                    var scalars = String.UnicodeScalarView()
                    scalars.append(contentsOf: line)
                    return String(scalars)
                }.joined(separator: "\n")
            } catch let error as YamlError {
                throw Problem(error)
            }
        }
    }

    /// Replaces the first character of a key that is written plainly or in quotes.
    private static func mask(
        _ key: String, at location: PipelineFileError.Location, by mask: Unicode.Scalar,
        in lines: inout [[Unicode.Scalar]]
    ) -> Bool {
        guard let first = key.unicodeScalars.first, !"-?:,[]{}#&*!|>'\"%@`".unicodeScalars.contains(first),
            lines.indices.contains(location.line - 1)
        else { return false }
        let line = lines[location.line - 1]
        var column = location.column - 1
        guard line.indices.contains(column) else { return false }
        if line[column] == "'" || line[column] == "\"" { column += 1 }
        guard line.indices.contains(column), line[column] == first else { return false }
        lines[location.line - 1][column] = mask
        return true
    }

    /// A key's text as the file has it.
    func text(ofKey key: Node.Scalar) -> String {
        key.mark.flatMap { renamed[.init($0)] } ?? key.string
    }
}

extension YAMLDocument.Problem {
    fileprivate init(_ error: YamlError) {
        switch error {
        case .scanner(let context, let problem, let mark, _), .parser(let context, let problem, let mark, _),
            .composer(let context, let problem, let mark, _):
            let words = context.map { "\($0.text), \(problem)" } ?? problem
            self.init(location: .init(mark), fault: .notYAML(words))
        case .reader(let problem, let offset, _, let yaml):
            let before = yaml.prefix(offset ?? 0)
            let line = before.split(omittingEmptySubsequences: false) { $0.isNewline }
            self.init(
                location: .init(line: line.count, column: (line.last?.unicodeScalars.count ?? 0) + 1),
                fault: .notYAML(problem))
        default:
            self.init(location: .start, fault: .notYAML("\(error)"))
        }
    }
}
