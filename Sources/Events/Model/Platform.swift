/// A platform; the raw values are in the order of the names' bytes.
public enum Platform: UInt8, CaseIterable, BitwiseCopyable, Sendable {
    case android = 0
    case ios = 1
    case unknown = 2
    case web = 3

    public var name: String {
        switch self {
        case .android: "android"
        case .ios: "ios"
        case .unknown: "unknown"
        case .web: "web"
        }
    }
}
