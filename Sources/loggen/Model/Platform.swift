enum Platform: String, Sendable {
    case android, ios, unknown, web
}
