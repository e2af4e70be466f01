enum Platform: String, CaseIterable, Sendable {
    case android, ios, unknown, web

    /// Its position among all.
    var number: Int {
        switch self {
        case .android: 0
        case .ios: 1
        case .unknown: 2
        case .web: 3
        }
    }
}
