// Delivery files with all their oddities.

func generatedDeliveryEntries(_ random: inout SplitMix64) -> [DeliveryEntry] {
    (0..<random.pick([1, 1, 2])).map { index in
        var entry = DeliveryEntry(name: "e\(index)", isDecimal: random.chance(25))
        if random.chance(30) { entry.timeZone = random.pick(["Europe/Madrid", "America/New_York", "UTC"]) }
        if random.chance(30) { entry.columns["delivery_id"] = random.pick(["Primary key", " Id", "a,b", "é"]) }
        if random.chance(30) { entry.columns["sent"] = random.pick(["To \"send\"", "Sent;"]) }
        return entry
    }
}

func generatedDeliveryFiles(
    _ pipeline: Pipeline, _ world: GeneratedWorld, _ random: inout SplitMix64
) -> [DeliveryFile] {
    pipeline.deliveries.flatMap { entry in
        (0..<random.pick([1, 1, 2, 2, 2, 3])).map { index in
            var text = generatedDeliveryText(entry, world, &random)
            if random.chance(2) { text = foreignOrNearly(text, &random) }
            if random.chance(3), !text.isEmpty {
                text[random.below(text.count)] = random.pick([0xFF, 0x22, 0x80, 0x0A])
            }
            return DeliveryFile(
                path: "deliveries/\(entry.name)/\(index)", bytes: packed(text, faultPercent: 3, &random))
        }
    }
}

private func generatedDeliveryText(
    _ entry: DeliveryEntry, _ world: GeneratedWorld, _ random: inout SplitMix64
) -> Bytes {
    if random.chance(1) { return [] }
    let separator = random.pick([",", ";", "\t"])
    let all = ["platform", "label", "campaign", "variant", "sent_at", "sent", "delivered"]
    var keys = random.shuffle(["delivery_id"] + random.shuffle(all).prefix(random.number(1...7)))
    if random.chance(20) { keys.append(random.pick(["other", "", "", "label "])) }
    if random.chance(2) { keys.removeAll { $0 == "delivery_id" } }
    let names = keys.map { key -> String in
        let name = entry.columns[key] ?? key
        return random.chance(10) ? " \(name) " : name
    }
    var lines = [Bytes(names.map { quoted($0, separator, &random) }.joined(separator: separator))]
    for _ in 0..<random.pick([0, 1, 3, 8, 15]) {
        if random.chance(5) { lines.append([]) }
        var values = keys.map { quoted(value($0, entry, world, &random), separator, &random) }
        if random.chance(10) { values.removeLast(random.number(0...values.count - 1)) }
        if random.chance(4) { values.append(random.pick(["", "x"])) }
        lines.append(Bytes(values.joined(separator: separator)))
    }
    let end = Bytes(random.pick(["\n", "\n", "\r\n"]))
    var text: Bytes = random.chance(20) ? [0xEF, 0xBB, 0xBF] : []
    if random.chance(5) { text += end }
    text += Bytes(lines.joined(separator: end))
    return random.chance(70) ? text + end : text
}

private func quoted(_ value: String, _ separator: String, _ random: inout SplitMix64) -> String {
    let bytes = Bytes(value)
    let isNeeded = [separator, ",", ";", "\t", "\"", "\n", "\r"].contains { bytes.contains($0) }
    guard isNeeded || random.chance(20) else { return value }
    let text = String(decoding: bytes.flatMap { $0 == 0x22 ? [0x22, 0x22] : [$0] }, as: UTF8.self)
    return "\"\(text)\"" + (random.chance(3) ? random.pick(["x", " ", "y\"z"]) : "")
}

private func value(
    _ key: String, _ entry: DeliveryEntry, _ world: GeneratedWorld, _ random: inout SplitMix64
) -> String {
    if random.chance(15) { return "" }
    switch key {
    case "delivery_id":
        if random.chance(4) {
            return random.pick([String(repeating: "x", count: 129), "a\u{1}", " ", "-0", "0", "18446744073709551616"])
        }
        if entry.isDecimal {
            return random.pick([
                "14000086", "22212", "9", "016", "10", "11", "-1", "-2147483648", "18446744073709551615",
            ])
        }
        let id =
            random.chance(80)
            ? random.pick(world.deliveries) : random.pick(["never sent", "e\u{301}", "\u{E9}", "x,y"])
        return random.chance(15) ? " \(id)\t" : id
    case "platform":
        return random.pick(["ios", "android", "iOS", "WEB", "unknown", "ANDROID", random.chance(20) ? "tv" : ""])
    case "sent_at":
        return random.pick([
            "2026-11-19", "2026-11-19T10:00:00", "2026-03-29 02:30:00", "2026-10-25T02:30:00.999",
            "2026-11-19T10:00:00Z",
            "2026-11-19 23:59:60+05:30", "2026-11-19T10:00:00:123-0800", random.chance(20) ? "19/11/2026" : "",
            random.chance(20) ? "1763546400" : "",
        ])
    case "sent", "delivered":
        return random.pick([
            "0", "1", "7", "100", "007", "9223372036854775807",
            random.chance(20) ? random.pick(["-1", "1.5", "1 000", "1,000", "9223372036854775808", "+1"]) : "",
        ])
    default:
        return random.pick(["Black Friday", "wave 2", "a \"b\"", "x,y;z", "two\nlines", "é", " ", "\r", "1", "\t"])
    }
}
