import SchemaDiagnostics
import SchemaModel
import SchemaSyntax

/// One version of the schema while it is put together.
struct SchemaPart {
  let number: SchemaVersion
  /// The enum it comes from; nil where there are no versions.
  let version: String?
  private let name: String
  private let library: TypeLibrary
  private var pieces: [(declaration: SwiftDeclaration, text: ImportedText)] = []
  private var migrations = ImportedText()
  private var body = ImportedText()
  private(set) var notes: [ImportNote] = []
  private(set) var resolved: ResolvedSchema?

  /// - Parameter listed: the models of the version as they are named there; nil for all there are.
  init(
    _ library: TypeLibrary, name: String, number: SchemaVersion, version: String?, listed: [String]?,
    declaration: SwiftDeclaration? = nil
  ) {
    self.library = library
    self.name = name
    self.number = number
    self.version = version
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
      if let model = library.type(path, in: version, where: { $0.kind == .model }) {
        add(model)
      } else if let declaration {
        notes.append(library.note(.notCarried, declaration, "model '\(path)' of \(number) is in none of the files"))
      }
    }
  }

  /// The declarations it has taken.
  var used: [Range<Int>] { pieces.map(\.declaration.range) }
  var modelCount: Int { pieces.count { $0.declaration.kind == .model } }
  var text: String { body.text }

  private mutating func add(_ declaration: SwiftDeclaration) {
    guard !pieces.contains(where: { $0.declaration.range == declaration.range && $0.declaration.file == declaration.file })
    else { return }
    var text = ImportedText()
    text.add(declaration.range, of: library.files[declaration.file], file: declaration.file)
    text.removeQualifiers(library.versions)
    pieces.append((declaration, text))
  }

  mutating func addCustomStage(
    from: SchemaVersion, name: String, _ stage: SwiftVersions.Stage, _ files: [SwiftFile]
  ) {
    for line in ["migration from \(from) {", "    custom \(name)", "}"] { migrations.add(line) }
    notes.append(
      library.note(
        .check, stage.file, stage.offset,
        "the code of this stage belongs into '\(name)' of the migration, which gets the old and the new rows"))
  }

  /// Takes in what the models need, and out what no schema can have.
  mutating func complete() {
    for _ in 0..<400 {
      assemble()
      let file = SourceFile(path: "\(name).schema", text: body.text)
      let compilation = SchemaCompiler.compile([file])
      if takeIn(compilation.diagnostics, file) || takeInParts(compilation.schemas.first) { continue }
      if takeOut(compilation, file) { continue }
      finish(compilation, file)
      return
    }
  }

  private mutating func assemble() {
    let removed = body.removed
    body = ImportedText()
    body.add("schema \(name) \(number)")
    for piece in pieces {
      body.add("")
      body.append(piece.text)
    }
    if !migrations.lines.isEmpty {
      body.add("")
      body.append(migrations)
    }
    body.removed = removed
    body.applyRemovals()
  }

  /// Types that are used and not there yet.
  private mutating func takeIn(_ diagnostics: [Diagnostic], _ file: SourceFile) -> Bool {
    let about: Set<DiagnosticID> = [.unknownType, .opaqueCodable, .opaqueWithoutValue]
    var isNew = false
    for diagnostic in diagnostics where about.contains(diagnostic.id) {
      let text = file.text(from: diagnostic.range.start, to: diagnostic.range.end)
      for path in Self.typeNames(text) {
        let table = LineTable(file)
        let origin = body.origin(ofLine: table.line(at: diagnostic.range.start))
        if let index = pieces.firstIndex(where: { piece in
          origin.map { $0.file == piece.declaration.file && piece.text.origins.contains { $0?.line == origin?.line } } ?? false
        }), let last = path.split(separator: ".").last.map(String.init),
          let nested = library.nested(in: pieces[index].declaration, named: last, version),
          !pieces[index].text.has(nested, library)
        {
          var text = ImportedText()
          text.add("")
          text.add(nested.range, of: library.files[nested.file], file: nested.file, indent: "    ")
          text.removeQualifiers(library.versions)
          pieces[index].text.insertBeforeLast(text)
          isNew = true
          continue
        }
        isNew = takeIn(path) || isNew
      }
    }
    return isNew
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
    let isWanted = { (type: SwiftDeclaration) in
      type.kind == .model || (type.kind == .valueEnum || type.kind == .structure) && !library.versions.contains(type.name)
    }
    guard let type = library.type(path, in: version, where: isWanted),
      !pieces.contains(where: { $0.declaration.range == type.range && $0.declaration.file == type.file }),
      !type.scopes.contains(where: { scope in pieces.contains { $0.declaration.name == scope } })
    else { return false }
    add(type)
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

  /// The first declaration that is refused.
  private mutating func takeOut(_ compilation: SchemaCompilation, _ file: SourceFile) -> Bool {
    guard let error = compilation.diagnostics.first(where: { $0.severity == .error }), let tree = compilation.trees.first
    else { return false }
    let table = LineTable(file)
    guard let lines = tree.lines(around: error.range, table) else {
      notes.append(
        library.note(.notCarried, body.origin(ofLine: table.line(at: error.range.start)), error.message))
      return false
    }
    let origin = body.origin(ofLine: lines.lowerBound)
    notes.append(library.note(.notCarried, origin, [error.message, error.help].compactMap { $0 }.joined(separator: "; ")))
    guard let origin else { return false }
    body.remove(origin, lines.count, why: error.message)
    return true
  }

  private mutating func finish(_ compilation: SchemaCompilation, _ file: SourceFile) {
    let table = LineTable(file)
    resolved = compilation.hasErrors ? nil : compilation.schemas.first
    for warning in compilation.diagnostics where warning.severity == .warning {
      let origin = body.origin(ofLine: table.line(at: warning.range.start))
      notes.append(library.note(.check, origin, warning.message))
    }
    notes += ShadowColumns.find(in: resolved).map { attribute, computed in
      library.note(
        .hint, body.origin(ofLine: table.line(at: attribute.range.start)),
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
