import Foundation

extension PredicateExpressions.SequenceContains: SQLNode {
  package func term(_ translation: inout Translation) throws -> SQLTerm {
    switch (try translation.term(sequence), try translation.term(element)) {
    case (.constant(let constant), .scalar(let element)):
      if let range = constant.value as? any CapturedRange {
        return .scalar(try translation.membership(of: element, in: range))
      }
      if constant.value is String {
        return .scalar(try translation.test(.contains, translation.parameter(constant, element.scalar), element))
      }
      guard let values = constant.value as? any Sequence else {
        throw ConstantTerm.unsupported(constant.type)
      }
      return try translation.membership(of: element, in: values)
    case (.scalar(let base), let element) where base.elements != nil:
      return .scalar(try translation.membership(of: element, inArray: base))
    case (.scalar(let base), let element) where base.scalar == .text:
      let (base, element) = try translation.operands(.scalar(base), element)
      return .scalar(try translation.test(.contains, base, element))
    case (.list(var list), .model(let model)):
      guard list.entity.rootName == model.entity.rootName else { break }
      list.conditions.append(
        "\(column: list.entity.keyColumn, of: list.alias) = \(model.key)")
      return .scalar(.condition("EXISTS (SELECT 1 \(list.body))", .atom))
    default: break
    }
    throw Untranslatable("membership in \(LHS.Output.self) is tested in memory")
  }

  package func inspect(_ shape: inout PredicateShape) { shape.visit(sequence, element) }

  package func checked(_ bindings: PredicateBindings) throws -> Bool {
    try sequence.checkedValue(bindings).contains(element.checkedValue(bindings))
  }
}

extension PredicateExpressions.RangeExpressionContains: SQLNode {
  package func term(_ translation: inout Translation) throws -> SQLTerm {
    guard case .constant(let constant) = try translation.term(range),
      case .scalar(let element) = try translation.term(element), let range = constant.value as? any CapturedRange,
      ScalarKind.ordered(Element.Output.self) != nil
    else { throw Untranslatable("a range of \(Element.Output.self) is tested in memory") }
    return .scalar(try translation.membership(of: element, in: range))
  }

  package func inspect(_ shape: inout PredicateShape) { shape.visit(range, element) }

  package func checked(_ bindings: PredicateBindings) throws -> Bool {
    try range.checkedValue(bindings).contains(element.checkedValue(bindings))
  }
}

extension Translation {
  func membership(of element: ScalarTerm, in range: any CapturedRange) throws -> ScalarTerm {
    let (lower, upper, isClosed) = range.bounds
    func test(_ bound: Any, _ order: Order) throws -> ScalarTerm {
      try comparison(.scalar(element), .constant(ConstantTerm(value: bound, type: Swift.type(of: bound))), order)
    }
    var tests: [ScalarTerm] = []
    if let lower { tests.append(try test(lower, Order(isLess: false, isOrEqual: true))) }
    if let upper { tests.append(try test(upper, Order(isLess: true, isOrEqual: isClosed))) }
    guard tests.count > 1 else { return tests.first ?? .condition(dialect.condition(true), .atom) }
    var result = ScalarTerm.condition(tests.map { $0.held(.and) }.joined(separator: " AND "), .and)
    if tests.allSatisfy({ $0.nilSource != nil }) { result.nilSource = element.nilSource }
    return result
  }

  /// Uses one parameter for the whole collection, regardless of the size.
  func membership(of element: ScalarTerm, in values: any Sequence) throws -> SQLTerm {
    let captured = try values.compactMap { try element.scalar.captured($0, storeIdentifier) }
    let list = captured.filter { $0 != .null }
    let holdsNil = list.count < captured.count
    let isOptional = element.isOptional
    if list.isEmpty {
      guard holdsNil, isOptional else {
        return .constant(ConstantTerm(value: false, type: Bool.self))
      }
      return .scalar(.condition("\(element.held(.atom)) IS NULL"))
    }
    let column = CapturedColumn(sql: try equatable(element), scalar: element.scalar, values: list)
    let test = try dialect.isElement([column])
    guard isOptional else { return .scalar(.condition(test)) }
    if holdsNil {
      return .scalar(.condition("\(element.held(.atom)) IS NULL OR \(test)", .or))
    }
    return .scalar(.condition("\(element.held(.atom)) IS NOT NULL AND \(test)", .and))
  }
}

