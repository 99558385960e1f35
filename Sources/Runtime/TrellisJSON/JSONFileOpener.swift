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
    /// The stages that were run over the models.
    var stages: [RenamingStage] = []
    var isMigrated = false
  }

  func open() throws -> DefaultStore {
    try TracedStatement.scope(.opening) { try openFile() }
  }

  private func openFile() throws -> DefaultStore {
    let contents = try file.read()
    guard contents != nil || file.lock != nil else {
      throw file.failure(.missing, "there is no store to read: open it once with 'allowsSave: true'")
    }
    var read = try contents.map { try migrated($0) ?? self.read($0) }
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
      // A file that was never opened with a plan has no version, and is read by names.
      let version = plan.flatMap { DefaultStore.version(of: schema, in: $0) } ?? read?.version
      let mirror = JSONMirror(of: engine, in: file, history, read, version: version)
      try engine.onCommit { try mirror.write($0, isTouched: $1) }
    }
    if let read, let contents, read.isMigrated { try keep(contents, of: read) }
    return engine
  }

  var engineConfiguration: ModelConfiguration {
    var engine = ModelConfiguration(configuration.name, schema: schema, isStoredInMemoryOnly: true)
    engine.history = configuration.history
    engine.trace = configuration.trace
    return engine
  }

  /// - Parameters:
  ///   - identifier: the identifier that the file has; nil for a new file.
  ///   - version: the version of the schema, if the file states it.
  private func makeEngine(_ identifier: String?, version: Schema.Version? = nil) throws -> DefaultStore {
    try DefaultStore(engineConfiguration, identifier: identifier, version: version, path: file.path)
  }

  /// - Parameter version: the version of an older file; nil to check that the file is not of another version.
  func read(_ text: Data, version: Schema.Version? = nil) throws -> Read {
    let wayOut =
      FileManager.default.fileExists(atPath: file.previousPath)
      ? "; nothing was touched, and '\(file.previousPath)' is what it was before the last save"
      : "; nothing was touched"
    do {
      let contents = try JSONContents(text)
      try contents.check()
      let found = try contents.schema
      if version == nil {
        let problem = found.problem(for: schema, plan) { text.firstRange(of: Data("\"\($0)\"".utf8)) != nil }
        if let problem { throw file.failure(problem.problem, problem.explanation) }
      }
      let engine = try makeEngine(contents.identifier, version: version)
      let (snapshots, kept) = try contents.models(for: engine)
      let nextKeys = try contents.nextKeys
      try engine.loadNamingProblems(
        snapshots, nextKeys: nextKeys.filter { $0.key != HistoryExchange.numberKey })
      return Read(
        engine: engine, kept: try JSONKeptTexts(kept, in: engine), nextKeys: nextKeys, version: found.version)
    } catch let error as JSONContents.Unknown {
      throw file.failure(error.problem, error.explanation + wayOut)
    } catch let error as DecodingError {
      throw file.failure(.damaged, "the file cannot be read: \(error.place)" + wayOut)
    } catch let error as SwiftDataError where error.storeProblem == nil {
      throw file.failure(.damaged, "the models of the file cannot be read: \(error)" + wayOut)
    }
  }
}
