/// Reads the bodies of a users_track source in the layout `body`: a sequence of JSON objects, which may span lines.
/// White space, commas and square brackets between the objects are skipped. So one object per line, an array of
/// objects, pretty-printed objects and objects without a separator all give the same result.
///
/// A byte that begins no object, or an object that is not valid JSON, is one reject. Reading continues at the next line
/// that begins with `{` or `[`, after the line of that byte or of the object's first byte.
///
/// An object longer than the limit is not kept in memory, so whether it ends is known only later. If one does not end, the
/// rest of the file gives no records. `brokenBodies` has the offsets of all such objects when the file ends, and the file
/// must be read a second time with them.
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
        case inBody
        /// In a body longer than the limit, which is skipped.
        case inLongBody(LongBody)
        /// After a fault: in a line that is not read.
        case skippingLine
        /// After a fault: at the first byte of a line.
        case atLineStart
        /// A body longer than the limit is broken. Further bytes are searched for other such bodies.
        case searching
    }

    /// The beginning of a body longer than the limit.
    private struct LongBody {
        let evidence: [UInt8]
        let line: Int
        let offset: Int
    }

    private let limit: Int
    private var state = State.betweenBodies
    /// The 1-based line of the first byte that has not been taken.
    private var line = 1
    private var body: UsersTrackBody
    private var payloads: PayloadRules

    /// The names of the actions by their indices, with those that were learned.
    package var actions: [UInt16: String] { payloads.actions.names }

    private var delivery: [UInt8] = []
    /// The bytes of the current body that a scan has read without finding its end.
    private var seen = 0
    /// What is known of bodies that were not read by one scan.
    private var outline: BodyOutline
    /// The number of bytes of the file that have been taken.
    private var offset = 0
    /// The offsets of objects that are known to be longer than the limit and invalid.
    private let knownBrokenBodies: Set<Int>
    /// The offsets of further such objects, which this reader has found.
    package var brokenBodies: [Int] { outline.longBrokenBodies }

    /// - Parameters:
    ///   - limit: the longest body in bytes.
    ///   - knownBrokenBodies: the `brokenBodies` of earlier readers of the same file.
    package init(_ rules: RecordRules, limit: Int = 8 << 20, rowLimit: Int = 1024, knownBrokenBodies: Set<Int> = []) {
        self.limit = limit
        self.knownBrokenBodies = knownBrokenBodies
        outline = BodyOutline(limit: limit)
        payloads = PayloadRules(rules)
        body = UsersTrackBody(paths: payloads.paths, rowLimit: rowLimit)
    }

    /// Reads every body that ends in `bytes`.
    ///
    /// The result does not depend on how the file is cut into calls. Each byte is read only a few times.
    /// - Parameters:
    ///   - bytes: the bytes that earlier calls did not take, followed by the next bytes of the file.
    ///   - ending: what follows `bytes`.
    /// - Returns: the number of bytes taken. Pass the other bytes again.
    package mutating func read(_ bytes: Span<UInt8>, _ ending: Ending, into sink: inout some RecordSink) -> Int {
        var index = 0
        while let next = step(bytes, at: index, ending, &sink) { index = next }
        offset += index
        return index
    }

    /// Makes one step from the offset `start` and returns the new offset; nil if it needs more bytes or there are none.
    private mutating func step(
        _ bytes: Span<UInt8>, at start: Int, _ ending: Ending, _ sink: inout some RecordSink
    ) -> Int? {
        switch state {
        case .betweenBodies: return skipToBody(bytes, at: start, ending, &sink)
        case .inBody: return readBody(bytes, at: start, ending, &sink)
        case .inLongBody(let body): return skipBody(bytes, at: start, ending, body, &sink)
        case .skippingLine:
            guard start < bytes.count else { return nil }
            guard let end = bytes.firstIndex(of: 0x0A, from: start) else { return bytes.count }
            line += 1
            state = .atLineStart
            return end + 1
        case .atLineStart:
            guard start < bytes.count else { return nil }
            let resumes = bytes[start] == UInt8(ascii: "{") || bytes[start] == UInt8(ascii: "[")
            state = resumes ? .betweenBodies : .skippingLine
            return start
        case .searching:
            outline.followAll(bytes, from: offset, atEnd: ending == .fileEnds)
            return start < bytes.count ? bytes.count : nil
        }
    }

    private mutating func skipToBody(
        _ bytes: Span<UInt8>, at start: Int, _ ending: Ending, _ sink: inout some RecordSink
    ) -> Int? {
        guard start < bytes.count else { return nil }
        var index = start
        while index < bytes.count {
            switch bytes[index] {
            case 0x0A: line += 1
            case UInt8(ascii: ","), UInt8(ascii: "["), UInt8(ascii: "]"): break
            case let byte where byte.isWhiteSpace: break
            case UInt8(ascii: "{"):
                state = .inBody
                return index
            default:
                // The evidence is the rest of the line, regardless of how the file is cut into calls.
                let far = min(index + Self.evidenceLimit, bytes.count)
                let end = bytes.firstIndex(of: 0x0A, from: index, to: far)
                guard end != nil || ending != .moreComes || far - index == Self.evidenceLimit else {
                    return index > start ? index : nil
                }
                sink.reject(.badJSON, line: line, evidence: bytes.extracting(index..<(end ?? far)))
                state = .skippingLine
                return index
            }
            index += 1
        }
        return index
    }

    /// The most bytes of evidence for a reject.
    static let evidenceLimit = 1024
}

