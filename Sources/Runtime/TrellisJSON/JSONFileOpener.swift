import Foundation
import Trellis

/// Reads a JSON file into an engine that keeps the file up to date from then on.
struct JSONFileOpener {
  let file: JSONFile
  let schema: Schema
  let plan: (any SchemaMigrationPlan.Type)?
  let configuration: JSONFileConfiguration
  let history: JSONHistory

  init(
    file: JSONFile, schema: Schema, plan: (any SchemaMigrationPlan.Type)?, _ configuration: JSONFileConfiguration
  ) {
    self.file = file
    self.schema = schema
    self.plan = plan
    self.configuration = configuration
    history = JSONHistory(of: file, configuration.history)
  }

  /// An opened file.
  struct Read {
    var engine: DefaultStore
    var kept: JSONKeptTexts
    var nextKeys: [String: Int64]
    /// The version of the schema, if the file states it.
    var version: Schema.Version?
    /// The stages that were run over the models, and the names before them.
    var stages: [RenamingStage] = []
    var formerNames: HistoryModelNames?
    var isMigrated: Bool { formerNames != nil }
  }

  func open() throws -> DefaultStore {
    try TracedStatement.scope(.opening) { try openFile() }
  }

  private func openFile() throws -> DefaultStore {
    let contents = try file.read()
    guard contents != nil || file.lock != nil else {
      throw file.failure(.missing, "there is no store to read: open it once with 'allowsSave: true'")
    }
    var read = try contents.map { contents in
      try migrated(contents) ?? self.read(contents) { try checkForms($0, contents) }
    }
    let engine = try read?.engine ?? makeEngine(nil)
    let number = read?.nextKeys.removeValue(forKey: HistoryExchange.numberKey) ?? 0
    try engine.exclusively { connection in
      let exchange = HistoryExchange(engine, connection)
      try history.load(into: exchange, contents, number: number, read, rights: file.rights)
      guard let read, read.stages.contains(where: \.hasSteps), configuration.history.isRecorded else { return }
      // The history does not name the rows that the steps have changed.
      try connection.write { _ = try exchange.noteGap() }
    }
    if file.lock != nil {
      let mirror = JSONMirror(of: engine, in: file, history, read, version: version(of: read))
      try engine.onCommit { try mirror.write($0, isTouched: $1) }
    }
    if let read, let contents, read.isMigrated { try keep(contents, of: read) }
    return engine
  }

  /// - Parameters:
  ///   - identifier: the identifier that the file has; nil for a new file.
  ///   - version: the version of the schema, if the file states it.
  ///   - older: the engine of an older version, whose models the new engine takes over.
  func makeEngine(
    _ identifier: String?, version: Schema.Version? = nil, over older: DefaultStore? = nil
  ) throws -> DefaultStore {
    var engine = ModelConfiguration(configuration.name, schema: schema, isStoredInMemoryOnly: true)
    engine.history = configuration.history
    engine.trace = configuration.trace
    return try DefaultStore(
      engine, migrationPlan: older == nil ? nil : plan, identifier: identifier, version: version, over: older,
      path: file.path)
  }

  /// - Parameter check: looks at what the file says of its schema, before a model is read.
  func read(
    _ text: Data, version: Schema.Version? = nil, check: (JSONContents) throws -> Void = { _ in }
  ) throws -> Read {
    let wayOut = FileManager.default.fileExists(atPath: file.previousPath)
      ? "; nothing was touched, and '\(file.previousPath)' is what it was before the last save"
      : "; nothing was touched"
    do {
      let contents = try JSONContents(text)
      try contents.check()
      try check(contents)
      let engine = try makeEngine(contents.identifier, version: version)
      let (snapshots, kept) = try contents.models(for: engine)
      let nextKeys = try contents.nextKeys
      try engine.loadNamingProblems(
        snapshots, nextKeys: nextKeys.filter { $0.key != HistoryExchange.numberKey })
      return Read(
        engine: engine, kept: try JSONKeptTexts(kept, in: engine), nextKeys: nextKeys,
        version: try contents.version)
    } catch let error as JSONContents.Unknown {
      throw file.failure(error.problem, error.explanation + wayOut)
    } catch let error as DecodingError {
      throw file.failure(.damaged, "the file cannot be read: \(error.place)" + wayOut)
    } catch let error as SwiftDataError where error.storeProblem == nil {
      throw file.failure(.damaged, "the models of the file cannot be read: \(error)" + wayOut)
    }
  }

  // MARK: coded forms

  // Values that are coded in another form than those of the program would read as nil where they are optional, and be
  // lost with the next save.

  /// The version that a file was written with: its number, or the last version of the plan that codes values as the
  /// file does. Nil for the version of the program, or one that cannot be told.
  func storedVersion(_ contents: JSONContents, _ plan: any SchemaMigrationPlan.Type) throws -> Schema.Version? {
    if let version = try contents.version { return version }
    let forms = try contents.codedForms
    guard forms != schema.codedForms else { return nil }
    return plan.schemas.last { Schema(versionedSchema: $0).codedForms == forms }?.versionIdentifier
  }

  /// - Throws: ``SwiftDataError/backwardMigration`` for a file of a newer version,
  ///   ``SwiftDataError/unknownDataStoreSchema`` for one whose values are coded in another way.
  private func checkForms(_ contents: JSONContents, _ text: Data) throws {
    let own = plan.flatMap { DefaultStore.version(of: schema, in: $0) } ?? DefaultStore.knownVersion(of: schema)
    let (stored, forms) = (try contents.version, try contents.codedForms)
    if let own, let stored, stored > own {
      throw file.failure(
        .newerSchema, "the file has version \(stored) of the schema, the program \(own): update the program")
    }
    // A file from before forms were noted has those of its version.
    if forms.isEmpty, own != nil, stored == own || (stored == nil && isOnlyForm) { return }
    let obstacles = obstacles(forms, text)
    guard !obstacles.isEmpty else { return }
    throw file.failure(
      .differentSchema,
      "the values of the file are not coded as those of the program, and a migration is needed; nothing was "
        + "touched:\n" + obstacles.map { "  - \($0)" }.joined(separator: "\n"))
  }

  /// True if no version of the plan codes values in another way.
  private var isOnlyForm: Bool {
    let forms = schema.codedForms
    return plan?.schemas.allSatisfy { Schema(versionedSchema: $0).codedForms == forms } ?? false
  }

  private func obstacles(_ stored: [String: String], _ text: Data) -> [String] {
    var obstacles: [String] = []
    for entity in schema.entities {
      for attribute in entity.storedProperties.compactMap(\.asAttribute) {
        let title = "\(entity.name).\(attribute.name)"
        let form = stored[title] ?? stored["\(entity.originalName).\(attribute.originalName)"]
        let changes = CodedForm.changes(from: form, to: attribute.codedForm, inFiles: true)
        guard !changes.isEmpty else { continue }
        // A new property has no values yet.
        let isThere = form != nil || [attribute.name, attribute.originalName].contains { name in
          text.firstRange(of: Data("\"\(name)\"".utf8)) != nil
        }
        if isThere { obstacles.append(TextDifference.text(of: title, changes)) }
      }
    }
    return obstacles
  }
}
