import SchemaDiagnostics
import SchemaSyntax

/// Reads the type of a property from its default value, where the value spells it out.
enum TypeInference {
  static func infer(
    _ expression: ExpressionSyntax, _ resolver: inout TypeResolver
  ) -> ReferencedType? {
    if let type = expression.constructedType { return resolver.resolve(type) }
    // The one chain of calls that real models use as a default over and over.
    if expression.text == "UUID().uuidString" { return .scalar(.string) }
    if let isFractional = expression.isFractionalArithmetic { return .scalar(isFractional ? .double : .int) }
    if expression.isConcatenation { return .scalar(.string) }
    if isFailable(expression, resolver) { return nil }
    return infer(expression.shape, at: expression.range, &resolver)
  }

  /// True for a call of an initializer that is known to return an optional.
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
        // The declaration is no part of the schema, and its problems are those of the Swift compiler.
        var declared = resolver
        declared.swift = nil
        let type = property.type.map { declared.resolve($0) } ?? property.defaultValue.map { infer($0, &declared) }
        if let type = type ?? nil, type.isStandard { return type }
        return property.isDeclared(as: owner) ? resolver.resolve(name: name, at: range) : nil
      }
      guard let type = resolver.resolve(name: name, at: range) else { return nil }
      // `Int.random(in:)` and enum cases have the type they are a member of. What is known to
      // have another one is left to its author.
      if case .scalar(let scalar) = type, !scalar.members.contains(member) { return nil }
      // `Kind.allCases` has another type than `Kind`.
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
  /// True if the property has a type of that name, which declares it, as far as one line shows.
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
