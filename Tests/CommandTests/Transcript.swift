import Foundation
import Support
import Testing

/// A text with shell blocks, and what their commands print. Contributing.md describes the format.
struct Transcript: CustomTestStringConvertible {
    private struct Command {
        let script: String
        /// The lines of the text that say what it prints.
        let answer: Range<Int>
    }

    let file: URL
    let text: String
    private let lines: [String]
    private let commands: [Command]

    var testDescription: String { file.lastPathComponent }

    /// Those of `Tests/Transcripts`, and the articles that have blocks of the same kind. `PUSHETL_TRANSCRIPT=guess` is one alone.
    static func all() throws -> [Transcript] {
        let folders = ["Tests/Transcripts", "Sources/pushetl/pushetl.docc", "."]
        let files = try folders.flatMap { folder in
            try FileManager.default.contentsOfDirectory(
                at: Workplace.packageFolder.appendingPathComponent(folder), includingPropertiesForKeys: nil)
        }
        let only = ProcessInfo.processInfo.environment["PUSHETL_TRANSCRIPT"]
        return try files.filter { $0.pathExtension == "md" }
            .filter { only == nil || $0.deletingPathExtension().lastPathComponent == only }.sorted { $0.path < $1.path }
            .map(Transcript.init)
            .filter { !$0.commands.isEmpty }
    }

    private init(file: URL) throws {
        self.file = file
        text = try String(contentsOf: file, encoding: .utf8)
        let lines = text.components(separatedBy: "\n")
        var commands: [Command] = []
        var index = 0
        while index < lines.count {
            let block = lines[index]
            index += 1
            guard block == "```console" || block == "<!-- console" else { continue }
            let end = lines[index...].firstIndex { $0 == "```" || $0 == "-->" } ?? lines.endIndex
            while index < end {
                var script = [String(lines[index].dropFirst(2))]
                guard lines[index].hasPrefix("$ ") else { throw Malformed(file: file.path, line: index + 1) }
                index += 1
                while index < end, lines[index].hasPrefix("> ") || lines[index] == ">" {
                    script.append(String(lines[index].dropFirst(2)))
                    index += 1
                }
                let next = lines[index..<end].firstIndex { $0.hasPrefix("$ ") } ?? end
                commands.append(Command(script: script.joined(separator: "\n"), answer: index..<next))
                index = next
            }
        }
        (self.lines, self.commands) = (lines, commands)
    }

    private struct Malformed: Error {
        let file: String
        let line: Int
    }

    /// Runs the commands, one after the other in a fresh folder. Returns the text with what they print.
    func run() throws -> String {
        let (place, tools) = (try ScratchFolder(), try ScratchFolder())
        for (index, command) in commands.enumerated() { try tools.write(command.script + "\n", to: "\(index).sh") }
        try tools.makeLink("pushetl", to: #require(Program.built).executable.standardizedFileURL.path)
        let source = Workplace.packageFolder.path
        try tools.write(
            """
            repo=\(source)
            . $repo/Tests/Transcripts/functions.bash
            for ((transcript_command = 0; transcript_command < \(commands.count); transcript_command++)); do
                . \(tools.root)/$transcript_command.sh >\(tools.root)/$transcript_command.out 2>&1
                echo $? >\(tools.root)/$transcript_command.code
            done
            """, to: "all.sh")
        let path = "\(tools.root):\(ProcessInfo.processInfo.environment["PATH"] ?? "")"
        let variables = ["PATH=\(path)", "HOME=\(place.root)", "TZ=UTC", "LC_ALL=C.UTF-8"]
        let clock = ["LD_PRELOAD=\(try #require(Program.clock).path)", "CLOCK=2026-11-20 10:00:00"]
        let arguments = ["--default-signal=PIPE", "-i"] + variables + clock + ["bash", tools.path("all.sh")]
        let environment = Program(executable: URL(fileURLWithPath: "/usr/bin/env"))
        let outcome = try environment.run(arguments, in: place.url)
        #expect(outcome.exit == 0 && outcome.stderr == "", "\(outcome.stderr)")
        var written: [String] = []
        var end = 0
        for (index, command) in commands.enumerated() {
            let output = tools.exists("\(index).out") ? try tools.text("\(index).out") : "(bash has ended)\n"
            let code = tools.exists("\(index).code") ? try tools.text("\(index).code").dropLast() : "0"
            var answer = output.replacing("\r\n", with: "\n").replacing(place.root, with: "/srv/push")
                .replacing(source, with: "$repo").components(separatedBy: "\n")
            if answer.last == "" { answer.removeLast() }
            answer = answer.map { $0.hasSuffix(" ") ? $0.replacing(#/ +$/#, with: "") : $0 }
            if code != "0" { answer.append("[\(code)]") }
            let former = Array(lines[command.answer])
            written += lines[end..<command.answer.lowerBound]
            written += Self.isSame(former[...], answer[...]) ? former : answer
            end = command.answer.upperBound
        }
        return (written + lines[end...]).joined(separator: "\n")
    }

    /// Whether an answer says the same, but for what is not the same in any two runs. A line `…` stands for any lines.
    private static func isSame(_ former: ArraySlice<String>, _ answer: ArraySlice<String>) -> Bool {
        guard let first = former.first else { return answer.isEmpty }
        let rest = former.dropFirst()
        if first.trimmingCharacters(in: .whitespaces) == "…" {
            return (answer.startIndex...answer.endIndex).contains { isSame(rest, answer[$0...]) }
        }
        guard answer.first == first || answer.first.map(masked) == masked(first) else { return false }
        return isSame(rest, answer.dropFirst())
    }

    /// Without spaces at the end, durations, rates, and the size of what is kept of the ids, which depends on SQLite.
    private static func masked(_ line: String) -> String {
        line.replacing(#/ +$/#, with: "").replacing(#/\b[0-9.,]+ (s|records\/s)\b/#) { "0 \($0.output.1)" }
            .replacing(#/(run_seconds |"seconds" : )[0-9.e-]+/#) { "\($0.output.1)0" }
            .replacing(#/(log dates?, )[0-9.]+ kB/#) { "\($0.output.1)0 kB" }
    }

    /// What `diff` says of another text, with the file and its first line that differs.
    func differences(to found: String) throws -> String {
        let scratch = try ScratchFolder()
        try scratch.write(found, to: "found")
        let diff = Program(executable: URL(fileURLWithPath: "/usr/bin/diff"))
        let output = try diff.run(["-u", file.path, "found"], in: scratch.url).stdout
        let line = zip(lines, found.components(separatedBy: "\n")).prefix { $0 == $1 }.count + 1
        return "\(file.path):\(line)\n\(output)"
    }
}
