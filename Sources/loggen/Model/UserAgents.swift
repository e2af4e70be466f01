/// The user agents of a run, their shapes those of Campaign's SDKs, of older ones and of browsers.
struct UserAgents: Sendable {
    struct Agent: Sendable {
        var text: [UInt8]
        var platform: Platform
        /// Whether it is the Campaign Standard SDK, which sends `mcId`.
        var isSDK: Bool
    }

    let agents: [Agent]
    /// All texts in a row, and where each ends: the hot path copies from here.
    private let text: [UInt8]
    private let ends: [Int]
    private let popularity: Popularity

    init(count: Int) {
        agents = (0..<count).map(Self.agent)
        text = agents.flatMap(\.text)
        var end = 0
        ends =
            [0]
            + agents.map { agent in
                end += agent.text.count
                return end
            }
        popularity = Popularity(count: count)
    }

    /// The agent of 64 random bits: some are far more frequent than others.
    func index(for bits: UInt64) -> Int {
        popularity.rank(for: bits)
    }

    func append(_ index: Int, to buffer: inout ByteBuffer) {
        text.withUnsafeBytes { bytes in
            buffer.append(UnsafeRawBufferPointer(rebasing: bytes[ends[index]..<ends[index + 1]]))
        }
    }

    private static func agent(_ number: Int) -> Agent {
        let variant = number / 10
        switch number % 10 {
        case 0, 3: return Agent(text: iOS(variant), platform: .ios, isSDK: true)
        case 1, 5: return Agent(text: android(variant), platform: .android, isSDK: true)
        case 2, 7: return Agent(text: oldIOS(variant), platform: .ios, isSDK: false)
        case 4, 6: return Agent(text: oldAndroid(variant), platform: .android, isSDK: false)
        case 8: return Agent(text: desktop(variant), platform: .unknown, isSDK: false)
        default:
            return variant.isMultiple(of: 2)
                ? Agent(text: safari(variant), platform: .ios, isSDK: false)
                : Agent(text: chrome(variant), platform: .android, isSDK: false)
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

    private static func iOS(_ variant: Int) -> [UInt8] {
        let device = variant % 9 == 8 ? "iPad" : "iPhone"
        let version = "\(15 + variant % 4)_\(variant / 4 % 8)_\(variant / 32)"
        return Array("Mozilla/5.0 (\(device); CPU OS \(version) like Mac OS X; \(locales[variant % 16]))".utf8)
    }

    private static func android(_ variant: Int) -> [UInt8] {
        let version = 9 + (variant + variant / 16) % 7
        let locale = locales[(variant + variant / 5) % 16]
        let device = "\(androids[variant % 16]) Build/\(build(variant))"
        return Array("Mozilla/5.0 (Linux; U; Android \(version); \(locale); \(device))".utf8)
    }

    private static func oldIOS(_ variant: Int) -> [UInt8] {
        Array("TiendaEjemplo/\(4 + variant % 3).\(variant / 3) CFNetwork/\(1404 + variant % 90).0.3 Darwin/22.6.0".utf8)
    }

    private static func oldAndroid(_ variant: Int) -> [UInt8] {
        let version = 7 + variant % 6
        let device = "\(androids[variant % 16]) Build/\(build(variant))"
        return Array("Dalvik/2.1.0 (Linux; U; Android \(version); \(device))".utf8)
    }

    private static func desktop(_ variant: Int) -> [UInt8] {
        let system = variant.isMultiple(of: 2) ? "Windows NT 10.0; Win64; x64" : "Macintosh; Intel Mac OS X 10_15_7"
        let version = "\(110 + variant % 30).0.\(variant / 30).0"
        return Array(
            "Mozilla/5.0 (\(system)) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/\(version) Safari/537.36".utf8)
    }

    private static func safari(_ variant: Int) -> [UInt8] {
        let version = "\(15 + variant % 4)_\(variant / 4)"
        return Array(
            """
            Mozilla/5.0 (iPhone; CPU iPhone OS \(version) like Mac OS X) AppleWebKit/605.1.15 \
            (KHTML, like Gecko) Version/17.4 Mobile/15E148 Safari/604.1
            """.utf8)
    }

    private static func chrome(_ variant: Int) -> [UInt8] {
        Array(
            """
            Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) \
            Chrome/\(110 + variant % 30).0.\(variant / 30).0 Mobile Safari/537.36
            """.utf8)
    }

    private static func build(_ variant: Int) -> String {
        "UQ1A.24\(padded(1 + variant % 12, 2))\(padded(1 + variant / 12 % 28, 2)).\(padded(variant / 336, 3))"
    }
}
