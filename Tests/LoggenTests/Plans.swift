import CZlib
import Foundation
import Support
import Testing

@testable import loggen

/// A small plan of three dates, with the changes that a test needs.
func smallPlan(_ change: (inout Plan) -> Void = { _ in }) throws -> Plan {
    let first = Day(year: 2026, month: 11, day: 17)
    let last = first + 2
    let zone = try #require(Zone("Europe/Madrid", covering: (first + -40)...(last + 3)))
    var plan = Plan(
        seed: 7, recordsPerDate: 2000, firstDate: first, lastDate: last, kinds: Kind.allCases, filesPerKind: 2,
        ids: .hex, userAgents: 40, mcID: .sdk, requireMcID: false, deliveries: 30, latePerMille: 30, noise: .all,
        layout: .combined, level: 1, memberRecords: 0, longLines: 0, windowDays: 30, zone: zone)
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

/// The content of a gzip file of any number of members. Nil if zlib finds a fault.
func gunzip(_ bytes: [UInt8]) -> (bytes: [UInt8], members: Int)? {
    var stream = z_stream()
    var input = bytes
    var result: [UInt8] = []
    var members = 0
    var chunk = [UInt8](repeating: 0, count: 65_536)
    guard inflateInit2_(&stream, 15 + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else { return nil }
    defer { inflateEnd(&stream) }
    let isSound = input.withUnsafeMutableBufferPointer { input in
        stream.next_in = input.baseAddress
        stream.avail_in = UInt32(input.count)
        while stream.avail_in > 0 {
            let status = chunk.withUnsafeMutableBufferPointer { chunk in
                stream.next_out = chunk.baseAddress
                stream.avail_out = UInt32(chunk.count)
                return inflate(&stream, Z_NO_FLUSH)
            }
            result += chunk[..<(chunk.count - Int(stream.avail_out))]
            if status == Z_STREAM_END {
                members += 1
                inflateReset(&stream)
            } else if status != Z_OK {
                return false
            }
        }
        return true
    }
    return isSound ? (result, members) : nil
}
