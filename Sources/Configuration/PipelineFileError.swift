import Messages

/// All errors of a pipeline file, in the order of the file.
package struct PipelineFileError: Error {
    package let messages: [Message]
    /// Warnings about likely mistakes.
    package var warnings: [Message] = []
}
