import ArgumentParser
import Foundation

enum Kind: String, CaseIterable, ExpressibleByArgument, Sendable {
    case collector, mzip
    case usersTrack = "users_track"

    /// The name of its source in the pipeline file.
    var source: String {
        switch self {
        case .collector: "adobe"
        case .mzip: "momo"
        case .usersTrack: "braze"
        }
    }

    /// Its share of a date's records, where all kinds are written.
    var weight: Int {
        self == .collector ? 8 : 1
    }
}
