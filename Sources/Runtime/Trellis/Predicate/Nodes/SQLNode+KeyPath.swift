import Foundation

extension PredicateExpressions.KeyPath: SQLNode {
  func term(_ translation: inout Translation) throws -> SQLTerm {
    switch try translation.term(root) {
    case .model(let model):
      return try translation.property(keyPath, of: model, type: Output.self)
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
      // Which member is first is the order of the loaded array.
      throw Untranslatable("a member of a to-many relationship is picked in memory")
    }
  }

  /// A property of a struct that has separate columns.
  private func property(of base: ScalarTerm, _ translation: Translation) -> ScalarTerm? {
    guard let flattened = base.flattened else { return nil }
    let members = flattened.column.property.flattenedMembers
    guard let index = members.firstIndex(where: { $0.keyPath == keyPath }) else { return nil }
    var term = translation.value(
      of: flattened.column, flattened.column.members[index], members[index].type,
      of: flattened.model)
    // NULL where there is no struct.
    term.nilSource = base.nilSource
    return term
  }

  private func member(of base: ScalarTerm, _ translation: Translation) throws -> ScalarTerm {
    var result = base
    result.origin = .expression
    result.binding = .atom
    result.elements = nil
    switch (base.scalar, kind) {
    case (.opaque, .collectionIsEmpty) where base.elements != nil:
      result.sql = "\(try translation.count(ofArray: base)) = 0"
      result.scalar = .boolean
      result.binding = .comparison
    case (.opaque, .collectionCount) where base.elements != nil:
      result.sql = try translation.count(ofArray: base)
      result.scalar = .integer
    case (.text, .collectionIsEmpty):
      result.sql = "\(base.held(.atom)) = ''"
      result.scalar = .boolean
      result.binding = .comparison
    case (.text, .collectionCount):
      result.sql = try translation.call(.characterCount, base.sql)
      result.scalar = .integer
    // Of these `kind` knows nothing.
    case (.text, _) where keyPath == \String.first:
      result.sql = try translation.call(.firstCharacter, base.sql)
      result.scalar = .character
      result.isOptional = true
    case (.text, _) where keyPath == \String.last:
      result.sql = try translation.call(.lastCharacter, base.sql)
      result.scalar = .character
      result.isOptional = true
    case (.text, _) where Output.self == CollatedText.self || Output.self == CollatedText?.self:
      guard
        let order = TextOrder.allCases.first(where: {
          $0.keyPath == keyPath || $0.optionalKeyPath == keyPath
        })
      else { throw Untranslatable("\(keyPath) is read in memory") }
      result.sql = try translation.key(of: base, order)
      result.scalar = .textKey(order)
      result.isIrregular = false
    case (.text, _) where keyPath == \String.localizedLowercase:
      result.sql = try translation.call(.lowercased, base.sql)
      result.isIrregular = true
    case (.text, _) where keyPath == \String.localizedUppercase:
      result.sql = try translation.call(.uppercased, base.sql)
      result.isIrregular = true
    case (.data, _) where keyPath == \Data.isEmpty:
      result.sql = "\(try translation.call(.byteCount, base.sql)) = 0"
      result.scalar = .boolean
      result.binding = .comparison
    case (.data, _) where keyPath == \Data.count:
      result.sql = try translation.call(.byteCount, base.sql)
      result.scalar = .integer
    case (.uuid, _) where keyPath == \UUID.uuidString:
      result = base
      result.sql = translation.dialect.text(ofUUID: base.sql)
      result.scalar = .text
    case (.date, _) where keyPath == \Date.timeIntervalSinceReferenceDate:
      result = base
      result.scalar = .real
    default:
      guard let rawType = Root.Output.self as? any RawRepresentable.Type,
        RawValuePath.isRawValue(keyPath, of: rawType)
      else { throw Untranslatable("\(keyPath) is read in memory") }
      result = base
    }
    return result
  }

  func inspect(_ visitor: inout some PredicateVisitor) {
    visitor.visit(root)
    visitor.visitKeyPath(keyPath, of: root, value: Output.self)
  }
}

extension PredicateExpressions.Variable: SQLNode {
  func term(_ translation: inout Translation) throws -> SQLTerm {
    guard let term = translation.term(of: key) else {
      throw Untranslatable("a variable of type \(Output.self) stands for no row")
    }
    return term
  }

  func condition(_ translation: inout Translation) throws -> SQLTerm { try term(&translation) }
  func inspect(_ visitor: inout some PredicateVisitor) { visitor.visitVariable(key) }
}

extension PredicateExpressions.Value: SQLNode {
  func term(_ translation: inout Translation) throws -> SQLTerm {
    .constant(
      ConstantTerm(value: value, type: Output.self, isCaptured: translation.tracksCaptured))
  }

  static var isCapturedValue: Bool { true }
  func inspect(_ visitor: inout some PredicateVisitor) { visitor.visitCaptured(value) }
}

extension PredicateExpressions.NilLiteral: SQLNode {
  func term(_ translation: inout Translation) throws -> SQLTerm {
    .constant(ConstantTerm(value: Output.none as Any, type: Output.self, isLiteral: true))
  }

  func inspect(_ visitor: inout some PredicateVisitor) {}
}
