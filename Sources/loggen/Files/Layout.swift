import ArgumentParser
import Foundation
import Reference

/// A layout of access logs: a block of `Layouts.txt`.
struct Layout: ExpressibleByArgument, Sendable, CustomStringConvertible {
    private enum Field: String {
        case address, time, request, method, target, path, query, status, size, referer, agent, body
    }

    private let name: String
    private let time: String
    /// What a file begins with. It names the columns.
    let header: String
    private let beginning: String
    /// Fields, and the text after each.
    private let pieces: [(field: Field, text: String)]

    init?(argument: String) {
        let blocks = String(decoding: PackageResources.Layouts_txt, as: UTF8.self).components(separatedBy: "\n\n")
        guard let block = blocks.first(where: { $0.hasPrefix("layout \(argument)\n") }) else { return nil }
        let lines = block.split(separator: "\n").map { $0.split(separator: " ", maxSplits: 1).map(String.init) }
        func values(_ key: String) -> [String] { lines.filter { $0[0] == key }.map { $0[1] } }
        let parts = values("line").joined().split(separator: "$", omittingEmptySubsequences: false)
        name = argument
        time = values("time").joined()
        header = values("header").map { $0 + "\n" }.joined()
        beginning = String(parts[0])
        pieces = parts.dropFirst().compactMap { part in
            let name = part.prefix { $0.isLetter }
            return Field(rawValue: String(name)).map { ($0, String(part.dropFirst(name.count))) }
        }
    }

    static let combined = Layout(argument: "combined")!

    static var allValueStrings: [String] { ofPipeline.keys.sorted() }

    var description: String { name }

    private static let ofPipeline: [String: Pipeline.Layout] = [
        "combined": .combined,
        "nginx": .nginx(#"$remote_addr - [$time_iso8601] "$request" $status "$http_user_agent" "$request_body""#),
        "apache": .apache(#"%h - %{%Y-%m-%dT%H:%M:%S%z}t "%r" %>s %b "%{Referer}i" "%{User-Agent}i""#),
        "w3c": .w3c, "cloudfront": .cloudfront, "alb": .alb, "json": .json, "gcp_lb": .gcpLB, "caddy": .caddy,
    ]

    /// As the pipeline file has it.
    var ofPipeline: Pipeline.Layout { Self.ofPipeline[name] ?? .combined }

    /// Whether lines have a request's body. Otherwise mzip and users_track are written as bare bodies.
    var hasBodies: Bool { name == "nginx" || name == "json" }

    /// A line's time. Without an offset it is in UTC.
    func time(of milliseconds: Int, in zone: Zone) -> String {
        TimeText.text(of: milliseconds, as: time, in: time.contains("z" as Character) ? zone : Zone("UTC"))
    }

    func text(of line: WebLine, time: String) -> Bytes {
        var text = Bytes(beginning)
        for (field, after) in pieces {
            let value = value(field, of: line, time: time)
            // No column is empty.
            text += (value.isEmpty && !header.isEmpty ? "-" : value).utf8
            text += after.utf8
        }
        return text + [10]
    }

    private func value(_ field: Field, of line: WebLine, time: String) -> String {
        switch field {
        case .address: line.address
        case .time: time
        case .request: "\(line.method) \(line.target) HTTP/1.1"
        case .method: line.method
        case .target: line.target
        case .path: String(line.target.prefix { $0 != "?" })
        case .query: String(line.target.drop { $0 != "?" }.dropFirst())
        case .status: line.status
        case .size: line.size
        case .referer: line.referer
        case .agent: spelled(line.agent)
        case .body: line.body.map(spelled) ?? (name == "json" ? "" : "-")
        }
    }

    /// As the server escapes a value. There is nothing to escape in the others.
    private func spelled(_ value: String) -> String {
        switch name {
        case "nginx": GeneratedLineWriter.Escaping.nginx.escaped(Bytes(value)).text
        case "json": value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        case "w3c": value.replacing(" ", with: "+")
        // What the client escaped is escaped twice, and spaces always.
        case "cloudfront": value.replacing(" ", with: "%2520")
        default: value
        }
    }
}
