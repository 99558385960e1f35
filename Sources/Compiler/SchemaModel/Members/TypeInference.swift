import SchemaDiagnostics
import SchemaSyntax

/// Infers a property's type from the default value, if the value shows it.
enum TypeInference {
  static func infer(
    _ expression: ExpressionSyntax, _ resolver: inout TypeResolver
  ) -> ReferencedType? {
    if let type = expression.constructedType { return resolver.resolve(type) }
    // The only call chain that models commonly use as a default value.
    if expression.text == "UUID().uuidString" { return .scalar(.string) }
    if let isFractional = expression.isFractionalArithmetic { return .scalar(isFractional ? .double : .int) }
    if expression.isConcatenation { return .scalar(.string) }
    if isFailable(expression, resolver) { return nil }
    return infer(expression.shape, at: expression.range, &resolver)
  }

  /// True for a call to an initializer known to return an optional.
  private static func isFailable(_ expression: ExpressionSyntax, _ resolver: TypeResolver) -> Bool {
    guard case .call(let name) = expression.shape, let type = name.last else { return false }
    let arguments = expression.text.drop { $0 != "(" }.dropFirst().drop { $0.isWhitespace }
    if arguments.hasPrefix("rawValue:") {
      var copy = resolver
      if case .enumeration? = copy.resolve(name: name, at: expression.range) { return true }
      return false
    }
    let beginning: String? =
      switch type {
      case "Int", "Double", "Float", "Bool": "\""
      case "URL", "Decimal": "string:"
      case "UUID": "uuidString:"
      case "Data": "base64Encoded:"
      default: nil
      }
    return beginning.map(arguments.hasPrefix) ?? false
  }

  private static func infer(
    _ shape: ExpressionSyntax.Shape, at range: SourceRange, _ resolver: inout TypeResolver
  ) -> ReferencedType? {
    switch shape {
    case .boolean: return .scalar(.bool)
    case .integer: return .scalar(.int)
    case .float: return .scalar(.double)
    case .string: return .scalar(.string)
    case .array(let element):
      return infer(element, at: range, &resolver).map { .array($0) }
    case .dictionary(let key, let value):
      guard let key = infer(key, at: range, &resolver), let value = infer(value, at: range, &resolver) else {
        return nil
      }
      return .dictionary(key, value)
    case .call(let name): return resolver.resolve(name: name, at: range)
    case .typeMember(let name, let member):
      if let swift = resolver.swift,
        let found = resolver.names.swift.staticMember(member, of: name, in: swift.scopes)
      {
        let (property, owner): (BindingSyntax, String)
        switch found {
        case .enumCase: return resolver.resolve(name: name, at: range)
        case .unreadable: return nil
        case .declared(let binding, let type): (property, owner) = (binding, type)
        }
        // The declaration is not part of the schema, so the Swift compiler reports any problems.
        var declared = resolver
        declared.swift = nil
        let type = property.type.map { declared.resolve($0) } ?? property.defaultValue.map { infer($0, &declared) }
        if let type = type ?? nil, type.isStandard { return type }
        return property.isDeclared(as: owner) ? resolver.resolve(name: name, at: range) : nil
      }
      guard let type = resolver.resolve(name: name, at: range) else { return nil }
      // Enum cases, and members known to return the scalar itself, such as `Int.random(in:)`, have the type that
      // precedes the period. For other members of a scalar, the property must state the type.
      if case .scalar(let scalar) = type, !scalar.members.contains(member) { return nil }
      // `Kind.allCases` is not of type `Kind`.
      if case .enumeration(let name) = type, let cases = resolver.names.swift.cases(of: name),
        !cases.contains(member)
      {
        return nil
      }
      return type
    case .null, .emptyArray, .emptyDictionary, .member, .other: return nil
    }
  }
}

extension BindingSyntax {
  /// True if the declaration line shows that the property's type is the type that declares it.
  fileprivate func isDeclared(as name: String) -> Bool {
    if let type { return type.text == "Self" || type.text.split(separator: ".").last.map(String.init) == name }
    return switch defaultValue?.shape {
    case .call(let parts), .typeMember(let parts, _): parts.last == name
    default: false
    }
  }
}

extension ReferencedType {
  /// True for standard types and collections of them.
  fileprivate var isStandard: Bool {
    switch self {
    case .scalar: true
    case .optional(let type), .array(let type), .set(let type): type.isStandard
    case .dictionary(let key, let value): key.isStandard && value.isStandard
    default: false
    }
  }
}
