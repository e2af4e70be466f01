/// The platform of a device. The raw values have the order of the names.
public enum Platform: UInt8, CaseIterable, BitwiseCopyable, Sendable {
    case android = 0
    case ios = 1
    case unknown = 2
    case web = 3

    /// The name in the databases.
    public var name: String {
        switch self {
        case .android: "android"
        case .ios: "ios"
        case .unknown: "unknown"
        case .web: "web"
        }
    }
}
