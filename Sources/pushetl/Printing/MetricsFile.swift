import Foundation
import Messages
import Posix

/// The file that `--metrics` names, for the text collector of Prometheus' node exporter. It is written aside and
/// renamed, and all may read it.
struct MetricsFile {
    let path: String

    /// A message if the file cannot be written. The command's result does not depend on it.
    func write(_ metrics: Metrics) -> Message? {
        let absolute = URL(fileURLWithPath: path).path
        let text: MessageText
        do {
            let content = metrics.text(after: try FormerMetrics(absolute))
            try WholeFile.replace(absolute, mode: 0o644) { file throws(SystemError) in
                try file.write(Array(content.utf8).span)
            }
            return nil
        } catch let error as SystemError {
            text = "the metrics file cannot be written: \(SystemError.reason(error.code))"
        } catch {
            text = "is not a metrics file of pushetl, so it was left as it is; give --metrics another file"
        }
        return Message.at(path, code: .unwritableMetrics, text: text).shown(.stored)
    }
}
