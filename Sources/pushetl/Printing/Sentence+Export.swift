import Foundation
import Posix
import Reports

extension Sentence {
    func of(_ error: ExportError) -> String {
        switch error {
        case .noOutput(let path): "\(paths(path)): no such file; 'pushetl run' makes it"
        case .earlierSchema(let path, let schema):
            "\(paths(path)): was written by an earlier pushetl (schema \(schema)); "
                + "the next 'run' or 'backfill' makes it anew from the partitions"
        case .notFolder(let path): "\(paths(path)): is not a folder; nothing was written; give another --out"
        case .foreignFile(let path):
            "\(paths(path)): is no file of this export; nothing was written; move it away, or give another --out"
        case .noDays(let months):
            "there are no days \(Sentence.range(months)); nothing was written"
        case .system(let error):
            "\(paths(error.path)): \(error.call) failed: \(Sentence.reason(error.code)); "
                + "files that are there are whole; fix that and run again"
        case .stopped: "stopped; files that are there are whole, and the same command does the rest"
        }
    }

    private static func range(_ months: ExportMonths) -> String {
        switch (months.first, months.last) {
        case (let first?, let last?): first == last ? "in \(first)" : "from \(first) to \(last)"
        case (let first?, nil): "from \(first) on"
        case (nil, let last?): "up to \(last)"
        case (nil, nil): "at all"
        }
    }
}
