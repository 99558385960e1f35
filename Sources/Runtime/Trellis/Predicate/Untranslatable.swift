/// Why a predicate or a sort order has no exact translation to SQL and runs in memory instead.
struct Untranslatable: Error, Sendable, Equatable, CustomStringConvertible {
  let reason: String
  /// The kind of expression that was refused; known once the error has left it.
  private(set) var node: String?

  init(_ reason: String) { self.reason = reason }

  var description: String { node.map { "\(reason) (\($0))" } ?? reason }

  /// The same, refused in a node of a type unless it comes from further inside.
  func named<N>(_ type: N.Type) -> Untranslatable {
    guard node == nil else { return self }
    var named = self
    // PredicateExpressions.SequenceMaximum<…> is a SequenceMaximum.
    let name = String(describing: type).prefix { $0 != "<" }
    named.node = name.split(separator: ".").last.map(String.init)
    return named
  }
}
