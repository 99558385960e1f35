/// What a node of the tree is.
package enum SyntaxKind: UInt8, Sendable {
  case file
  case schemaLine, importDeclaration, migration
  case classDeclaration, structDeclaration, enumDeclaration
  /// A function, initialiser, nested type …: kept as text, its keyword tells which.
  case verbatimDeclaration
  /// `#Unique<Trip>(…)` and other freestanding macros.
  case macroDeclaration
  /// `#if` to its `#endif`.
  case conditionalBlock
  case propertyDeclaration, enumCaseDeclaration
  case attribute, modifier, inheritanceClause, memberBlock
  /// One name of a `var` with its type, default and accessors.
  case binding
  case initializerClause, accessorBlock
  case enumCase, payloadField
  case argument
  // Types.
  case namedType, arrayType, dictionaryType, optionalType
  /// A tuple, a function, `any P`: known by its text only.
  case otherType
  // Values of arguments.
  case memberValue, keyPathValue, literalValue, arrayValue, otherValue
  /// Tokens that fit nowhere; a diagnostic says why.
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
