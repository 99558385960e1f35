import SchemaDiagnostics
import SchemaSyntax

/// Resolves the files of a schema.
final class SchemaResolver {
  private let group: SchemaGroup
  private let names: SchemaNames
  private let types: SwiftTypes
  private var diagnostics: [Diagnostic] = []
  private var models: [(declaration: DeclarationSyntax, file: Int)] = []
  private var enums: [(declaration: DeclarationSyntax, file: Int)] = []
  private var structs: [(declaration: DeclarationSyntax, file: Int)] = []
  /// Enums and structs inside models, by full name.
  private var nested: [String: (declaration: DeclarationSyntax, owner: String, file: Int)] = [:]

  static func resolve(
    _ group: SchemaGroup, namesElsewhere: Set<String>, types: SwiftTypes
  ) -> (ResolvedSchema, [Diagnostic]) {
    let resolver = SchemaResolver(
      group,
      SchemaNames(elsewhere: namesElsewhere, swift: types, in: group.scope?.path ?? [], homes: group.homes), types)
    let schema = resolver.run()
    return (schema, resolver.diagnostics)
  }

  private init(_ group: SchemaGroup, _ names: SchemaNames, _ types: SwiftTypes) {
    self.types = types
    self.group = group
    self.names = names
  }

  private func run() -> ResolvedSchema {
    collectNames()
    var schema = ResolvedSchema(name: group.key.name, version: group.version)
    if group.files.allSatisfy(\.tree.file.isSwift) { schema.scope = group.scope }
    schema.homes = group.homes
    if let first = group.files.first { schema.versionRange = first.version.range }
    for (index, file) in group.files.enumerated() {
      schema.files.append(
        ResolvedFile(
          path: file.tree.file.path, stem: file.tree.file.stem, importAccess: file.importAccess,
          assumesLatestMode: file.tree.file.swift?.assumesLatestMode ?? false))
      addImports(of: file, index, to: &schema)
      addMigrations(of: file, index, to: &schema)
    }
    for (declaration, file) in enums {
      let (resolved, problems) = EnumReader.read(declaration, in: source(file), names)
      schema.enums.append(resolved)
      diagnostics += problems
    }
    for (declaration, file) in structs {
      let (resolved, problems) = StructReader.read(declaration, in: source(file), names)
      schema.structs.append(resolved)
      diagnostics += problems
    }
    var drafts: [EntityDraft] = []
    for (declaration, file) in models {
      let (draft, problems) = EntityReader.read(declaration, in: source(file), names)
      drafts.append(draft)
      diagnostics += problems
    }
    let problems = EntityLinker.link(drafts, names)
    diagnostics += problems
    schema.entities = drafts.map(\.entity)
    schema.enums += names.swift.enums
    schema.unsendable = names.swift.unsendable
    schema.spellings = names.swift.spellings
    addNestedTypes(to: &schema)
    addSwiftFields(to: &schema)
    diagnostics += NameChecks.check(schema)
    diagnostics += CompositeCycles.check(schema)
    diagnostics += FlattenedChecks.check(schema, names.suggestions)
    diagnostics += ColumnLimit.check(schema)
    return schema
  }

  /// Adds the nested types that properties use, directly or through other types.
  private func addNestedTypes(to schema: inout ResolvedSchema) {
    var waiting = schema.entities.flatMap { entity in
      entity.properties.flatMap { property -> [String] in
        guard case .attribute(let attribute) = property, !attribute.isTransient else { return [] }
        return attribute.type.declaredTypes
      }
    }
    waiting += schema.enums.flatMap { $0.cases.flatMap { $0.payload.flatMap(\.type.declaredTypes) } }
    waiting += schema.structs.flatMap { $0.fields.flatMap(\.type.declaredTypes) }
    while let name = waiting.popLast() {
      guard let (declaration, owner, file) = nested.removeValue(forKey: name) else { continue }
      if declaration.node.kind == .enumDeclaration {
        let (type, problems) = EnumReader.read(
          declaration, inside: owner, in: source(file), names)
        schema.enums.append(type)
        diagnostics += problems
        waiting += type.cases.flatMap { $0.payload.flatMap(\.type.declaredTypes) }
      } else {
        let (type, problems) = StructReader.read(
          declaration, inside: owner, in: source(file), names)
        schema.structs.append(type)
        diagnostics += problems
        waiting += type.fields.flatMap(\.type.declaredTypes)
      }
    }
  }

  /// Adds the JSON fields of Swift types that properties use, directly or through other types.
  private func addSwiftFields(to schema: inout ResolvedSchema) {
    // These types are not part of the schema, so the Swift compiler reports any problems.
    let names = SchemaNames(elsewhere: [], swift: types)
    let known = Set(schema.structs.map(\.name)).union(schema.enums.filter { $0.swift == nil }.map(\.name))
    var waiting = schema.entities.flatMap { entity in
      entity.properties.flatMap { property -> [String] in
        if case .attribute(let attribute) = property { attribute.type.namedTypes } else { [] }
      }
    }
    waiting += schema.structs.flatMap { $0.fields.flatMap(\.type.namedTypes) }
    var seen = known
    while let name = waiting.popLast() {
      guard seen.insert(name).inserted, let fields = types.fields(of: name.parts(separatedBy: "."), names) else {
        continue
      }
      schema.swiftFields[name] = fields
      waiting += fields.flatMap(\.type.namedTypes)
    }
  }

