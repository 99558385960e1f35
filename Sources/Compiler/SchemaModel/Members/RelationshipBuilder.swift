import SchemaDiagnostics
import SchemaSyntax

/// Builds a relationship from a stored property with a model type.
struct RelationshipBuilder {
  let reader: PropertyReader
  let type: ReferencedType

  private var name: String { reader.name }
  private var attributes: PropertyAttributes { reader.head.attributes }
  private var options: RelationshipOptions { attributes.relationship }

  func build(_ result: PropertyReader.Result) {
    guard let (destination, cardinality) = end else {
      let range = reader.binding.type?.range ?? reader.range
      result.diagnostics.append(.modelInsideValue(name, range))
      return
    }
    checkAttribute(result)
    let value = reader.binding.defaultValue
    checkDefault(value, cardinality, result)
    checkCounts(cardinality, result)
    let attribute = attributes.attribute
    result.property = .relationship(
      ResolvedRelationship(
        name: name, originalName: options.originalName ?? attribute.originalName,
        hashModifier: options.hashModifier ?? attribute.hashModifier, destination: destination,
        cardinality: cardinality, deleteRule: options.deleteRule?.value ?? .nullify,
        denyMessage: options.denyMessage?.value, minimumCount: options.minimum?.value,
        maximumCount: options.maximum?.value,
        isOrdered: options.ordered != nil, isUnique: options.unique != nil,
        defaultValue: value.map { reader.source.expression($0) }, access: reader.head.access,
        setterAccess: reader.head.setterAccess,
        documentation: reader.head.documentation, range: reader.range))
    result.inverse = options.inverse
    checkOptions(cardinality, result)
  }

  private var end: (String, ResolvedRelationship.Cardinality)? {
    let isOptional = if case .optional = type { true } else { false }
    switch type.unwrapped {
    case .model(let name): return (name, .toOne(isOptional: isOptional))
    case .array(.model(let name)): return (name, .toMany(isOptional: isOptional))
    default: return nil
    }
  }

  /// Reports `@Attribute` options that do not apply to a relationship. The attribute may still rename the property.
  private func checkAttribute(_ result: PropertyReader.Result) {
    let attribute = attributes.attribute
    for placed in attribute.options {
      let isPreserved = placed.value == .preserveValueOnDeletion
      result.diagnostics.append(
        isPreserved ? .preserved(placed, name) : .attributeOption(placed.argument))
    }
    if let placed = attribute.storage {
      result.diagnostics.append(.attributeOption(placed.argument))
    }
    if let placed = attribute.transformer {
      result.diagnostics.append(.attributeOption(placed.argument))
    }
  }

  private func checkOptions(
    _ cardinality: ResolvedRelationship.Cardinality, _ result: PropertyReader.Result
  ) {
    if let message = options.denyMessage, options.deleteRule?.value != .deny {
      result.diagnostics.append(.notApplicable(message, "'denyMessage'", needs: "'deleteRule: .deny'"))
    }
    switch cardinality {
    case .toOne:
      if let ordered = options.ordered { result.diagnostics.append(.orderedToOne(ordered)) }
      if options.unique != nil { result.uniquePolicy = .replace }
    case .toMany:
      if let unique = options.unique { result.diagnostics.append(.uniqueToMany(unique, name)) }
    }
  }

  private func checkDefault(
    _ value: ExpressionSyntax?, _ cardinality: ResolvedRelationship.Cardinality,
    _ result: PropertyReader.Result
  ) {
    guard let value else { return }
    switch (cardinality, value.shape) {
    case (.toOne(isOptional: true), .null), (.toMany(isOptional: true), .null): break
    case (.toOne, _): result.diagnostics.append(.toOneDefault(name, value))
    case (.toMany, .null), (.toMany, .integer), (.toMany, .string), (.toMany, .boolean),
      (.toMany, .float), (.toMany, .emptyDictionary), (.toMany, .dictionary):
      result.diagnostics.append(.toManyDefault(name, value))
    case (.toMany, _) where reader.source.isSwift && !isEmpty(value):
      result.diagnostics.append(.membersDefault(name, value))
    case (.toMany, _): break
    }
  }

