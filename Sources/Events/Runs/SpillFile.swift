import Foundation
import Messages
import Posix

/// A temporary file for sorted runs.
///
/// The file is unlinked right after it is created, so a crash leaves nothing behind. A crash between the two calls
/// leaves a name that ends in `.tmp`, which the next command removes.
///
/// `@unchecked Sendable`: the descriptor never changes, and reads give their offset. Only `size` changes: only the
/// worker that created the file appends to it, and it does so before the run is shared.
package final class SpillFile: @unchecked Sendable {
    private let file: FileDescriptor
    private let folder: String
    private var size = 0

    /// Creates a file in an existing folder.
    package init(folder: String) throws(Fault) {
        self.folder = folder
        var template = Array("\(folder)/.run.XXXXXX.tmp".utf8CString)
        file = FileDescriptor(mkstemps(&template, 4), path: folder)
        guard file.number >= 0 else {
            throw SystemError(call: "mkstemps", path: folder, code: errno).writing(in: folder)
        }
        unlink(template)
    }

    deinit {
        file.close()
    }

    /// Whether a file may have had this name for the moment before it was unlinked.
    package static func isName(_ name: String) -> Bool { name.wholeMatch(of: /\.run\.[A-Za-z0-9]{6}\.tmp/) != nil }

    /// Appends `bytes` and returns the offset at which they begin.
    func append(_ bytes: [UInt8]) throws(Fault) -> Int {
        let start = size
        do {
            try file.write(bytes.span, at: start)
        } catch {
            throw error.writing(in: folder)
        }
        size += bytes.count
        return start
    }

    /// Reads `count` bytes at `offset`. Throws EIO if the file is shorter.
    func read(at offset: Int, count: Int) throws(Fault) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        do {
            if try file.fill(&bytes, in: 0..<count, at: offset) == count { return bytes }
        } catch {
            throw error.reading(in: folder)
        }
        throw SystemError(call: "read", path: folder, code: EIO).reading(in: folder)
    }
}

extension SystemError {
    /// The error of a spill file that could not be created or written.
    fileprivate func writing(in folder: String) -> Fault {
        .at(
            folder, code: .temporaryFile,
            text: "no temporary file could be written there: \(SystemError.reason(code)); nothing is lost; "
                + "make room, or raise --memory, and run again")
    }

    /// The error of a spill file that could not be read again.
    fileprivate func reading(in folder: String) -> Fault {
        .at(
            folder, code: .temporaryFile,
            text: "a temporary file could not be read again: \(SystemError.reason(code)); run again")
    }
}
