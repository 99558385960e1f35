import SchemaDiagnostics
import SchemaFormat
import SchemaModel
import SchemaSyntax
import SchemaVersions

/// A Core Data model version during conversion to a schema.
struct CoreDataPart {
  /// For example `Model 2`.
  let title: String
  let path: String
  let model: CoreDataModel
  private var draft: DraftSchema
  private(set) var notes: [ImportNote]
  private(set) var resolved: ResolvedSchema?

  init(
    _ version: CoreDataSource.Version, _ model: CoreDataModel, _ renames: CoreDataRenames, name: String,
    number: SchemaVersion
  ) {
    title = version.name
    path = version.file.path
    self.model = model
    let writer = CoreDataWriter(model, renames, path: path)
    notes = writer.notes
    draft = DraftSchema(name, number)
    draft.declarations = writer.declarations
    complete()
  }

  var number: SchemaVersion { draft.version }
  /// The text in the layout of `trellis format`.
  var text: String { SchemaFormatter.format(draft.text) }
  var modelCount: Int { resolved?.entities.count ?? 0 }

  private mutating func complete() {
    var compiled = draft.compile()
    for _ in 0..<10_000 {
      let isRenamed = draft.mend(compiled, only: DraftSchema.namingProblems)
      guard isRenamed || draft.cut(compiled) || dropSuperclasses(compiled) else { break }
      compiled = draft.compile()
    }
    notes += draft.refusals.map { refusal in
      ImportNote(
        .notCarried, path, refusal.origin?.line ?? 1, refusal.message, topic: CoreDataTopic.refused.rawValue)
    }
    notes += draft.changes.map { change in
      ImportNote(change.kind, path, change.origin?.line ?? 1, change.message, topic: CoreDataTopic.name.rawValue)
    }
    for warning in compiled.compilation.diagnostics where warning.severity == .warning {
      let line = draft.origin(at: warning.range.start, compiled)?.line ?? 1
      notes.append(ImportNote(.check, path, line, warning.message, topic: CoreDataTopic.refused.rawValue))
    }
    resolved = compiled.compilation.hasErrors ? nil : compiled.compilation.schemas.first
  }

  /// Removes superclasses that are missing from the schema.
  private mutating func dropSuperclasses(_ compiled: DraftSchema.Compiled) -> Bool {
    var isChanged = false
    for entity in compiled.compilation.schemas.first?.entities ?? [] {
      guard let parent = entity.conformances.first,
        case (.declaration(let index), let place)? = compiled.place(at: entity.range.start)
      else { continue }
      let line = draft.origin(at: entity.range.start, compiled)?.line ?? 1
      notes.append(
        ImportNote(
          .notCarried, path, line, "'\(entity.name)' inherits from '\(parent)', which was not imported",
          topic: CoreDataTopic.superclass.rawValue))
      draft.declarations[index].rewrite(line: place.line) { $0.prefix { $0 != ":" } + " {" }
      isChanged = true
    }
    return isChanged
  }

  /// Adds the migration from the previous version.
  mutating func addMigration(from older: [ResolvedSchema]) {
    let source = ImportedHop.Source(
      reason: "'\(title)' of the Core Data model", follows: "as in '\(title)'",
      equalRows: "Core Data rejects equal rows",
      impossible: "Core Data requires a mapping model for this change; set the new value in a 'fill' step",
      custom: "migrateTo\(title.filter { $0.isLetter || $0.isNumber })")
    let (schema, steps) = draft.addMigration(from: older, source)
    resolved = schema
    notes += steps.map { step in
      ImportNote(
        step.needsCheck ? .check : .hint, path, model.line, step.message, topic: CoreDataTopic.migration.rawValue)
    }
  }
}