  /// Matches `[]`, `[Stop]()` and `Array<Stop>()`.
  private func isEmpty(_ value: ExpressionSyntax) -> Bool {
    let text = value.text
    let isMade = text.hasSuffix("()") && !text.dropLast(2).contains("(")
    return value.shape == .emptyArray || isMade && (text.hasPrefix("[") || text.hasPrefix("Array<"))
  }

  private func checkCounts(
    _ cardinality: ResolvedRelationship.Cardinality, _ result: PropertyReader.Result
  ) {
    for placed in [options.minimum, options.maximum] {
      if let placed, placed.value < 0 {
        return result.diagnostics.append(.negativeCount(placed))
      }
    }
    let bounds = [options.minimum, options.maximum]
    if case .toOne = cardinality,
      let placed = bounds.compactMap({ $0 }).first(where: { $0.value > 1 })
    {
      return result.diagnostics.append(.countOfToOne(placed, name))
    }
    if let minimum = options.minimum, let maximum = options.maximum, maximum.value > 0,
      minimum.value > maximum.value
    {
      result.diagnostics.append(.countsCross(minimum, maximum))
    }
  }
}

extension Diagnostic {
  fileprivate static func modelInsideValue(_ name: String, _ range: SourceRange) -> Self {
    Self(
      .modelInsideValue, at: range,
      "the type of '\(name)' contains models but is not a relationship type",
      help: "a relationship is a model, an optional model, or an array of models")
  }

  fileprivate static func attributeOption(_ argument: ArgumentSyntax) -> Self {
    Self(
      .optionNotApplicable, at: argument.range,
      "'\(argument.node.text)' does not apply to a relationship",
      fixIts: [.remove(argument.removalRange, title: "remove '\(argument.node.text)'")])
  }

  fileprivate static func preserved(_ placed: Placed<AttributeOption>, _ name: String) -> Self {
    Self(
      .preserveRelationship, at: placed.range,
      "'\(name)' is a relationship, but history only preserves values",
      help: "preserve the related model's key, or copy the key into an attribute",
      fixIts: [.remove(placed.argument.removalRange, title: "remove '.preserveValueOnDeletion'")])
  }

  fileprivate static func orderedToOne(_ placed: Placed<Bool>) -> Self {
    Self(
      .optionNotApplicable, at: placed.range, "'.ordered' applies only to to-many relationships",
      fixIts: [.remove(placed.argument.removalRange, title: "remove '.ordered'")])
  }

  fileprivate static func uniqueToMany(_ placed: Placed<Bool>, _ name: String) -> Self {
    Self(
      .uniqueOverToMany, at: placed.range, "to-many relationship '\(name)' cannot be unique",
      help: "remove '.unique'")
  }

  fileprivate static func toOneDefault(_ name: String, _ value: ExpressionSyntax) -> Self {
    Self(
      .relationshipDefault, at: value.range,
      "relationship '\(name)' cannot have an object as its default value",
      help: "set it in an initializer; only 'nil' is allowed here")
  }

  fileprivate static func toManyDefault(_ name: String, _ value: ExpressionSyntax) -> Self {
    Self(
      .defaultTypeMismatch, at: value.range,
      "'\(value.text)' is not a value for to-many relationship '\(name)'", help: "write '[]'",
      fixIts: [.replace(value.range, with: "[]", title: "write '[]'")])
  }

  fileprivate static func membersDefault(_ name: String, _ value: ExpressionSyntax) -> Self {
    Self(
      .relationshipDefault, at: value.range, "relationship '\(name)' cannot have objects as its default value",
      help: "write '[]', and assign the objects in an initializer")
  }

  fileprivate static func negativeCount(_ placed: Placed<Int>) -> Self {
    Self(.countBounds, at: placed.range, "a count cannot be negative")
  }

  fileprivate static func countOfToOne(_ placed: Placed<Int>, _ name: String) -> Self {
    Self(
      .countBounds, at: placed.range,
      "to-one relationship '\(name)' cannot hold \(placed.value) models")
  }

  fileprivate static func countsCross(_ minimum: Placed<Int>, _ maximum: Placed<Int>) -> Self {
    Self(
      .countBounds, at: minimum.range,
      "the minimum of \(minimum.value) models exceeds the maximum of \(maximum.value)",
      related: [.init(maximum.range, "the other bound is here")])
  }
}
