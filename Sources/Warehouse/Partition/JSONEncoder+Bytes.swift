import Foundation

extension JSONEncoder {
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
