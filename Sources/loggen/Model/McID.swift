import ArgumentParser
import Foundation

enum McID: String, CaseIterable, ExpressibleByArgument, Sendable {
    case none
    /// On the hits of the Campaign Standard SDK, told by its user agents.
    case sdk
    case all
}
