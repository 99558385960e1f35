/// The words that the parser recognizes. Most are contextual and may be used as names elsewhere.
package enum Keyword: String, Sendable, CaseIterable {
  // The schema language.
  case schema, migration, from
  // Declarations.
  case `import`, `class`, `struct`, `enum`, `case`, `var`, `let`, `func`, `init`, `deinit`
  case `subscript`, `typealias`, `extension`, `protocol`, `actor`, `associatedtype`, `macro`
  case `operator`, `precedencegroup`
  // Modifiers.
  case `public`, `package`, `internal`, `private`, `fileprivate`, `open`, `final`, `static`
  case nonisolated, isolated, lazy, weak, unowned, `override`, mutating, nonmutating, required
  case convenience, dynamic, optional, indirect, consuming, borrowing, prefix, postfix, infix
  case distributed
  // Accessors.
  case get, set, didSet, willSet
  // Expressions and types.
  case `nil`, `true`, `false`, null, `as`, `is`, any, some, async, `throws`, `rethrows`, `where`
  case `try`, await, `in`, `inout`, `else`, `return`, `for`, `while`, `if`, `switch`, `default`
  case `do`, `break`, `continue`, `defer`, `guard`, `repeat`, `fallthrough`, `catch`, `throw`
  case `super`
  case selfValue = "self"
  case selfType = "Self"
  case anyType = "Any"

  static let byHash: [UInt64: Keyword] = Dictionary(
    allCases.map { (WordHash.of($0.rawValue), $0) }, uniquingKeysWith: { first, _ in first })

  static let longest = 15

  /// True for words that can only begin or precede a declaration.
  var beginsDeclaration: Bool { isModifier || isDeclaration }

  var isDeclaration: Bool {
    switch self {
    case .import, .class, .struct, .enum, .case, .var, .let, .func, .`init`, .deinit, .subscript,
      .typealias, .extension, .protocol, .actor, .associatedtype, .macro, .operator,
      .precedencegroup:
      true
    default: false
    }
  }

  var isModifier: Bool {
    switch self {
    case .public, .package, .internal, .private, .fileprivate, .open, .final, .static,
      .nonisolated, .isolated, .lazy, .weak, .unowned, .override, .mutating, .nonmutating,
      .required, .convenience, .dynamic, .optional, .indirect, .consuming, .borrowing, .prefix,
      .postfix, .infix, .distributed:
      true
    default: false
    }
  }
}

extension Keyword {
  /// True if Swift requires backticks to use the word as a name.
  package var isReserved: Bool {
    switch self {
    case .schema, .migration, .from, .actor, .macro, .package, .open, .final, .nonisolated,
      .isolated, .lazy, .weak, .unowned, .override, .mutating, .nonmutating, .required,
      .convenience, .dynamic, .optional, .indirect, .consuming, .borrowing, .prefix, .postfix,
      .infix, .distributed, .get, .set, .didSet, .willSet, .null, .any, .some, .async, .await:
      false
    default: true
    }
  }

  /// Returns a name as written in source, with backticks around reserved words.
  package static func name(_ text: String) -> String {
    Keyword(rawValue: text)?.isReserved ?? false ? "`\(text)`" : text
  }

  /// True for words that only occur at the beginning of a declaration, even inside brackets.
  var certainlyBeginsDeclaration: Bool {
    switch self {
    case .import, .class, .struct, .enum, .var, .let, .func, .deinit, .typealias, .extension,
      .protocol, .public, .private, .internal, .fileprivate, .static:
      true
    default: false
    }
  }
}

/// A 64-bit FNV-1a hash, cheap enough to compute while scanning a word.
enum WordHash {
  static let seed: UInt64 = 0xCBF2_9CE4_8422_2325
  static let prime: UInt64 = 0x0000_0100_0000_01B3

  static func of(_ word: String) -> UInt64 {
    var hash = seed
    for byte in word.utf8 { hash = (hash ^ UInt64(byte)) &* prime }
    return hash
  }
}
