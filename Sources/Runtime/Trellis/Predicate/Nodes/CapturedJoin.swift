import Foundation

extension Translation {
  /// Whether a captured collection has an element for which equalities with the row hold.
  ///
  ///     keys.contains { $0.customer == row.customer && $0.region == row.region }
  ///     // ("t0"."customer", "t0"."region") IN (SELECT json_extract(value, '$[0]'), … FROM json_each(?))
  ///
  /// The side of an equality that depends on the element is evaluated for all elements, and so is a condition that depends
  /// on the element alone.
  ///
  /// - Throws: ``Untranslatable`` for other conditions.
  mutating func membership<Elements: Sequence>(
    in elements: Elements, _ variable: PredicateExpressions.Variable<Elements.Element>,
    where test: some PredicateExpression<Bool>
  ) throws -> SQLTerm {
    var rows = elements.map { element in
      var bindings = captured
      bindings[variable] = element
      return CapturedRow(bindings: bindings)
    }
    var terms: [ScalarTerm] = []
    for step in JunctionRun(conjunction: test) {
      guard case .operand(let operand, _) = step else { throw CapturedRow.refusal }
      if let matches = CapturedRow.values(of: operand, rows) {
        rows = zip(rows, matches).filter { $1 }.map { $0.0 }
        if rows.isEmpty { return .constant(ConstantTerm(value: false, type: Bool.self)) }
      } else if let equality = operand as? any CapturedEquality {
        terms.append(try equality.add(to: &rows, &self))
      } else {
        throw CapturedRow.refusal
      }
    }
    return try membership(of: terms, in: rows)
  }

  /// SQL's IN has no answer for NULL, so the elements with nil in the same columns are one list.
  private func membership(of terms: [ScalarTerm], in rows: [CapturedRow]) throws -> SQLTerm {
    var lists: [[Bool]: [[SQLValue]]] = [:]
    for row in rows {
      let cells = try zip(terms, row.values).map { try $0.scalar.captured($1, storeIdentifier) }
      // An element with a value that equals none of the column finds no row.
      guard zip(terms, cells).allSatisfy({ $1 != nil && ($0.isOptional || $1 != .null) }) else { continue }
      lists[cells.map { $0 == .null }, default: []].append(cells.map { $0 ?? .null })
    }
    let tests = try lists.sorted { $0.key.lexicographicallyPrecedes($1.key) { !$0 && $1 } }.map { isNil, rows in
      try test(terms, isNil, rows)
    }
    guard let first = tests.first else { return .constant(ConstantTerm(value: false, type: Bool.self)) }
    guard tests.count > 1 else { return .scalar(first) }
    return .scalar(.condition(tests.map { $0.held(.or) }.joined(separator: " OR "), .or))
  }

  private func test(_ terms: [ScalarTerm], _ isNil: [Bool], _ rows: [[SQLValue]]) throws -> ScalarTerm {
    var conditions: [SQLFragment] = []
    var columns: [CapturedColumn] = []
    for (number, term) in terms.enumerated() {
      if term.isOptional { conditions.append("\(term.held(.atom)) IS \(isNil[number] ? "" : "NOT ")NULL") }
      guard !isNil[number] else { continue }
      columns.append(CapturedColumn(sql: try equatable(term), scalar: term.scalar, values: rows.map { $0[number] }))
    }
    if !columns.isEmpty { conditions.append(try dialect.isElement(columns)) }
    return .condition(conditions.joined(separator: " AND "), conditions.count > 1 ? .and : .comparison)
  }
}

/// An element of a captured collection with the values that are compared with the row.
private struct CapturedRow {
  let bindings: PredicateBindings
  var values: [Any] = []

  /// The values of an expression for all elements; nil if it depends on more than the element.
  static func values<E: PredicateExpression>(of expression: E, _ rows: [CapturedRow]) -> [E.Output]? {
    // Foundation throws when it meets a variable without a value.
    try? rows.map { try expression.checkedValue($0.bindings) }
  }

  static var refusal: Untranslatable {
    Untranslatable("a captured collection is searched in memory, unless the condition is a conjunction of equalities")
  }
}

/// `==`
private protocol CapturedEquality {
  /// Adds the values of the side that depends on the element alone.
  ///
  /// - Returns: The other side.
  func add(to rows: inout [CapturedRow], _ translation: inout Translation) throws -> ScalarTerm
}

extension PredicateExpressions.Equal: CapturedEquality {
  fileprivate func add(to rows: inout [CapturedRow], _ translation: inout Translation) throws -> ScalarTerm {
    let left = CapturedRow.values(of: lhs, rows)
    guard let values = left ?? CapturedRow.values(of: rhs, rows),
      case .scalar(let term) = try left == nil ? translation.term(lhs) : translation.term(rhs)
    else { throw CapturedRow.refusal }
    for (index, value) in values.enumerated() { rows[index].values.append(value) }
    return term
  }
}
