import Foundation
public import Trellis

/// A store in a single JSON file that is easy to read and to version, for up to a few thousand models.
///
/// Each save replaces the file. Several containers and processes can use the file at the same time, but unique
/// constraints hold only among the contexts in a single process.
public final class JSONFileStore: DataStore, HistoryProviding {
  public typealias Configuration = JSONFileConfiguration
  public typealias Snapshot = DefaultSnapshot
  private typealias Contents = JSONContents<DefaultSnapshot>

  public static var historyType: JSONFileTransaction.Type { JSONFileTransaction.self }

  public let configuration: JSONFileConfiguration
  public let schema: Schema
  public let identifier: String
  private let file: JSONFile
  private let coder: JSONCoder
  /// The most recently read data, and the contents decoded from it.
  private var last: (data: Data, contents: Contents)?

  /// Opens or creates the file, and migrates an older file. The version comes from the plan, or else from the schema.
  ///
  /// - Throws: ``JSONFileError``, and errors from the configuration's `migrate`.
  public init(_ configuration: JSONFileConfiguration, migrationPlan: (any SchemaMigrationPlan.Type)?) throws {
    let schema = configuration.schema ?? Schema()
    let file = JSONFile(path: configuration.path)
    let coder = JSONCoder(
      file: file, schema: schema, version: migrationPlan?.schemas.last?.versionIdentifier ?? schema.version)
    (self.configuration, self.schema, self.file, self.coder) = (configuration, schema, file, coder)
    identifier = try file.locked {
      let (contents, isChanged) =
        try FileManager.default.fileExists(atPath: file.path)
        ? coder.contents(Data(contentsOf: file.url), configuration.migrate)
        : (JSONContents(version: coder.version, properties: coder.properties), true)
      if isChanged { try file.replace(with: JSONCoder.encoded(contents)) }
      return contents.identifier
    }
  }

  /// The file's current contents.
  private func contents() throws -> Contents {
    let data = try Data(contentsOf: file.url)
    if let last, last.data == data { return last.contents }
    let contents = try coder.contents(data, nil).contents
    guard contents.identifier == identifier else { throw file.failure("it was replaced by a different store") }
    last = (data, contents)
    return contents
  }

  /// Replaces the file with changed contents.
  private func change<T>(_ body: (inout Contents) throws -> T) throws -> T {
    try file.locked {
      var contents = try contents()
      let result = try body(&contents)
      try file.replace(with: JSONCoder.encoded(contents))
      return result
    }
  }

  /// Returns all models of a class. The context filters and sorts them.
  public func fetch<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>
  ) throws -> DataStoreFetchResult<T, DefaultSnapshot> {
    if request.descriptor.predicate != nil { throw DataStoreError.preferInMemoryFilter }
    if !request.descriptor.sortBy.isEmpty { throw DataStoreError.preferInMemorySort }
    let found = try contents().models.filter { $0.modelType is T.Type }
    return DataStoreFetchResult(descriptor: request.descriptor, fetchedSnapshots: found)
  }

  /// Applies changes to the file's current contents.
  ///
  /// - Throws: ``JSONFileError``, and errors from the encoder. The file is unchanged after an error.
  public func save(
    _ request: DataStoreSaveChangesRequest<DefaultSnapshot>
  ) throws -> DataStoreSaveChangesResult<DefaultSnapshot> {
    try change { contents in
      var positions: [PersistentIdentifier: Int] = [:]
      for (position, model) in contents.models.enumerated() { positions[model.persistentIdentifier] = position }
      var permanent: [PersistentIdentifier: PersistentIdentifier] = [:]
      for temporary in request.inserted.map(\.persistentIdentifier) {
        repeat {
          contents.lastKey += 1
          permanent[temporary] = try .identifier(
            for: identifier, entityName: temporary.entityName, primaryKey: contents.lastKey)
        } while permanent[temporary].flatMap { positions[$0] } != nil
      }
      func stored(_ snapshot: DefaultSnapshot) -> DefaultSnapshot {
        let own = snapshot.persistentIdentifier
        return snapshot.copy(persistentIdentifier: permanent[own] ?? own, remappedIdentifiers: permanent)
      }
      let inserted = request.inserted.map(stored)
      var changes = inserted.map { JSONHistory.Change(kind: .insert, identifier: $0.persistentIdentifier) }
      for model in request.updated.map(stored) {
        guard let position = positions[model.persistentIdentifier] else {
          throw JSONFileError.deletedModel(model.persistentIdentifier)
        }
        if let change = JSONHistory.Change.update(model, since: contents.models[position]) { changes.append(change) }
        contents.models[position] = model
      }
      let deleted = Set(request.deleted.compactMap { positions[$0.persistentIdentifier] })
      for position in deleted.sorted() { changes.append(try .deletion(contents.models[position])) }
      contents.models = contents.models.indices.filter { !deleted.contains($0) }.map { contents.models[$0] } + inserted
      contents.history.add(changes, request.editingState, limit: configuration.historyLimit)
      return DataStoreSaveChangesResult(
        for: identifier, remappedIdentifiers: permanent, historyToken: token(contents.history.last))
    }
  }

  /// Deletes all models and the history. Tokens expire, and identifiers are not reused.
  public func erase() throws {
    try change { contents in
      contents.models = []
      contents.history.forgetAll()
    }
  }

  public func fetchHistory(_ descriptor: HistoryDescriptor<JSONFileTransaction>) throws -> [JSONFileTransaction] {
    let history = try contents().history
    for token in descriptor.startingTokens
    where token.storeIdentifier == identifier && token.number < history.forgotten {
      throw SwiftDataError.historyTokenExpired
    }
    let found = try transactions(history, descriptor).sorted(using: descriptor.sortBy)
    return descriptor.fetchLimit == 0 ? found : Array(found.prefix(Int(clamping: descriptor.fetchLimit)))
  }

  public func deleteHistory(_ descriptor: HistoryDescriptor<JSONFileTransaction>) throws {
    try change { contents in
      let found = try transactions(contents.history, descriptor)
      contents.history.forget(Set(found.map(\.transactionIdentifier)))
    }
  }

  private func transactions(
    _ history: JSONHistory, _ descriptor: HistoryDescriptor<JSONFileTransaction>
  ) throws -> [JSONFileTransaction] {
    let all = try history.transactions.map { transaction in
      let changes = try transaction.changes.enumerated().compactMap { offset, change in
        try schema.modelType(named: change.identifier.entityName).map {
          try change.change($0, at: offset, of: transaction.number)
        }
      }
      return JSONFileTransaction(
        author: transaction.author, changes: changes, storeIdentifier: identifier, timestamp: transaction.timestamp,
        token: token(transaction.number))
    }
    return try all.filter { try descriptor.predicate?.evaluate($0) ?? true }
  }

  private func token(_ number: Int) -> JSONFileToken { JSONFileToken(storeIdentifier: identifier, number: number) }
}
