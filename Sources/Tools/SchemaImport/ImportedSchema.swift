import SchemaDiagnostics
import SchemaDiff
import SchemaModel
import SchemaSyntax
import SchemaVersions

/// A schema with all versions, created from a family of Swift declarations.
struct ImportedSchema {
  let name: String
  private(set) var parts: [SchemaPart]
  private let members: [SchemaFamily.Version]
  private let plan: MigrationPlans.Plan?
  private let library: TypeLibrary
  private(set) var notes: [ImportNote] = []
  private(set) var copied: [ImportNote] = []
  private var code: [MigrationCode.Step] = []

  /// Creates a schema from a version family.
  init(_ name: String, _ family: SchemaFamily, _ library: TypeLibrary) {
    self.name = name
    self.library = library
    members = family.versions
    plan = family.plan
    parts = family.versions.map { SchemaPart(library, name: name, $0) }
  }

  /// Creates a schema with a single version that no enum declares.
  init(_ name: String, _ part: SchemaPart, _ library: TypeLibrary) {
    self.name = name
    self.library = library
    members = []
    plan = nil
    parts = [part]
    parts[0].complete()
  }

  var used: Set<TypeLibrary.Key> { Set(parts.flatMap(\.used)) }
  /// The type names, including those in versions.
  var names: Set<String> { parts.last?.names ?? [] }
  var planName: String? { plan?.name }

  /// Adds a model to the newest version. Returns false if that version already contains a model with the name.
  mutating func take(_ model: SwiftDeclaration, why: String) -> Bool {
    guard let head = parts.indices.last, !parts[head].has(model.name) else { return false }
    parts[head].take(model, why: "\(why); it is added to \(parts[head].number)")
    parts[head].complete()
    return true
  }

  /// Adds migrations between versions and the notes for each version.
  mutating func finish(_ stages: [MigrationPlans.Stage]) {
    var members = members
    var stages = stages
    var used: Set<Int> = []
    var index = 1
    while index < parts.count {
      let older = parts[..<index].compactMap(\.resolved)
      guard older.count == index, parts[index].resolved != nil else {
        index += 1
        continue
      }
      let (from, to) = (members[index - 1], members[index])
      let place = stages.firstIndex { $0.from == from.source.path && $0.to == to.source.path }
      if let place { used.insert(place) }
      let stage = place.map { stages[$0] }
      guard !isSame(older[index - 1], parts[index]) else {
        // Keep the newest version's number.
        let gone = index == parts.count - 1 ? index - 1 : index
        let (lost, kept) = (members[gone].source.path, members[gone == index ? index - 1 : index].source.path)
        if let stage, stage.isCustom { notes.append(left(stage, "changes no model")) }
        for stage in stages.indices {
          if stages[stage].from == lost { stages[stage].from = kept }
          if stages[stage].to == lost { stages[stage].to = kept }
        }
        notes.append(
          library.note(
            .hint, members[gone].source.declaration,
            "'\(to.source.title)' equals '\(from.source.title)'; both are imported as a single version"))
        code.removeAll { $0.to == parts[gone].number }
        parts.remove(at: gone)
        members.remove(at: gone)
        index = max(gone == index ? index : index - 1, 1)
        continue
      }
      parts[index].addMigration(from: older, source(from, to, stage), at: to.source.declaration)
      note(from, to, stage, index)
      index += 1
    }
    let paths = members.map(\.source.path)
    for (place, stage) in stages.enumerated() where !used.contains(place) && stage.isCustom && stage.from != stage.to {
      guard paths.contains(stage.from) || paths.contains(stage.to) else { continue }
      notes.append(left(stage, "does not connect consecutive versions"))
    }
    for index in parts.indices { parts[index].finish() }
    notes += parts.flatMap(\.notes)
    copied += parts.last?.copied ?? []
  }

  private func left(_ stage: MigrationPlans.Stage, _ why: String) -> ImportNote {
    library.note(
      .notCarried, stage.file, stage.offset,
      "the stage from '\(stage.from.last ?? "")' to '\(stage.to.last ?? "")' \(why); the code is not carried over")
  }

  private func isSame(_ old: ResolvedSchema, _ new: SchemaPart) -> Bool {
    guard let new = new.resolved else { return false }
    return old.fingerprint() == new.fingerprint()
      && SchemaDiff.changes(from: old, to: new).allSatisfy { $0.effect == .automatic }
  }

  private func source(
    _ from: SchemaFamily.Version, _ to: SchemaFamily.Version, _ stage: MigrationPlans.Stage?
  ) -> ImportedHop.Source {
    let way = "from \(from.source.name) to \(to.source.name)"
    let said = stage.map { "the \($0.isCustom ? "custom" : "lightweight") stage \(way)" }
    return ImportedHop.Source(
      reason: said.map { "\($0) in the SwiftData source" } ?? "SwiftData had no stage \(way)",
      follows: said.map { "as in \($0)" } ?? "but the source has no stage \(way), so rows lose the data",
      equalRows: "SwiftData does not specify how equal rows are handled",
      impossible:
        "the value for rows from \(from.number) is unknown; if stores contain such rows, "
        + "use 'fill' instead of 'accept'",
      custom: "migrate\(from.source.name)To\(to.source.name)", hasCode: stage?.isCustom ?? false,
      leavesOpen: stage == nil)
  }

  /// Adds notes about the functions that the app must implement.
  private mutating func note(
    _ from: SchemaFamily.Version, _ to: SchemaFamily.Version, _ stage: MigrationPlans.Stage?, _ index: Int
  ) {
    for step in parts[index].customSteps {
      code.append(
        MigrationCode.Step(
          name: step, from: parts[index - 1].number, to: to.number, stage: stage?.isCustom == true ? stage?.text : nil))
      guard let stage, stage.isCustom else { continue }
      copied.append(
        library.note(
          .copied, stage.file, stage.offset,
          "the stage's code was copied as a comment to '\(step)' in \(codeName); implement this function, "
            + "which throws an error until then"))
    }
  }

  private var codeName: String { "\(name)Migrations.swift" }

  /// The files to write, and the problems found in migrations.
  var files: (files: [ImportResult.File], problems: [String]) {
    let versions = parts.map { ImportedVersions.Version(number: $0.number, text: $0.text, resolved: $0.resolved) }
    var (files, problems) = ImportedVersions(name: name, versions: versions).files
    if !code.isEmpty { files.append(.init(path: codeName, text: MigrationCode(schema: name, steps: code).text)) }
    return (files, problems)
  }
}
