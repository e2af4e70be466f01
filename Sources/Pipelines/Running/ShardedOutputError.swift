import Messages

/// The output has shards, so a command on one machine cannot write there.
package struct ShardedOutputError: Error, Equatable, Sendable {
    package let path: String
    package let shards: Int
}

extension ShardedOutputError: MessageError {
    package var exitStatus: ExitStatus { .badPipeline }

    package var message: Message {
        Message(
            "sharded_output",
            "\(path: path): has \(shards) \(shards == 1 ? "shard" : "shards") and is written by pushetl_spark.py only; use "
                + "that, or give another output")
    }
}
