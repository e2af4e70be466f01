import Messages
import Posix

/// Why a search for files failed.
package enum FileSearchError: Error, Equatable {
    /// A folder cannot be listed. The path is relative if the pattern is. `code` is the value of `errno`.
    case unreadableFolder(String, code: Int32)
    /// The type of a file cannot be determined.
    case unreadableFile(String, code: Int32)
    /// A matching name is not valid UTF-8, so its path cannot be stored. Invalid bytes are shown as U+FFFD.
    case nameNotUTF8(String)
}

extension FileSearchError: MessageError {
    package var message: Message {
        switch self {
        case .unreadableFolder(let folder, let code):
            .at(
                folder, "unreadable_folder",
                "the folder cannot be searched: \(SystemError.reason(code)); make it readable and run again")
        case .unreadableFile(let path, let code):
            .at(
                path, "unreadable_file",
                "cannot be looked at: \(SystemError.reason(code)); make it readable and run again")
        case .nameNotUTF8(let name):
            .at(
                name, "name_not_u_t_f8",
                "the file's name is not UTF-8, so no database can hold it; rename the file and run again")
        }
    }
}
