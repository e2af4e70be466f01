import Records

/// The format of a log's lines, as a server has it, with all that a person may have named masked. Punctuation stays,
/// and so do the variables and directives that every server has.
///
///     $remote_addr [$time_local] "$request" $status "$http_x_acme"    $*** [$time_local] "$request" $status "$***"
///     %h %t "%r" %>s acme "%{X-Acme}i" "%{User-Agent}i"               %h %t "%r" %>s *** "%{***}i" "%{User-Agent}i"
struct MaskedFormat {
    let text: String

    init(_ format: String) {
        text = format.replacing(MaskedFormat.piece) { piece in
            if let variable = piece.output.variable ?? piece.output.bracedVariable {
                return MaskedFormat.variables.contains(String(variable)) ? String(piece.output.0) : "$***"
            }
            if let argument = piece.output.argument, let directive = piece.output.directive {
                let isShown =
                    MaskedFormat.arguments.contains(String(argument))
                    || directive == "t" && argument.wholeMatch(of: MaskedFormat.timeFormat) != nil
                return isShown ? String(piece.output.0) : "%{***}\(directive)"
            }
            // A one-letter directive or a dash cannot be private.
            guard let word = piece.output.word else { return String(piece.output.0) }
            return word.contains { $0.isLetter || $0.isNumber } ? "***" : String(word)
        }
    }

    private static let variables = Set(LineFormat.nginxVariables)
    private static let arguments: Set = ["User-Agent", "Referer", "sec", "msec", "usec", "msec_frac", "usec_frac"]

    // `nonisolated(unsafe)`, both: a `Regex` is not `Sendable`. These are made once, and matching does not change them.
    nonisolated(unsafe) private static let piece =
        #/\$\{(?<bracedVariable>[^}]*)\}|\$(?<variable>[A-Za-z0-9_]+)|%\{(?<argument>[^}]*)\}(?<directive>[a-z])|%[<>]?[A-Za-z](?![A-Za-z])|(?<word>[^\s"'\[\](){}|,;$%]+|%)/#
    nonisolated(unsafe) private static let timeFormat = #/(%[A-Za-z]|[T:\/ .,_\-])*/#
}
