/// The words that need back-ticks when they are used as names.
package enum SwiftKeyword {
  /// Whether a name has to be escaped where a declaration or an expression begins with it.
  package static func isReserved(_ name: String) -> Bool { reserved.contains(name) }

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

  private static let reserved: Set<String> = [
    "Any", "Self", "as", "associatedtype", "break", "case", "catch", "class", "continue", "default",
    "defer", "deinit", "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate",
    "for", "func", "guard", "if", "import", "in", "init", "inout", "internal", "is", "let", "nil",
    "operator", "precedencegroup", "private", "protocol", "public", "repeat", "rethrows", "return",
    "self", "static", "struct", "subscript", "super", "switch", "throw", "throws", "true", "try",
    "typealias", "var", "where", "while",
    // Reserved after a dot or in front of a type.
    "Protocol", "Type", "_", "borrowing", "consuming", "await", "async", "each", "some",
    "any", "copy", "consume", "discard", "unsafe",
  ]
}
