/// Reads the payloads of a users_track or events source in the layout `body`: a sequence of JSON objects, which may
/// span lines. White space, commas and square brackets between the objects are skipped. So one object per line, an
/// array of objects, pretty-printed objects and objects without a separator all give the same result.
///
/// Three things are one reject each. Reading then goes on at the next line whose first byte is `{` or `[`:
/// - after the line of a byte that begins no object,
/// - after the first line of an object that is not valid JSON,
/// - after the first 8 MiB of an object that is longer.
///
/// Of an object over 8 MiB with `elements`, the events are read one by one (`LongBody`); only each of them may have no
/// more than 8 MiB. After a fault in such an object the rest is one reject. It ends where the next line begins an
/// object that has an array of events; what lies between is no reject of its own.
///
/// So a byte may be scanned again with the object around it, but at most 64 times: at the first byte of a line an
/// object is open in which the next one is nested, and no object is nested deeper.
package struct BodyReader {
    /// What follows the bytes of a call.
    package enum Ending {
        /// More bytes.
        case moreComes
        /// The end of the file. An unfinished body is a fault.
        case fileEnds
        /// The end of a truncated file. An unfinished body is ignored.
        case cut
    }

    private enum State {
        case betweenBodies
        /// After a fault: in a line that is not read.
        case skippingLine
        /// After a fault: at the first byte of a line.
        case atLineStart
        /// In an object over the limit, whose events are read one by one.
        case inLongBody(LongBody)
    }

    /// Where something begins that may be rejected later, and its first bytes.
    private struct Beginning {
        let line: Int
        let evidence: [UInt8]
    }

    private let limit: Int
    /// Whether objects may be longer, since only their events are limited.
    private let readsLongBodies: Bool
    private var state = State.betweenBodies
    /// Of the long body.
    private var beginning = Beginning(line: 0, evidence: [])
    /// An event of a long body that is too long itself.
    private var longEvent: Beginning?
    /// Whether what has no events belongs to a long body that was rejected from a fault on.
    private var isInRest = false
    /// The 1-based line of the first byte that has not been taken.
    private var line = 1
    /// The number of bytes from which on another scan of an unfinished body is made.
    private var wanted = 0
    private var payload: Payload
    private var delivery: [UInt8] = []

    /// The names of the actions by their indices, with those that were learned.
    package var actions: [UInt16: String] { payload.rules.actions.names }

    /// Whether the zone decided what a time means.
    package var hasUsedZone: Bool { payload.rules.hasUsedZone }

    /// - Parameter limit: the longest body in bytes.
    package init(_ rules: RecordRules, limit: Int = 8 << 20, rowLimit: Int = 1024) {
        self.limit = limit
        readsLongBodies = rules.format == .events && !rules.elements.isEmpty
        payload = Payload(rules, rowLimit: rowLimit)
    }

    /// Reads every body that ends in `bytes`. The result does not depend on how the file is cut into calls.
    /// - Parameters:
    ///   - bytes: the bytes that earlier calls did not take, followed by the next bytes of the file.
    ///   - ending: what follows `bytes`.
    /// - Returns: the number of bytes taken. Pass the other bytes again.
    package mutating func read(_ bytes: Span<UInt8>, ending: Ending, into sink: inout some RecordSink) -> Int {
        var index = 0
        while index < bytes.count {
            switch state {
            case .betweenBodies:
                index = skipToBody(bytes, at: index)
                guard index < bytes.count else { break }
                let isBody = bytes[index] == UInt8(ascii: "{")
                let next =
                    isBody
                    ? readBody(bytes, at: index, ending: ending, into: &sink)
                    : rejectStray(bytes, at: index, ending: ending, into: &sink)
                guard let next else { return index }
                index = next
            case .skippingLine:
                guard let end = bytes.firstIndex(of: 0x0A, from: index) else { return bytes.count }
                index = end + 1
                line += 1
                state = .atLineStart
            case .atLineStart:
                let resumes = bytes[index] == UInt8(ascii: "{") || bytes[index] == UInt8(ascii: "[")
                state = resumes ? .betweenBodies : .skippingLine
            case .inLongBody(let body):
                let hasEnded = read(body, from: bytes, at: &index, ending: ending, into: &sink)
                guard hasEnded else { return index }
            }
        }
        // The file may end where all bytes of a long body have been taken.
        if ending == .fileEnds, case .inLongBody(let body) = state {
            _ = read(body, from: bytes, at: &index, ending: ending, into: &sink)
        }
        return index
    }

    private mutating func skipToBody(_ bytes: Span<UInt8>, at start: Int) -> Int {
        var index = start
        while index < bytes.count {
            switch bytes[index] {
            case 0x0A: line += 1
            case UInt8(ascii: ","), UInt8(ascii: "["), UInt8(ascii: "]"): break
            case let byte where byte.isWhiteSpace: break
            default: return index
            }
            index += 1
        }
        return index
    }

    /// The most bytes of evidence for a reject.
    private static let evidenceLimit = 1024

    /// Rejects a byte that begins no object. The evidence is the rest of its line. Returns nil if that needs more
    /// bytes.
    private mutating func rejectStray(
        _ bytes: Span<UInt8>, at start: Int, ending: Ending, into sink: inout some RecordSink
    ) -> Int? {
        let far = min(start + Self.evidenceLimit, bytes.count)
        let end = bytes.firstIndex(of: 0x0A, from: start, to: far)
        guard end != nil || ending != .moreComes || far - start == Self.evidenceLimit else { return nil }
        reject(.badJSON, evidence: bytes.extracting(start..<(end ?? far)), into: &sink)
        state = .skippingLine
        return start
    }

    /// Reads the body at `start`. Returns the offset at which reading goes on; nil if it needs more bytes, or if the
    /// body is cut off.
    private mutating func readBody(
        _ bytes: Span<UInt8>, at start: Int, ending: Ending, into sink: inout some RecordSink
    ) -> Int? {
        let length = bytes.count - start
        if ending == .moreComes, length < wanted { return nil }
        wanted = 0
        let isLong = length > limit
        let text = isLong ? bytes.extracting(0..<start + limit) : bytes
        let end = payload.scan(text, at: start)
        if end >= 0 {
            emit(text, in: start..<end, into: &sink)
            return end
        }
        let isUnfinished = payload.scanner.fault == .end
        if isUnfinished, !isLong, ending != .fileEnds {
            // A longer text is worth another scan.
            wanted = min(2 * length, limit + 1)
            return nil
        }
        if isUnfinished, isLong, readsLongBodies {
            beginning = Beginning(line: line, evidence: evidence(of: text, in: start..<text.count))
            state = .inLongBody(LongBody(payload.path, limit: limit))
            sink.begin(line: line)
            return start
        }
        let reason = isUnfinished && isLong ? RejectReason.lineTooLong : .badJSON
        let evidenceEnd = min(start + Self.evidenceLimit, payload.scanner.faultOffset + 1, text.count)
        reject(reason, evidence: text.extracting(start..<evidenceEnd), into: &sink)
        state = .skippingLine
        guard reason == .lineTooLong else { return start }
        // A line feed that is the last of these bytes ends the line, too.
        line += text.lineFeeds(in: start..<text.count - 1)
        return text.count - 1
    }

    private func reject(_ reason: RejectReason, evidence: Span<UInt8>, into sink: inout some RecordSink) {
        if !isInRest { sink.reject(reason, line: line, evidence: evidence) }
    }

    /// Passes the records of a scanned body to the sink.
    private mutating func emit(_ text: Span<UInt8>, in range: Range<Int>, into sink: inout some RecordSink) {
        sink.begin(line: line)
        guard let events = payload.events else {
            reject(payload.misfit, evidence: text.extracting(range), into: &sink)
            line += text.lineFeeds(in: range)
            return
        }
        isInRest = false
        var counted = range.lowerBound
        for event in 0..<events { emit(event, of: text, counted: &counted, into: &sink) }
        for _ in 0..<payload.othersCount { sink.filter(.notAnEvent) }
        line += text.lineFeeds(in: counted..<range.upperBound)
    }

    /// Passes an event to the sink. Lines are counted up to `counted`, which moves on to an event that is rejected.
    @inline(__always)
    private mutating func emit(
        _ event: Int, of text: Span<UInt8>, counted: inout Int, into sink: inout some RecordSink
    ) {
        for record in 0..<payload.begin(event, in: text) {
            switch payload.outcome(of: record, in: text, receipt: PayloadRules.Receipt(), delivery: &delivery) {
            case .accept(let record):
                if payload.rules.findsNames {
                    sink.accept(record, delivery: delivery.span, names: payload.rules.names)
                } else {
                    sink.accept(record, delivery: delivery.span)
                }
            case .filter(let reason): sink.filter(reason)
            case .reject(let reason):
                let element = payload.event
                line += text.lineFeeds(in: counted..<element.lowerBound)
                counted = element.lowerBound
                let evidence = text.extracting(element)
                sink.reject(
                    reason, line: line, detail: { payload.rules.detail(of: reason, in: evidence) ?? "" },
                    evidence: evidence)
            }
        }
    }
}

