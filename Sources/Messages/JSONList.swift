/// Texts that are one text alone if they are one, as a pipeline file may have them.
package struct JSONList: Encodable {
    private let texts: [String]

    package init(_ texts: [String]) { self.texts = texts }

    package func encode(to encoder: any Encoder) throws {
        if texts.count == 1 { try texts[0].encode(to: encoder) } else { try texts.encode(to: encoder) }
    }
}
