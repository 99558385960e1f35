import SchemaModel

extension ResolvedSchema {
  /// The models whose initialisers give the object itself to somebody.
  var makers: Set<String> {
    var makers: Set<String> = []
    for index in entities.indices where !entities[index].carriedInitializers.isEmpty {
      if entities[index].handsItselfOver { makers.insert(entities[index].name) }
    }
    return makers
  }
}

extension ResolvedEntity {
  /// Whether an initialiser of its own gives the object itself to somebody: to another object it makes,
  /// or to one of its own properties. Then two objects that need each other are made in one go.
  var handsItselfOver: Bool { carriedInitializers.contains { Self.mentionsSelf($0.text) } }

  /// Whether `self` stands somewhere for the object, and not in front of one of its members.
  private static func mentionsSelf(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    let word: [UInt8] = [0x73, 0x65, 0x6C, 0x66]
    func isPart(_ byte: UInt8) -> Bool {
      byte >= 0x80 || byte == UInt8(ascii: "_") || (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
        || (0x61...0x7A).contains(byte)
    }
    var offset = 0
    while offset + word.count <= bytes.count {
      defer { offset += 1 }
      guard bytes[offset] == word[0], bytes[offset..<offset + word.count].elementsEqual(word) else { continue }
      let before = offset > 0 ? bytes[offset - 1] : 0x20
      let after = offset + word.count < bytes.count ? bytes[offset + word.count] : 0x20
      if !isPart(before), before != UInt8(ascii: "."), !isPart(after), after != UInt8(ascii: ".") { return true }
    }
    return false
  }
}
