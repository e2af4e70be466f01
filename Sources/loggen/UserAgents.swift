import Reference

/// The user agents of a run, their shapes those of Campaign's SDKs, of older ones and of browsers.
struct UserAgents: Sendable {
    struct Agent: Sendable {
        var text: String
        /// As the ETL names it.
        var platform: String
        /// Whether it is the Campaign Standard SDK, which sends `mcId`.
        var isSDK = false
    }

    private let agents: [Agent]
    private let shares: Shares

    init(count: Int) {
        agents = (0..<count).map { Self.agent($0 % 10, variant: $0 / 10) }
        shares = Shares(popular: count)
    }

    /// The agent of 64 random bits: some are far more frequent than others.
    func agent(for bits: UInt64) -> Agent { agents[shares.index(for: bits)] }

    private static func agent(_ kind: Int, variant: Int) -> Agent {
        let locale = locales[variant % 16]
        let chrome = "Chrome/\(110 + variant % 30).0.\(variant / 30).0"
        let build = "\(padded(1 + variant % 12, 2))\(padded(1 + variant / 12 % 28, 2)).\(padded(variant / 336, 3))"
        let device = "\(androids[variant % 16]) Build/UQ1A.24\(build)"
        let webKit = "(KHTML, like Gecko)"
        switch kind {
        case 0, 3:
            let system = "\(variant % 9 == 8 ? "iPad" : "iPhone"); CPU OS"
            let version = "\(15 + variant % 4)_\(variant / 4 % 8)_\(variant / 32)"
            let text = "Mozilla/5.0 (\(system) \(version) like Mac OS X; \(locale))"
            return Agent(text: text, platform: "ios", isSDK: true)
        case 1, 5:
            let version = "Android \(9 + (variant + variant / 16) % 7); \(locales[(variant + variant / 5) % 16])"
            let text = "Mozilla/5.0 (Linux; U; \(version); \(device))"
            return Agent(text: text, platform: "android", isSDK: true)
        case 2, 7:
            let version = "\(4 + variant % 3).\(variant / 3) CFNetwork/\(1404 + variant % 90).0.3"
            return Agent(text: "TiendaEjemplo/\(version) Darwin/22.6.0", platform: "ios")
        case 4, 6:
            let text = "Dalvik/2.1.0 (Linux; U; Android \(7 + variant % 6); \(device))"
            return Agent(text: text, platform: "android")
        case 8:
            let system = "Windows NT 10.0; Win64; x64"
            let text = "Mozilla/5.0 (\(system)) AppleWebKit/537.36 \(webKit) \(chrome) Safari/537.36"
            return Agent(text: text, platform: "unknown")
        case _ where variant.isMultiple(of: 2):
            let system = "iPhone; CPU iPhone OS \(15 + variant % 4)_\(variant / 4) like Mac OS X"
            let browser = "AppleWebKit/605.1.15 \(webKit) Version/17.4 Mobile/15E148 Safari/604.1"
            return Agent(text: "Mozilla/5.0 (\(system)) \(browser)", platform: "ios")
        default:
            let browser = "AppleWebKit/537.36 \(webKit) \(chrome) Mobile Safari/537.36"
            return Agent(text: "Mozilla/5.0 (Linux; Android 10; K) \(browser)", platform: "android")
        }
    }

    private static let locales = [
        "es-ES", "en-US", "es-MX", "ca-ES", "en-GB", "pt-PT", "fr-FR", "de-DE", "it-IT", "gl-ES", "eu-ES", "es-AR",
        "sv-SE", "zh-CN", "pl-PL", "ro-RO",
    ]
    private static let androids = [
        "SM-A536B", "Pixel 8", "SM-S911B", "Redmi Note 12", "M2101K6G", "SM-A145R", "CPH2581", "moto g54 5G",
        "2201117TY", "SM-G991B", "Pixel 7a", "RMX3630", "SM-A256B", "VOG-L29", "XQ-DC54", "V2250",
    ]
}
