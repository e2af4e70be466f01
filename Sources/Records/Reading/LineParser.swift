import Events

/// Reads the records of a source line by line: collector and mzip in every layout, and users_track in every layout
/// except `body`, which `BodyReader` reads.
package struct LineParser {
    let format: RecordFormat
    let layout: Layout
    private let isCombinedCollector: Bool
    private let path: [UInt8]
    private let wantsUserAgent: Bool
    private(set) var clock: ReceiptClock
    /// Whether the zone decided what a time of a line means.
    package var hasUsedZone: Bool { clock.hasUsedZone }
    private var fields = LogFields()
    /// Why the last line does not fit its layout; nil if it does.
    private(set) var misfit: Misfit?
    private var reader: LayoutReader
    private let isWrapped: Bool
    /// Nil while the text in a line is parsed.
    private var unwrapper: LineUnwrapper?
    private var hits: HitRules
    private let ordinaryHits: OrdinaryHits
    private var marks = LineMarks()
    private var payloads: PayloadRules
    /// The names of the actions of payloads by their indices, with those that were learned.
    package var actions: [UInt16: String] { payloads.actions.names }
    private var object: JSONScanner
    private var usersTrack: UsersTrackBody
    private var form = FormDecoder()
    private var delivery: [UInt8] = []

    /// A parser for one source and log date.
    package init(_ rules: RecordRules) {
        format = rules.format
        layout = rules.layout
        reader = LayoutReader(rules.layout)
        isWrapped = !rules.unwrap.isEmpty
        unwrapper = isWrapped ? LineUnwrapper(rules.unwrap) : nil
        isCombinedCollector = rules.format == .collector && rules.layout == .combined && !isWrapped
        path = RequestTarget.collapsed(rules.path)
        wantsUserAgent = rules.platform == nil
        clock = ReceiptClock(rules.zone)
        hits = HitRules(requiresMcid: rules.requireMcid, actions: rules.actions)
        ordinaryHits = OrdinaryHits(hits)
        payloads = PayloadRules(rules)
        object = JSONScanner(capturing: payloads.paths)
        usersTrack = UsersTrackBody(paths: payloads.paths)
    }

    /// Must be called before the first line of each file.
    package mutating func beginFile() {
        reader.beginFile()
    }

    /// Takes a line that is no record, such as `#Fields:` of the W3C format. Returns false for other lines.
    package mutating func takeDirective(_ line: Span<UInt8>) -> Bool {
        unwrapper == nil && reader.takeDirective(line)
    }

    /// The time of receipt of a line, in milliseconds since 1970-01-01T00:00:00Z; nil if it has none that can be read.
    package mutating func receiptTime(of line: Span<UInt8>) -> Int64? {
        if var unwrapper = exchange(&self.unwrapper, with: nil) {
            defer { self.unwrapper = unwrapper }
            return unwrapper.unwrap(line).flatMap { receiptTime(of: unwrapper.bytes.extracting($0)) }
        }
        guard !takeDirective(line), readFields(line) else { return nil }
        let fields = exchange(&self.fields, with: LogFields())
        defer { self.fields = fields }
        return fields[.time].flatMap { clock.time(fields.bytes.span, $0, fields.timeForm) }
    }

    /// What a line has besides its request.
    package struct FoundFields {
        /// Of time, status and user agent those that are there.
        package var fields: Set<JSONFields.Field> = []
        /// Milliseconds since 1970-01-01T00:00:00Z.
        package var time: Int64?
        package var platform = Platform.unknown
    }

    /// What a line has besides its request; nil if it does not fit the layout.
    package mutating func foundFields(in line: Span<UInt8>) -> FoundFields? {
        guard !takeDirective(line), readFields(line) else { return nil }
        let fields = exchange(&self.fields, with: LogFields())
        defer { self.fields = fields }
        var found = FoundFields()
        found.fields = Set([.status, .userAgent].filter { !fields.isMissing(fields[$0]) })
        found.time = fields[.time].flatMap { clock.time(fields.bytes.span, $0, fields.timeForm) }
        if found.time != nil { found.fields.insert(.time) }
        if let agent = fields[.userAgent] { found.platform = UserAgent.platform(fields.bytes.span, agent) }
        return found
    }

    /// The first byte at which a line does not fit the layout; nil if it fits.
    package mutating func offsetOfMisfit(in line: Span<UInt8>) -> Int? {
        readFields(line) ? nil : misfit?.offset
    }

    /// The path of the request of a line that has a body; nil if the line has none.
    package mutating func payloadPath(of line: Span<UInt8>) -> String? {
        guard !takeDirective(line), readFields(line), let (method, uri) = fields.requestParts,
            fields.bytes.span.extracting(method).equals(Self.post), !fields.isMissing(fields[.requestBody])
        else { return nil }
        let target = RequestTarget(fields.bytes.span, uri)
        return String(decoding: fields.bytes[target.path], as: UTF8.self)
    }

    /// Reads lines on the fast path, up to the first line that is not an ordinary hit or has no line end.
    ///
    /// - Parameter start: the offset of a line.
    /// - Returns: the offset of the first line that was not read, and the number of lines read.
    package mutating func parseOrdinaryLines(
        _ bytes: Span<UInt8>, from start: Int, into sink: inout some RecordSink
    ) -> (end: Int, lines: Int) {
        guard isCombinedCollector, bytes.count >= 128 else { return (start, 0) }
        let hits = ordinaryHits
        var marks = exchange(&self.marks, with: LineMarks())
        defer { self.marks = marks }
        marks.reset()
        return bytes.withUnsafeBytes { buffer in
            guard let unchecked = UncheckedBytes(buffer) else { return (start, 0) }
            let codes = hits.actions.span
            var start = start
            var lines = 0
            var found = FoundEvents()
            reading: while marks.mark(unchecked, from: start) {
                let view = marks.view
                for index in 0..<marks.count {
                    let lineFeed = view.lineFeed(index)
                    // An ordinary line has at least 64 bytes. 64 bytes from its end can be loaded.
                    guard lineFeed &- start >= 64, lineFeed <= unchecked.count &- 64 else { break reading }
                    switch hits.read(unchecked, bytes, start, lineFeed, view, codes: codes, clock: &clock) {
                    case .accept(let event): found.append(event, in: bytes, &sink)
                    case .acceptWithoutUserAgent(let event):
                        found.flush(to: &sink, bytes)
                        sink.accept(event, in: bytes, hasUserAgent: false)
                    case .filter(let reason):
                        found.flush(to: &sink, bytes)
                        sink.filter(reason)
                    case .unusual: break reading
                    }
                    lines &+= 1
                    start = lineFeed &+ 1
                }
            }
            found.flush(to: &sink, bytes)
            return (start, lines)
        }
    }

    /// Reads a line and passes its record to `sink`. A users_track body gives a record per element. An empty line gives
    /// none.
    ///
    /// - Parameters:
    ///   - line: without its line end.
    ///   - number: 1-based.
    package mutating func parse(_ line: Span<UInt8>, number: Int, into sink: inout some RecordSink) {
        guard !line.isEmpty else { return }
        sink.begin(line: number)
        if isWrapped, var unwrapper = exchange(&self.unwrapper, with: nil) {
            defer { self.unwrapper = unwrapper }
            guard let range = unwrapper.unwrap(line) else {
                return sink.reject(
                    .malformedLine, line: number, detail: { "unwrap: expected a JSON object with the text" },
                    evidence: line)
            }
            let inner = unwrapper.bytes.extracting(range)
            if !takeDirective(inner) { parse(inner, number: number, into: &sink) }
            return
        }
        switch format {
        case .collector: Self.emit(hit(line), delivery, line, number, into: &sink) { detail($0, fields, line) }
        case .mzip: Self.emit(mzip(line), delivery, line, number, into: &sink) { detail($0, fields, line) }
        case .usersTrack: parseUsersTrack(line, number, into: &sink)
        }
    }

    /// It is static, because a generic method would copy the parser.
    private static func emit(
        _ outcome: Outcome, _ delivery: [UInt8], _ evidence: Span<UInt8>, _ number: Int,
        into sink: inout some RecordSink, detail: (RejectReason) -> String
    ) {
        switch outcome {
        case .accept(let record): sink.accept(record, delivery: delivery.span)
        case .filter(let reason): sink.filter(reason)
        case .reject(let reason):
            sink.reject(reason, line: number, detail: { detail(reason) }, evidence: evidence)
        }
    }

    /// Fills `fields`. Returns false if the line does not fit the layout.
    private mutating func readFields(_ line: Span<UInt8>) -> Bool {
        misfit = nil
        do throws(Misfit) {
            try reader.read(line, into: &fields)
            return true
        } catch {
            misfit = error
            return false
        }
    }

    private mutating func hit(_ line: Span<UInt8>) -> Outcome {
        guard readFields(line) else { return .reject(.malformedLine) }
        return hits.evaluate(fields, clock: &clock, delivery: &delivery)
    }
}

