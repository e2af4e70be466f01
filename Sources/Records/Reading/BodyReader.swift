/// Reads the payloads of a users_track or events source in the layout `body`: a sequence of JSON objects, which may span
/// lines.
/// White space, commas and square brackets between the objects are skipped. So one object per line, an array of
/// objects, pretty-printed objects and objects without a separator all give the same result.
///
/// Three things are one reject each. Reading then goes on at the next line whose first byte is `{` or `[`:
/// - after the line of a byte that begins no object,
/// - after the first line of an object that is not valid JSON,
/// - after the first 8 MiB of an object that is longer.
///
/// So a byte may be scanned again with the object around it, but at most 64 times: at the first byte of a line an object
/// is open in which the next one is nested, and no object is nested deeper.
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
    }

    private let limit: Int
    private var state = State.betweenBodies
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
        payload = Payload(rules, rowLimit: rowLimit)
    }

    /// Reads every body that ends in `bytes`. The result does not depend on how the file is cut into calls.
    /// - Parameters:
    ///   - bytes: the bytes that earlier calls did not take, followed by the next bytes of the file.
    ///   - ending: what follows `bytes`.
    /// - Returns: the number of bytes taken. Pass the other bytes again.
    package mutating func read(_ bytes: Span<UInt8>, _ ending: Ending, into sink: inout some RecordSink) -> Int {
        var index = 0
        while index < bytes.count {
            switch state {
            case .betweenBodies:
                index = skipToBody(bytes, at: index)
                guard index < bytes.count else { break }
                let isBody = bytes[index] == UInt8(ascii: "{")
                let next =
                    isBody
                    ? readBody(bytes, at: index, ending, &sink) : rejectStray(bytes, at: index, ending, &sink)
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
            }
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

    /// Rejects a byte that begins no object. The evidence is the rest of its line. Returns nil if that needs more bytes.
    private mutating func rejectStray(
        _ bytes: Span<UInt8>, at start: Int, _ ending: Ending, _ sink: inout some RecordSink
    ) -> Int? {
        let far = min(start + Self.evidenceLimit, bytes.count)
        let end = bytes.firstIndex(of: 0x0A, from: start, to: far)
        guard end != nil || ending != .moreComes || far - start == Self.evidenceLimit else { return nil }
        sink.reject(.badJSON, line: line, evidence: bytes.extracting(start..<(end ?? far)))
        state = .skippingLine
        return start
    }

    /// Reads the body at `start`. Returns the offset at which reading goes on; nil if it needs more bytes, or if the body
    /// is cut off.
    private mutating func readBody(
        _ bytes: Span<UInt8>, at start: Int, _ ending: Ending, _ sink: inout some RecordSink
    ) -> Int? {
        let length = bytes.count - start
        if ending == .moreComes, length < wanted { return nil }
        wanted = 0
        let isLong = length > limit
        let text = isLong ? bytes.extracting(0..<start + limit) : bytes
        let end = payload.scan(text, at: start)
        if end >= 0 {
            emit(text, start..<end, &sink)
            return end
        }
        let isUnfinished = payload.scanner.fault == .end
        if isUnfinished, !isLong, ending != .fileEnds {
            // A longer text is worth another scan.
            wanted = min(2 * length, limit + 1)
            return nil
        }
        let reason = isUnfinished && isLong ? RejectReason.lineTooLong : .badJSON
        let evidenceEnd = min(start + Self.evidenceLimit, payload.scanner.faultOffset + 1, text.count)
        sink.reject(reason, line: line, evidence: text.extracting(start..<evidenceEnd))
        state = .skippingLine
        guard reason == .lineTooLong else { return start }
        // A line feed that is the last of these bytes ends the line, too.
        line += text.lineFeeds(in: start..<text.count - 1)
        return text.count - 1
    }

    /// Passes the records of a scanned body to the sink.
    private mutating func emit(_ text: Span<UInt8>, _ range: Range<Int>, _ sink: inout some RecordSink) {
        sink.begin(line: line)
        guard let events = payload.events else {
            sink.reject(payload.misfit, line: line, evidence: text.extracting(range))
            line += text.lineFeeds(in: range)
            return
        }
        var counted = range.lowerBound
        for event in 0..<events {
            for record in 0..<payload.begin(event, in: text) {
                switch payload.outcome(of: record, in: text, PayloadRules.Receipt(), delivery: &delivery) {
                case .accept(let record): sink.accept(record, delivery: delivery.span)
                case .filter(let reason): sink.filter(reason)
                case .reject(let reason):
                    let element = payload.event
                    line += text.lineFeeds(in: counted..<element.lowerBound)
                    counted = element.lowerBound
                    let evidence = text.extracting(element)
                    sink.reject(
                        reason, line: line, detail: { payload.rules.detail(reason, evidence) ?? "" }, evidence: evidence
                    )
                }
            }
        }
        for _ in 0..<payload.othersCount { sink.filter(.notAnEvent) }
        line += text.lineFeeds(in: counted..<range.upperBound)
    }
}
