import Foundation

/// A node that is only translated when everything it meets is captured.
protocol FoldedNode: SQLNode, PredicateExpression {
  /// Why the node is evaluated in memory otherwise.
  static var reason: String { get }
}

extension FoldedNode {
  func term(_ translation: inout Translation) throws -> SQLTerm {
    try translation.folded(self, else: Self.reason)
  }
}

extension PredicateExpressions.SequenceMaximum: FoldedNode {
  static var reason: String { "max() runs in memory" }
  func inspect(_ visitor: inout some PredicateVisitor) { visitor.visit(elements) }
}

extension PredicateExpressions.SequenceMinimum: FoldedNode {
  static var reason: String { "min() runs in memory" }
  func inspect(_ visitor: inout some PredicateVisitor) { visitor.visit(elements) }
}

extension PredicateExpressions.CollectionIndexSubscript: FoldedNode {
  static var reason: String { "elements are picked in memory" }
  func inspect(_ visitor: inout some PredicateVisitor) {
    visitor.visit(wrapped, index)
    visitor.visitBounds()
  }
}

extension PredicateExpressions.CollectionRangeSubscript: FoldedNode {
  static var reason: String { "slices are taken in memory" }
  func inspect(_ visitor: inout some PredicateVisitor) {
    visitor.visit(wrapped, range)
    visitor.visitBounds()
  }
}

extension PredicateExpressions.DictionaryKeySubscript: FoldedNode {
  static var reason: String { "dictionaries are searched in memory" }
  func inspect(_ visitor: inout some PredicateVisitor) { visitor.visit(wrapped, key) }
}

extension PredicateExpressions.DictionaryKeyDefaultValueSubscript: FoldedNode {
  static var reason: String { "dictionaries are searched in memory" }
  func inspect(_ visitor: inout some PredicateVisitor) {
    visitor.visit(wrapped, key)
    visitor.visit(`default`)
  }
}

// A range whose bounds depend on the row may be upside down, which is an error.

extension PredicateExpressions.Range: FoldedNode {
  static var reason: String { "a range with bounds of the row is made in memory" }
  func inspect(_ visitor: inout some PredicateVisitor) {
    visitor.visit(lower, upper)
    visitor.visitBounds()
  }
}

extension PredicateExpressions.ClosedRange: FoldedNode {
  static var reason: String { "a range with bounds of the row is made in memory" }
  func inspect(_ visitor: inout some PredicateVisitor) {
    visitor.visit(lower, upper)
    visitor.visitBounds()
  }
}
