enum Platform: String, CaseIterable, Sendable {
    case android, ios, unknown, web
}
