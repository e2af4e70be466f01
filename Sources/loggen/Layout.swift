import ArgumentParser
import Foundation
import Reference

/// A layout of access logs: a block of `Layouts.txt`.
struct Layout: ExpressibleByArgument, Sendable {
    let name: String
    let line: Template
    let time: String
    let escaping: Escaping
    /// What a file begins with. It names the columns.
    let header: String
    /// Whether a line has the parts of a request apart.
    let usesParts: Bool
    /// Whether a line is a JSON object.
    let isJSON: Bool

    /// Whether a line has columns, of which none is empty.
    var hasColumns: Bool { !header.isEmpty }
    /// Whether times are in UTC.
    var isInUTC: Bool { !time.lowercased().contains("%z") }
    /// Whether lines have a request's body. Otherwise mzip and users_track are written as bare bodies.
    var hasBodies: Bool { name == "nginx" || name == "json" }
    var pipelineLayout: Pipeline.Layout { Self.pipelineLayouts[name] ?? .combined }

    init?(argument: String) {
        let blocks = String(decoding: PackageResources.Layouts_txt, as: UTF8.self).components(separatedBy: "\n\n")
        guard let block = blocks.first(where: { $0.hasPrefix("layout \(argument)\n") }) else { return nil }
        let lines = block.split(separator: "\n").map { $0.split(separator: " ", maxSplits: 1).map(String.init) }
        func values(_ key: String) -> [String] { lines.filter { $0[0] == key }.map { $0[1] } }
        guard let line = values("line").first, let time = values("time").first,
            let escaping = values("escaping").first.flatMap({ Escaping.named[$0] })
        else { return nil }
        name = argument
        self.line = Template(line)
        (self.time, self.escaping) = (time, escaping)
        header = values("header").map { $0 + "\n" }.joined()
        usesParts = !line.contains("$request")
        isJSON = line.hasPrefix("{")
    }

    static var allValueStrings: [String] { pipelineLayouts.keys.sorted() }

    private static let pipelineLayouts: [String: Pipeline.Layout] = [
        "combined": .combined,
        "nginx": .nginx(#"$remote_addr - [$time_iso8601] "$request" $status "$http_user_agent" "$request_body""#),
        "apache": .apache(#"%h - %{%Y-%m-%dT%H:%M:%S%z}t "%r" %>s %b "%{Referer}i" "%{User-Agent}i""#),
        "w3c": .w3c, "cloudfront": .cloudfront, "alb": .alb, "json": .json, "gcp_lb": .gcpLB, "caddy": .caddy,
    ]
}
