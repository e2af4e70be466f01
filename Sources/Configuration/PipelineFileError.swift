import Messages

/// Everything that is wrong with a pipeline file, in the order of the file.
package struct PipelineFileError: Error {
    package let messages: [Message]
    /// What is allowed beside it and looks like a slip.
    package var warnings: [Message] = []
}
