import Calendar
import Foundation

/// Parses the times of log lines. Consecutive lines mostly have the same second, minute or day, so the bytes of the
/// last time are cached together with their meaning.
struct ReceiptClock {
    /// The format of a time.
    enum Form: UInt8 {
        /// `19/Nov/2026:10:00:00 +0100`
        case timeLocal
        /// `2026-11-19T10:00:00+01:00`
        case iso8601
        /// `1795078800.123`
        case msec
        /// The first of these two that matches, `20261119100000`, or a number whose size tells its unit.
        case any
    }

    let zone: ZoneRules
    /// Whether the zone decided what a time means.
    private(set) var hasUsedZone = false
    private var lastBytes = Key()
    private var lastTime: Int64 = 0
    private var lastMinute = Minute()
    private var lastDay: Day?

    init(_ zone: ZoneRules) {
        self.zone = zone
    }

    /// Parses a time and returns milliseconds since 1970-01-01T00:00:00Z; nil if it does not parse.
    mutating func time(_ text: Span<UInt8>, in range: Range<Int>, as form: Form) -> Int64? {
        guard (16...32).contains(range.count) else { return try? parse(text, in: range, as: form) }
        let key = Key(text, in: range, form: form)
        if key == lastBytes { return lastTime }
        guard let time = try? parse(text, in: range, as: form) else { return nil }
        lastBytes = key
        lastTime = time
        return time
    }

    /// Parses `19/Nov/2026:10:00:00 +0100` in the 26 bytes at `start`. `bytes` are the bytes of `text`.
    @inline(__always)
    mutating func timeLocal(_ bytes: UncheckedBytes, of text: Span<UInt8>, at start: Int) -> Int64? {
        lastMinute.time(bytes, at: start) ?? timeLocal(text, at: start)
    }

    @inline(never)
    private mutating func timeLocal(_ text: Span<UInt8>, at start: Int) -> Int64? {
        // Without an offset, as in `19/Nov/2026:10:00:00.12345`, the zone decides, and not in the same way all day.
        guard text[start + 20] == 0x20 else { return try? parse(text, in: start..<start + 26, as: .timeLocal) }
        if let time = lastDay?.time(text, at: start) {
            lastMinute = Minute(text, at: start, of: time)
            return time
        }
        guard let time = try? parse(text, in: start..<start + 26, as: .timeLocal) else { return nil }
        lastMinute = Minute(text, at: start, of: time)
        lastDay = Day(text, at: start, of: time)
        return time
    }

    /// Parses a time without the cache.
    mutating func parse(_ text: Span<UInt8>, in range: Range<Int>, as form: Form) throws(TimeFault) -> Int64 {
        switch form {
        case .timeLocal: return instant(try CivilTime.timeLocal(text, in: range))
        case .iso8601: return instant(try CivilTime.iso(text, in: range, dateAlone: false))
        case .msec: return try EpochTime.time(text, in: range)
        case .any:
            var fault = TimeFault.shape(at: range.lowerBound)
            do { return instant(try CivilTime.timeLocal(text, in: range)) } catch { fault = fault.orFurther(error) }
            do {
                return instant(try CivilTime.iso(text, in: range, dateAlone: false))
            } catch {
                fault = fault.orFurther(error)
            }
            if let time = CivilTime(digits: text, in: range) { return instant(time) }
            do {
                return try EpochTime.time(text, in: range, anyUnit: true)
            } catch {
                throw fault.orFurther(error)
            }
        }
    }

    /// The instant of a time. One without an offset is in the zone.
    mutating func instant(_ time: CivilTime) -> Int64 {
        if let offset = time.offset { return time.instant(offset: offset) }
        hasUsedZone = true
        return time.instant(offset: zone.offset(atLocal: time.seconds))
    }
}

extension ReceiptClock {
    /// The bytes of a time, 16 to 32, in four words that may overlap.
    private struct Key: Equatable {
        private var a: UInt64 = 0
        private var b: UInt64 = 0
        private var c: UInt64 = 0
        private var d: UInt64 = 0
        private var length = 0
        private var form = Form.any

        init() {}

