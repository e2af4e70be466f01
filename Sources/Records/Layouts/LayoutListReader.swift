/// Reads the lines of a source by its layouts: each line by the first that fits it.
///
///     layout: [combined, '$time_iso8601 $status "$request" "$http_user_agent"', json]
///
/// A line that begins with `{` belongs to the JSON layout alone, if there is one among several.
struct LayoutListReader {
    private let layouts: [Layout]
    private var first: LayoutReader
    private var others: [LayoutReader]
    /// The index of the JSON layout among others; nil for a single layout, or if none of them is JSON.
    private let json: Int?
    /// The index of the layout by which the last line was read; of one that fits none, the first.
    private var used = 0
    /// Whether what is read is a piece of a line that holds objects.
    var isAmongObjects = false

    init(_ layouts: [Layout]) {
        assert(!layouts.isEmpty)
        self.layouts = layouts
        first = LayoutReader(layouts[0])
        others = layouts.dropFirst().map { LayoutReader($0) }
        json = layouts.count > 1 ? layouts.firstIndex(where: \.isJSON) : nil
    }

    /// The layout by which the last line was read.
    var layout: Layout { layouts[used] }

    /// The layout that comes first.
    var firstLayout: Layout { layouts[0] }

    /// Whether lines that begin with `{` are read otherwise than the lines beside them.
    var hasObjectsApart: Bool { json != nil }

    /// Must be called before the first line of each file.
    mutating func beginFile() {
        isAmongObjects = false
        first.beginFile()
    }

    /// Takes a line that is about the lines after it, and is no record. Returns false for other lines. Layouts with
    /// such lines are never among several.
    mutating func takeDirective(_ line: Span<UInt8>) -> Bool { first.takeDirective(line) }

    /// Whether a line is read object by object.
    /// - Parameter fields: overwritten.
    mutating func holdsObjects(_ line: Span<UInt8>, using fields: inout LogFields) -> Bool {
        guard let json else { return first.holdsObjects(line) }
        var place = ObjectPlace(inLine: 1)
        let start = place.skipToObject(in: line, from: 0)
        guard start < line.count, line[start] == UInt8(ascii: "{") else { return false }
        return start == 0 || !layouts.indices.contains { $0 != json && fits(layout: $0, line, using: &fields) }
    }

    /// Scans the object at the front of a text, so that `read` need not do it again.
    mutating func scanFront(_ text: Span<UInt8>) -> JSONScanner.Front {
        guard let json, json > 0 else { return first.scanFront(text) }
        return others[json - 1].scanFront(text)
    }

    /// Reads a line, or an object of a line that holds objects, and fills `fields`. Throws the misfit of the first
    /// layout.
    mutating func read(_ line: Span<UInt8>, into fields: inout LogFields) throws(Misfit) {
        used = 0
        if let json, isAmongObjects || !line.isEmpty && line[0] == UInt8(ascii: "{") {
            used = json
            return try read(layout: json, of: line, into: &fields)
        }
        if layouts.count == 1 { return try first.read(line, into: &fields) }
        // Lines of objects are not read here. One that begins with a space and an object may still be another layout's
        // line.
        guard let other = layouts.indices.first(where: { $0 != json && fits(layout: $0, line, using: &fields) }) else {
            return try first.read(line, into: &fields)
        }
        used = other
    }

    private mutating func read(layout index: Int, of line: Span<UInt8>, into fields: inout LogFields) throws(Misfit) {
        if index == 0 {
            try first.read(line, into: &fields)
        } else {
            try others[index - 1].read(line, into: &fields)
        }
    }

    private mutating func fits(layout index: Int, _ line: Span<UInt8>, using fields: inout LogFields) -> Bool {
        do throws(Misfit) {
            try read(layout: index, of: line, into: &fields)
            return true
        } catch {
            return false
        }
    }
}
