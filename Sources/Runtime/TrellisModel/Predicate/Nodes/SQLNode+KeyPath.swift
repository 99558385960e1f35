import Foundation

extension PredicateExpressions.KeyPath: SQLNode {
  package func term(_ translation: inout Translation) throws -> SQLTerm {
    switch try translation.term(root) {
    case .model(let model):
      return try translation.property(keyPath, of: model)
    case .scalar(let scalar):
      if let member = property(of: scalar, translation) { return .scalar(member) }
      return .scalar(try member(of: scalar, translation))
    case .list(let list):
      return try member(of: list)
    case .constant(let constant):
      guard let value = constant.value as? Root.Output else {
        throw ConstantTerm.unsupported(Root.Output.self)
      }
      return .constant(ConstantTerm(value: value[keyPath: keyPath] as Any, type: Output.self))
    }
  }

  private func member(of list: ListTerm) throws -> SQLTerm {
    switch kind {
    case .collectionIsEmpty:
      return .scalar(.condition("NOT EXISTS (SELECT 1 \(list.body))", .and))
    case .collectionCount:
      return .scalar(ScalarTerm(sql: "(SELECT COUNT(*) \(list.body))", scalar: .integer))
    default:
      // The first member depends on the loaded array's order.
      throw Untranslatable("a member of a to-many relationship is selected in memory")
    }
  }

  /// Returns a flattened struct's property.
  private func property(of base: ScalarTerm, _ translation: Translation) -> ScalarTerm? {
    guard let flattened = base.flattened else { return nil }
    let members = flattened.column.property.flattenedMembers
    guard let index = members.firstIndex(where: { $0.keyPath == keyPath }) else { return nil }
    var term = translation.value(
      of: flattened.column, flattened.column.members[index], members[index].type,
      of: flattened.model)
    // NULL if there is no struct.
    term.nilSource = base.nilSource
    return term
  }

  private func member(of base: ScalarTerm, _ translation: Translation) throws -> ScalarTerm {
    func computed(
      _ sql: SQLFragment, _ scalar: ScalarKind, isOptional: Bool = base.isOptional, isIrregular: Bool = base.isIrregular
    ) -> ScalarTerm {
      var result = base.computed(sql, scalar == .boolean ? .comparison : .atom)
      (result.scalar, result.isOptional, result.isIrregular) = (scalar, isOptional, isIrregular)
      result.elements = nil
      return result
    }
    func call(_ function: SwiftFunction) throws -> SQLFragment { try translation.call(function, base.sql) }
    switch (base.scalar, kind) {
    case (.opaque, .collectionIsEmpty) where base.elements != nil:
      return computed("\(try call(.elementCount)) = 0", .boolean)
    case (.opaque, .collectionCount) where base.elements != nil: return computed(try call(.elementCount), .integer)
    case (.text, .collectionIsEmpty): return computed("\(base.held(.atom)) = ''", .boolean)
    case (.text, .collectionCount): return computed(try call(.characterCount), .integer)
    // `kind` does not cover the following key paths.
    case (.text, _) where keyPath == \String.first:
      return computed(try call(.firstCharacter), .character, isOptional: true)
    case (.text, _) where keyPath == \String.last:
      return computed(try call(.lastCharacter), .character, isOptional: true)
    case (.text, _) where Output.self == CollatedText.self || Output.self == CollatedText?.self:
      guard
        let order = TextOrder.allCases.first(where: {
          $0.keyPath == keyPath || $0.optionalKeyPath == keyPath
        })
      else { throw Untranslatable("\(keyPath) is read in memory") }
      return computed(try translation.key(of: base, order), .textKey(order), isIrregular: false)
    case (.text, _) where keyPath == \String.localizedLowercase:
      return computed(try call(.lowercased), .text, isIrregular: true)
    case (.text, _) where keyPath == \String.localizedUppercase:
      return computed(try call(.uppercased), .text, isIrregular: true)
    case (.data, _) where keyPath == \Data.isEmpty: return computed("\(try call(.byteCount)) = 0", .boolean)
    case (.data, _) where keyPath == \Data.count: return computed(try call(.byteCount), .integer)
    default: break
    }
    var result = base
    switch base.scalar {
    case .uuid where keyPath == \UUID.uuidString:
      result.sql = translation.dialect.text(ofUUID: base.sql)
      result.scalar = .text
    case .date where keyPath == \Date.timeIntervalSinceReferenceDate: result.scalar = .real
    default:
      guard let rawType = Root.Output.self as? any RawRepresentable.Type,
        RawValuePath.isRawValue(keyPath, of: rawType)
      else { throw Untranslatable("\(keyPath) is read in memory") }
    }
    return result
  }

  package func inspect(_ shape: inout PredicateShape) { shape.visitKeyPath(keyPath, of: root) }

  package func checked(_ bindings: PredicateBindings) throws -> Output {
    try root.checkedValue(bindings)[keyPath: keyPath]
  }
}

extension PredicateExpressions.Variable: SQLNode {
  package func term(_ translation: inout Translation) throws -> SQLTerm {
    guard let term = translation.term(of: key) else {
      throw Untranslatable("a variable of type \(Output.self) does not represent a row")
    }
    return term
  }

  package func inspect(_ shape: inout PredicateShape) { shape.visitVariable(key) }
}

extension PredicateExpressions.Value: SQLNode {
  package func term(_ translation: inout Translation) throws -> SQLTerm {
    .constant(ConstantTerm(value: value, type: Output.self, isCaptured: true))
  }

  package static var isCapturedValue: Bool { true }
  package func inspect(_ shape: inout PredicateShape) { shape.visitCaptured(value) }
  package func checked(_ bindings: PredicateBindings) throws -> Output { CapturedIdentifiers.current(in: value) }
}

extension PredicateExpressions.NilLiteral: SQLNode {
  package func term(_ translation: inout Translation) throws -> SQLTerm {
    .constant(ConstantTerm(value: Output.none as Any, type: Output.self, isLiteral: true))
  }

  package func inspect(_ shape: inout PredicateShape) {}
}
