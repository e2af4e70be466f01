import Calendar
import Configuration
import Foundation
import Hashing
import LogFiles
import Messages
import Output
import Partitions
import Posix

/// What the delivery files of a pipeline say now, and whether that differs from what was accepted last.
package struct DeliveryReading: Sendable {
    /// One for each file that cannot be used. If there is any, what was accepted last stays.
    package private(set) var faults: [Message] = []
    package private(set) var warnings: [Message] = []
    /// Whether what was accepted last is to be replaced.
    package private(set) var isChanged = false
    /// What the files say; empty if the pipeline names none. Nil if what was accepted last stands, since a file cannot
    /// be used, or none has changed.
    let list: DeliveryList?
    /// That of `list`; nil if the pipeline names no files.
    let version: String?
    /// The files, if their stamps identify what was read.
    private var remembered: RememberedDeliveries?

    /// Reads all files, unless their stamps show that none has changed.
    /// - Throws: if `deliveries.csv` is there and cannot be read. What is wrong with the files themselves is in `faults`.
    package init(_ pipeline: Pipeline, output: OutputFolder) throws(WarehouseError) {
        let accepted = AcceptedDeliveries.version(in: output)
        let former = try FormerDeliveries.list(in: output)
        guard !pipeline.deliveries.isEmpty else {
            isChanged = accepted != nil || former != nil
            (list, version) = (DeliveryList(), nil)
            return
        }
        let found = DeliveryReading.files(of: pipeline)
        faults = found.faults
        // Taken before the files are read, so that a later change shows.
        var stamps = RememberedDeliveries(found.files, version: accepted)
        if faults.isEmpty, let stamps, accepted != nil, RememberedDeliveries(in: output) == stamps {
            (list, version) = (nil, nil)
            return
        }
        var read = DeliveryList()
        for file in found.files {
            do throws(DeliveryFault) {
                warnings += try file.read(into: &read)
            } catch {
                faults.append(error.message)
            }
        }
        guard faults.isEmpty else {
            let keepsDeliveries = AcceptedDeliveries.areAny(in: output) || former.map { !$0.isEmpty } ?? false
            let end: MessageText =
                keepsDeliveries
                ? "; what was read from the delivery files before is kept" : "; until then no delivery has a name"
            faults = faults.map { $0.about(nil, after: end) }
            isChanged = former != nil
            (list, version) = (former, former?.version)
            return
        }
        let version = read.version
        (list, self.version) = (read, version)
        let uncountable = read.filter(\.isUncountable).map(\.id)
        if !uncountable.isEmpty {
            warnings.append(
                Message(
                    "deliveries_uncountable",
                    """
                    'sent' or 'delivered' of \(uncountable.few { "\($0)" }) adds up to more than 9,223,372,036,854,775,807 \
                    over the platforms, so the sum is unknown; check the delivery files
                    """))
        }
        isChanged = version != accepted
        // Warnings are to be repeated, so files that have any are read each time.
        stamps?.version = version
        if warnings.isEmpty, RememberedDeliveries(found.files, version: version) == stamps { remembered = stamps }
    }

    private static func files(of pipeline: Pipeline) -> (files: [DeliveryFile], faults: [Message]) {
        var files: [DeliveryFile] = []
        var faults: [Message] = []
        for mapping in pipeline.deliveries {
            do throws(FileSearchError) {
                // The patterns have no placeholders, so any date will do.
                let found = try mapping.files.files(on: LogDate(dayNumber: 0), in: pipeline.folder)
                if found.isEmpty {
                    faults.append(
                        Message(
                            "deliveries_no_files",
                            "no delivery files (\(path: mapping.files.text)); put them there, or check 'deliveries'"))
                }
                files += found.map { DeliveryFile(path: $0.path, location: $0.location, files: mapping) }
            } catch {
                faults.append(Message("deliveries_search", error.message.text))
            }
        }
        return (files, faults)
    }

    /// What publishing brings into the ledger; nil to leave what it has.
    var accepted: (list: DeliveryList, version: String?)? { list.map { ($0, version) } }

    /// Remembers the files, once the ledger has what they say.
    func remember(in held: HeldOutput) { remembered?.write(in: held) }
}

