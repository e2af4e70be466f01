import Calendar
import Foundation
import Reference

@testable import Records

// The first byte says how the three lines after it stand in a payload, as strings or as they are: its time, its
// broadlog id, its delivery id. The first line is also tried as a receipt time, the second as what a person gives.

private let payloads = Twin(.mzip, .body)
private let hits = Twin(.collector, .combined)
private let madrid = (try? ZoneDatabase.zone("Europe/Madrid")) ?? .utc
private let zone = Zone("Europe/Madrid")
nonisolated(unsafe) private var clock = ReceiptClock(madrid)

@_cdecl("LLVMFuzzerTestOneInput") public func fuzz(_ data: UnsafePointer<UInt8>?, _ size: Int) -> Int32 {
    var input = Input(data, size)
    let choice = input.byte()
    let texts = [input.line(), input.line(), input.line()]
    // Twice, since a clock remembers the last text; then with another byte in one place, below 0x80 and above.
    compareReceiptTime(texts[0])
    compareReceiptTime(texts[0])
    let bit: UInt8 = 1 << (choice >> 5)
    let others = [bit, bit | 0x80].map { mask in
        var other = texts[0]
        let place = Int(choice & 31)
        if other.indices.contains(place) { other[place] ^= mask }
        return other
    }
    for other in others { compareReceiptTime(other) }
    comparePayload(texts, choice)
    compareHits(at: [texts[0]] + others, texts[1], texts[2])
    for reading in BroadlogIDReading.all(of: String(decoding: texts[1], as: UTF8.self)) {
        let again = BroadlogIDReading.all(of: reading.id.description)
        guard reading.id.kind != .opaque else { continue }
        expect(again.contains { $0.id == reading.id }, "\(reading.id) is not read as itself")
    }
    return 0
}

private func compareReceiptTime(_ text: [UInt8]) {
    for (form, name) in [
        (ReceiptClock.Form.timeLocal, ReceiptTime.timeLocal), (.iso8601, .timeISO8601), (.msec, .msec), (.any, .time),
    ] {
        let found = clock.time(text.span, in: 0..<text.count, as: form).map { Int($0) }
        let expected = name.milliseconds(text, zone: zone)
        expect(
            found == expected,
            "\(name) of \(text.text): the program \(String(describing: found)), "
                + "the reference \(String(describing: expected))")
    }
}

private func comparePayload(_ texts: [[UInt8]], _ choice: UInt8) {
    let values = texts.enumerated().map { index, text in
        choice >> index & 1 == 0 ? quoted(text) : text
    }
    let json =
        Array("{\"log_content\":{\"type\":1,\"time\":".utf8) + values[0] + Array(",\"data\":{\"_mId\":".utf8)
        + values[1]
        + Array(",\"_dId\":".utf8) + values[2] + Array("}}}".utf8)
    // All bytes escaped: the form's own rules are another target's.
    let digits = Array("0123456789abcdef".utf8)
    let form = json.flatMap { [UInt8(ascii: "%"), digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
    payloads.compareLines(form)
}

/// A JSON string that says `text`.
private func quoted(_ text: [UInt8]) -> [UInt8] {
    let escaped = text.flatMap { byte -> [UInt8] in
        switch byte {
        case 0..<0x20: Array("\\u00\(byte < 16 ? "0" : "")\(String(byte, radix: 16))".utf8)
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): [UInt8(ascii: "\\"), byte]
        default: [byte]
        }
    }
    return [UInt8(ascii: "\"")] + escaped + [UInt8(ascii: "\"")]
}

/// Lines of one file, since a reader remembers the day of the line before. They are read the quick way if all else is ordinary.
private func compareHits(at times: [[UInt8]], _ broadlogID: [UInt8], _ deliveryID: [UInt8]) {
    let ids = broadlogID + [UInt8(ascii: ",")] + deliveryID
    let lines = times.map { time in
        Array("192.0.2.1 - - [".utf8) + time + Array("] \"GET /r/?id=".utf8) + ids
            + Array(",7 HTTP/1.1\" 200 0 \"-\" \"curl\"\n".utf8)
    }
    hits.compareLines(Array(lines.joined()))
}
