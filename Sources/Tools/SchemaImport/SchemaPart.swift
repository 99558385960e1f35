import SchemaDiagnostics
import SchemaModel
import SchemaSyntax

/// A schema version under construction.
struct SchemaPart {
  let number: SchemaVersion
  /// The enum that declares the version; nil if the source has no versions.
  let version: [String]?
  let library: TypeLibrary
  var pieces: [SwiftDeclaration] = []
  var draft: DraftSchema
  var spelledOut: Set<String> = []
  /// Static members imported from extensions.
  var taken: Set<String> = []
  /// New names for types that were moved out of enclosing types, by qualified name.
  var shorter: [String: String] = [:]
  var notes: [ImportNote] = []
  var copied: [ImportNote] = []
  private(set) var resolved: ResolvedSchema?

  /// Creates a version that contains all models.
  init(_ library: TypeLibrary, name: String) {
    self.init(library, name: name, number: SchemaVersion(1, 0, 0), version: nil)
    var names: [String: SwiftDeclaration] = [:]
    for model in library.declarations where model.kind == .model {
      if let other = names[model.name] {
        notes.append(
          library.note(
            .notCarried, model,
            "duplicate model '\(model.name)'; the declaration in \(library.files[other.file].file.path) is imported"))
      } else {
        names[model.name] = model
        add(model)
      }
    }
  }

  /// Creates a version with the models that the source version lists or declares.
  init(_ library: TypeLibrary, name: String, _ member: SchemaFamily.Version) {
    self.init(library, name: name, number: member.number, version: member.source.path)
    let source = member.source
    for path in source.models {
      if let model = library.model(path, in: source.path) {
        add(model)
      } else {
        notes.append(
          library.note(
            .notCarried, source.declaration, "model '\(path)' in version \(number) is not declared in any file"))
      }
    }
    for word in source.unread {
      notes.append(
        library.note(
          .notCarried, source.declaration, "'\(word)' in the models of version \(number) is not a known model"))
    }
    if source.models.isEmpty, source.unread.isEmpty {
      notes.append(
        library.note(.notCarried, source.declaration, "cannot read the list of models in version \(number)"))
    }
    complete()
    // Types in the version, even if no stored property uses them.
    for type in library.declarations where type.kind == .valueEnum || type.kind == .structure {
      if type.scopes == source.path, library.isCodable(type), !has(type.name) { add(type) }
    }
    // Models that no relationship refers to.
    for model in library.declarations where model.kind == .model && library.version(of: model) == source.path {
      guard !used.contains(TypeLibrary.Key(model)), !has(model.name) else { continue }
      take(model, why: "'\(model.name)' is declared in version \(number) but missing from the models; it is added")
    }
    complete()
  }

  init(_ library: TypeLibrary, name: String, number: SchemaVersion, version: [String]?) {
    self.library = library
    self.number = number
    self.version = version
    draft = DraftSchema(name, number)
  }

  /// Returns true if the version contains a type with the name.
  func has(_ name: String) -> Bool { pieces.contains { $0.name == name } }

  /// The version's type names.
  var names: Set<String> { Set(pieces.map(\.name)) }

  /// Adds a model that no version lists.
  mutating func take(_ model: SwiftDeclaration, why: String) {
    add(model)
    notes.append(library.note(.check, model, why))
  }

  /// The imported declarations.
  var used: [TypeLibrary.Key] { pieces.map(TypeLibrary.Key.init) }
  var modelCount: Int { pieces.count { $0.kind == .model } }
  var text: String { draft.text }

