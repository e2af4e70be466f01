import Calendar
import Events
import Foundation
import Partitions

import struct Reference.SplitMix64

extension SplitMix64 {
    /// A few log dates, some apart from the others, whose few ids meet often and whose times tie now and then.
    mutating func loads() -> [Load] {
        let base = day("2026-11-01")
        var dates: Set<LogDate> = []
        for _ in 0..<Int.random(in: 1...6, using: &self) {
            dates.insert(base.adding(days: Int.random(in: 0...12, using: &self)))
            if chance(15) { dates.insert(base.adding(days: 40)) }
        }
        return dates.sorted().map { load(of: $0) }
    }

    mutating func load(of date: LogDate) -> Load {
        var hits: [String: Hit] = [:]
        for _ in 0..<Int.random(in: 0...30, using: &self) {
            let hit = hit(near: date)
            hits["\(hit.idSpace) \(hit.kind) \(hit.id) \(hit.action)"] = hit
        }
        return Load(logDate: date, hits: hits.sorted { $0.key < $1.key }.map(\.value))
    }

    /// What delivery files may say of some of their deliveries, and of others.
    mutating func deliveries() -> DeliveryList {
        var list = DeliveryList()
        for _ in 0..<below(6) {
            let (id, label, variant) = (pick(["d1", "d2", "e", "d9"]), pick(["", "one", "two"]), pick(["", "A"]))
            list.add(
                id: Array(id.utf8).span, platform: pick([nil, nil, .ios, .android, .web]),
                label: Array(label.utf8).span,
                campaign: [UInt8]().span, variant: Array(variant.utf8).span,
                sentAt: pick([nil, time("2026-11-03 10:00:00"), time("2026-11-03 23:30:00")]),
                sent: pick([nil, 0, 4, 7]), delivered: nil)
        }
        return list
    }

    private mutating func hit(near date: LogDate) -> Hit {
        let offset = chance(30) ? -Int64.random(in: 0...5, using: &self) : 0
        let second = chance(50) ? 43_200 : Int64.random(in: 0..<86_400, using: &self)
        return Hit(
            idSpace: chance(85) ? "push" : "other", kind: pick([.hex, .hex, .hex, .uuid, .opaque]),
            id: UInt64.random(in: 1...9, using: &self),
            time: (Int64(date.dayNumber) + offset) * 86_400_000 + second * 1000 + pick([0, 0, 1, 999]),
            source: pick(["adobe", "momo", "braze", "zeta", "alpha"]), delivery: pick(["d1", "d2", "e", "\u{e9}"]),
            action: pick(["impression", "click", "open", "arrival", "button_1"]),
            platform: pick(Platform.allCases), records: chance(20) ? 3 : 1)
    }
}