extension LineParser {
    private mutating func mzip(_ line: Span<UInt8>) -> Outcome {
        guard layout != .body else { return mzip(line, 0..<line.count, PayloadRules.Receipt()) }
        switch request(line) {
        case .other(let outcome): return outcome
        case .payload(let body, let receipt):
            let fields = exchange(&self.fields, with: LogFields())
            defer { self.fields = fields }
            return mzip(fields.bytes.span, body, receipt)
        }
    }

    private mutating func mzip(_ text: Span<UInt8>, _ body: Range<Int>, _ receipt: PayloadRules.Receipt) -> Outcome {
        guard let value = MzipForm.value(text, body), let length = form.decode(text, value)
        else { return .reject(.malformedLine) }
        let form = exchange(&self.form, with: FormDecoder())
        defer { self.form = form }
        let json = form.decoded.span.extracting(0..<length)
        let start = json.trimmed(0..<json.count).lowerBound
        guard start < json.count, json[start] == UInt8(ascii: "{") else { return .reject(.notJSON) }
        guard object.scanDocument(json) else { return .reject(.badJSON) }
        return payloads.evaluate(json, object, row: 0, receipt: receipt, delivery: &delivery)
    }

    private mutating func parseUsersTrack(_ line: Span<UInt8>, _ number: Int, into sink: inout some RecordSink) {
        switch request(line) {
        case .other(let outcome): Self.emit(outcome, delivery, line, number, into: &sink) { detail($0, fields, line) }
        case .payload(let body, let receipt):
            let fields = exchange(&self.fields, with: LogFields())
            defer { self.fields = fields }
            parseUsersTrack(fields, body, line, receipt, number, into: &sink)
        }
    }

