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
    /// Whether `deliveries.csv` must be replaced.
    package private(set) var isChanged = false
    /// The new content of `deliveries.csv`; nil if the pipeline names no delivery files.
    private var content: [UInt8]?

    /// Reads all files.
    package init(_ pipeline: Pipeline, output: OutputFolder) {
        var list = DeliveryList()
        for files in pipeline.deliveries {
            do throws(FileSearchError) {
                // The patterns have no placeholders, so any date will do.
                let found = try files.files.files(on: LogDate(dayNumber: 0), in: pipeline.folder)
                if found.isEmpty { faults.append(.noFiles(patterns: files.files.text)) }
                for file in found { read(DeliveryFile(path: file.path, location: file.location, files: files), &list) }
            } catch {
                faults.append(.search(error))
            }
        }
        guard faults.isEmpty else { return }
        if !pipeline.deliveries.isEmpty { content = list.csv }
        isChanged = content != output.deliveriesBytes()
    }

    private mutating func read(_ file: DeliveryFile, _ list: inout DeliveryList) {
        do throws(DeliveryFault) {
            warnings += try file.read(into: &list)
        } catch {
            faults.append(error)
        }
    }

    /// Makes `deliveries.csv` say what the files say. The caller must hold the output's lock.
    func accept(in output: OutputFolder) throws(WarehouseError) {
        if isChanged { try output.replaceDeliveries(by: content) }
    }
}

extension OutputFolder {
    /// What `deliveries.csv` says; empty if it is missing or cannot be read.
    func acceptedDeliveries() -> DeliveryList {
        var list = DeliveryList()
        let columns = DeliveryFiles.Column.allCases.map { ($0, $0.rawValue) }
        let files = DeliveryFiles(
            files: FilePatterns([]), idForm: .text, zone: .utc, columns: Dictionary(uniqueKeysWithValues: columns))
        let file = DeliveryFile(path: deliveriesPath, location: deliveriesPath, files: files)
        guard FileStamp(path: deliveriesPath) != nil, (try? file.read(into: &list)) != nil else {
            return DeliveryList()
        }
        return list
    }
}
