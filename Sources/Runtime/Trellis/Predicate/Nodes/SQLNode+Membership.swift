import Foundation

extension PredicateExpressions.SequenceContains: SQLNode {
  func term(_ translation: inout Translation) throws -> SQLTerm {
    switch (try translation.term(sequence), try translation.term(element)) {
    case (.constant, .constant):
      return try translation.folded(self, else: "")
    case (.constant(let constant), .scalar(let element)):
      if let range = constant.value as? any CapturedRange {
        return .scalar(try translation.membership(of: element, in: range))
      }
      if constant.value is String {
        return .scalar(try translation.containment(constant, element))
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

  func inspect(_ visitor: inout some PredicateVisitor) { visitor.visit(sequence, element) }
}

extension PredicateExpressions.RangeExpressionContains: SQLNode {
  func term(_ translation: inout Translation) throws -> SQLTerm {
    switch (try translation.term(range), try translation.term(element)) {
    case (.constant, .constant):
      return try translation.folded(self, else: "")
    case (.constant(let constant), .scalar(let element)):
      guard let range = constant.value as? any CapturedRange,
        ScalarKind.ordered(Element.Output.self) != nil
      else { throw ConstantTerm.unsupported(constant.type) }
      return .scalar(try translation.membership(of: element, in: range))
    default:
      throw Untranslatable("a range of \(Element.Output.self) is tested in memory")
    }
  }

  func inspect(_ visitor: inout some PredicateVisitor) { visitor.visit(range, element) }
}

extension Translation {
  func membership(of element: ScalarTerm, in range: any CapturedRange) throws -> ScalarTerm {
    var tests: [ScalarTerm] = []
    if let lower = range.lowerEnd {
      tests.append(try comparison(.scalar(element), bound(lower), .greaterOrEqual))
    }
    if let upper = range.upperEnd {
      tests.append(
        try comparison(.scalar(element), bound(upper), range.isClosed ? .lessOrEqual : .less))
    }
    guard tests.count > 1 else { return tests.first ?? .condition(dialect.condition(true), .atom) }
    var result = ScalarTerm.condition(
      tests.map { $0.held(.and) }.joined(separator: " AND "), .and)
    if tests.allSatisfy({ $0.nilSource != nil }) { result.nilSource = element.nilSource }
    return result
  }

  private func bound(_ value: Any) -> SQLTerm {
    .constant(ConstantTerm(value: value, type: Swift.type(of: value)))
  }

  /// One parameter for the whole collection, however large.
  func membership(of element: ScalarTerm, in values: any Sequence) throws -> SQLTerm {
    let list = try CapturedList(values, as: element.scalar, storeIdentifier)
    let isOptional = element.isOptional
    if list.values.isEmpty {
      guard list.holdsNil, isOptional else {
        return .constant(ConstantTerm(value: false, type: Bool.self))
      }
      return .scalar(.condition("\(element.held(.atom)) IS NULL"))
    }
    let column = CapturedColumn(sql: try equatable(element), scalar: element.scalar, values: list.values)
    let test = try dialect.isElement([column])
    guard isOptional else { return .scalar(.condition(test)) }
    if list.holdsNil {
      return .scalar(.condition("\(element.held(.atom)) IS NULL OR \(test)", .or))
    }
    return .scalar(.condition("\(element.held(.atom)) IS NOT NULL AND \(test)", .and))
  }
}

extension Translation {
  /// Whether an array attribute holds a value.
  func membership(of element: SQLTerm, inArray array: ScalarTerm) throws -> ScalarTerm {
    guard case .scalar(let kind)? = array.elements else {
      throw Untranslatable("elements of this kind are compared in memory")
    }
    // The array has no elements if it is empty or nil. The closure around it decides what nil means.
    let test = try dialect.hasElement(inArray: array.sql) { sql in
      let stored = ScalarTerm(sql: sql, scalar: kind, isIrregular: kind == .text)
      let (value, wanted) = try operands(.scalar(stored), element)
      return dialect.isSame(try equatable(value), try equatable(wanted), isNegated: false)
    }
    guard let test else { throw Untranslatable("the elements of an array are compared in memory") }
    return .condition(test, .atom)
  }

  /// The number of elements of an array attribute; NULL if it is nil.
  func count(ofArray array: ScalarTerm) throws -> SQLFragment { try call(.elementCount, array.sql) }
}
