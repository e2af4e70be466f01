import Foundation

extension JSONEncoder {
    /// For files of an output: the same value gives the same bytes.
    package static var stored: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }

    /// The value for a file that holds what is nowhere else, so that nothing may be left out.
    /// - Throws: `.disorder` if the value cannot be encoded.
    package func bytes(_ value: some Encodable, for path: String) throws(WarehouseError) -> [UInt8] {
        do {
            return [UInt8](try encode(value))
        } catch {
            throw .disorder(path: path)
        }
    }
}
