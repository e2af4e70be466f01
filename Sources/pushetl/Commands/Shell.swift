/// Text to be typed into a shell.
enum Shell {
    /// A path as an argument for a shell, in quotes if needed.
    static func argument(_ path: String) -> String {
        let isPlain = path.wholeMatch(of: /[0-9A-Za-z\/._-]*/) != nil
        let argument = path.hasPrefix("-") ? "./\(path)" : path
        return isPlain ? argument : "'\(argument.replacing("'", with: "'\\''"))'"
    }
}
