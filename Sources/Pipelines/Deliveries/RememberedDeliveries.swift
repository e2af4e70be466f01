import Configuration
import Foundation
import Partitions
import Posix

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
