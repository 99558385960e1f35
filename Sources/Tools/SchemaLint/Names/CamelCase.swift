/// Swift's naming conventions.
enum CamelCase {
  static func isUpper(_ name: String) -> Bool {
    !begins(name, 0x61...0x7A, \.isLowercase) && !name.utf8.contains(0x5F)
  }

  static func isLower(_ name: String) -> Bool {
    !begins(name, 0x41...0x5A, \.isUppercase) && !name.utf8.contains(0x5F)
  }

  /// Returns true if the first character has a given kind. ASCII characters are tested by byte value.
  private static func begins(_ name: String, _ bytes: ClosedRange<UInt8>, _ isKind: (Character) -> Bool) -> Bool {
    guard let first = name.utf8.first else { return false }
    return first < 0x80 ? bytes.contains(first) : name.first.map(isKind) ?? false
  }

  /// Converts the name to UpperCamelCase; returns `nil` if the result does not begin with a letter.
  static func upper(_ name: String) -> String? {
    let words = name.split(separator: "_")
    let shouts = words.count > 1 && !name.contains { $0.isLowercase }
    let result = words.map { word -> String in
      let rest = String(word.dropFirst())
      return word.prefix(1).uppercased() + (shouts ? rest.lowercased() : rest)
    }
    return usable(result.joined())
  }

  /// Converts the name to lowerCamelCase: `URLText` becomes `urlText`.
  static func lower(_ name: String) -> String? {
    guard let upper = upper(name) else { return nil }
    let capitals = upper.prefix { $0.isUppercase || $0.isNumber }
    // The last of several capital letters begins the next word.
    let count =
      capitals.count > 1 && capitals.count < upper.count ? capitals.count - 1 : capitals.count
    return usable(upper.prefix(count).lowercased() + upper.dropFirst(count))
  }

  private static func usable(_ name: String) -> String? {
    name.first.map { $0.isLetter } ?? false ? name : nil
  }
}
