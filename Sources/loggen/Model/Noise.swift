import ArgumentParser
import Foundation

enum Noise: String, CaseIterable, ExpressibleByArgument, Sendable {
    /// Accepted records and their duplicates only.
    case none
    /// Also what a healthy night has: other requests, tracked links, failed hits, unmapped events.
    case everyday
    /// Also every odd spelling, every filter and every reject reason.
    case all
}
