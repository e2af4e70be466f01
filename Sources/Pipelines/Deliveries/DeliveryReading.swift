import Calendar
import Configuration
import Foundation
import Hashing
import LogFiles
import Messages
import Output
import Partitions
import Posix

/// The content of a pipeline's delivery files, and whether it differs from the list in push.db.
package struct DeliveryReading: Sendable {
    /// A message for each file that cannot be used. With any fault, push.db keeps the list that it has.
    package private(set) var faults: [Message] = []
    package private(set) var warnings: [Message] = []
    /// Whether publishing must replace the list in push.db.
    package private(set) var isChanged = false
    /// The list for publishing, with its version. Without delivery files in the pipeline the list is empty and has no
    /// version. Nil if push.db keeps the list that it has, since a file cannot be used.
    package private(set) var accepted: (list: DeliveryList, version: String?)?

    /// Reads all files. A file that cannot be used adds to `faults`.
    package init(_ pipeline: Pipeline, output: OutputFolder) {
        let database = OutputDatabase(output, busyTimeout: 1)
        guard !pipeline.deliveries.isEmpty else {
            isChanged = database.acceptedDeliveries != nil
            accepted = (DeliveryList(), nil)
            return
        }
        let found = DeliveryReading.files(of: pipeline)
        faults = found.faults
        var read = DeliveryList()
        for file in found.files {
            do throws(DeliveryFault) {
                warnings += try file.read(into: &read)
            } catch {
                faults.append(error.message)
            }
        }
        guard faults.isEmpty else {
            let end: MessageText =
                if database.hasAcceptedDeliveries {
                    "; what was read from the delivery files before is kept"
                } else {
                    "; until then no delivery has a name"
                }
            faults = faults.map { $0.adding(end) }
            return
        }
        let version = read.version
        accepted = (read, version)
        isChanged = database.acceptedDeliveries != version
        let uncountable = read.filter(\.isUncountable).map(\.id)
        if !uncountable.isEmpty {
            warnings.append(
                Message(
                    .deliveriesUncountable,
                    text: """
                        'sent' or 'delivered' of \(uncountable.few { "\($0)" }) adds up to more than 9,223,372,036,854,775,807 \
                        over the platforms, so the sum is unknown; check the delivery files
                        """))
        }
    }

    private static func files(of pipeline: Pipeline) -> (files: [DeliveryFile], faults: [Message]) {
        var files: [DeliveryFile] = []
        var faults: [Message] = []
        for mapping in pipeline.deliveries {
            do throws(Fault) {
                // The patterns have no placeholders, so any date will do.
                let found = try mapping.files.files(on: LogDate(dayNumber: 0), in: pipeline.folder)
                if found.isEmpty {
                    faults.append(
                        Message(
                            .deliveriesNoFiles,
                            text:
                                "no delivery files (\(path: mapping.files.text)); put them there, or check 'deliveries'"
                        ))
                }
                files += found.map { DeliveryFile(path: $0.path, location: $0.location, files: mapping) }
            } catch {
                faults.append(Message(.deliveriesSearch, text: error.message.text))
            }
        }
        return (files, faults)
    }
}

extension DeliveryList {
    /// A hash of the list: equal lists have equal versions.
    var version: String {
        var hash = FileHash()
        var bytes = 0
        for delivery in self {
            for counts in delivery.counts {
                let fields = [
                    delivery.id, counts.platform?.name, delivery.label, delivery.campaign, delivery.variant,
                    delivery.sentAt.map(String.init), counts.sent.map(String.init), counts.delivered.map(String.init),
                ]
                // The length before each field makes the text unambiguous.
                let text = fields.map { "\($0?.utf8.count ?? 0) \($0 ?? "")" }.joined(separator: " ")
                hash.add(text.utf8.span)
                bytes += text.utf8.count
            }
        }
        return hash.text(byteCount: bytes)
    }
}