extension BodyReader {
    /// Reads on in a long body, from `index` to its end or a fault. Returns false if it needs more bytes first, or is
    /// cut off.
    private mutating func read(
        _ body: LongBody, from bytes: Span<UInt8>, at index: inout Int, ending: Ending, into sink: inout some RecordSink
    ) -> Bool {
        var body = body
        while true {
            let step = body.walk(bytes, from: index)
            if body.hasEvents { isInRest = false }
            switch step {
            case .event(let start):
                pass(bytes, from: &index, to: start)
                switch readEvent(bytes, at: start, ending: ending, into: &sink) {
                case .read(let end):
                    index = end
                    body.skipEvent()
                case .tooLong:
                    longEvent = Beginning(line: line, evidence: evidence(of: bytes, in: start..<start + limit))
                    body.passesEvent = true
                case .unfinished:
                    state = .inLongBody(body)
                    return false
                case .fault(let offset):
                    let event = Beginning(
                        line: line, evidence: evidence(of: bytes, in: start..<min(offset + 1, bytes.count)))
                    pass(bytes, from: &index, to: offset)
                    rejectRest(from: event, into: &sink)
                    return true
                }
            case .passed(let end):
                if let event = longEvent { sink.reject(.lineTooLong, line: event.line, evidence: event.evidence.span) }
                longEvent = nil
                pass(bytes, from: &index, to: end)
            case .ended(let end):
                if !body.hasEvents, !isInRest {
                    sink.reject(payload.misfit, line: beginning.line, evidence: beginning.evidence.span)
                }
                pass(bytes, from: &index, to: end)
                state = .betweenBodies
                return true
            case .moreNeeded(let start) where ending != .fileEnds:
                pass(bytes, from: &index, to: start)
                state = .inLongBody(body)
                return false
            case .moreNeeded, .fault:
                // The bytes that are missing at the end of the file are a fault, too.
                let offset = if case .fault(let offset) = step { offset } else { bytes.count }
                pass(bytes, from: &index, to: offset)
                let byte = evidence(of: bytes, in: offset..<min(offset + 1, bytes.count))
                rejectRest(from: longEvent ?? Beginning(line: line, evidence: byte), into: &sink)
                return true
            }
        }
    }

