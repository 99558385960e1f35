import Foundation

extension PredicateExpressions.SequenceContains: CheckedNode {
  func checked(_ bindings: PredicateBindings) throws -> Bool {
    try sequence.checkedValue(bindings).contains(element.checkedValue(bindings))
  }
}

extension PredicateExpressions.RangeExpressionContains: CheckedNode {
  func checked(_ bindings: PredicateBindings) throws -> Bool {
    try range.checkedValue(bindings).contains(element.checkedValue(bindings))
  }
}

extension PredicateExpressions.Range: CheckedNode {
  func checked(_ bindings: PredicateBindings) throws -> Output {
    let (low, high) = (try lower.checkedValue(bindings), try upper.checkedValue(bindings))
    guard low <= high else { throw PredicateBounds.reversed }
    return low..<high
  }
}

extension PredicateExpressions.ClosedRange: CheckedNode {
  func checked(_ bindings: PredicateBindings) throws -> Output {
    let (low, high) = (try lower.checkedValue(bindings), try upper.checkedValue(bindings))
    guard low <= high else { throw PredicateBounds.reversed }
    return low...high
  }
}

extension PredicateExpressions.SequenceContainsWhere: CheckedNode {
  func checked(_ bindings: PredicateBindings) throws -> Bool {
    var inner = bindings
    return try sequence.checkedValue(bindings).contains {
      inner[variable] = $0
      return try test.checkedValue(inner)
    }
  }
}

extension PredicateExpressions.SequenceAllSatisfy: CheckedNode {
  func checked(_ bindings: PredicateBindings) throws -> Bool {
    var inner = bindings
    return try sequence.checkedValue(bindings).allSatisfy {
      inner[variable] = $0
      return try test.checkedValue(inner)
    }
  }
}

extension PredicateExpressions.Filter: CheckedNode {
  func checked(_ bindings: PredicateBindings) throws -> [LHS.Output.Element] {
    var inner = bindings
    return try sequence.checkedValue(bindings).filter {
      inner[variable] = $0
      return try filter.checkedValue(inner)
    }
  }
}

extension PredicateExpressions.CollectionIndexSubscript: CheckedNode {
  func checked(_ bindings: PredicateBindings) throws -> Output {
    let collection = try wrapped.checkedValue(bindings)
    let place = try index.checkedValue(bindings)
    guard place >= collection.startIndex, place < collection.endIndex else { throw PredicateBounds.outside }
    return collection[place]
  }
}

extension PredicateExpressions.CollectionRangeSubscript: CheckedNode {
  func checked(_ bindings: PredicateBindings) throws -> Output {
    let collection = try wrapped.checkedValue(bindings)
    let places = try range.checkedValue(bindings)
    guard places.lowerBound >= collection.startIndex, places.upperBound <= collection.endIndex
    else { throw PredicateBounds.outside }
    return collection[places]
  }
}

extension PredicateExpressions.DictionaryKeySubscript: CheckedNode {
  func checked(_ bindings: PredicateBindings) throws -> Output {
    try wrapped.checkedValue(bindings)[key.checkedValue(bindings)]
  }
}

extension PredicateExpressions.DictionaryKeyDefaultValueSubscript: CheckedNode {
  func checked(_ bindings: PredicateBindings) throws -> Output {
    try wrapped.checkedValue(bindings)[key.checkedValue(bindings)]
      ?? `default`.checkedValue(bindings)
  }
}

/// What Swift stops for.
private enum PredicateBounds {
  static var reversed: SwiftDataError {
    .unsupportedPredicate.explained("the predicate makes a range whose lower bound is the higher")
  }

  static var outside: SwiftDataError {
    .unsupportedPredicate.explained("the predicate asks for an element beyond the end")
  }
}
