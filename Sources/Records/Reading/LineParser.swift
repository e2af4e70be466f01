import Events

/// Reads the records of a source: collector and mzip in every layout, and users_track and events in every layout except
/// `body`, which `BodyReader` reads. A record is a line, or an object of a line that holds JSON objects.
package struct LineParser {
    let format: RecordFormat
    /// The layout by which the last line was read.
    var layout: Layout { reader.layout }
    private let isBody: Bool
    private let isCombinedCollector: Bool
    /// Texts of which a line that fits no layout has one if it is to be filtered.
    private let skip: [[UInt8]]
    private let path: [UInt8]
    private let wantsUserAgent: Bool
    private(set) var clock: ReceiptClock
    /// Whether the zone decided what a time of a line means.
    package var hasUsedZone: Bool { clock.hasUsedZone || payload.rules.hasUsedZone }
    private var fields = LogFields()
    /// Why the last line does not fit its layout; nil if it does.
    private(set) var misfit: Misfit?
    /// The number of bytes of the line before the record, for messages.
    private(set) var recordOffset = 0
    private var reader: LayoutListReader
    private let isWrapped: Bool
    /// Nil while a line that was wrapped is parsed.
    private var unwrapper: LineUnwrapper?
    private var hits: HitRules
    private let ordinaryHits: OrdinaryHits
    private var marks = LineMarks()
    var payload: Payload
    /// The names of the actions of payloads by their indices, with those that were learned.
    package var actions: [UInt16: String] { payload.rules.actions.names }
    private var form = FormDecoder()
    private var delivery: [UInt8] = []

    /// A parser for one source and log date.
    package init(_ rules: RecordRules) {
        format = rules.format
        isBody = rules.layout == .body
        skip = rules.skip.map { ascii($0) }
        reader = LayoutListReader(rules.layouts)
        isWrapped = !rules.unwrap.isEmpty
        unwrapper = isWrapped ? LineUnwrapper(rules.unwrap) : nil
        isCombinedCollector = rules.format == .collector && rules.layout == .combined && !isWrapped
        path = RequestTarget.collapsed(rules.path)
        wantsUserAgent = rules.platform == nil
        clock = ReceiptClock(rules.zone)
        hits = HitRules(requiresMcid: rules.requireMcid, actions: rules.actions)
        ordinaryHits = OrdinaryHits(hits)
        payload = Payload(rules)
    }

    /// Must be called before the first line of each file.
    package mutating func beginFile() {
        reader.beginFile()
    }

    /// Takes a line that is no record, such as `#Fields:` of the W3C format. Returns false for other lines.
    package mutating func takeDirective(_ line: Span<UInt8>) -> Bool {
        !isBody && unwrapper == nil && reader.takeDirective(line)
    }

    /// The time of receipt of a line, in milliseconds since 1970-01-01T00:00:00Z; nil if it has none that can be read.
    package mutating func receiptTime(of line: Span<UInt8>) -> Int64? {
        if var unwrapper = exchange(&self.unwrapper, with: nil) {
            defer { self.unwrapper = unwrapper }
            guard unwrapper.unwrap(line) != nil else { return nil }
            while let range = unwrapper.nextLine() {
                if let time = receiptTime(of: unwrapper.bytes.extracting(range)) { return time }
            }
            return nil
        }
        return foundFields(in: line)?.time
    }

    /// What a line has besides its request; nil if it does not fit the layout.
    package mutating func foundFields(in line: Span<UInt8>) -> FoundFields? {
        guard !takeDirective(line), readFields(line) else { return nil }
        var found = FoundFields()
        found.fields = Set([.status, .userAgent].filter { !fields.isMissing(fields[$0]) })
        found.time = fields.time(&clock)
        if found.time != nil { found.fields.insert(.time) }
        let text = fields.bytes.span
        if let agent = fields[.userAgent] { found.platform = UserAgent.platform(text, in: agent) }
        if let (method, uri) = fields.requestParts, text.extracting(method).equals(Self.post),
            !fields.isMissing(fields[.requestBody])
        {
            found.payloadPath = String(decoding: fields.bytes[RequestTarget(text, in: uri).path], as: UTF8.self)
        }
        return found
    }

    /// The first byte at which a line does not fit the layout; nil if it fits.
    package mutating func offsetOfMisfit(in line: Span<UInt8>) -> Int? {
        readFields(line) ? nil : misfit?.offset
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
            let stopsAtObjects = reader.hasObjectsApart
            reading: while marks.mark(unchecked, from: start) {
                let view = marks.view
                for index in 0..<marks.count {
                    let end = view.lineFeed(index)
                    // An ordinary line has at least 64 bytes. 64 bytes from its end can be loaded.
                    guard end &- start >= 64, end <= unchecked.count &- 64 else { break reading }
                    if stopsAtObjects, unchecked[start] == UInt8(ascii: "{") { break reading }
                    switch hits.read(
                        unchecked, of: bytes, from: start, to: end, marks: view, codes: codes, clock: &clock)
                    {
                    case .accept(let event): found.append(event, in: bytes, flushingTo: &sink)
                    case .acceptWithoutUserAgent(let event):
                        found.flush(to: &sink, from: bytes)
                        sink.accept(event, in: bytes, hasUserAgent: false)
                    case .filter(let reason):
                        found.flush(to: &sink, from: bytes)
                        sink.filter(reason)
                    case .unusual: break reading
                    }
                    lines &+= 1
                    start = end &+ 1
                }
            }
            found.flush(to: &sink, from: bytes)
            return (start, lines)
        }
    }

    /// Reads a line and passes its records to `sink`: one, or one for each object of a line that holds objects. A
    /// payload gives a record per element. An empty line gives none. `line` has no line end, and `number` is 1-based.
    package mutating func parse(_ line: Span<UInt8>, number: Int, into sink: inout some RecordSink) {
        guard !line.isEmpty else { return }
        guard unwrapper != nil || !isBody && reader.holdsObjects(line, using: &fields) else {
            return parseRecord(line, number: number, into: &sink)
        }
        var place = ObjectPlace(inLine: number)
        _ = parseObjects(line, ending: .fileEnds, from: &place, into: &sink)
    }

    private mutating func parseRecord(_ record: Span<UInt8>, number: Int, into sink: inout some RecordSink) {
        sink.begin(line: number)
        let outcome: Outcome
        switch format {
        case .collector: outcome = hit(record)
        case .mzip: outcome = mzip(record)
        case .usersTrack, .events: return parsePayload(record, number: number, into: &sink)
        }
        Self.emit(outcome, delivery: delivery.span, of: record, number: number, names: names, into: &sink) {
            detail(of: $0, fields: fields, line: record)
        }
    }

    /// It is static, because a generic method would copy the parser.
    private static func emit(
        _ outcome: Outcome, delivery: Span<UInt8>, of evidence: Span<UInt8>, number: Int, names: [FoundName] = [],
        into sink: inout some RecordSink, detail: (RejectReason) -> String
    ) {
        switch outcome {
        case .accept(let record): sink.accept(record, delivery: delivery, names: names)
        case .filter(let reason): sink.filter(reason)
        case .reject(let reason): sink.reject(reason, line: number, detail: { detail(reason) }, evidence: evidence)
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

    /// What becomes of a line that fits no layout, or of an object or a rest of a line that does not.
    private func misfitting(_ text: Span<UInt8>) -> Outcome {
        let isSkipped = skip.contains { text.firstIndex(of: $0, from: 0, to: text.count) != nil }
        return isSkipped ? .filter(.skipped) : .reject(.malformedLine)
    }

    private mutating func hit(_ line: Span<UInt8>) -> Outcome {
        guard readFields(line) else { return misfitting(line) }
        let outcome = hits.evaluate(line, fields: fields, clock: &clock, delivery: &delivery)
        // The line has no request.
        if case .reject(.malformedLine) = outcome { return misfitting(line) }
        return outcome
    }
}

extension LineParser {
    /// Reads the objects of lines, usually one a line. White space, commas and zeros around them are skipped. An object
    /// ends in its line. One that is faulty is a reject, and what follows it in its line is another one. One that is
    /// longer than the limit is a reject as well, and reading goes on at the next line.
    ///
    /// - Parameters:
    ///   - bytes: the bytes that earlier calls did not take, followed by the next bytes of the file.
    ///   - ending: what follows `bytes`.
    ///   - place: where `bytes` begin, and then where the bytes begin that were not taken.
    /// - Returns: the number of bytes taken. Pass the other bytes again.
    package mutating func parseObjects(
        _ bytes: Span<UInt8>, ending: BodyReader.Ending, from place: inout ObjectPlace, into sink: inout some RecordSink
    ) -> Int {
        reader.isAmongObjects = unwrapper == nil
        defer { (recordOffset, reader.isAmongObjects) = (0, false) }
        var index = 0
        var lineEnd = -1
        while true {
            index = place.skipToObject(in: bytes, from: index)
            let available = bytes.count - index
            if available == 0 || ending == .moreComes && available < place.wanted { break }
            place.wanted = 0
            if lineEnd < index { lineEnd = bytes.firstIndex(of: 0x0A, from: index) ?? bytes.count }
            let isLong = lineEnd - index > ObjectPlace.limit
            let endsInReturn = !place.isInLine && bytes[lineEnd - 1] == 0x0D
            let textEnd = isLong ? index + ObjectPlace.limit : endsInReturn ? lineEnd - 1 : lineEnd
            let text = bytes.extracting(index..<textEnd)
            recordOffset = index - place.lineStart
            let front = scanFront(text)
            if case .object(let end) = front {
                parseObject(text.extracting(0..<end), number: place.line, into: &sink)
                index += end
                continue
            }
            if lineEnd == bytes.count, !isLong, ending != .fileEnds {
                // The line may go on. A longer text is worth another scan.
                place.wanted = min(2 * available, ObjectPlace.limit + 1)
                break
            }
            sink.begin(line: place.line)
            if case .unfinished = front, isLong {
                sink.reject(.lineTooLong, line: place.line, evidence: text)
            } else {
                rejectFaulty(text, number: place.line, into: &sink)
            }
            place.skipsLine = true
        }
        place.lineStart -= index
        return index
    }

    private mutating func scanFront(_ text: Span<UInt8>) -> JSONScanner.Front {
        if isWrapped, let front = unwrapper?.scanFront(text) { return front }
        return reader.scanFront(text)
    }

    /// Reads an object that was scanned.
    private mutating func parseObject(_ object: Span<UInt8>, number: Int, into sink: inout some RecordSink) {
        guard isWrapped, var unwrapper = exchange(&self.unwrapper, with: nil) else {
            return parseRecord(object, number: number, into: &sink)
        }
        defer { self.unwrapper = unwrapper }
        guard unwrapper.unwrapScanned(object) else { return rejectWrapped(object, number: number, into: &sink) }
        recordOffset = 0
        while let range = unwrapper.nextLine() {
            let line = unwrapper.bytes.extracting(range)
            if !takeDirective(line) { parse(line, number: number, into: &sink) }
        }
    }

    private func rejectWrapped(_ object: Span<UInt8>, number: Int, into sink: inout some RecordSink) {
        sink.begin(line: number)
        let detail =
            "unwrap: expected a JSON object with the text\(recordOffset > 0 ? " at byte \(recordOffset + 1)" : "")"
        Self.emit(misfitting(object), delivery: delivery.span, of: object, number: number, into: &sink) { _ in detail }
    }

    /// Rejects what is no sound object, and what follows it in the line.
    private mutating func rejectFaulty(_ text: Span<UInt8>, number: Int, into sink: inout some RecordSink) {
        let end = ObjectPlace.endOfFaultyObject(text) ?? text.count
        var place = ObjectPlace(inLine: number)
        let next = place.skipToObject(in: text, from: end)
        let object = text.extracting(0..<end)
        unwrapper == nil
            ? parseRecord(object, number: number, into: &sink) : rejectWrapped(object, number: number, into: &sink)
        guard next < text.count else { return }
        let layout = unwrapper == nil ? layout : reader.firstLayout
        let detail =
            "\(layout.name): not read from byte \(recordOffset + next + 1) on, since the object before is faulty"
        let rest = text.extracting(next..<text.count)
        Self.emit(misfitting(rest), delivery: delivery.span, of: rest, number: number, into: &sink) { _ in detail }
    }
}

extension LineParser {
    private mutating func mzip(_ line: Span<UInt8>) -> Outcome {
        guard !isBody else { return mzip(line, in: 0..<line.count, receipt: PayloadRules.Receipt()) }
        switch request(line) {
        case .other(let outcome): return outcome
        case .payload(let body, let receipt):
            let fields = exchange(&self.fields, with: LogFields())
            defer { self.fields = fields }
            return mzip(fields.bytes.span, in: body, receipt: receipt)
        }
    }

    private mutating func mzip(_ text: Span<UInt8>, in body: Range<Int>, receipt: PayloadRules.Receipt) -> Outcome {
        guard let value = MzipForm.value(text, in: body), let length = form.decode(text, in: value)
        else { return .reject(.malformedLine) }
        let form = exchange(&self.form, with: FormDecoder(isWide: false))
        defer { self.form = form }
        let json = form.decoded.span.extracting(0..<length)
        let start = json.trimmed(0..<json.count).lowerBound
        guard start < json.count, json[start] == UInt8(ascii: "{") else { return .reject(.notJSON) }
        guard payload.scanDocument(json) else { return .reject(.badJSON) }
        _ = payload.begin(0, in: json)
        return payload.outcome(of: 0, in: json, receipt: receipt, delivery: &delivery)
    }

    private mutating func parsePayload(_ line: Span<UInt8>, number: Int, into sink: inout some RecordSink) {
        switch request(line) {
        case .other(let other):
            Self.emit(other, delivery: delivery.span, of: line, number: number, into: &sink) {
                detail(of: $0, fields: fields, line: line)
            }
        case .payload(let body, let receipt):
            let fields = exchange(&self.fields, with: LogFields())
            defer { self.fields = fields }
            let text = fields.bytes.span.extracting(body)
            guard payload.scanDocument(text) else { return sink.reject(.badJSON, line: number, evidence: line) }
            guard format == .events, var item = payload.firstItem(of: text) else {
                return emitEvents(of: text, receipt: receipt, line: line, fields: fields, number: number, into: &sink)
            }
            // An array of payloads.
            while item < text.count {
                item = payload.item(after: payload.scan(text, at: item), of: text)
                emitEvents(of: text, receipt: receipt, line: line, fields: fields, number: number, into: &sink)
            }
        }
    }

    /// Passes the records of the payload that was scanned last to the sink.
    private mutating func emitEvents(
        of text: Span<UInt8>, receipt: PayloadRules.Receipt, line: Span<UInt8>, fields: borrowing LogFields,
        number: Int, into sink: inout some RecordSink
    ) {
        guard let events = payload.events else { return sink.reject(payload.misfit, line: number, evidence: line) }
        for event in 0..<events {
            for record in 0..<payload.begin(event, in: text) {
                let outcome = payload.outcome(of: record, in: text, receipt: receipt, delivery: &delivery)
                let event = text.extracting(payload.event)
                Self.emit(outcome, delivery: delivery.span, of: event, number: number, names: names, into: &sink) {
                    reason in
                    payload.rules.detail(of: reason, in: event) ?? detail(of: reason, fields: fields, line: line)
                }
            }
        }
        for _ in 0..<payload.othersCount { sink.filter(.notAnEvent) }
    }
}

extension LineParser {
    private enum Request {
        /// The range of the payload in `fields`.
        case payload(Range<Int>, PayloadRules.Receipt)
        case other(Outcome)
    }

    /// Reads a line with a request whose body has a payload: the first step for payloads.
    private mutating func request(_ line: Span<UInt8>) -> Request {
        guard readFields(line) else { return .other(misfitting(line)) }
        let fields = exchange(&self.fields, with: LogFields())
        defer { self.fields = fields }
        let text = fields.bytes.span
        if let (method, uri) = fields.requestParts {
            guard text.extracting(method).equals(Self.post), RequestTarget(text, in: uri).hasPath(path, in: text)
            else { return .other(.filter(.notTracking)) }
        }
        if let status = fields[.status], !fields.isMissing(status), let reason = HTTPStatus.reason(text, in: status) {
            return .other(.filter(reason))
        }
        guard let body = fields[.requestBody], !fields.isMissing(body) else { return .other(.reject(.noBody)) }
        var receipt = PayloadRules.Receipt()
        receipt.time = fields.time(&clock)
        if wantsUserAgent, let agent = fields[.userAgent] {
            receipt.platform = UserAgent.platform(text, in: agent)
            receipt.hasUserAgent = !fields.isMissing(agent)
        }
        return .payload(body, receipt)
    }

    private static let post = ascii("POST")
}
