import LogFiles
import Messages

/// A file that pushetl cannot read: its content is neither gzip, zstd nor plain text, or a zstd frame cannot be
/// unpacked. Such content may also be inside a compressed file.
package struct ForeignFile: Hashable, Codable, Sendable {
    /// The path as the pattern of its source gives it.
    package let path: String
    package let kind: ForeignKind
    /// The compression around the foreign content; plain if there is none.
    package let packing: Packing
}

extension ForeignFile {
    package init(path: String, kind: ForeignKind) {
        self.path = path
        self.kind = kind
        packing = .plain
    }

    /// Nil for a log file.
    init?(path: String, beginning: BeginningReader.Beginning) {
        guard let kind = beginning.foreignKind else { return nil }
        self.init(path: path, kind: kind, packing: beginning.packing)
    }

    /// What kind of file it is, and how to convert it.
    package func text(kindsRead: String = "gzip, zstd and plain text") -> MessageText {
        let isInside = packing != .plain
        let unpacker = packing == .zstd ? "zstd -dc FILE" : "gzip -dc FILE"
        let unpacking = isInside ? "\(unpacker) | " : ""
        let inside = isInside ? " inside \(packing)" : ""
        let input = isInside ? "" : " FILE"
        let (name, advice) =
            switch kind {
            case .gzip where isInside, .zstd where isInside: ("\(kind)\(inside)", "unpack it once: '\(unpacker)'")
            case .gzip, .zstd, .xz, .lz4, .bzip2:
                ("\(kind)-compressed\(inside)", "convert it to gzip: '\(unpacking)\(kind) -dc\(input) | gzip'")
            case .zstdWindow:
                ("zstd-compressed with a window over 128 MiB", "compress it anew: 'zstd -dc --long=31 FILE | zstd'")
            case .zstdDictionary:
                ("zstd-compressed with a dictionary", "compress it anew: 'zstd -dc -D DICTIONARY FILE | zstd'")
            case .zip: ("a zip archive\(inside)", "give the files that it holds")
            case .tar: ("a tar archive\(inside)", "give the files that it holds: 'tar -xf FILE'")
            case .avro: ("an Avro file\(inside)", "export the records as lines of text or JSON")
            case .parquet: ("a Parquet file\(inside)", "export the records as lines of text or JSON")
            case .utf16:
                ("UTF-16 text\(inside)", "convert it to UTF-8: '\(unpacking)iconv -f UTF-16 -t UTF-8\(input)'")
            }
        return "\(path: path): is \(name); pushetl reads \(kindsRead); \(advice)"
    }
}
