/// Reads the bodies of a users_track source in the layout `body`: JSON objects in a row, whatever their lines. White
/// space, commas and square brackets between them are skipped, so one a line, an array of them, pretty-printed documents
/// and bodies run together all read alike.
///
/// A byte that begins no object, or an object that is no valid JSON, is one reject; reading goes on at the next line,
/// after the one on which the byte stands or the object begins, whose first byte is `{` or `[`.
///
/// An object that is longer than bytes are held for shows only further on whether it ends. If it does not, `brokenBody` says
/// where it begins, nothing more is read, and the file is to be read again by a reader that knows.
package struct BodyReader {
    /// The longest body in bytes.
    static let limit = 8 << 20

    /// What is behind the bytes at hand.
    package enum Ending {
        case moreComes
        /// An unfinished body is a fault.
        case fileEnds
        /// The file is truncated: what is unfinished does not count.
        case cut
    }

    private enum State {
        case betweenBodies
        case inBody
        /// In a body beyond the limit, which is only skipped; with the beginning of it.
        case inLongBody(LongBody)
        /// Behind a fault, in a line that is not read.
        case inLostLine
        /// Behind a fault, before the first byte of a line.
        case atLineStart
        /// A body beyond the limit is none: what is read from here on is nothing.
        case inVain
    }

    private struct LongBody {
        let evidence: [UInt8]
        let line: Int
        let offset: Int
    }

    private let limit: Int
    private var state = State.betweenBodies
    /// Of the first byte that is not yet done with, from 1 on.
    private var line = 1
    private var body: UsersTrackBody
    private var payloads: PayloadRules
    private var delivery: [UInt8] = []
    /// How much of the body at hand a scan has seen without finding its end.
    private var seen = 0
    private var skipper = BodySkipper()
    /// Bytes of the file that are done with.
    private var offset = 0
    /// Where objects begin that are known to go beyond the limit and to be no valid JSON.
    private let brokenBodies: Set<Int>
    /// Where another such object begins that this reading came to.
    package private(set) var brokenBody: Int?

    /// - Parameter brokenBodies: what `brokenBody` has been in earlier readings of the same file.
    package init(_ rules: RecordRules, brokenBodies: Set<Int> = []) {
        self.init(rules, limit: Self.limit, brokenBodies: brokenBodies)
    }

    init(_ rules: RecordRules, limit: Int, rowLimit: Int = 1024, brokenBodies: Set<Int> = []) {
        self.limit = limit
        self.brokenBodies = brokenBodies
        payloads = PayloadRules(rules)
        body = UsersTrackBody(paths: payloads.paths, rowLimit: rowLimit)
    }

    /// Reads every body that ends in `bytes`.
    ///
    /// What is read does not depend on how the file is cut into calls, and each byte is looked at a few times at most.
    /// - Parameters:
    ///   - bytes: what earlier calls left, with the next bytes of the file behind it.
    ///   - ending: what is behind `bytes`.
    /// - Returns: how many bytes are done with; the rest is to be handed in again.
    package mutating func read(_ bytes: Span<UInt8>, _ ending: Ending, into sink: inout some RecordSink) -> Int {
        var index = 0
        while let next = step(bytes, at: index, ending, &sink) { index = next }
        offset += index
        return index
    }

    /// Goes on from `start` and answers where it came to; nil if it needs more bytes, or there are no more.
    private mutating func step(
        _ bytes: Span<UInt8>, at start: Int, _ ending: Ending, _ sink: inout some RecordSink
    ) -> Int? {
        switch state {
        case .betweenBodies: return skipToBody(bytes, at: start, ending, &sink)
        case .inBody: return readBody(bytes, at: start, ending, &sink)
        case .inLongBody(let body): return skipBody(bytes, at: start, ending, body, &sink)
        case .inLostLine:
            guard start < bytes.count else { return nil }
            guard let end = bytes.firstIndex(of: 0x0A, from: start) else { return bytes.count }
            line += 1
            state = .atLineStart
            return end + 1
        case .atLineStart:
            guard start < bytes.count else { return nil }
            let resumes = bytes[start] == UInt8(ascii: "{") || bytes[start] == UInt8(ascii: "[")
            state = resumes ? .betweenBodies : .inLostLine
            return start
        case .inVain: return start < bytes.count ? bytes.count : nil
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
                // The evidence is the rest of the line, however the file was cut.
                let far = min(index + Self.evidenceLimit, bytes.count)
                let end = bytes.firstIndex(of: 0x0A, from: index, to: far)
                guard end != nil || ending != .moreComes || far - index == Self.evidenceLimit else {
                    return index > start ? index : nil
                }
                sink.reject(.badJSON, line: line, evidence: bytes.extracting(index..<(end ?? far)))
                state = .inLostLine
                return index
            }
            index += 1
        }
        return index
    }

    static let evidenceLimit = 1024
}

