/// The output has shards, so a command on one machine cannot write there.
package struct ShardedOutputError: Error, Equatable, Sendable {
    package let path: String
    package let shards: Int
}
