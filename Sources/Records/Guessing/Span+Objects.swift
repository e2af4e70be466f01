extension Span<UInt8> {
    /// The ranges of the JSON objects in a line, if it begins with one. What follows the last sound one is another range.
    package var objects: [Range<Int>] {
        var scanner = JSONScanner(capturing: [], checksUTF8: false)
        var place = ObjectPlace()
        var objects: [Range<Int>] = []
        var start = place.skipToObject(in: self, from: 0)
        while start < count {
            guard case .object(let end) = scanner.scanFront(extracting(start..<count)) else {
                objects.append(start..<count)
                break
            }
            objects.append(start..<start + end)
            start = place.skipToObject(in: self, from: start + end)
        }
        return objects
    }
}
