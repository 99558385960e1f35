import SchemaDiagnostics
import SchemaModel
import SchemaSyntax

/// One version of the schema while it is put together.
struct SchemaPart {
  let number: SchemaVersion
  /// The enum it comes from; nil where there are no versions.
  let version: String?
  private let library: TypeLibrary
  private var pieces: [SwiftDeclaration] = []
  private var draft: DraftSchema
  private var spelledOut: Set<String> = []
  /// Dotted names of types that were taken out of others.
  private var shorter: [String: String] = [:]
  private(set) var notes: [ImportNote] = []
  private(set) var resolved: ResolvedSchema?

  /// - Parameter listed: the models of the version as they are named there; nil for all there are.
  init(
    _ library: TypeLibrary, name: String, number: SchemaVersion, version: String?, listed: [String]?,
    declaration: SwiftDeclaration? = nil
  ) {
    self.library = library
    self.number = number
    self.version = version
    draft = DraftSchema(name, number)
    guard let listed else {
      var names: [String: SwiftDeclaration] = [:]
      for model in library.declarations where model.kind == .model {
        if let other = names[model.name] {
          notes.append(
            library.note(
              .notCarried, model,
              "there are two models '\(model.name)'; the one in \(library.files[other.file].file.path) was taken"))
        } else {
          names[model.name] = model
          add(model)
        }
      }
      return
    }
    for path in listed {
      if let model = library.model(path, in: version) {
        add(model)
      } else if let declaration {
        notes.append(library.note(.notCarried, declaration, "model '\(path)' of \(number) is in none of the files"))
      }
    }
  }

  /// The declarations it has taken, by file and place.
  var used: [TypeLibrary.Key] { pieces.map(TypeLibrary.Key.init) }
  var modelCount: Int { pieces.count { $0.kind == .model } }
  var text: String { draft.text }

  private mutating func add(_ declaration: SwiftDeclaration) {
    guard !used.contains(TypeLibrary.Key(declaration)) else { return }
    var text = ImportedText()
    text.add(
      declaration.range, of: library.files[declaration.file], file: declaration.file,
      without: library.models(inside: declaration).map(\.range))
    text.rewrite(library.unqualified)
    let words = shorter
    text.rewrite { TypeLibrary.replace(words, in: $0) }
    open(declaration, &text)
    pieces.append(declaration)
    draft.declarations.append(text)
    for type in library.ambiguous(in: declaration, version) {
      insert(type, into: pieces.count - 1)
      notes.append(
        library.note(
          .check, type, "there are several types '\(type.name)'; this one stands inside of '\(declaration.name)' now"))
    }
    if let condition = declaration.condition {
      notes.append(
        library.note(
          .check, declaration,
          "'\(declaration.name)' stands inside of '\(condition)', and is in the schema without a condition"))
    }
    for inner in library.models(inside: declaration) where version == nil || library.versions.isEmpty {
      notes.append(
        library.note(.check, inner, "'\(inner.name)' stood inside of '\(declaration.name)', and stands beside it now"))
    }
  }

  mutating func addCustomStage(from: SchemaVersion, name: String, _ stage: SwiftVersions.Stage) {
    for line in ["migration from \(from) {", "    custom \(name)", "}"] { draft.migrations.add(line) }
    notes.append(
      library.note(
        .check, stage.file, stage.offset,
        "the code of this stage belongs into '\(name)' of the migration, which gets the old and the new rows"))
  }

  /// Takes in what the models need, and out what no schema can have.
  mutating func complete() {
    var compiled = draft.compile()
    var files: Set<Int> = []
    for _ in 0..<10_000 {
      if files != Set(pieces.map(\.file)) {
        files = Set(pieces.map(\.file))
        draft.imports = library.imports(of: files)
      }
      compiled = draft.compile()
      if takeIn(compiled) || takeInParts(compiled.compilation.schemas.first) { continue }
      guard draft.takeOut(compiled) else { break }
    }
    finish(compiled)
  }

  /// Types that are used and not there yet.
  private mutating func takeIn(_ compiled: DraftSchema.Compiled) -> Bool {
    let about: Set<DiagnosticID> = [.unknownType, .opaqueCodable, .opaqueWithoutValue]
    var isNew = false
    for diagnostic in compiled.compilation.diagnostics where about.contains(diagnostic.id) {
      guard case (.declaration(let index), let place)? = compiled.place(at: diagnostic.range.start) else { continue }
      let text = compiled.file.text(from: diagnostic.range.start, to: diagnostic.range.end)
      for path in Self.typeNames(text) {
        isNew = takeIn(nested: path, in: index) || takeIn(path) || spellOut(path, index, place.line) || isNew
      }
    }
    return isNew
  }

  /// A type of an extension of the model, which belongs into it.
  private mutating func takeIn(nested path: String, in index: Int) -> Bool {
    for name in path.split(separator: ".").map(String.init) {
      guard let nested = library.nested(in: pieces[index], named: name, version),
        !draft.declarations[index].has(nested, library)
      else { continue }
      insert(nested, into: index)
      return true
    }
    return false
  }

