import Foundation
import LogFiles
import Posix
import Support
import Testing

@testable import Pipelines

@Suite struct RememberedInputsTests {
    @Test(arguments: [0, 1, 3])
    func rememberedInputsAreEncodedAsTheJSONEncoderDoes(_ count: Int) throws {
        let folder = try ScratchFolder()
        let stamp = try #require(FileStamp(path: folder.file("text".utf8)))
        let files = (0..<count).map { RememberedInputs.File(source: "a \"\\é", path: "logs/\($0)\n", stamp: stamp) }
        let inputs = RememberedInputs(version: "0f\"", files: files)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        #expect(try inputs.encoded() == encoder.encode(inputs))
        #expect(try JSONDecoder().decode(RememberedInputs.self, from: inputs.encoded()) == inputs)
    }
}