  mutating func add(_ declaration: SwiftDeclaration) {
    guard !used.contains(TypeLibrary.Key(declaration)) else { return }
    var text = ImportedText()
    text.add(
      declaration.range, of: library.files[declaration.file], file: declaration.file,
      without: library.models(inside: declaration).map(\.range))
    text.rewrite(library.unqualified)
    let words = shorter
    text.rewrite { TypeLibrary.replace(words, in: $0) }
    open(declaration, &text)
    for type in library.declarations where type.kind == .valueEnum || type.kind == .structure {
      if type.file == declaration.file, declaration.body.contains(type.range.lowerBound), declaration.kind == .model {
        open(type, &text)
      }
    }
    pieces.append(declaration)
    draft.declarations.append(text)
    for type in library.ambiguous(in: declaration) {
      insert(type, into: pieces.count - 1)
      notes.append(
        library.note(
          .check, type, "several types are named '\(type.name)'; this type is now nested in '\(declaration.name)'"))
    }
    if let condition = declaration.condition {
      notes.append(
        library.note(
          .check, declaration,
          "'\(declaration.name)' is declared in '\(condition)'; the schema ignores the condition"))
    }
    for inner in library.models(inside: declaration) where version == nil || library.versions.isEmpty {
      notes.append(
        library.note(.check, inner, "'\(inner.name)' was nested in '\(declaration.name)' and is now a top-level model"))
    }
  }

  /// Adds the types that the models need and removes declarations that a schema cannot contain.
  mutating func complete() {
    var files: Set<Int> = []
    for _ in 0..<10_000 {
      if files != Set(pieces.map(\.file)) {
        files = Set(pieces.map(\.file))
        draft.imports = library.imports(of: files)
      }
      let compiled = draft.compile()
      if adoptSuperclass() || adoptDestinations(compiled) || adopt(compiled)
        || adoptParts(compiled.compilation.schemas.first)
      {
        continue
      }
      if adoptStatic(compiled) || draft.mend(compiled) { continue }
      guard draft.cut(compiled) || draft.cutUses(compiled) else { break }
    }
    let compilation = draft.compile().compilation
    resolved = compilation.hasErrors ? nil : compilation.schemas.first
  }

  /// Adds the migration from the previous version.
  mutating func addMigration(from older: [ResolvedSchema], _ source: ImportedHop.Source, at place: SwiftDeclaration) {
    let lines = source.hasCode ? ["custom \(source.custom)"] : []
    let (schema, steps) = draft.addMigration(from: older, source, lines: lines)
    resolved = schema
    notes += steps.map { library.note($0.needsCheck ? .check : .hint, place, $0.message) }
  }

  /// The custom steps, which the app must implement.
  var customSteps: [String] {
    resolved?.migrations.flatMap(\.steps).compactMap { step in
      if case .custom(let custom) = step { custom.name } else { nil }
    } ?? []
  }

  /// Adds notes after the version is complete.
  mutating func finish() {
    let compiled = draft.compile()
    notes += draft.refusals.map { library.note(.notCarried, $0.origin, $0.message) }
    notes += draft.changes.map { library.note($0.kind, $0.origin, $0.message) }
    for warning in compiled.compilation.diagnostics where warning.severity == .warning {
      notes.append(library.note(.check, draft.origin(at: warning.range.start, compiled), warning.message))
    }
    notes += ShadowColumns.find(in: resolved).map { attribute, computed in
      library.note(
        .hint, draft.origin(at: attribute.range.start, compiled),
        "'\(attribute.name)' stores the raw value of '\(computed)'; a schema can store the enum directly: "
          + "'@Attribute(originalName: \"\(attribute.name)\") var \(computed): …'")
    }
    guard let tree = compiled.compilation.trees.first else { return }
    notes += draft.unclearUses(compiled, tree).map { library.note($0.kind, $0.origin, $0.message) }
    let members = DraftSchema.members(tree).filter(\.isCode)
    for piece in pieces where piece.kind == .model {
      let titles = members.filter { $0.ownerName == piece.name }.map { "'\($0.title)'" }
      guard !titles.isEmpty else { continue }
      copied.append(library.note(.copied, piece, "code of '\(piece.name)': \(titles.joined(separator: ", "))"))
    }
  }

  /// Property counts per class in the schema.
  var properties: [TypeLibrary.Key: Int] {
    var counts: [TypeLibrary.Key: Int] = [:]
    for entity in resolved?.entities ?? [] {
      guard let piece = pieces.first(where: { $0.kind == .model && $0.name == entity.name }) else { continue }
      counts[TypeLibrary.Key(piece)] = entity.properties.count
    }
    return counts
  }
}
