import Foundation

/// Reads a JSON file into an engine that keeps the file up to date from then on.
struct JSONFileOpener: Sendable {
  let file: JSONFile
  let schema: Schema
  var plan: (any SchemaMigrationPlan.Type)?
  let configuration: JSONFileConfiguration
  let history: JSONHistory

  init(
    file: JSONFile, schema: Schema, plan: (any SchemaMigrationPlan.Type)?,
    _ configuration: JSONFileConfiguration
  ) {
    self.file = file
    self.schema = schema
    self.plan = plan
    self.configuration = configuration
    history = JSONHistory(of: file, configuration.history)
  }

  func open() throws -> DefaultStore {
    try TracedStatement.scope(.opening) { try openFile() }
  }

  private func openFile() throws -> DefaultStore {
    let contents = try file.read()
    guard contents != nil || file.lock != nil else {
      throw file.failure(.missing, "there is no store to read: open it once with 'allowsSave: true'")
    }
    guard let contents else {
      let engine = try makeEngine(nil)
      try engine.pool.exclusively { connection in
        try history.load(into: engine, nil, number: 0, rights: nil, connection)
      }
      try mirror(engine, nil, isNew: true)
      return engine
    }
    let read = try migrated(contents) ?? read(contents) { try checkForms($0, contents) }
    try read.engine.pool.exclusively { connection in
      try history.load(
        into: read.engine, contents, number: read.nextKeys[JSONHistory.numberKey] ?? 0,
        former: read.former, hops: read.hops, rights: file.rights, connection)
      guard read.hops.contains(where: \.hasSteps), configuration.history.isRecorded else { return }
      // What the steps have changed is told of by nothing.
      try connection.write {
        _ = try HistoryLog.noteGap(
          author: nil, epoch: read.engine.metadata.historyEpoch, connection)
      }
    }
    try mirror(read.engine, read, isNew: read.isMigrated)
    if read.isMigrated { try keep(read.engine, insteadOf: contents, of: read.version) }
    return read.engine
  }

  private func mirror(_ engine: DefaultStore, _ read: Read?, isNew: Bool) throws {
    guard file.lock != nil else { return }
    try engine.pool.exclusively { connection in
      let mirror = try JSONMirror(
        of: engine, in: file, connection, history, kept: read?.kept, nextKeys: read?.nextKeys ?? [:],
        version: version(of: read), isNew: isNew)
      connection.beforeCommit = { connection in
        // What it reads belongs to the operation that commits.
        try TracedStatement.scope(connection.trace?.purpose ?? .save) { try mirror.write(connection) }
      }
    }
  }

  /// - Parameters:
  ///   - identifier: the identifier that the file has; nil for a new file.
  ///   - version: the version of the schema, where the file has it.
  ///   - older: the engine of an older version, whose models the new engine takes over.
  func makeEngine(
    _ identifier: String?, version: Schema.Version? = nil, over older: DefaultStore? = nil
  ) throws -> DefaultStore {
    var engine = ModelConfiguration(configuration.name, isStoredInMemoryOnly: true)
    engine.history = configuration.history
    engine.trace = configuration.trace
    engine.schema = schema
    return try DefaultStore(
      engine, migrationPlan: older == nil ? nil : plan, identifier: identifier, version: version, over: older,
      path: file.path)
  }

  struct Read {
    var engine: DefaultStore
    var kept: JSONKeptTexts?
    var nextKeys: [String: Int64]
    /// Of the schema, where the file says it.
    var version: String?
    /// The stages that were run over the models, and the names they had before.
    var hops: [JSONHistoryHop] = []
    var former: JSONHistoryNames?
    var isMigrated = false
  }

  /// - Parameter check: see ``JSONContents``.
  func read(
    _ contents: Data, version: Schema.Version? = nil, check: (JSONContents.Header) throws -> Void = { _ in }
  ) throws -> Read {
    let wayOut = FileManager.default.fileExists(atPath: file.previousPath)
      ? "; nothing was touched, and '\(file.previousPath)' is what it was before the last save"
      : "; nothing was touched"
    func damaged(_ explanation: String) -> SwiftDataError {
      file.failure(.damaged, explanation + wayOut)
    }
    do {
      let read = try JSONContents(contents, check: check) { try makeEngine($0, version: version) }
      let references = JSONReferences(read.snapshots, in: read.engine)
      if references.mayLeadToWrongClasses, let problem = try references.problem() {
        throw damaged(problem)
      }
      do {
        try read.engine.load(read.snapshots, nextKeys: read.nextKeys.filter { $0.key != JSONHistory.numberKey })
        let kept = try JSONKeptTexts(read.kept, in: read.engine)
        return Read(
          engine: read.engine, kept: kept, nextKeys: read.nextKeys, version: read.schemaVersion)
      } catch {
        // The engine knows rows and columns; people know what is in their file.
        if let problem = try references.problem() { throw damaged(problem) }
        throw damaged("the models of the file do not fit together: \(error)")
      }
    } catch let error as JSONContents.Unknown {
      throw file.failure(error.problem, error.description + wayOut)
    } catch let error as DecodingError {
      throw damaged("the file cannot be read: \(error.place)")
    } catch let error as SwiftDataError where error.storeProblem == nil {
      throw damaged("the models of the file cannot be read: \(error)")
    }
  }
}

extension DecodingError {
  /// What is wrong and where: `models.Trip[3].name: …`.
  fileprivate var place: String {
    let context: Context
    switch self {
    case .typeMismatch(_, let found), .valueNotFound(_, let found), .keyNotFound(_, let found),
      .dataCorrupted(let found):
      context = found
    @unknown default: return "\(self)"
    }
    var path = ""
    for key in context.codingPath {
      if let index = key.intValue {
        path += "[\(index)]"
      } else {
        path += (path.isEmpty ? "" : ".") + key.stringValue
      }
    }
    return (path.isEmpty ? "" : path + ": ") + context.debugDescription
  }
}
