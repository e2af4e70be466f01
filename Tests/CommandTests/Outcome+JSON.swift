import Foundation
import Support
import Testing

extension Program.Outcome {
    /// The JSON object that was printed.
    func object() throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(stdout.utf8)) as? [String: Any])
    }

    /// The log dates of that object.
    func logDates() throws -> [[String: Any]] {
        try #require(try object()["log_dates"] as? [[String: Any]])
    }
}
