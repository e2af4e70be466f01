import Foundation
import Posix

/// The system's time zone database: a folder with a file for each zone, as Debian's package tzdata installs it.
package enum ZoneDatabase {
    /// The folder that the environment's `ZONEINFO` names, else `/usr/share/zoneinfo`.
    package static var folder: String {
        ProcessInfo.processInfo.environment["ZONEINFO"].flatMap { $0.isEmpty ? nil : $0 } ?? "/usr/share/zoneinfo"
    }

    /// The zone of an IANA name, from its file. `UTC` needs no file.
    package static func zone(_ name: String) throws(ZoneError) -> ZoneRules {
        if name == ZoneRules.utc.name { return .utc }
        guard isName(name) else { throw .unknown }
        let path = "\(folder)/\(name)"
        let bytes: [UInt8]
        do {
            bytes = try WholeFile.read(path)
        } catch {
            guard [ENOENT, ENOTDIR, EISDIR].contains(error.code) else {
                throw .unusable("cannot read \(path): \(String(cString: strerror(error.code)))")
            }
            guard names.isEmpty else { throw .unknown }
            throw .unusable(
                "there is no time zone database in \(folder); install the package 'tzdata', or set ZONEINFO to its folder"
            )
        }
        guard let zone = ZoneFile.zone(bytes, name: name) else {
            throw .unusable(
                "\(path) is not a time zone file (RFC 8536) without leap seconds; reinstall the package 'tzdata'")
        }
        return zone
    }

    /// The names of all zones, sorted; empty if there is no database.
    package static var names: [String] {
        names(in: "").sorted()
    }

    private static func names(in subfolder: String) -> [String] {
        // What cannot be read is no zone.
        let entries = (try? Folder.entries(of: "\(folder)/\(subfolder)")) ?? []
        return entries.flatMap { entry in
            let name = subfolder + entry.name
            guard isName(name) else { return [String]() }
            if entry.kind == .folder { return names(in: name + "/") }
            let head = (try? FileDescriptor(reading: "\(folder)/\(name)")).map { file in
                defer { file.close() }
                var bytes = [UInt8](repeating: 0, count: ZoneFile.magic.count)
                return (try? file.fill(&bytes, in: 0..<bytes.count)) == bytes.count ? bytes : []
            }
            return head == ZoneFile.magic ? [name] : []
        }
    }

    /// Whether it may be an IANA name. `posix` and `right` hold the zones once more, `right` with leap seconds;
    /// `localtime` and `posixrules` are the system's own.
    private static func isName(_ name: String) -> Bool {
        !["posix", "right", "localtime", "posixrules"].contains(name.prefix { $0 != "/" })
            && name.wholeMatch(of: /[A-Za-z0-9_+\-]+(\/[A-Za-z0-9_+\-]+)*/) != nil
    }
}
