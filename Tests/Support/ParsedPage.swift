import Foundation

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// An HTML page that is well-formed XML, as its elements.
package final class ParsedPage: NSObject, XMLParserDelegate {
    package final class Element {
        package let name: String
        package let attributes: [String: String]
        package fileprivate(set) var children: [Element] = []
        /// All text in it, with that of its children.
        package fileprivate(set) var text = ""

        fileprivate init(_ name: String, _ attributes: [String: String]) {
            self.name = name
            self.attributes = attributes
        }

        /// The elements with a name in it, at any depth.
        package func all(_ name: String) -> [Element] {
            children.flatMap { ($0.name == name ? [$0] : []) + $0.all(name) }
        }
    }

    private struct Malformed: Error {
        let line: Int
        let reason: String
    }

    package let root = Element("", [:])
    private var open: [Element] = []

    /// - Throws: if the page is not well-formed.
    package init(_ html: String) throws {
        super.init()
        open = [root]
        let parser = XMLParser(data: Data(html.utf8))
        parser.delegate = self
        guard parser.parse() else {
            throw Malformed(line: parser.lineNumber, reason: parser.parserError.map { "\($0)" } ?? "")
        }
    }

    package func all(_ name: String) -> [Element] { root.all(name) }

    /// The element with an id.
    package func element(_ id: String) -> Element? { everything.first { $0.attributes["id"] == id } }

    package var everything: [Element] {
        func below(_ element: Element) -> [Element] { element.children.flatMap { [$0] + below($0) } }
        return below(root)
    }

    /// The rows of the table with a caption, the headings first, without commas and units' spaces.
    package func table(_ caption: String) -> [[String]] {
        guard let table = all("table").first(where: { $0.all("caption").first?.text == caption }) else { return [] }
        return table.all("tr").map { row in
            row.children.map { $0.text.replacing(",", with: "").replacing("\u{A0}", with: " ") }
        }
    }

    /// The row of a table that a name begins.
    package func row(_ name: String, of caption: String) -> [String]? {
        table(caption).first { $0.first == name }
    }

    package func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String]
    ) {
        let element = Element(name, attributes)
        open.last?.children.append(element)
        open.append(element)
    }

    package func parser(
        _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
    ) {
        open.removeLast()
    }

    package func parser(_ parser: XMLParser, foundCharacters text: String) {
        for element in open { element.text += text }
    }
}