        init(_ text: Span<UInt8>, in range: Range<Int>, form: Form) {
            a = text.word(at: range.lowerBound)
            b = text.word(at: range.lowerBound + 8)
            c = text.word(at: range.upperBound - 16)
            d = text.word(at: range.upperBound - 8)
            length = range.count
            self.form = form
        }
    }

    /// The minute of a `time_local` with an offset: all bytes except the seconds, in overlapping words: `19/Nov/2`,
    /// `026:10:0`, `6:10:00:` and ` +0100`.
    private struct Minute {
        private var a: UInt64 = 0
        private var b: UInt64 = 0
        // These initial values match no text, because `b` and `c` overlap.
        private var c = UInt64.max
        private var offset: UInt64 = 0
        /// The beginning of the minute in milliseconds since 1970-01-01T00:00:00Z.
        private var start: Int64 = 0

        init() {}

        /// The minute of the 26 bytes at `start`, which mean `time`.
        init(_ text: Span<UInt8>, at start: Int, of time: Int64) {
            a = text.word(at: start)
            b = text.word(at: start + 8)
            c = text.word(at: start + 10)
            offset = text.word(at: start + 18)
            self.start = time - Int64(text.number(at: start + 18, digits: 2) ?? 0) * 1000
        }

        /// The time of the 26 bytes at `start`; nil if they are not in this minute or their second is 60.
        @inline(__always)
        func time(_ text: UncheckedBytes, at start: Int) -> Int64? {
            let last = text.word(at: start &+ 18)
            let tens = last & 0xFF ^ 0x30
            let ones = (last >> 8) & 0xFF ^ 0x30
            let difference =
                (a ^ text.word(at: start)) | (b ^ text.word(at: start &+ 8)) | (c ^ text.word(at: start &+ 10))
                | (offset ^ last) >> 16
            guard difference == 0, tens < 6, ones < 10 else { return nil }
            return self.start &+ Int64(bitPattern: tens &* 10 &+ ones) &* 1000
        }
    }

    /// The day of a `time_local` with an offset: all bytes except the time of day, in words: `19/Nov/2`, `026:` and `
    /// +0100`.
    private struct Day {
        private let a: UInt64
        private let b: UInt32
        private let offset: UInt64
        /// The beginning of the day, at 00:00:00 local time, in milliseconds since 1970-01-01T00:00:00Z.
        private let start: Int64

        /// The day of the 26 bytes at `start`, which mean `time`; nil in a leap second.
        init?(_ text: Span<UInt8>, at start: Int, of time: Int64) {
            guard let seconds = Day.seconds(text, at: start) else { return nil }
            a = text.word(at: start)
            b = text.halfWord(at: start + 8)
            offset = text.word(at: start + 18) >> 16
            self.start = time - seconds * 1000
        }

        /// The time of the 26 bytes at `start`; nil if they are not in this day or their time of day is invalid.
        func time(_ text: Span<UInt8>, at start: Int) -> Int64? {
            guard text.word(at: start) == a, text.halfWord(at: start + 8) == b,
                text.word(at: start + 18) >> 16 == offset, let seconds = Day.seconds(text, at: start)
            else { return nil }
            return self.start + seconds * 1000
        }

        /// The seconds of the day of `10:00:00` after the date.
        private static func seconds(_ text: Span<UInt8>, at start: Int) -> Int64? {
            // Each byte is combined by exclusive or with `0` or `:`, so a digit becomes 0 to 9 and a colon becomes 0.
            // Adding 0x76, or 0x7F for a colon, sets the top bit of every other value.
            let digits = text.word(at: start + 12) ^ 0x3030_3A30_303A_3030
            let sums = (digits & 0x7F7F_7F7F_7F7F_7F7F) &+ 0x7676_7F76_767F_7676
            guard (digits | sums) & 0x8080_8080_8080_8080 == 0 else { return nil }
            func number(_ offset: UInt64) -> Int64 {
                Int64((digits >> (8 * offset)) & 0xFF) * 10 + Int64((digits >> (8 * offset + 8)) & 0xFF)
            }
            let hours = number(0)
            let minutes = number(3)
            let seconds = number(6)
            return hours < 24 && minutes < 60 && seconds < 60 ? (hours * 60 + minutes) * 60 + seconds : nil
        }
    }
}