  private mutating func insert(_ type: SwiftDeclaration, into index: Int) {
    var text = ImportedText()
    text.add("")
    text.add(type.range, of: library.files[type.file], file: type.file, indent: "    ")
    text.rewrite(library.unqualified)
    open(type, &text)
    draft.declarations[index].insertBeforeLast(text)
  }

  /// Generated code is in several files, which all need the types that are stored.
  private mutating func open(_ type: SwiftDeclaration, _ text: inout ImportedText) {
    guard type.kind == .valueEnum || type.kind == .structure else { return }
    let line = text.lines.firstIndex { line in
      let rest = line.drop { $0 == " " }
      return rest.hasPrefix("private ") || rest.hasPrefix("fileprivate ")
    }
    guard let line, text.lines[line].contains(" \(type.name)") else { return }
    text.rewrite(line: line) { line in
      let margin = line.prefix { $0 == " " }
      return String(margin + line.dropFirst(margin.count).drop { $0 != " " }.dropFirst())
    }
    notes.append(library.note(.check, type, "'\(type.name)' was private to its file, and is not any more"))
  }

  /// What a `typealias` stands for.
  private mutating func spellOut(_ path: String, _ index: Int, _ line: Int) -> Bool {
    let name = path.split(separator: ".").first.map(String.init) ?? path
    guard let alias = library.alias(name, in: version), alias.target != name,
      spelledOut.insert("\(index) \(line) \(name)").inserted
    else { return false }
    draft.declarations[index].rewrite(line: line) { TypeLibrary.replace([name: alias.target], in: $0) }
    notes.append(
      library.note(.hint, alias.file, alias.offset, "'\(name)' is written as '\(alias.target)': a schema has no typealias"))
    return true
  }

  /// What structs and enums are made of, which the compiler takes as it is.
  private mutating func takeInParts(_ schema: ResolvedSchema?) -> Bool {
    guard let schema else { return false }
    let types = schema.structs.flatMap { $0.fields.map(\.type) }
      + schema.enums.flatMap { $0.cases.flatMap { $0.payload.map(\.type) } }
    var isNew = false
    for name in types.flatMap(\.opaqueTypes) { isNew = takeIn(name) || isNew }
    return isNew
  }

  private mutating func takeIn(_ path: String) -> Bool {
    let versions = library.versions
    let isWanted = { (type: SwiftDeclaration) in
      type.kind == .model || (type.kind == .valueEnum || type.kind == .structure) && !versions.contains(type.name)
    }
    // `Kind.open` may be a value of `Kind`.
    let shorter = path.split(separator: ".").dropLast().joined(separator: ".")
    guard let type = library.type(path, in: version, where: isWanted)
      ?? (shorter.isEmpty ? nil : library.type(shorter, in: version, where: isWanted)),
      !used.contains(TypeLibrary.Key(type)),
      !type.scopes.contains(where: { scope in pieces.contains { $0.name == scope } })
    else { return false }
    add(type)
    // A schema has no type around it.
    for start in type.scopes.indices {
      let path = (type.scopes[start...] + [type.name]).joined(separator: ".")
      self.shorter[path] = type.name
    }
    let words = self.shorter
    for index in draft.declarations.indices {
      draft.declarations[index].rewrite { TypeLibrary.replace(words, in: $0) }
    }
    if !library.isCodable(type), type.kind != .model {
      notes.append(library.note(.check, type, "'\(type.name)' is stored and says nowhere that it is Codable"))
    }
    return true
  }

  /// `[Trip.Kind]?` names `Trip.Kind`.
  private static func typeNames(_ text: String) -> [String] {
    text.split { !($0.isLetter || $0.isNumber || $0 == "_" || $0 == ".") }.map(String.init)
      .filter { $0.first.map { $0.isLetter || $0 == "_" } ?? false }
  }

  private mutating func finish(_ compiled: DraftSchema.Compiled) {
    notes += draft.refusals.map { library.note(.notCarried, $0.origin, $0.message) }
    resolved = compiled.compilation.hasErrors ? nil : compiled.compilation.schemas.first
    for warning in compiled.compilation.diagnostics where warning.severity == .warning {
      notes.append(library.note(.check, draft.origin(at: warning.range.start, compiled), warning.message))
    }
    notes += ShadowColumns.find(in: resolved).map { attribute, computed in
      library.note(
        .hint, draft.origin(at: attribute.range.start, compiled),
        "'\(attribute.name)' is kept for '\(computed)': a schema stores the enum itself: "
          + "'@Attribute(originalName: \"\(attribute.name)\") var \(computed): …'")
    }
  }
}

extension ValueType {
  /// The names of the types it is made of that the schema does not declare.
  fileprivate var opaqueTypes: [String] {
    switch self {
    case .opaque(let name): name.split { !($0.isLetter || $0.isNumber || "_.".contains($0)) }.map(String.init)
    case .optional(let type), .array(let type), .set(let type): type.opaqueTypes
    case .dictionary(let key, let value): key.opaqueTypes + value.opaqueTypes
    case .scalar, .enumeration, .structure: []
    }
  }
}
