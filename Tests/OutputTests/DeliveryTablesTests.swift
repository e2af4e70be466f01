import Events
import Foundation
import Partitions
import Posix
import SQLite
import Testing

/// A publishing computes the rows of the deliveries that changed. The tables must be what a publishing of all days makes of
/// them.
@Suite struct DeliveryTablesTests {
    private let dates = ["2026-11-15", "2026-11-16", "2026-11-17", "2026-11-18", "2026-11-19"]

    /// A message of each delivery on a date. Messages of other dates have other ids.
    private func load(_ deliveries: [String], _ date: String, opened: Bool = false) -> Load {
        let hits = deliveries.enumerated().flatMap { number, delivery in
            (opened ? ["impression", "open"] : ["impression"]).map { action in
                Hit(
                    id: UInt64(day(date)) * 100 + UInt64(number), time: time("\(date) 10:00:0\(number)"),
                    delivery: delivery, action: action, platform: number % 2 == 0 ? .ios : .android)
            }
        }
        return Load(logDate: day(date), hits: hits, version: "\(deliveries) \(opened)")
    }

    /// The tables are the same as those of an output that is made at once.
    private func expectSums(_ scene: Scene, _ settings: PublicationSettings) throws {
        let dump = try scene.dump()
        try FileManager.default.removeItem(atPath: scene.folder.databasePath)
        try FileManager.default.removeItem(atPath: scene.folder.cachePath)
        try scene.publish(settings)
        #expect(try scene.dump() == dump)
    }

    /// The first arrival of a platform says that its devices report arrivals, and the last that goes takes that away.
    @Test func arrivedOfSentIsKnownOnceThePlatformHasAnArrival() throws {
        let scene = try Scene()
        var settings = scene.settings()
        var list = DeliveryList()
        for delivery in ["d1", "d2"] {
            for platform in [Platform.ios, .android] { list.add(delivery, platform, sent: 4) }
        }
        settings.deliveries = (list, "1")
        func rates() throws -> [[String]] {
            [
                try scene.rows("SELECT delivery_id, arrived_of_sent FROM delivery_results"),
                try scene.rows("SELECT delivery_id, platform, arrived_of_sent FROM delivery_platforms"),
            ]
        }
        for date in dates[0...1] { try scene.load(load(["d1", "d2"], date)) }
        try scene.publish(settings)
        let unknown = [
            ["d1|NULL", "d2|NULL"], ["d1|android|NULL", "d1|ios|NULL", "d2|android|NULL", "d2|ios|NULL"],
        ]
        #expect(try rates() == unknown)
        let arrival = Hit(id: 1, time: time("\(dates[2]) 10:00:00"), action: "arrival")
        try scene.load(Load(logDate: day(dates[2]), hits: [arrival], version: "arrival"))
        try scene.publish(settings)
        #expect(
            try rates() == [
                ["d1|0.125", "d2|0.0"], ["d1|android|NULL", "d1|ios|0.25", "d2|android|NULL", "d2|ios|0.0"],
            ])
        try expectSums(scene, settings)
        try scene.load(load(["d1", "d2"], dates[2]))
        try scene.publish(settings)
        #expect(try rates() == unknown)
        try expectSums(scene, settings)
    }

    @Test func anotherTimeZoneMovesTheDayOnWhichADeliveryWasSent() throws {
        let scene = try Scene()
        var settings = scene.settings()
        var list = DeliveryList()
        list.add("d1", nil, sentAt: time("2026-11-17 23:30:00"))
        list.add("d2", nil, label: "two")
        settings.deliveries = (list, "1")
        try scene.load(load(["d1"], dates[0]))
        for (zone, sent) in [("UTC", "2026-11-17"), ("Europe/Madrid", "2026-11-18"), ("UTC", "2026-11-17")] {
            settings.zone = scene.settings(zone: zone).zone
            try scene.publish(settings)
            // From now on the ledger knows them.
            settings.deliveries = nil
            #expect(
                try scene.rows("SELECT delivery_id, sent_day, first_day, last_day FROM delivery_results") == [
                    "d1|\(sent)|\(dates[0])|\(dates[0])", "d2|NULL|NULL|NULL",
                ])
        }
        try expectSums(scene, settings)
    }
}

extension DeliveryList {
    fileprivate mutating func add(
        _ id: String, _ platform: Platform?, label: String = "", sentAt: Int64? = nil, sent: Int? = nil
    ) {
        let empty = [UInt8]()
        add(
            id: Array(id.utf8).span, platform: platform, label: Array(label.utf8).span, campaign: empty.span,
            variant: empty.span, sentAt: sentAt, sent: sent, delivered: nil)
    }
}
