/// The text of a path in a pipeline file.
package enum PathText {
    /// `event.kind`, or `"event.kind".id` where a name holds a dot.
    package static func text(_ path: [String]) -> String {
        path.map { $0.utf8.contains(UInt8(ascii: ".")) ? "\"\($0)\"" : $0 }.joined(separator: ".")
    }

    /// The names of a path: separated by dots, where one in double quotes may hold a dot. Nil if a name is empty, or if
    /// anything but a dot follows a closing quote.
    package static func names(_ text: String) -> [String]? {
        let bytes = Array(text.utf8)
        var names: [String] = []
        var index = 0
        while true {
            var end = bytes[index...].firstIndex(of: UInt8(ascii: ".")) ?? bytes.count
            var name = bytes[index..<end]
            if index < bytes.count, bytes[index] == UInt8(ascii: "\"") {
                guard let quote = bytes[(index + 1)...].firstIndex(of: UInt8(ascii: "\"")) else { return nil }
                name = bytes[(index + 1)..<quote]
                end = quote + 1
            }
            guard !name.isEmpty else { return nil }
            names.append(String(decoding: name, as: UTF8.self))
            if end == bytes.count { return names }
            guard bytes[end] == UInt8(ascii: ".") else { return nil }
            index = end + 1
        }
    }
}