    private mutating func parseUsersTrack(
        _ fields: borrowing LogFields, _ body: Range<Int>, _ line: Span<UInt8>, _ receipt: PayloadRules.Receipt,
        _ number: Int, into sink: inout some RecordSink
    ) {
        let body = fields.bytes.span.extracting(body)
        guard usersTrack.scanDocument(body) else { return sink.reject(.badJSON, line: number, evidence: line) }
        guard let events = usersTrack.events else { return sink.reject(.notUsersTrack, line: number, evidence: line) }
        for event in 0..<events {
            let row = usersTrack.row(of: event, in: body)
            let outcome = payloads.evaluate(body, usersTrack.scanner, row: row, receipt: receipt, delivery: &delivery)
            Self.emit(outcome, delivery, body.extracting(usersTrack.element(row)), number, into: &sink) {
                detail($0, fields, line)
            }
        }
        for _ in 0..<usersTrack.others { sink.filter(.notAnEvent) }
    }
}

extension LineParser {
    private enum Request {
        /// The range of the payload in `fields`.
        case payload(Range<Int>, PayloadRules.Receipt)
        case other(Outcome)
    }

    /// Reads a line with a request whose body has a payload: the first step for mzip and users_track.
    private mutating func request(_ line: Span<UInt8>) -> Request {
        guard readFields(line) else { return .other(.reject(.malformedLine)) }
        let fields = exchange(&self.fields, with: LogFields())
        defer { self.fields = fields }
        let text = fields.bytes.span
        if let (method, uri) = fields.requestParts {
            guard text.extracting(method).equals(Self.post), RequestTarget(text, uri).hasPath(path, in: text)
            else { return .other(.filter(.notTracking)) }
        }
        if let status = fields[.status], !fields.isMissing(status), let reason = HTTPStatus.reason(text, status) {
            return .other(.filter(reason))
        }
        guard let body = fields[.requestBody], !fields.isMissing(body) else { return .other(.reject(.noBody)) }
        var receipt = PayloadRules.Receipt()
        if let time = fields[.time] { receipt.time = clock.time(text, time, fields.timeForm) }
        if wantsUserAgent, let agent = fields[.userAgent] {
            receipt.platform = UserAgent.platform(text, agent)
            receipt.hasUserAgent = !fields.isMissing(agent)
        }
        return .payload(body, receipt)
    }

    private static let post = ascii("POST")
}
