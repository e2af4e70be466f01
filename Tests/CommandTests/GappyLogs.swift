import Calendar
import Reference

/// Two months of logs, of which some dates are missing, loaded in part, or empty.
struct GappyLogs {
    private static let first = LogDate("2026-09-21") ?? LogDate(dayNumber: 0)
    static let count = 60
    private static let missing: Set = [5, 20, 41]
    /// The second source has no file.
    private static let partial: Set = [12, 30]
    /// Both files are there, without a line.
    private static let empty = 48

    private struct Hit {
        let message: Int
        let delivery: String
        let platform: String
        let action: String
        let time: Int
        /// The number of the log date.
        let logDate: Int
        let source: String
        /// How often the line is there.
        let lines: Int

        var day: Int { GappyLogs.day(time) }
        var hour: Int { time % 86400 / 3600 }
    }

    private struct Delivery {
        let id: String
        var label = ""
        var campaign = ""
        var variant = ""
        /// The number of the day that it was sent on; nil if no file names it.
        var sentDay: Int?
        var sent: [(platform: String, count: Int)] = []
    }

    private let written: [Hit]
    private let deliveries: [Delivery]

    init() {
        var random = SplitMix64(seed: 28)
        var hits: [Hit] = []
        var deliveries: [Delivery] = []
        var message = 0
        for date in 0..<GappyLogs.count where date != GappyLogs.empty {
            for number in 0..<3 {
                let id = "d\(date)x\(number)"
                let isFailure = date == 46 && number == 1
                var delivery = Delivery(id: id)
                if number < 2 {
                    delivery.label = "Wave \(id)"
                    delivery.campaign = number == 0 ? "Spring" : "Daily"
                    delivery.variant = number == 0 ? ["A", "B"][date % 2] : ""
                    delivery.sentDay = date
                    delivery.sent = number == 0 ? [("android", 240), ("ios", 260)] : [("", 520)]
                }
                deliveries.append(delivery)
                for _ in 0..<(isFailure ? 4 : date == 50 ? 45 : 120) {
                    message += 1
                    let start = GappyLogs.start(date) + (6 + random.below(17)) * 3600 + random.below(3600)
                    let platform = random.chance(50) ? "ios" : "android"
                    func add(_ action: String, _ time: Int) {
                        let late = random.chance(4) ? 1 + random.below(2) : 0
                        hits.append(
                            Hit(
                                message: message, delivery: id, platform: platform, action: action, time: time,
                                logDate: GappyLogs.day(time) + late, source: message % 2 == 0 ? "adobe" : "second",
                                lines: random.chance(3) ? 2 : 1))
                    }
                    if platform == "ios", random.chance(70) { add("arrival", start) }
                    if random.chance(90) { add("impression", start + random.below(3)) }
                    guard random.chance(number == 0 && date % 2 == 0 ? 50 : 30) else { continue }
                    let delay = 3 + random.below([5, 40, 300, 2000, 9000, 70_000, 200_000][random.below(7)])
                    if random.chance(95) { add("click", start + delay) }
                    if random.chance(70) { add("open", start + delay) }
                }
            }
        }
        deliveries.append(
            Delivery(
                id: "gone", label: "Gone", campaign: "Daily", sentDay: 45, sent: [("", 600)]))
        written = hits.filter { $0.day != GappyLogs.empty && $0.logDate != GappyLogs.empty }
        self.deliveries = deliveries
    }

    // MARK: Days

    static func date(_ day: Int) -> LogDate { first.adding(days: day) }
    private static func start(_ day: Int) -> Int { date(day).dayNumber * 86400 }
    private static func day(_ time: Int) -> Int { time / 86400 - first.dayNumber }

    private static func isRead(_ date: Int, _ source: String) -> Bool {
        0..<count ~= date && !missing.contains(date) && !(source == "second" && partial.contains(date))
    }

    // MARK: Files

    private static let source =
        "format: collector, layout: json, actions: {1: open, 2: click, 7: impression, 3: arrival}"
    private static let pipeline = """
        version: 1
        output: out
        deliveries: {files: deliveries.csv}
        sources:
          - {name: adobe, files: logs/%Y-%m-%d.log, \(source)}
          - {name: second, files: more/%Y-%m-%d.log, \(source)}

        """

    /// The text of each file by its name.
    var files: [String: String] {
        var files: [String: String] = ["push.yaml": GappyLogs.pipeline, "deliveries.csv": deliveryFile]
        let codes = ["open": 1, "click": 2, "impression": 7, "arrival": 3]
        for (folder, source) in [("logs", "adobe"), ("more", "second")] {
            let hits = Dictionary(grouping: written.filter { $0.source == source }, by: \.logDate)
            for date in 0..<GappyLogs.count where GappyLogs.isRead(date, source) {
                var text = date == GappyLogs.empty ? "" : "nothing that fits\n"
                for hit in hits[date] ?? [] {
                    let agent = hit.platform == "ios" ? "iPhone; iOS 17" : "Android 14"
                    let day = GappyLogs.date(hit.day).description
                    let time = [hit.hour, hit.time % 3600 / 60, hit.time % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
                    let line =
                        "{\"time_iso8601\":\"\(day)T\(time.joined(separator: ":"))Z\",\"status\":200,"
                        + "\"request\":\"GET /r/?id=h\(String(hit.message, radix: 16)),\(hit.delivery),"
                        + "\(codes[hit.action] ?? 0) HTTP/1.1\",\"http_user_agent\":\"\(agent)\"}\n"
                    text += String(repeating: line, count: hit.lines)
                }
                files["\(folder)/\(GappyLogs.date(date)).log"] = text
            }
        }
        return files
    }

    private var deliveryFile: String {
        "delivery_id,platform,label,campaign,variant,sent_at,sent\n"
            + deliveries.flatMap { it in
                it.sent.map { sent in
                    "\(it.id),\(sent.platform),\(it.label),\(it.campaign),\(it.variant),"
                        + "\(it.sentDay.map { GappyLogs.date($0).description } ?? "")T08:00:00Z,\(sent.count)\n"
                }
            }.joined()
    }
}
