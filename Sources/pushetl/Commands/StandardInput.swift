import ArgumentParser
import Foundation
import Posix

/// A copy of standard input, as a file that can be read more than once. The file has no name, so nothing is left when
/// the program ends, however it does.
final class StandardInput {
    /// The number of bytes that suffices for a sample.
    static let sampleBytes = 16 << 20

    private let file: FileDescriptor

    /// - Parameters:
    ///   - folder: the folder on whose disk the copy is kept.
    ///   - bytes: the most bytes to read.
    init(copyIn folder: String = NSTemporaryDirectory(), bytes: Int = .max) throws {
        var template = Array("\(folder)/.pushetl-stdin.XXXXXX".utf8CString)
        file = FileDescriptor(mkstemp(&template), path: folder)
        guard file.number >= 0 else { throw SystemError(call: "open", path: folder, code: errno) }
        unlink(template)
        let input = FileDescriptor(STDIN_FILENO, path: "stdin")
        var block = [UInt8](repeating: 0, count: 1 << 18)
        var left = bytes
        while left > 0 {
            let count = try input.fill(&block, in: 0..<min(block.count, left))
            if count == 0 { break }
            try file.write(block.span.extracting(first: count))
            left -= count
        }
    }

    deinit {
        file.close()
    }

    var path: String { "/proc/self/fd/\(file.number)" }
}
