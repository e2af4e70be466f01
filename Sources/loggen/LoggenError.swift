/// What can go wrong besides wrong arguments.
enum LoggenError: Error, CustomStringConvertible {
    case unwritable(String)
    case compression(String, Int32)

    var description: String {
        switch self {
        case .unwritable(let path): "\(path): cannot be written"
        case .compression(let path, let status): "\(path): zlib fails with code \(status)"
        }
    }
}
