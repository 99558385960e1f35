import SchemaDiagnostics
import SchemaSyntax

/// Reads an `enum`, including cases and raw values.
final class EnumReader {
  private var resolved: ResolvedEnum
  private var types: TypeResolver
  private var declared: [String: SourceRange] = [:]
  private var rawValues: [ResolvedEnum.RawValue: SourceRange] = [:]
  private var diagnostics: [Diagnostic] = []
  private let source: CarriedSource

  static func read(
    _ declaration: DeclarationSyntax, inside owner: String? = nil, in source: CarriedSource,
    _ names: SchemaNames, scopes: [String]? = nil
  ) -> (ResolvedEnum, [Diagnostic]) {
    let inherited = declaration.inherited
    var conformances = inherited.map(\.text)
    var rawType: ScalarType?
    if let first = inherited.first, case .named(let parts, _) = first.shape, let last = parts.last,
      let scalar = ScalarType(rawValue: last), parts.count == 1 || parts.first == scalar.module
    {
      rawType = scalar
      conformances.removeFirst()
    }
    let resolved = ResolvedEnum(
      name: declaration.name(inside: owner), rawType: rawType, conformances: conformances, cases: [],
      declaration: source.text(declaration.node.range), access: declaration.access,
      documentation: declaration.documentation.lines, file: source.file,
      range: declaration.nameRange)
    let reader = EnumReader(
      resolved: resolved, types: TypeResolver(names: names, scope: resolved.name), source: source)
    reader.types.swift = scopes.map { (source, $0) }
    for member in declaration.members where member.kind == .enumCaseDeclaration {
      for enumCase in member.children(.enumCase) { reader.read(enumCase) }
    }
    if !declaration.members.contains(where: { $0.kind == .enumCaseDeclaration }) {
      reader.diagnostics.append(.noCases(resolved.name, resolved.range))
    }
    let labels = reader.resolved.cases.map { enumCase in
      (enumCase.name, enumCase.payload.enumerated().map { index, field in field.label ?? "_\(index)" })
    }
    reader.resolved.coding = CodingReader.coding(
      of: declaration,
      rawType == nil ? Dictionary(firstOf: labels) : nil)
    return (reader.resolved, reader.diagnostics + reader.types.diagnostics)
  }

  /// Reads an enum in a Swift file. Returns `nil` if the cases cannot be determined.
  static func read(
    _ type: SwiftTypes.RawEnum, as name: String, in home: [String], file: Int, _ names: SchemaNames
  ) -> ResolvedEnum? {
    guard !type.isConditional else { return nil }
    let (tree, syntaxProblems) = Parser.parse(type.file, index: 0)
    guard syntaxProblems.isEmpty, let node = tree.root.children.first(where: { $0.kind == .enumDeclaration }) else {
      return nil
    }
    let declaration = DeclarationSyntax(node)
    let source = CarriedSource(tree: tree, lines: LineTable(type.file), file: file)
    guard !declaration.isGeneric, !declaration.members.contains(where: { $0.kind == .conditionalBlock }) else {
      return nil
    }
    var (resolved, problems) = read(declaration, in: source, names)
    guard resolved.rawType != nil, problems.isEmpty else { return nil }
    resolved.name = name
    resolved.swift = .init(home: home, access: type.access)
    return resolved
  }

  private init(resolved: ResolvedEnum, types: TypeResolver, source: CarriedSource) {
    self.resolved = resolved
    self.types = types
    self.source = source
  }

  private func read(_ node: SyntaxNode) {
    guard node.hasTokens, node.tree.tokens[node.firstToken].kind == .identifier else { return }
    let name = node.tree.name(ofToken: node.firstToken)
    let range = node.tree.range(ofToken: node.firstToken)
    if let first = declared[name] {
      return diagnostics.append(.duplicateCase(name, range, first: first))
    }
    declared[name] = range
    var enumCase = ResolvedEnum.Case(name: name)
    for field in node.children(.payloadField) {
      guard let syntax = field.type, let type = types.resolve(syntax) else { continue }
      if type.containsModel { diagnostics.append(.modelInPayload(syntax)) }
      let label = field.tree.tokens[field.firstToken]
      let next = field.tree.tokens[min(field.firstToken + 1, field.tree.tokens.count - 1)]
      let hasLabel = label.kind == .identifier && syntax.node.firstToken > field.firstToken
      let text = field.tree.name(ofToken: field.firstToken)
      enumCase.payload.append(
        .init(
          label: hasLabel && next.kind != .period && text != "_" ? text : nil,
          type: type.valueType))
    }
    if let rawType = resolved.rawType, let field = node.first(.payloadField) {
      diagnostics.append(.payloadWithRawType(name, rawType, field.range))
    }
    let written = node.first(.initializerClause).flatMap { ExpressionSyntax(clause: $0) }
    enumCase.rawValue = rawValue(name, written)
    resolved.cases.append(enumCase)
    guard let rawValue = enumCase.rawValue else { return }
    if let first = rawValues[rawValue] {
      diagnostics.append(.duplicateRawValue(written?.range ?? range, rawValue, first: first))
    } else {
      rawValues[rawValue] = written?.range ?? range
    }
  }

