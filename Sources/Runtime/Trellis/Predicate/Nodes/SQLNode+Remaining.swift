import Foundation

// Operators that are only translated when everything they meet is captured.

extension PredicateExpressions.SequenceMaximum: SQLNode {
  func term(_ translation: inout Translation) throws -> SQLTerm {
    try translation.folded(self, else: "max() runs in memory")
  }

  func inspect(_ shape: inout PredicateShape) { shape.visit(elements) }
}

extension PredicateExpressions.SequenceMinimum: SQLNode {
  func term(_ translation: inout Translation) throws -> SQLTerm {
    try translation.folded(self, else: "min() runs in memory")
  }

  func inspect(_ shape: inout PredicateShape) { shape.visit(elements) }
}

extension PredicateExpressions.CollectionIndexSubscript: SQLNode {
  func term(_ translation: inout Translation) throws -> SQLTerm {
    try translation.folded(self, else: "elements are picked in memory")
  }

  func inspect(_ shape: inout PredicateShape) {
    shape.visit(wrapped)
    shape.visit(index)
    shape.noteBounds()
  }
}

extension PredicateExpressions.CollectionRangeSubscript: SQLNode {
  func term(_ translation: inout Translation) throws -> SQLTerm {
    try translation.folded(self, else: "slices are taken in memory")
  }

  func inspect(_ shape: inout PredicateShape) {
    shape.visit(wrapped)
    shape.visit(range)
    shape.noteBounds()
  }
}

extension PredicateExpressions.DictionaryKeySubscript: SQLNode {
  func term(_ translation: inout Translation) throws -> SQLTerm {
    try translation.folded(self, else: "dictionaries are searched in memory")
  }

  func inspect(_ shape: inout PredicateShape) {
    shape.visit(wrapped)
    shape.visit(key)
  }
}

extension PredicateExpressions.DictionaryKeyDefaultValueSubscript: SQLNode {
  func term(_ translation: inout Translation) throws -> SQLTerm {
    try translation.folded(self, else: "dictionaries are searched in memory")
  }

  func inspect(_ shape: inout PredicateShape) {
    shape.visit(wrapped)
    shape.visit(key)
    shape.visit(`default`)
  }
}
