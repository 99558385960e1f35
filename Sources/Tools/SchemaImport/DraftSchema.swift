import SchemaDiagnostics
import SchemaDiff
import SchemaModel
import SchemaSyntax
import SchemaVersions

/// A schema file under construction, with its compiler diagnostics.
struct DraftSchema {
  /// The file section that contains a line.
  enum Section: Hashable {
    case imports, migrations
    case declaration(Int)
  }

  /// The complete file and the compiler's result.
  struct Compiled {
    var compilation: SchemaCompilation
    var file: SourceFile
    let table: LineTable
    let places: [(section: Section, line: Int)?]

    /// Converts a file offset to a section and a position in it.
    func place(at offset: Int) -> (section: Section, place: ImportedText.Place)? {
      let position = table.position(at: offset)
      guard places.indices.contains(position.line - 1), let place = places[position.line - 1] else { return nil }
      return (place.section, ImportedText.Place(line: place.line, column: position.column - 1))
    }
  }

  /// A declaration that the compiler rejects.
  struct Refusal {
    var origin: ImportedText.Origin?
    var message: String
  }

  let name: String
  let version: SchemaVersion
  var imports = ImportedText()
  var declarations: [ImportedText] = []
  var migrations = ImportedText()
  private(set) var refusals: [Refusal] = []
  /// The applied syntax changes.
  var changes: [Change] = []
  /// The attempted syntax changes.
  var mended: Set<String> = []
  /// The new names of properties that the import renamed, for example `Trip.storedHash`.
  var given: Set<String> = []
  /// Removed members by class.
  var gone: [String: Set<String>] = [:]

  init(_ name: String, _ version: SchemaVersion) {
    self.name = name
    self.version = version
  }

  subscript(_ section: Section) -> ImportedText {
    get {
      switch section {
      case .imports: imports
      case .migrations: migrations
      case .declaration(let index): declarations[index]
      }
    }
    set {
      switch section {
      case .imports: imports = newValue
      case .migrations: migrations = newValue
      case .declaration(let index): declarations[index] = newValue
      }
    }
  }

  var text: String { layout.lines.joined(separator: "\n") + "\n" }

  private var layout: (lines: [String], places: [(section: Section, line: Int)?]) {
    var lines = ["schema \(name) \(version)"]
    var places: [(section: Section, line: Int)?] = [nil]
    for section in [.imports] + declarations.indices.map(Section.declaration) + [.migrations] {
      let text = self[section]
      guard !text.lines.isEmpty else { continue }
      lines.append("")
      places.append(nil)
      lines += text.lines
      places += text.lines.indices.map { (section, $0) }
    }
    return (lines, places)
  }

  func compile() -> Compiled {
    let (lines, places) = layout
    let file = SourceFile(path: "\(name).schema", text: lines.joined(separator: "\n") + "\n")
    return Compiled(
      compilation: SchemaCompiler.compile([file]), file: file, table: LineTable(file), places: places)
  }

  func origin(at offset: Int, _ compiled: Compiled) -> ImportedText.Origin? {
    guard let (section, place) = compiled.place(at: offset) else { return nil }
    let origins = self[section].origins
    // A line without an origin was written by the import and belongs to the next source line.
    return origins.indices.contains(place.line) ? origins[place.line...].lazy.compactMap { $0 }.first : nil
  }

  /// Removes code that the compiler rejects, at most one location per declaration, because an error can cause further
  /// errors. Returns false if nothing was removed.
  mutating func cut(_ compiled: Compiled) -> Bool {
    let errors = compiled.compilation.diagnostics.filter { $0.severity == .error }
    guard let first = errors.first, let tree = compiled.compilation.trees.first else { return false }
    let before = layout.lines
    var done: Set<Section> = []
    for error in errors where error.id == first.id {
      guard let (section, _) = compiled.place(at: error.range.start), done.insert(section).inserted else { continue }
      refuse(error, section, tree, compiled)
    }
    if done.isEmpty {
      let message = [first.message, first.help].compactMap { $0 }.joined(separator: "; ")
      refusals.append(Refusal(origin: nil, message: message))
    }
    return !done.isEmpty && layout.lines != before
  }

  mutating func add(_ refusal: Refusal) { refusals.append(refusal) }

