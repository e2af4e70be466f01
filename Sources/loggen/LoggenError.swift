/// What can go wrong besides wrong arguments: a file cannot be written.
struct LoggenError: Error, CustomStringConvertible {
    let path: String

    var description: String { "\(path): cannot be written" }
}