  private func rawValue(
    _ name: String, _ written: ExpressionSyntax?
  ) -> ResolvedEnum.RawValue? {
    guard let rawType = resolved.rawType else {
      if let written { diagnostics.append(.rawValueWithoutType(written, resolved.name)) }
      return nil
    }
    guard let written else { return implicitRawValue(name, rawType) }
    let isText = rawType == .string || rawType == .character
    switch written.shape {
    case .string(let text) where isText:
      return Literal.string(text).map { .string($0) } ?? .other(written.text)
    case .integer(let text) where !isText:
      if let value = Literal.integer(text).flatMap({ Int64(exactly: $0) }) {
        return .integer(value)
      }
      return .other(written.text)
    case .float where rawType == .float || rawType == .double:
      return .other(written.text)
    default:
      diagnostics.append(.rawValueMismatch(written, rawType))
      return nil
    }
  }

  /// Follows Swift's rule: the case name for strings, the previous value plus one for integers.
  private func implicitRawValue(_ name: String, _ type: ScalarType) -> ResolvedEnum.RawValue? {
    switch type.traits.number {
    case nil: return type == .string ? .string(name) : nil
    case .decimal: return nil
    case .integer, .binary:
      guard let previous = resolved.cases.last else { return .integer(0) }
      guard case .integer(let value)? = previous.rawValue, value < .max else { return nil }
      return .integer(value + 1)
    }
  }
}

extension Diagnostic {
  fileprivate static func duplicateCase(
    _ name: String, _ range: SourceRange, first: SourceRange
  ) -> Self {
    Self(
      .duplicateDeclaration, at: range, "case '\(name)' is declared twice",
      related: [.init(first, "the first declaration is here")])
  }

  fileprivate static func payloadWithRawType(
    _ name: String, _ type: ScalarType, _ range: SourceRange
  ) -> Self {
    Self(
      .conflictingOptions, at: range,
      "case '\(name)' cannot have associated values, because the enum has the raw type '\(type.rawValue)'",
      help: "remove the raw type or the associated values")
  }

  fileprivate static func noCases(_ name: String, _ range: SourceRange) -> Self {
    Self(
      .unsupportedDeclaration, at: range, "enum '\(name)' has no cases and therefore no value to store",
      help: "add a case, or move it to a Swift file of the same target")
  }

  fileprivate static func duplicateRawValue(
    _ range: SourceRange, _ value: ResolvedEnum.RawValue, first: SourceRange
  ) -> Self {
    let text =
      switch value {
      case .string(let text): "\"\(text)\""
      case .integer(let number): String(number)
      case .other(let text): text
      }
    return Self(
      .duplicateRawValue, at: range, "raw value '\(text)' is used by two cases",
      related: [.init(first, "the other case is here")])
  }

  fileprivate static func rawValueWithoutType(_ value: ExpressionSyntax, _ name: String) -> Self {
    Self(
      .defaultTypeMismatch, at: value.range,
      "a case of '\(name)' cannot have a raw value, because the enum has no raw type",
      help: "write the type after the name, as in 'enum \(name): String'")
  }

  fileprivate static func rawValueMismatch(_ value: ExpressionSyntax, _ type: ScalarType) -> Self {
    Self(
      .defaultTypeMismatch, at: value.range,
      "'\(value.text)' is not a raw value of type '\(type.rawValue)'")
  }

  static func modelInPayload(_ type: TypeSyntax) -> Self {
    Self(
      .modelInsideValue, at: type.range, "a value cannot hold a model",
      help: "hold the model's PersistentIdentifier, or make it a relationship")
  }
}