extension BodyReader {
    private mutating func readBody(
        _ bytes: Span<UInt8>, at start: Int, _ ending: Ending, _ sink: inout some RecordSink
    ) -> Int? {
        let place = offset + start
        if knownBrokenBodies.contains(place) {
            let length = min(bytes.count - start, Self.evidenceLimit)
            guard length == Self.evidenceLimit || ending != .moreComes else { return nil }
            return rejectBody(bytes, at: start, fault: bytes.count, &sink)
        }
        let isLong = bytes.count - start > limit
        let text = isLong ? bytes.extracting(0..<start + limit) : bytes
        let length = text.count - start
        // Each scan starts at the beginning of the body. To avoid a scan in each of many small calls, the outline finds
        // the end of a body that has not become twice as long.
        let isWaiting = ending == .moreComes && !isLong && length < 2 * seen
        if !isWaiting, !outline.knows(place) {
            let end = body.scan(text, at: start)
            if end >= 0 {
                emit(text, start..<end, &sink)
                return leaveBody(to: .betweenBodies, at: end)
            }
            if body.scanner.fault == .end, !isLong, ending != .fileEnds {
                seen = length
                return nil
            }
        }

        switch outline.follow(place, in: text, from: offset, atEnd: ending == .fileEnds && !isLong) {
        case .open:
            guard isLong else { return nil }
            let evidence = (start..<start + min(Self.evidenceLimit, limit)).map { text[$0] }
            return leaveBody(to: .inLongBody(LongBody(evidence: evidence, line: line, offset: place)), at: start)
        case .broken(let fault): return rejectBody(text, at: start, fault: fault - offset, &sink)
        case .ended(let end):
            guard body.scan(text, at: start) == end - offset else {
                return rejectBody(text, at: start, fault: body.scanner.faultOffset, &sink)
            }
            emit(text, start..<end - offset, &sink)
            return leaveBody(to: .betweenBodies, at: end - offset)
        }
    }

    private mutating func rejectBody(
        _ text: Span<UInt8>, at start: Int, fault: Int, _ sink: inout some RecordSink
    ) -> Int {
        let evidence = start..<min(start + Self.evidenceLimit, fault + 1, text.count)
        sink.reject(.badJSON, line: line, evidence: text.extracting(evidence))
        return leaveBody(to: .skippingLine, at: start)
    }

    private mutating func leaveBody(to next: State, at index: Int) -> Int {
        state = next
        seen = 0
        return index
    }

    /// Skips a long body. If it ends, it is one reject. If it does not end, it is broken, unless the file is truncated
    /// in it.
    private mutating func skipBody(
        _ bytes: Span<UInt8>, at start: Int, _ ending: Ending, _ body: LongBody, _ sink: inout some RecordSink
    ) -> Int? {
        switch outline.follow(body.offset, in: bytes, from: offset, atEnd: ending == .fileEnds) {
        case .open:
            line += bytes.newlines(start..<bytes.count)
            return start < bytes.count ? bytes.count : nil
        case .broken:
            state = .searching
            return bytes.count
        case .ended(let end):
            line += bytes.newlines(start..<end - offset)
            state = .betweenBodies
            sink.reject(.lineTooLong, line: body.line, evidence: body.evidence.span)
            return end - offset
        }
    }

    /// Passes the records of a scanned body to the sink.
    private mutating func emit(_ text: Span<UInt8>, _ range: Range<Int>, _ sink: inout some RecordSink) {
        sink.begin(line: line)
        guard let events = body.events else {
            sink.reject(.notUsersTrack, line: line, evidence: text.extracting(range))
            line += text.newlines(range)
            return
        }
        var counted = range.lowerBound
        for event in 0..<events {
            let row = body.row(of: event, in: text)
            let outcome = payloads.evaluate(
                text, body.scanner, row: row, receipt: PayloadRules.Receipt(), delivery: &delivery)
            switch outcome {
            case .accept(let record): sink.accept(record, delivery: delivery.span)
            case .filter(let reason): sink.filter(reason)
            case .reject(let reason):
                let element = body.element(row)
                line += text.newlines(counted..<element.lowerBound)
                counted = element.lowerBound
                sink.reject(reason, line: line, evidence: text.extracting(element))
            }
        }
        for _ in 0..<body.others { sink.filter(.notAnEvent) }
        line += text.newlines(counted..<range.upperBound)
    }
}

extension Span<UInt8> {
    /// The number of LF bytes in a range.
    fileprivate func newlines(_ range: Range<Int>) -> Int {
        var number = 0
        var from = range.lowerBound
        while let newline = firstIndex(of: 0x0A, from: from, to: range.upperBound) {
            number += 1
            from = newline + 1
        }
        return number
    }
}