  private mutating func refuse(
    _ error: Diagnostic, _ section: Section, _ tree: SyntaxTree, _ compiled: Compiled
  ) {
    let (range, isHeader) = tree.part(around: error.range)
    let origin = origin(at: isHeader ? error.range.start : range.start, compiled)
    refusals.append(
      Refusal(origin: origin, message: [error.message, error.help].compactMap { $0 }.joined(separator: "; ")))
    // Remove a rejected attribute such as `@Observable` and keep the class.
    if isHeader, let edit = error.fixIts.first?.edits.first, error.fixIts.count == 1, edit.replacement.isEmpty,
      compiled.file.text(from: edit.range.start, to: edit.range.end).hasPrefix("@"),
      let (_, start) = compiled.place(at: edit.range.start), let (_, end) = compiled.place(at: edit.range.end),
      start.line == end.line
    {
      self[section].remove(from: start, to: end)
      return
    }
    guard let (own, start) = compiled.place(at: range.start), own == section,
      let (last, end) = compiled.place(at: range.end), last == section
    else {
      // Remove a line that belongs to no declaration.
      guard let (_, place) = compiled.place(at: error.range.start) else { return }
      let count = self[section].lines[place.line].utf8.count
      self[section].cut(
        from: .init(line: place.line, column: 0), to: .init(line: place.line, column: count), why: error.message)
      return
    }
    if !isHeader, let member = Self.member(at: range.start, tree) {
      gone[member.ownerName, default: []].formUnion(member.names)
    }
    self[section].cut(from: start, to: end, why: error.message)
  }
}

extension SyntaxTree {
  /// Returns the member that contains a range, or the whole declaration if the range is in the header.
  fileprivate func part(around range: SourceRange) -> (SourceRange, isHeader: Bool) {
    for node in root.children where node.range.start <= range.start && range.start < node.range.end {
      let member = DeclarationSyntax(node).members.first {
        $0.range.start <= range.start && range.start < max($0.range.end, $0.range.start + 1)
      }
      return (member?.range ?? node.range, member == nil)
    }
    return (SourceRange(file: fileIndex, start: -1, end: -1), false)
  }
}

extension DraftSchema {
  /// Removes each `originalName` that no earlier version contains or that two properties declare. Returns false if
  /// nothing was removed.
  mutating func dropOrigins(from older: [ResolvedSchema]) -> Bool {
    let compiled = compile()
    guard !compiled.compilation.hasErrors, let resolved = compiled.compilation.schemas.first,
      let tree = compiled.compilation.trees.first
    else { return false }
    let lock = SchemaHistory(head: resolved, frozen: older).rebuiltLock
    let problems = SchemaHistory(head: resolved, frozen: older, lock: lock).check()
      .filter { [.originalNameUnknown, .originalNameConflict].contains($0.id) && $0.severity == .error }
    var edits: [TextEdit] = []
    for problem in problems {
      guard let attribute = Self.attribute(at: problem.range.start, tree),
        let argument = attribute.arguments.first(where: { $0.label == "originalName" })
      else { continue }
      // The import may have renamed the property in the earlier version.
      if let member = Self.member(at: problem.range.start, tree),
        let now = Self.name(of: argument.value?.text ?? "", in: member.ownerName, resolved, older)
      {
        edits.append(TextEdit(argument.range, "originalName: \"\(now)\""))
        continue
      }
      let isAlone = attribute.arguments.count == 1
      edits.append(
        TextEdit(isAlone && attribute.name != "Model" ? attribute.removalRange : argument.removalRange, ""))
      // A name that the import assigned refers to no earlier version.
      let title = Self.member(at: problem.range.start, tree).map { "\($0.ownerName).\($0.title)" }
      guard title.map({ !given.contains($0) }) ?? true else { continue }
      changes.append(
        Change(
          kind: .check, origin: origin(at: problem.range.start, compiled),
          message: "'originalName' was removed: \(problem.message)"))
    }
    return apply(edits, compiled)
  }

  private static func name(
    of origin: String, in owner: String, _ schema: ResolvedSchema, _ older: [ResolvedSchema]
  ) -> String? {
    let entity = schema.entities.first { $0.name == owner }
    let before =
      older.last?.entities.first { $0.name == owner } ?? older.last?.entities.first { $0.name == entity?.originalName }
    return before?.properties.first { "\"\($0.originalName ?? "")\"" == origin }?.name
  }

  private static func attribute(at offset: Int, _ tree: SyntaxTree) -> AttributeSyntax? {
    if let member = member(at: offset, tree) {
      return ["Attribute", "Relationship"].lazy.compactMap { member.declaration.attribute(named: $0) }
        .first { $0.arguments.contains { $0.label == "originalName" } }
    }
    let node = tree.root.children.first { $0.range.start <= offset && offset < $0.range.end }
    return node.flatMap { DeclarationSyntax($0).attribute(named: "Model") }
  }
}
