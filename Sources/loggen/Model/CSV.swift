/// Fields of a CSV file as RFC 4180 has them.
enum CSV {
    static func line(_ fields: [String]) -> String {
        fields.map(quoted).joined(separator: ",") + "\n"
    }

    private static func quoted(_ value: String) -> String {
        guard value.utf8.contains(where: { [0x22, 0x2C, 0x0A, 0x0D].contains($0) }) else { return value }
        return "\"\(value.replacing("\"", with: "\"\""))\""
    }

    /// `2026-11-19 10:22:33`
    static func timestamp(_ second: Int) -> String {
        let day = Day(number: floorDivide(second, 86_400))
        let ofDay = second - day.number * 86_400
        return "\(day.text) \(padded(ofDay / 3600, 2)):\(padded(ofDay / 60 % 60, 2)):\(padded(ofDay % 60, 2))"
    }
}
