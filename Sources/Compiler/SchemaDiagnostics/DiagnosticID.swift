/// The permanent identity of a kind of diagnostic: a code and a name, accepted interchangeably.
package struct DiagnosticID: Sendable, Hashable {
  /// Three letters and three digits, never used again for something else.
  package let code: String
  package let name: String

  package init(_ code: String, _ name: String) {
    self.code = code
    self.name = name
  }
}

extension DiagnosticID: CustomStringConvertible {
  package var description: String { "\(code) \(name)" }
}

extension DiagnosticID: Comparable {
  package static func < (lhs: Self, rhs: Self) -> Bool { lhs.code < rhs.code }
}
