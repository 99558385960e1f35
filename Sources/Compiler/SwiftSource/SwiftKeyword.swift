/// Words that need backticks when used as names.
package enum SwiftKeyword {
  /// True if a name must be escaped at the beginning of a declaration or expression.
  package static func isReserved(_ name: String) -> Bool {
    // Most names begin with a letter that no keyword of the same length begins with.
    guard let first = name.utf8.first, first < 128, name.utf8.count < 16,
      lengths[Int(first)] & 1 << name.utf8.count != 0
    else { return false }
    return reserved.contains(name)
  }

  /// Returns a name in Swift source form.
  package static func escaped(_ name: String) -> String {
    isReserved(name) ? "`\(name)`" : name
  }

  /// Returns a name as an argument label. Unnecessary backticks would cause a warning.
  package static func label(_ name: String) -> String { name == "inout" ? "`inout`" : name }

  /// Returns a name as a parameter name.
  package static func parameter(_ name: String) -> String {
    name == "let" || name == "var" ? "`\(name)`" : label(name)
  }

  /// Keyword lengths by first letter, as a bit set.
  private static let lengths: [UInt16] = reserved.reduce(into: .init(repeating: 0, count: 128)) {
    if let first = $1.utf8.first { $0[Int(first)] |= 1 << $1.utf8.count }
  }

  /// The words listed after `while` are reserved only after a period or before a type.
  private static let reserved = Set(
    """
    Any Self as associatedtype break case catch class continue default defer deinit do else enum extension fallthrough \
    false fileprivate for func guard if import in init inout internal is let nil operator precedencegroup private \
    protocol public repeat rethrows return self static struct subscript super switch throw throws true try typealias \
    var where while Protocol Type _ borrowing consuming await async each some any copy consume discard unsafe
    """.split(separator: " ").map(String.init))
}
