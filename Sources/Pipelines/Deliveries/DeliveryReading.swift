import Calendar
import Configuration
import Foundation
import LogFiles
import Posix
import Warehouse

/// What the delivery files of a pipeline say now, and whether that differs from what was accepted last.
package struct DeliveryReading: Sendable {
    /// One for each file that cannot be used. If there is any, what was accepted last stays.
    package private(set) var faults: [DeliveryFault] = []
    package private(set) var warnings: [DeliveryWarning] = []
    /// Whether `deliveries.csv` names deliveries. Only known if there are faults.
    package private(set) var keepsDeliveries = false
    /// Whether `deliveries.csv` must be replaced.
    package private(set) var isChanged = false
    /// What the files say; empty if the pipeline names none. Nil if what was accepted last stands, since a file cannot
    /// be used, or none has changed.
    let list: DeliveryList?
    /// Whether the pipeline names delivery files.
    private let namesFiles: Bool
    /// The files, if their stamps identify what was read.
    private var remembered: RememberedDeliveries?

    /// Reads all files, unless their stamps show that none has changed.
    /// - Throws: if `deliveries.csv` is there and cannot be read. What is wrong with the files themselves is in `faults`.
    package init(_ pipeline: Pipeline, output: OutputFolder) throws(WarehouseError) {
        let accepted = try output.deliveriesVersion()
        namesFiles = !pipeline.deliveries.isEmpty
        guard namesFiles else {
            isChanged = accepted != nil
            list = DeliveryList()
            return
        }
        let found = DeliveryReading.files(of: pipeline)
        faults = found.faults
        // Taken before the files are read, so that a later change shows.
        var stamps = RememberedDeliveries(found.files, version: accepted)
        if faults.isEmpty, let stamps, accepted != nil, RememberedDeliveries(in: output) == stamps {
            list = nil
            return
        }
        var read = DeliveryList()
        for file in found.files {
            do throws(DeliveryFault) {
                warnings += try file.read(into: &read)
            } catch {
                faults.append(error)
            }
        }
        guard faults.isEmpty else {
            keepsDeliveries = try !output.acceptedDeliveries().isEmpty
            list = nil
            return
        }
        read.sort()
        list = read
        let uncountable = read.filter(\.isUncountable).map(\.id)
        if !uncountable.isEmpty { warnings.append(.uncountable(deliveries: uncountable)) }
        let version = read.version
        isChanged = version != accepted
        // Warnings are to be repeated, so files that have any are read each time.
        stamps?.version = version
        if warnings.isEmpty, RememberedDeliveries(found.files, version: version) == stamps { remembered = stamps }
    }

    private static func files(of pipeline: Pipeline) -> (files: [DeliveryFile], faults: [DeliveryFault]) {
        var files: [DeliveryFile] = []
        var faults: [DeliveryFault] = []
        for mapping in pipeline.deliveries {
            do throws(FileSearchError) {
                // The patterns have no placeholders, so any date will do.
                let found = try mapping.files.files(on: LogDate(dayNumber: 0), in: pipeline.folder)
                if found.isEmpty { faults.append(.noFiles(patterns: mapping.files.text)) }
                files += found.map { DeliveryFile(path: $0.path, location: $0.location, files: mapping) }
            } catch {
                faults.append(.search(error))
            }
        }
        return (files, faults)
    }

    /// Makes `deliveries.csv` say what the files say. The caller must hold the output's lock.
    func accept(in output: OutputFolder) throws(WarehouseError) {
        if isChanged, let list {
            if namesFiles {
                try output.replaceDeliveries { file throws(SystemError) in
                    try list.csv { block throws(SystemError) in try file.write(block) }
                }
            } else {
                try output.removeDeliveries()
            }
        }
        remembered?.write(in: output)
    }
}

/// The most bytes of a row of `deliveries.csv`. Its label, campaign and variant may come from different rows of the files,
/// and their quotes are doubled.
private let longestMergedRow = 8 * longestCSVRow

extension OutputFolder {
    /// What `deliveries.csv` says; empty if it is missing, or is not what a command has written.
    func acceptedDeliveries() throws(WarehouseError) -> DeliveryList {
        guard try hasDeliveries() else { return DeliveryList() }
        var list = DeliveryList()
        let columns = DeliveryFiles.Column.allCases.map { ($0, $0.rawValue) }
        let files = DeliveryFiles(
            files: FilePatterns([]), idForm: .text, zone: .utc, columns: Dictionary(uniqueKeysWithValues: columns))
        let file = DeliveryFile(path: deliveriesPath, location: deliveriesPath, files: files)
        do throws(DeliveryFault) {
            _ = try file.read(into: &list, longestRow: longestMergedRow)
        } catch {
            if case .unreadable(_, let code) = error, code != ENOENT {
                throw .system(path: deliveriesPath, call: "read", errno: code)
            }
            return DeliveryList()
        }
        list.sort()
        return list
    }
}
