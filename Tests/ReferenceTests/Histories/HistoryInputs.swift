import Foundation
import Reference
import Support

/// The files that the pipeline's patterns match now.
struct HistoryInputs {
    /// The log dates with a file that cannot be read.
    private(set) var unreadable: Set<Day> = []
    private(set) var deliveryFiles: [DeliveryFile] = []
    /// The paths of files that no source has.
    private(set) var others: Set<String> = []
    private var logs: [Day: [InputFile]] = [:]

    init(_ folder: ScratchFolder, _ pipeline: Pipeline) throws {
        for source in pipeline.sources {
            let place = "logs/\(source.name)"
            guard folder.exists(place) else { continue }
            for name in try folder.names(place) where !name.hasPrefix(".") {
                guard name.dropFirst(10).hasPrefix("-"), let date = Day(String(name.prefix(10))) else { continue }
                let path = "\(place)/\(name)"
                if let data = folder.contents(path) {
                    logs[date, default: []].append(InputFile(source: source.name, path: path, bytes: Bytes(data)))
                } else if !folder.exists(path) {
                    // A link that leads nowhere.
                    unreadable.insert(date)
                }
            }
        }
        for name in ["adobe", "braze"] where !pipeline.sources.contains(where: { $0.name == name }) {
            let place = "logs/\(name)"
            guard folder.exists(place) else { continue }
            others.formUnion(try folder.names(place).map { "\(place)/\($0)" })
        }
        guard folder.exists("deliveries/e") else { return }
        for name in try folder.names("deliveries/e") {
            let path = "deliveries/e/\(name)"
            deliveryFiles.append(DeliveryFile(path: path, bytes: Bytes(folder.contents(path) ?? Data())))
        }
    }

    func files(_ date: Day) -> [InputFile] { logs[date] ?? [] }
}
