import Events

/// The values of `platform`.
enum PlatformWord: String, CaseIterable {
    case android, ios, web

    var platform: Platform? { Platform.allCases.first { $0.name == rawValue } }
}
