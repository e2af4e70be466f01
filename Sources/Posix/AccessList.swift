import CXattr

/// The access list of a file: who may use it besides its owner and its group.
package struct AccessList {
    /// The name of the attribute in which Linux keeps it.
    private static let name = "system.posix_acl_access"
    private let value: [UInt8]

    /// Nil if the file has none.
    package init?(of path: String) {
        let size = getxattr(path, AccessList.name, nil, 0)
        guard size > 0 else { return nil }
        var value = [UInt8](repeating: 0, count: size)
        guard getxattr(path, AccessList.name, &value, size) == size else { return nil }
        self.value = value
    }

    /// Gives it to another file. Only its owner may.
    package func set(on file: FileDescriptor) {
        _ = value.withUnsafeBytes { fsetxattr(file.number, AccessList.name, $0.baseAddress, $0.count, 0) }
    }
}
