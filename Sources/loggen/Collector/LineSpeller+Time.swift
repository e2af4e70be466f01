extension LineSpeller {
    private static let months: [StaticString] = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// A second as the layout writes it. Layouts that know UTC only, or that always tell the offset, take no notice of
    /// `offset` or `zoned`.
    ///
    ///     combined         19/Nov/2026:10:22:33 +0100
    ///     nginx, json      2026-11-19T10:22:33+01:00
    ///     apache           2026-11-19T10:22:33+0100
    ///     w3c, cloudfront  2026-11-19 09:22:33, with a tab in cloudfront
    ///     alb, gcp_lb      2026-11-19T09:22:33.000000Z
    ///     caddy            1795080153.000000
    static func write(
        _ second: Int, offset: Int, layout: Layout, zoned: Bool = true, leap: Bool = false,
        into buffer: inout ByteBuffer
    ) {
        switch layout {
        case .combined:
            let (day, _) = dayAndSecond(second + offset)
            let (year, month, dayOfMonth) = day.civil
            buffer.append(UInt64(dayOfMonth), digits: 2)
            buffer.append("/")
            buffer.append(months[month - 1])
            buffer.append("/")
            buffer.append(UInt64(year), digits: 4)
            buffer.append(":")
            writeClock(second + offset, leap: leap, into: &buffer)
            if zoned { writeOffset(offset, before: " ", colon: "", into: &buffer) }
        case .nginx, .json:
            writeDate(second + offset, "T", into: &buffer)
            writeClock(second + offset, leap: leap, into: &buffer)
            guard zoned else { return }
            if offset == 0 { buffer.append("Z") } else { writeOffset(offset, before: "", colon: ":", into: &buffer) }
        case .apache:
            writeDate(second + offset, "T", into: &buffer)
            writeClock(second + offset, leap: leap, into: &buffer)
            writeOffset(offset, before: "", colon: "", into: &buffer)
        case .w3c, .cloudfront:
            writeDate(second, layout == .w3c ? " " : "\t", into: &buffer)
            writeClock(second, leap: leap, into: &buffer)
        case .alb, .gcpLB:
            writeDate(second, "T", into: &buffer)
            writeClock(second, leap: leap, into: &buffer)
            buffer.append(".000000Z")
        case .caddy:
            buffer.append(decimal: leap ? second + 1 : second)
            buffer.append(".000000")
        }
    }

    /// A text that is no time, where the layout has its time.
    static func write(text: String, layout: Layout, into buffer: inout ByteBuffer) {
        switch layout {
        case .w3c, .cloudfront:
            let parts = text.split(separator: "T", maxSplits: 1)
            buffer.append(text: String(parts[0]))
            buffer.append(layout == .w3c ? " " : "\t")
            buffer.append(text: parts.count > 1 ? String(parts[1]) : "-")
        case .caddy: buffer.append(text: "\"\(text)\"")
        default: buffer.append(text: text)
        }
    }

    private static func dayAndSecond(_ local: Int) -> (day: Day, second: Int) {
        let day = Day(number: floorDivide(local, 86_400))
        return (day, local - day.number * 86_400)
    }

    private static func writeDate(_ local: Int, _ separator: StaticString, into buffer: inout ByteBuffer) {
        buffer.append(dayAndSecond(local).day)
        buffer.append(separator)
    }

    private static func writeClock(_ local: Int, leap: Bool, into buffer: inout ByteBuffer) {
        let ofDay = dayAndSecond(local).second
        buffer.append(UInt64(ofDay / 3600), digits: 2)
        buffer.append(":")
        buffer.append(UInt64(ofDay / 60 % 60), digits: 2)
        buffer.append(":")
        buffer.append(UInt64(leap ? 60 : ofDay % 60), digits: 2)
    }

    private static func writeOffset(
        _ offset: Int, before: StaticString, colon: StaticString, into buffer: inout ByteBuffer
    ) {
        buffer.append(before)
        buffer.append(offset < 0 ? "-" : "+")
        buffer.append(UInt64(abs(offset) / 3600), digits: 2)
        buffer.append(colon)
        buffer.append(UInt64(abs(offset) / 60 % 60), digits: 2)
    }
}
