/// The words that need back-ticks when they are used as names.
package enum SwiftKeyword {
  /// Whether a name has to be escaped where a declaration or an expression begins with it.
  package static func isReserved(_ name: String) -> Bool {
    // Most names begin with a letter that no word of their length begins with.
    guard let first = name.utf8.first, first < 128, name.utf8.count < 16,
      lengths[Int(first)] & 1 << name.utf8.count != 0
    else { return false }
    return reserved.contains(name)
  }

  /// A name as it is written in Swift.
  package static func escaped(_ name: String) -> String {
    isReserved(name) ? "`\(name)`" : name
  }

  /// A name as the label of an argument, where escaping a word that is free is a warning.
  package static func label(_ name: String) -> String { name == "inout" ? "`inout`" : name }

  /// A name as a parameter.
  package static func parameter(_ name: String) -> String {
    name == "let" || name == "var" ? "`\(name)`" : label(name)
  }

  /// By its first letter, the lengths of the words: a bit for each.
  private static let lengths: [UInt16] = reserved.reduce(into: .init(repeating: 0, count: 128)) {
    if let first = $1.utf8.first { $0[Int(first)] |= 1 << $1.utf8.count }
  }

  /// Those behind `while` are reserved after a dot or in front of a type.
  private static let reserved = Set(
    """
    Any Self as associatedtype break case catch class continue default defer deinit do else enum extension fallthrough \
    false fileprivate for func guard if import in init inout internal is let nil operator precedencegroup private \
    protocol public repeat rethrows return self static struct subscript super switch throw throws true try typealias \
    var where while Protocol Type _ borrowing consuming await async each some any copy consume discard unsafe
    """.split(separator: " ").map(String.init))
}
