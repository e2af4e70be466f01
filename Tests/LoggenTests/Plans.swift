import Calendar
import Foundation
import Reference
import Support
import Testing

@testable import loggen

/// A small plan of three dates, with the changes that a test needs.
func smallPlan(_ change: (inout Plan) -> Void = { _ in }) throws -> Plan {
    let first = try #require(LogDate("2026-11-17"))
    let zone = try ZoneDatabase.zone("Europe/Madrid")
    var plan = Plan(
        seed: 7, recordsPerDate: 2000, firstDate: first, lastDate: first.adding(days: 2), kinds: Kind.allCases,
        filesPerKind: 2, ids: .hex, userAgents: 40, mcID: .sdk, requireMcID: false, deliveries: 30, latePerMille: 30,
        noise: .all, layout: .combined, level: 1, memberRecords: 0, longLines: 0, windowDays: 30, zone: zone)
    change(&plan)
    return plan
}

/// Writes the files of a plan. Returns their bytes by path, and what they mean.
func write(_ plan: Plan, jobs: Int = 2) throws -> (files: [String: [UInt8]], truths: [FileTruth]) {
    let folder = try ScratchFolder()
    let truths = try Generator(plan: plan, folder: folder.root, jobs: jobs).write(keepsHits: true)
    var files: [String: [UInt8]] = [:]
    for file in plan.files { files[file.path] = try folder.bytes(file.path) }
    return (files, truths)
}

/// The content of a gzip file. Nil if it is not whole and sound.
func gunzip(_ bytes: [UInt8]) -> [UInt8]? {
    let unpacked = Unpacked(bytes)
    return unpacked.status == .ok ? unpacked.text : nil
}
