import Support

@testable import Configuration
@testable import pushetl

/// Reads a text as the file `push.yaml` of a fresh folder.
func read(_ text: String) throws -> Pipeline {
    let folder = try ScratchFolder()
    try folder.write(text, to: "push.yaml")
    return try PipelineFile.read(folder.path("push.yaml"))
}

/// What is wrong with such a file, without the path of its folder. Empty if it is valid.
func problems(_ text: String) throws -> [String] {
    try problems(bytes: Array(text.utf8))
}

func problems(bytes: [UInt8]) throws -> [String] {
    let folder = try ScratchFolder()
    try folder.write(bytes, to: "push.yaml")
    do throws(PipelineFileError) {
        _ = try PipelineFile.read(folder.path("push.yaml"))
        return []
    } catch {
        return error.problems.map { $0.text.replacing(folder.root + "/", with: "") }
    }
}
