/// What can go wrong besides wrong arguments.
enum LoggenError: Error, CustomStringConvertible {
    case unwritable(String)
    case compression(Int32)

    var description: String {
        switch self {
        case .unwritable(let path): "\(path): cannot be written"
        case .compression(let status): "zlib fails with code \(status)"
        }
    }
}
