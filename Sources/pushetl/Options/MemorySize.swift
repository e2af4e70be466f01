import ArgumentParser
import Foundation

/// A number of bytes, as `--memory` takes it.
struct MemorySize: CustomStringConvertible {
    static let least = 16 << 20

    let bytes: Int

    init(bytes: Int) {
        self.bytes = bytes
    }

    init(parsing argument: String) throws(ValidationError) {
        guard let bytes = MemorySize.bytes(argument) else {
            throw ValidationError(
                "'\(argument.shown)' is not a size; give bytes, or a number with K, M or G, such as 512M.")
        }
        guard bytes >= MemorySize.least else {
            throw ValidationError("--memory takes at least \(MemorySize(bytes: MemorySize.least)).")
        }
        self.bytes = bytes
    }

    private static func bytes(_ argument: String) -> Int? {
        let units: [Character: Int] = ["k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40]
        var text = argument.lowercased()[...]
        if text.hasSuffix("ib") { text = text.dropLast(2) } else if text.hasSuffix("b") { text = text.dropLast() }
        var unit = 1
        if let last = text.last, let known = units[last] {
            unit = known
            text = text.dropLast()
        }
        guard let number = Int(text), number > 0 else { return nil }
        let (bytes, overflow) = number.multipliedReportingOverflow(by: unit)
        return overflow ? nil : bytes
    }

    var description: String { bytes % (1 << 30) == 0 ? "\(bytes >> 30)G" : "\(bytes >> 20)M" }
}
