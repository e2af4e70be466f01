import Foundation
import Support
import Testing

/// The shell blocks of `Tests/Transcripts`, of the articles and of README print what stands in them.
///
/// `PUSHETL_UPDATE=1 swift test --disable-xctest --filter TranscriptTests` writes the files anew. Read what has changed.
@Suite(
    .needsPushetl, .needs(.bash), .needs(.jq), .needs(.script), .needs(.sqlite3),
    .needs(.zstd))
struct TranscriptTests {
    @Test(arguments: try Transcript.all())
    func printsWhatStandsThere(_ transcript: Transcript) throws {
        let found = try transcript.run()
        guard found != transcript.text else { return }
        if ProcessInfo.processInfo.environment["PUSHETL_UPDATE"] == "1" {
            try found.write(to: transcript.file, atomically: true, encoding: .utf8)
        } else {
            Issue.record("\(try transcript.differences(to: found))")
        }
    }
}
