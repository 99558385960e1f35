/// The words that need back-ticks when they are used as names.
package enum SwiftKeyword {
  /// Whether a name has to be escaped where a declaration or an expression begins with it.
  package static func isReserved(_ name: String) -> Bool { reserved.contains(name) }

  /// A name as it is written in Swift.
  package static func escaped(_ name: String) -> String {
    isReserved(name) ? "`\(name)`" : name
  }

  private static let reserved: Set<String> = [
    "Any", "Self", "as", "associatedtype", "break", "case", "catch", "class", "continue", "default",
    "defer", "deinit", "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate",
    "for", "func", "guard", "if", "import", "in", "init", "inout", "internal", "is", "let", "nil",
    "operator", "precedencegroup", "private", "protocol", "public", "repeat", "rethrows", "return",
    "self", "static", "struct", "subscript", "super", "switch", "throw", "throws", "true", "try",
    "typealias", "var", "where", "while",
    // Reserved after a dot or in front of a type.
    "Protocol", "Type", "_", "borrowing", "consuming", "await", "async", "each", "repeat", "some",
    "any", "copy", "consume", "discard", "unsafe",
  ]
}
