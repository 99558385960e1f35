import SchemaDiagnostics
import SchemaSyntax

/// Reads the stored properties of a Codable `struct`. Other members are carried with the declaration.
enum StructReader {
  /// - Parameter scopes: For a struct in a Swift file, the types that enclose the properties.
  static func read(
    _ declaration: DeclarationSyntax, inside owner: String? = nil, in source: CarriedSource,
    _ names: SchemaNames, scopes: [String]? = nil
  ) -> (ResolvedStruct, [Diagnostic]) {
    var diagnostics: [Diagnostic] = []
    var types = TypeResolver(names: names, scope: declaration.name(inside: owner))
    types.swift = scopes.map { (source, $0) }
    var resolved = ResolvedStruct(
      name: declaration.name(inside: owner), conformances: declaration.inherited.map(\.text), fields: [],
      declaration: source.text(declaration.node.range), access: declaration.access,
      documentation: declaration.documentation.lines, file: source.file,
      range: declaration.nameRange)
    var declared: [String: SourceRange] = [:]
    resolved.isMemberwise = !declaration.members.contains {
      DeclarationSyntax($0).keyword == .`init`
    }
    for node in declaration.members where node.kind == .propertyDeclaration {
      let member = DeclarationSyntax(node)
      if member.has(.static) { continue }
      if member.access == .private || member.access == .fileprivate { resolved.isMemberwise = false }
      for binding in member.bindings {
        if case .computed = binding.accessors { continue }
        guard let token = binding.nameToken else { continue }
        let name = node.tree.name(ofToken: token)
        let range = node.tree.range(ofToken: token)
        if let first = declared[name] {
          diagnostics.append(.duplicateField(name, range, first: first))
          continue
        }
        declared[name] = range
        guard let type = type(of: binding, name, range, &types, &diagnostics) else { continue }
        if type.containsModel {
          diagnostics.append(.modelInPayload(at: binding.type?.range ?? range))
          continue
        }
        if let value = binding.defaultValue {
          diagnostics += DefaultCheck(names: names).check(value, of: type)
        }
        resolved.fields.append(
          .init(
            name: name, type: type.valueType,
            defaultValue: binding.defaultValue.map { source.expression($0) },
            isLet: member.keyword == .let))
      }
    }
    resolved.coding = CodingReader.coding(of: declaration, resolved.parameters.map(\.name))
    return (resolved, diagnostics + types.diagnostics)
  }

  private static func type(
    of binding: BindingSyntax, _ name: String, _ range: SourceRange, _ types: inout TypeResolver,
    _ diagnostics: inout [Diagnostic]
  ) -> ReferencedType? {
    if let type = binding.type { return types.resolve(type) }
    if binding.isIncomplete { return nil }
    let count = types.diagnostics.count
    if let value = binding.defaultValue, let type = TypeInference.infer(value, &types) {
      return type
    }
    if types.diagnostics.count == count { diagnostics.append(.untypedField(name, range)) }
    return nil
  }
}

extension Diagnostic {
  fileprivate static func duplicateField(
    _ name: String, _ range: SourceRange, first: SourceRange
  ) -> Self {
    Self(
      .duplicateDeclaration, at: range, "property '\(name)' is declared twice",
      related: [.init(first, "the first declaration is here")])
  }

  fileprivate static func untypedField(_ name: String, _ range: SourceRange) -> Self {
    Self(
      .unknownType, at: range, "the type of '\(name)' is missing",
      help: "write it after the name, as in '\(name): String'")
  }

  fileprivate static func modelInPayload(at range: SourceRange) -> Self {
    Self(
      .modelInsideValue, at: range, "a value cannot hold a model",
      help: "hold the model's PersistentIdentifier, or make it a relationship")
  }
}
