import SchemaModel

extension ResolvedSchema {
  /// The models whose initializers pass `self` to other objects.
  var makers: Set<String> {
    var makers: Set<String> = []
    for index in entities.indices where !entities[index].carriedInitializers.isEmpty {
      if entities[index].handsItselfOver { makers.insert(entities[index].name) }
    }
    return makers
  }
}

extension ResolvedEntity {
  /// True if an initializer in the schema passes `self` to an object or assigns it to a property. Two objects that
  /// require each other can then be created together.
  var handsItselfOver: Bool { carriedInitializers.contains { Self.mentionsSelf($0.text) } }

  /// Returns true if `self` occurs as a value, not only before a member name.
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
