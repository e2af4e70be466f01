/// Where the lines of a JSON layout have each field: the key `layout_fields` of a pipeline file, or the keys of a
/// known program.
package struct JSONFields: Equatable, Sendable {
    package enum Field: Int, CaseIterable, Sendable {
        case time, date, request, method, url, path, query, status, userAgent, requestBody

        static let partsOfRequest: Set<Field> = [.request, .method, .url, .path, .query]

        /// The name in the pipeline file.
        package var name: String {
            switch self {
            case .userAgent: "user_agent"
            case .requestBody: "request_body"
            default: "\(self)"
            }
        }

        /// The name of nginx's variable, without `$`, which is also its usual key in JSON. Nil if there is none, or
        /// several.
        var nginxVariable: String? {
            switch self {
            case .request, .status, .requestBody: name
            case .method: "request_method"
            case .url: "request_uri"
            case .userAgent: "http_user_agent"
            case .time, .date, .path, .query: nil
            }
        }
    }

    /// The layout's name in the pipeline file.
    let name: String
    /// The paths of the fields that do not have their default key.
    private var mapped: [Field: [String]]

    /// Those that a pipeline file gives by name, in the order in which they are listed and tried.
    static let named: [JSONFields] = [.nginx, .googleCloud, .caddy]

    /// nginx with `escape=json`.
    static let nginx = JSONFields(name: "json", mapped: [:])

    /// Cloud Logging's export of Google's load balancers, objects `LogEntry` with an `httpRequest`.
    static let googleCloud = JSONFields(
        name: "gcp_lb",
        mapped: [
            .time: ["timestamp"], .method: ["httpRequest", "requestMethod"], .url: ["httpRequest", "requestUrl"],
            .status: ["httpRequest", "status"], .userAgent: ["httpRequest", "userAgent"],
        ])

    /// Caddy's access logs.
    static let caddy = JSONFields(
        name: "caddy",
        mapped: [
            .time: ["ts"], .method: ["request", "method"], .url: ["request", "uri"], .status: ["status"],
            .userAgent: ["request", "headers", "User-Agent"],
        ])

    /// CloudFront's logs as JSON.
    static let cloudFront = JSONFields(
        name: "cloudfront",
        mapped: [
            .date: ["date"], .time: ["time"], .method: ["cs-method"], .path: ["cs-uri-stem"],
            .query: ["cs-uri-query"], .status: ["sc-status"], .userAgent: ["cs(User-Agent)"],
        ])

    /// The same layout with other paths for some fields.
    package func with(_ paths: [Field: [String]]) -> JSONFields {
        JSONFields(name: name, mapped: mapped.merging(paths) { _, path in path })
    }

    /// The path of a field; nil if the lines do not have it. A time that is not mapped has several keys instead.
    func path(_ field: Field) -> [String]? { mapped[field] ?? field.nginxVariable.map { [$0] } }

    /// Whether an array at a mapped path stands for its first element. CloudFront writes none.
    var takesFirst: Bool { self != .cloudFront }

    func isMapped(_ field: Field) -> Bool { mapped[field] != nil }

    /// The path of a field, for messages.
    func text(_ field: Field) -> String { (path(field) ?? [field.name]).joined(separator: ".") }
}
