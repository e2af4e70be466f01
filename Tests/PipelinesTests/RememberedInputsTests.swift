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
        let outline = try LogFile(folder.file("text".utf8)).outline().outline
        let files = (0..<count).map { index in
            let key = InputKey("a \"\\é", "logs/\(index)\n")
            return RememberedInputs.File(key, stamp: stamp, outline: index == 1 ? outline : nil)
        }
        let inputs = RememberedInputs(version: count == 0 ? nil : "0f\"", files: files)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        #expect(try inputs.encoded() == encoder.encode(inputs))
        #expect(try JSONDecoder().decode(RememberedInputs.self, from: inputs.encoded()) == inputs)
    }
}
