/// Reads the lines of one layout. It owns the buffers for that.
struct LayoutReader {
    private let layout: Layout
    private var format: LineFormatReader?
    private var json: JSONLayout?
    private var w3c: W3CLayout?

    init(_ layout: Layout) {
        self.layout = layout
        switch layout {
        case .nginx(let format), .apache(let format): self.format = LineFormatReader(format)
        case .json(let fields): json = JSONLayout(fields)
        case .w3c: w3c = W3CLayout(isCloudFront: false)
        case .cloudFront: w3c = W3CLayout(isCloudFront: true)
        default: break
        }
    }

    /// Must be called before the first line of each file.
    mutating func beginFile() {
        w3c?.beginFile()
    }

    /// Takes a line that is about the lines after it, and is no record. Returns false for other lines.
    mutating func takeDirective(_ line: Span<UInt8>) -> Bool {
        w3c?.takeDirective(line) ?? false
    }

    /// Whether a line is read object by object.
    func holdsObjects(_ line: Span<UInt8>) -> Bool {
        switch layout {
        case .json: true
        case .cloudFront: !line.isEmpty && line[0] == UInt8(ascii: "{")
        default: false
        }
    }

    /// Scans the object at the front of a text, so that `read` need not do it again.
    mutating func scanFront(_ text: Span<UInt8>) -> JSONScanner.Front {
        if json != nil { json?.scanFront(text) ?? .faulty } else { w3c?.scanFront(text) ?? .faulty }
    }

    /// Reads a line, or an object of a line that holds objects, and fills `fields`.
    mutating func read(_ line: Span<UInt8>, into fields: inout LogFields) throws(Misfit) {
        switch layout {
        case .combined: try CombinedLayout.read(line, into: &fields)
        case .nginx, .apache: try format?.read(line, into: &fields)
        case .w3c, .cloudFront: try w3c?.read(line, into: &fields)
        case .alb: try ALBLayout.read(line, into: &fields)
        case .json: try json?.read(line, into: &fields)
        case .body, .csv: break
        }
    }
}
