/// Writes numbers and texts into bytes: numbers little-endian, before texts and lists their length in 4 bytes.
package struct ByteWriter {
    package private(set) var bytes: [UInt8] = []

    package init() {}

    package mutating func add(_ number: some FixedWidthInteger) {
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }

    package mutating func add(_ text: String) {
        add(Array(text.utf8))
    }

    package mutating func add(_ list: [UInt8]) {
        add(UInt32(list.count))
        bytes += list
    }

    package mutating func add(_ texts: [String]) {
        add(UInt32(texts.count))
        for text in texts { add(text) }
    }
}
