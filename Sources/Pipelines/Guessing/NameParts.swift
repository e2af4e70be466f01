/// Tells what varies in the name of a file or folder: numbers, hosts, UUIDs and random letters.
enum NameParts {
    /// A name with a star in place of what varies.
    /// - Parameter name: placeholders, and single characters.
    static func opened(_ name: some Sequence<String>) -> [String] {
        var opened: [String] = []
        var part: [String] = []
        var isAfterHash = false
        func isOfPart(_ atom: String) -> Bool {
            atom.utf8.count == 1 && atom.utf8.allSatisfy { $0.isDigit || $0.isLetter }
        }
        func end() {
            let text = part.joined()
            // A pod: web-7d9f8b6c5-x2x4q
            let isPod = isAfterHash && opened.last == "-" && text.utf8.count == 5 && text == text.lowercased()
            let atoms = isPod ? ["*"] : varying(text)
            if !part.isEmpty { isAfterHash = atoms == ["*"] && text.utf8.count >= 8 }
            opened += atoms
            part = []
        }
        let atoms = Array(name)
        var index = 0
        while index < atoms.count {
            if part.isEmpty, isUUID(atoms[index...].prefix(uuid.count)) {
                opened.append("*")
                index += uuid.count
            } else if isOfPart(atoms[index]) {
                part.append(atoms[index])
                index += 1
            } else {
                end()
                opened.append(atoms[index])
                index += 1
            }
        }
        end()
        return withoutNeighbours(opened)
    }

    /// Letters and digits, with a star in place of what varies.
    private static func varying(_ text: String) -> [String] {
        let literal = text.map { String($0) }
        let digits = text.utf8.count(where: \.isDigit)
        guard digits > 0 else { return literal }
        // The number of an account at AWS.
        if digits == text.utf8.count { return digits == accountDigits ? literal : ["*"] }
        let letters = text.utf8.prefix { $0.isLetter }.count
        let isWord = letters > 0 && letters + digits == text.utf8.count && text.utf8.last?.isDigit == true
        let isHex = text.utf8.count >= 8 && text.utf8.allSatisfy { $0.hexValue != nil }
        // T2355Z, PT1H
        let isMarked = (1...2).contains(letters) && text.utf8.count - letters - digits <= 1
        if !isHex, isWord || isMarked || text.utf8.count < 5 { return withoutNumbers(literal) }
        // E2EXAMPLE: the name of something at CloudFront
        return text == text.uppercased() && text.utf8.first?.isLetter == true ? literal : ["*"]
    }

    private static let accountDigits = 12

    /// One star in place of several in a row.
    static func withoutRepeatedStars(_ atoms: [String]) -> [String] {
        atoms.enumerated().filter { $0.offset == 0 || $0.element != "*" || atoms[$0.offset - 1] != "*" }.map(\.element)
    }

    /// A star in place of each number.
    static func withoutNumbers(_ literal: [String]) -> [String] {
        withoutRepeatedStars(literal.map { $0.utf8.allSatisfy(\.isDigit) ? "*" : $0 })
    }

    /// One star in place of stars with a mark between them.
    private static func withoutNeighbours(_ atoms: [String]) -> [String] {
        var kept: [String] = []
        for atom in atoms {
            kept.append(atom)
            guard kept.count >= 3, atom == "*", kept[kept.count - 3] == "*" else { continue }
            let mark = kept[kept.count - 2]
            if !mark.isPlaceholder, mark.utf8.allSatisfy({ !$0.isLetter && !$0.isDigit }) { kept.removeLast(2) }
        }
        return withoutRepeatedStars(kept)
    }

    private static let uuid = Array("00000000-0000-0000-0000-000000000000")

    private static func isUUID(_ atoms: ArraySlice<String>) -> Bool {
        atoms.count == uuid.count
            && zip(atoms, uuid).allSatisfy {
                $1 == "-" ? $0 == "-" : $0.utf8.count == 1 && $0.utf8.first?.hexValue != nil
            }
    }
}

extension String {
    var isPlaceholder: Bool { utf8.first == UInt8(ascii: "%") && self != "%%" }
}

extension UInt8 {
    var isDigit: Bool { (0x30...0x39).contains(self) }
    fileprivate var isLetter: Bool { (0x61...0x7A).contains(self | 0x20) }
    fileprivate var hexValue: UInt8? { isDigit || (0x61...0x66).contains(self | 0x20) ? self : nil }
}
