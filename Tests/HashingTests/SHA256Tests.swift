import Hashing
import Testing

/// NIST's examples for SHA-256 (FIPS 180-4's example computations and the short messages of its validation suite).
@Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
    (
        "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
        "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
    ),
    (String(repeating: "a", count: 1_000_000), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
])
func digestsAreThoseOfTheStandard(text: String, digest: String) {
    let words = SHA256.digest(Array(text.utf8).span)
    let found = words.indices.map { index in
        let digits = String(words[index], radix: 16)
        return String(repeating: "0", count: 8 - digits.count) + digits
    }.joined()
    #expect(found == digest)
}
