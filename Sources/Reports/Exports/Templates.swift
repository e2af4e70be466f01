/// The templates of an export: JSON with placeholders such as `{{title}}`, each after a line with its name, `== chart`.
/// A line that ends in a backslash goes on in the next one.
struct Templates: Sendable {
    static let datasette = Templates(PackageResources.Datasette_templates)
    static let superset = Templates(PackageResources.Superset_templates)

    private let texts: [String: String]

    private init(_ file: [UInt8]) {
        let sections = String(decoding: file, as: UTF8.self).replacing(/\\\n */, with: "").split(separator: "\n\n== ")
        texts = Dictionary(
            sections.map { section in
                let lines = section.split(separator: "\n", maxSplits: 1)
                return (String(lines[0]), String(lines.last ?? ""))
            }, uniquingKeysWith: { $1 })
    }

    /// A template in which each placeholder is replaced by its value, or else by the template of its name.
    func fill(_ name: String, _ values: [String: JSONText] = [:]) -> JSONText {
        JSONText(
            json: (texts[name] ?? "").replacing(/\{\{(\w+)\}\}/) { placeholder in
                let key = String(placeholder.1)
                return (values[key] ?? fill(key, values)).json
            })
    }
}