  private func source(_ file: Int) -> CarriedSource {
    CarriedSource(tree: group.files[file].tree, lines: group.files[file].lines, file: file)
  }

  private func collectNames() {
    let folders = Dictionary(
      firstOf: group.files.map { ($0.tree.fileIndex, $0.tree.file.folder) })
    for (index, file) in group.files.enumerated() {
      let lists: [([DeclarationSyntax], SchemaNames.Kind)] = [
        (file.models, .model), (file.enums, .enumeration), (file.structs, .structure),
      ]
      // In source order, so that the second of two equal names is reported.
      let all = lists.flatMap { list, kind in list.map { ($0, kind) } }
        .ordered { $0.0.node.firstToken < $1.0.node.firstToken }
      for (declaration, kind) in all {
        guard let name = declaration.name else { continue }
        guard names.declare(name, kind, declaration.nameRange) else {
          // A schema in two folders has already been reported, and the second folder is usually a copy.
          if let first = names.types[name]?.range, folders[first.file] == file.tree.file.folder {
            diagnostics.append(.duplicateType(name, declaration.nameRange, first: first))
          }
          continue
        }
        collectMembers(of: declaration, name, index)
        switch kind {
        case .model: models.append((declaration, index))
        case .enumeration: enums.append((declaration, index))
        case .structure: structs.append((declaration, index))
        }
      }
    }
  }

  private func collectMembers(
    of declaration: DeclarationSyntax, _ name: String, _ file: Int
  ) {
    if declaration.hasRawValues { names.rawTypes.insert(name) }
    for node in declaration.members {
      let member = DeclarationSyntax(node)
      switch node.kind {
      case .enumDeclaration, .structDeclaration:
        guard let inner = member.name else { continue }
        // In a Swift file, the type already exists, and generated code adds no conformances. It is encoded like any
        // type in the target.
        let isRead = member.access != .private && !member.isGeneric && !member.hasConditions
        guard isRead, !group.files[file].tree.file.isSwift else {
          names.declare(nested: inner, in: name)
          continue
        }
        let full = "\(name).\(inner)"
        let kind: SchemaNames.Kind = node.kind == .enumDeclaration ? .enumeration : .structure
        names.declare(nested: inner, in: name, kind, member.nameRange)
        nested[full] = (member, name, file)
        collectMembers(of: member, full, file)
      case .verbatimDeclaration:
        guard let inner = member.name else { continue }
        switch member.keyword {
        case .struct, .enum, .class, .actor, .typealias, .protocol:
          names.declare(nested: inner, in: name)
        default:
          if member.has(.static) { names.enumMembers[name, default: []].insert(inner) }
        }
      case .propertyDeclaration where member.has(.static):
        for binding in node.children(.binding) {
          guard let token = BindingSyntax(binding).nameToken else { continue }
          names.enumMembers[name, default: []].insert(node.tree.name(ofToken: token))
        }
      case .enumCaseDeclaration:
        for enumCase in node.children(.enumCase) where enumCase.hasTokens {
          names.declare(case: node.tree.name(ofToken: enumCase.firstToken), of: name)
        }
      default: continue
      }
    }
  }

  private func addImports(of file: FileOutline, _ index: Int, to schema: inout ResolvedSchema) {
    var seen: Set<String> = ["SwiftData", "Trellis"]
    for (module, declaration) in file.imports where seen.insert(module).inserted {
      schema.imports.append(
        ResolvedImport(
          module: module, access: declaration.access,
          isPreconcurrency: declaration.attribute(named: "preconcurrency") != nil, file: index))
    }
  }

  private func addMigrations(of file: FileOutline, _ index: Int, to schema: inout ResolvedSchema) {
    for node in file.migrations {
      guard let (migration, problems) = MigrationReader.read(node, in: source(index)) else { continue }
      schema.migrations.append(migration)
      diagnostics += problems
    }
  }
}

extension DeclarationSyntax {
  /// True if a type contains `#if`.
  fileprivate var hasConditions: Bool { members.contains { $0.kind == .conditionalBlock } }

  /// True for an enum with a raw type and for a type declared as `RawRepresentable`.
  fileprivate var hasRawValues: Bool {
    let inherited = inherited
    if inherited.contains(where: { $0.text == "RawRepresentable" }) { return true }
    guard node.kind == .enumDeclaration, let first = inherited.first,
      case .named(let parts, _) = first.shape, let name = parts.last
    else { return false }
    return ScalarType(rawValue: name) != nil
  }
}

extension Diagnostic {
  fileprivate static func duplicateType(
    _ name: String, _ range: SourceRange, first: SourceRange
  ) -> Self {
    Self(
      .duplicateDeclaration, at: range, "'\(name)' is declared twice",
      related: [.init(first, "the first declaration is here")])
  }
}
