/// The kind of a syntax node.
package enum SyntaxKind: UInt8, Sendable {
  case file
  case schemaLine, importDeclaration, migration
  case classDeclaration, structDeclaration, enumDeclaration
  /// A function, an initializer, a nested type or a similar declaration, kept as text. The keyword determines the kind.
  case verbatimDeclaration
  /// `#Unique<Trip>(…)` and other freestanding macros.
  case macroDeclaration
  /// `#if` up to the matching `#endif`.
  case conditionalBlock
  case propertyDeclaration, enumCaseDeclaration
  case attribute, modifier, inheritanceClause, memberBlock
  /// A name in a `var`, with type, default value and accessors.
  case binding
  case initializerClause, accessorBlock
  case enumCase, payloadField
  case argument
  // Types.
  case namedType, arrayType, dictionaryType, optionalType
  /// A tuple, a function type, `any P`: known only as text.
  case otherType
  // Argument values.
  case memberValue, keyPathValue, literalValue, arrayValue, otherValue
  /// Tokens that are not valid here. A diagnostic gives the reason.
  case unexpected

  package var isType: Bool {
    switch self {
    case .namedType, .arrayType, .dictionaryType, .optionalType, .otherType: true
    default: false
    }
  }

  package var isValue: Bool {
    switch self {
    case .memberValue, .keyPathValue, .literalValue, .arrayValue, .otherValue: true
    default: false
    }
  }
}
