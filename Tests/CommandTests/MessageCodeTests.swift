import Messages
import Testing

@Suite struct MessageCodeTests {
    /// A text that is no entry would end the program when its message is made.
    @Test func eachCodeHasANameLevelsAndAMeaning() {
        for code in MessageCode.allCases {
            #expect(MessageCode(name: code.name) == code)
            #expect(!code.levels.isEmpty && Set(code.levels).count == code.levels.count)
            #expect(!code.meaning.hasSuffix("."), "\(code.name)")
        }
    }
}
