import Reference

@testable import Records

private let paths = [["a", "b"], ["c"], ["a"]]

@_cdecl("LLVMFuzzerTestOneInput") public func fuzz(_ data: UnsafePointer<UInt8>?, _ size: Int) -> Int32 {
    let bytes = Input(data, size).bytes
    let tree = JSONReader.document(bytes)
    var scanner = JSONScanner(capturing: paths)
    let isScanned = scanner.scanDocument(bytes.span)
    expect(isScanned == (tree != nil), "valid for the program: \(isScanned), for the reference: \(tree != nil)")
    if let tree, isScanned {
        for (index, path) in paths.enumerated() {
            let found = value(scanner.value(index), bytes)
            let expected = value(tree.value(at: path.joined(separator: ".")))
            expect(found == expected, "at \(path) the program: \(found), the reference: \(expected)")
        }
    }
    return 0
}

private func value(_ value: JSONValue, _ bytes: [UInt8]) -> String {
    switch value.kind {
    case .missing: return "missing"
    case .string, .escapedString:
        var text: [UInt8] = []
        JSONText.append(bytes.span, value.range, to: &text)
        return "string \(text)"
    case .integer, .decimal: return "number \(Array(bytes[value.range]))"
    default: return "\(value.kind)"
    }
}

private func value(_ tree: JSONTree?) -> String {
    switch tree?.kind {
    case nil: "missing"
    case .null: "null"
    case .bool: "boolean"
    case .number(let literal): "number \(literal)"
    case .string(let text): "string \(text)"
    case .array: "array"
    case .object: "object"
    }
}