    private enum ReadEvent {
        case read(end: Int)
        case tooLong, unfinished
        case fault(at: Int)
    }

    /// Reads the event at `start` of a long body.
    private mutating func readEvent(
        _ bytes: Span<UInt8>, at start: Int, ending: Ending, into sink: inout some RecordSink
    ) -> ReadEvent {
        let length = bytes.count - start
        if ending == .moreComes, length < wanted { return .unfinished }
        wanted = 0
        let text = bytes.extracting(0..<start + min(length, limit))
        let end = payload.scanEvent(text, at: start)
        // Digits may go on.
        let isOpen =
            end < 0 ? payload.scanner.fault == .end : end == text.count && JSONScanner.beginsNumber(text[start])
        if end >= 0, !isOpen {
            var counted = start
            emit(0, of: text, counted: &counted, into: &sink)
            line += text.lineFeeds(in: counted..<end)
            return .read(end: end)
        }
        if isOpen, length > limit { return .tooLong }
        guard isOpen, ending != .fileEnds else { return .fault(at: isOpen ? bytes.count : payload.scanner.faultOffset) }
        wanted = min(2 * length, limit + 1)
        return .unfinished
    }

    /// Rejects a long body from a fault on.
    private mutating func rejectRest(from fault: Beginning, into sink: inout some RecordSink) {
        if !isInRest { sink.reject(.badJSON, line: fault.line, evidence: fault.evidence.span) }
        isInRest = true
        longEvent = nil
        state = .skippingLine
    }

    private mutating func pass(_ bytes: Span<UInt8>, from index: inout Int, to end: Int) {
        line += bytes.lineFeeds(in: index..<end)
        index = end
    }

    /// The first bytes of a range.
    private func evidence(of bytes: Span<UInt8>, in range: Range<Int>) -> [UInt8] {
        range.prefix(Self.evidenceLimit).map { bytes[$0] }
    }
}