extension BodyReader {
    private mutating func readBody(
        _ bytes: Span<UInt8>, at start: Int, _ ending: Ending, _ sink: inout some RecordSink
    ) -> Int? {
        if brokenBodies.contains(offset + start) {
            let length = min(bytes.count - start, Self.evidenceLimit)
            guard length == Self.evidenceLimit || ending != .moreComes else { return nil }
            sink.reject(.badJSON, line: line, evidence: bytes.extracting(start..<start + length))
            return leaveBody(to: .inLostLine, at: start)
        }
        let isLong = bytes.count - start > limit
        let text = isLong ? bytes.extracting(0..<start + limit) : bytes
        let length = text.count - start
        // A scan begins anew with the body. So that many small calls do not scan it as often, it waits until there is
        // twice as much of it, or its end has been found.
        if !isLong, ending == .moreComes, seen > 0, length < 2 * seen,
            skipper.advance(text, bodyAt: start) == .inside
        {
            return nil
        }

        let end = body.scan(text, at: start)
        if end >= 0 {
            emit(text, start..<end, &sink)
            return leaveBody(to: .betweenBodies, at: end)
        }
        if body.scanner.fault != .end || (ending == .fileEnds && !isLong) {
            let evidence = start..<min(start + Self.evidenceLimit, body.scanner.faultOffset + 1, text.count)
            sink.reject(.badJSON, line: line, evidence: text.extracting(evidence))
            return leaveBody(to: .inLostLine, at: start)
        }
        guard isLong else {
            seen = length
            return nil
        }
        let evidence = (start..<start + min(Self.evidenceLimit, limit)).map { text[$0] }
        let body = LongBody(evidence: evidence, line: line, offset: offset + start)
        return leaveBody(to: .inLongBody(body), at: start)
    }

    private mutating func leaveBody(to next: State, at index: Int) -> Int {
        state = next
        seen = 0
        skipper = BodySkipper()
        return index
    }

    /// The end of a long body makes it one reject; what has no end is no body, unless the file is cut off in it.
    private mutating func skipBody(
        _ bytes: Span<UInt8>, at start: Int, _ ending: Ending, _ body: LongBody, _ sink: inout some RecordSink
    ) -> Int? {
        guard start < bytes.count || ending == .fileEnds else { return nil }
        switch skipper.advance(bytes, bodyAt: start - skipper.position) {
        case .inside where ending != .fileEnds:
            line += bytes.newlines(start..<bytes.count)
            return bytes.count
        case .inside, .fault:
            brokenBody = body.offset
            state = .inVain
            return bytes.count
        case .ended(let end):
            line += bytes.newlines(start..<end)
            state = .betweenBodies
            sink.reject(.lineTooLong, line: body.line, evidence: body.evidence.span)
            return end
        }
    }

    /// Hands out the records of a body that was scanned to its end.
    private mutating func emit(_ text: Span<UInt8>, _ range: Range<Int>, _ sink: inout some RecordSink) {
        guard let events = body.events else {
            sink.reject(.notUsersTrack, line: line, evidence: text.extracting(range))
            line += text.newlines(range)
            return
        }
        var counted = range.lowerBound
        for event in 0..<events {
            let row = body.row(of: event, in: text)
            let outcome = payloads.judge(
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