extension Translation {
  /// Tests whether an array attribute contains a value.
  func membership(of element: SQLTerm, inArray array: ScalarTerm) throws -> ScalarTerm {
    guard let kind = array.elements, kind != .opaque else {
      throw Untranslatable("elements of this kind are compared in memory")
    }
    // The array has no elements if it is empty or nil. The enclosing closure handles nil.
    let test = try dialect.hasElement(inArray: array.sql) { sql in
      let stored = ScalarTerm(sql: sql, scalar: kind, isIrregular: kind == .text)
      let (value, wanted) = try operands(.scalar(stored), element)
      return dialect.isSame(try equatable(value), try equatable(wanted), isNegated: false)
    }
    guard let test else { throw Untranslatable("the elements of an array are compared in memory") }
    return .condition(test, .atom)
  }
}

extension ScalarKind {
  /// Returns a captured value in column form, which is NULL for nil. Returns nil for values that equal no column value:
  /// NaN, and identifiers of rows in other tables or stores.
  func captured(_ value: Any, _ storeIdentifier: String?) throws -> SQLValue? {
    guard let value = ConstantTerm.unwrap(value) else { return .null }
    switch try encode(value, storeIdentifier) {
    case .noRow where isIdentifier: return nil
    case .nan where isNumberThatMayBeNaN: return nil
    case let value: return value
    }
  }
}

/// A standard library range whose bounds can be inspected.
protocol CapturedRange {
  var bounds: (lower: Any?, upper: Any?, isClosed: Bool) { get }
}

extension Range: CapturedRange {
  var bounds: (lower: Any?, upper: Any?, isClosed: Bool) { (lowerBound, upperBound, false) }
}

extension ClosedRange: CapturedRange {
  var bounds: (lower: Any?, upper: Any?, isClosed: Bool) { (lowerBound, upperBound, true) }
}

extension PartialRangeFrom: CapturedRange {
  var bounds: (lower: Any?, upper: Any?, isClosed: Bool) { (lowerBound, nil, true) }
}

extension PartialRangeThrough: CapturedRange {
  var bounds: (lower: Any?, upper: Any?, isClosed: Bool) { (nil, upperBound, true) }
}

extension PartialRangeUpTo: CapturedRange {
  var bounds: (lower: Any?, upper: Any?, isClosed: Bool) { (nil, upperBound, false) }
}

extension Translation {
  /// Tests whether a captured collection has an element that satisfies all equalities with the row.
  ///
  ///     keys.contains { $0.customer == row.customer && $0.region == row.region }
  ///     // ("t0"."customer", "t0"."region") IN (SELECT json_extract(value, '$[0]'), … FROM json_each(?))
  ///
  /// In an equality, the side that depends on the element is evaluated for all elements, and so are conditions that
  /// depend only on the element.
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
      } else if let equality = operand as? any EqualityNode, !type(of: equality).isInequality {
        terms.append(try equality.add(to: &rows, &self))
      } else {
        throw CapturedRow.refusal
      }
    }
    return try membership(of: terms, in: rows)
  }

  /// SQL's IN does not match NULL, so elements with nil in the same columns form a separate list.
  private func membership(of terms: [ScalarTerm], in rows: [CapturedRow]) throws -> SQLTerm {
    var lists: [[Bool]: [[SQLValue]]] = [:]
    for row in rows {
      let cells = try zip(terms, row.values).map { try $0.scalar.captured($1, storeIdentifier) }
      // An element with a value that equals no column value matches no row.
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

/// A captured collection's element, with the values that are compared with the row.
private struct CapturedRow {
  let bindings: PredicateBindings
  var values: [Any] = []

  /// Returns an expression's values for all elements; nil if the expression depends on anything but the element.
  static func values<E: PredicateExpression>(of expression: E, _ rows: [CapturedRow]) -> [E.Output]? {
    // Foundation throws if a variable has no value.
    try? rows.map { try expression.checkedValue($0.bindings) }
  }

  static var refusal: Untranslatable {
    Untranslatable("a captured collection is searched in memory unless the condition is a conjunction of equalities")
  }
}

extension EqualityNode {
  /// Adds the values of the side that depends only on the element.
  ///
  /// - Returns: The other side.
  fileprivate func add(to rows: inout [CapturedRow], _ translation: inout Translation) throws -> ScalarTerm {
    let left = CapturedRow.values(of: lhs, rows)
    guard let values = left ?? CapturedRow.values(of: rhs, rows),
      case .scalar(let term) = try left == nil ? translation.term(lhs) : translation.term(rhs)
    else { throw CapturedRow.refusal }
    for (index, value) in values.enumerated() { rows[index].values.append(value) }
    return term
  }
}