/// The list that version 1.1.0 kept in `deliveries.csv`. The next publishing brings it into the ledger.
enum FormerDeliveries {
    /// The most bytes of a row. Its label, campaign and variant may come from different rows of the files, and their quotes are
    /// doubled.
    private static let longestRow = 8 * longestCSVRow

    /// Nil if there is no such file, or it is not what a command has written.
    static func list(in output: OutputFolder) throws(WarehouseError) -> DeliveryList? {
        guard let path = AcceptedDeliveries.formerPath(in: output) else { return nil }
        var list = DeliveryList()
        let columns = DeliveryFiles.Column.allCases.map { ($0, $0.rawValue) }
        let files = DeliveryFiles(
            files: FilePatterns([]), idForm: .text, zone: .utc, columns: Dictionary(uniqueKeysWithValues: columns))
        do throws(DeliveryFault) {
            _ = try DeliveryFile(path: path, location: path, files: files).read(into: &list, longestRow: longestRow)
        } catch {
            if let code = error.code, code != ENOENT {
                throw .system(path: path, call: "read", errno: code)
            }
            return nil
        }
        return list
    }
}

/// The stamps of the delivery files when `deliveries.csv` was written from them. If no stamp and no mapping has changed
/// since, the files need not be read again.
///
/// It is the file `partitions/.kept/deliveries.stamps`:
///
///     {"files":[{"mapping":["text","0f…","delivery_id",…],"path":"../Deliveries/a.csv","stamp":{…}}],"program":"1.1.0",
///     "version":"0f…"}
///
/// It is a cache: losing it only costs time, errors of writing are ignored, and a file that cannot be read is ignored.
struct RememberedDeliveries: Codable, Equatable, Sendable {
    struct File: Codable, Equatable, Sendable {
        let path: String
        /// How the file is read.
        let mapping: [String]
        let stamp: FileStamp
    }

    private static let name = "deliveries.stamps"

    /// Another version of the program may read the files differently.
    let program: String
    let files: [File]
    /// The version of `deliveries.csv`.
    var version: String?

    /// Nil if a stamp does not yet identify the bytes of its file at the time `now`, in nanoseconds since 1970.
    init?(_ files: [DeliveryFile], version: String?, at now: Int64 = FileStamp.now()) {
        var stamped: [File] = []
        for file in files {
            guard let stamp = FileStamp(path: file.location), stamp.isSteady(at: now) else { return nil }
            stamped.append(File(path: file.path, mapping: file.files.mapping, stamp: stamp))
        }
        program = programVersion
        self.files = stamped
        self.version = version
    }
}

extension RememberedDeliveries {
    /// Nil if there is no such file, or it cannot be read.
    init?(in output: OutputFolder) {
        guard let value: RememberedDeliveries = output.cachedValue(RememberedDeliveries.name) else { return nil }
        self = value
    }

    /// Writes the file, unless it has the same content already.
    func write(in held: HeldOutput) {
        held.cacheValue(self, as: RememberedDeliveries.name)
    }
}

extension DeliveryFiles {
    /// All that decides how a file is read.
    fileprivate var mapping: [String] {
        ["\(idForm)", zone.version] + Column.allCases.map { columns[$0] ?? "" }
    }
}

extension DeliveryList {
    /// Lists with the same deliveries have the same version.
    var version: String {
        var (hash, bytes) = (FileHash(), 0)
        for delivery in self {
            for counts in delivery.counts {
                let fields = [
                    delivery.id, counts.platform?.name, delivery.label, delivery.campaign, delivery.variant,
                    delivery.sentAt.map(String.init), counts.sent.map(String.init), counts.delivered.map(String.init),
                ]
                // The lengths keep fields apart.
                let text = fields.map { "\($0?.utf8.count ?? 0) \($0 ?? "")" }.joined(separator: " ")
                hash.add(text.utf8.span)
                bytes += text.utf8.count
            }
        }
        return hash.text(byteCount: bytes)
    }
}
