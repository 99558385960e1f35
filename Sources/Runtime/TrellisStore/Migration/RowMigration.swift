/// Migrates all rows of a store on a different database system. The stages run in an in-memory SQLite database, and
/// rows keep their keys.
package enum RowMigration {
  /// Runs the stages.
  ///
  /// - Parameters:
  ///   - snapshots: All rows in the store, including lists.
  ///   - nextKeys: The next free keys, by old table name.
  ///   - steps: The plan's steps.
  ///   - identifier: The store identifier.
  ///   - schema: The store's models after the migration.
  ///   - path: The store path for error messages.
  /// - Returns: All rows in the new version, and the next free keys by table.
  /// - Throws: Errors from the stages; ``SwiftDataError`` with ``StoreProblem/migrationFailed`` if a stage is
  ///   incomplete.
  package static func run(
    _ snapshots: [DefaultSnapshot], nextKeys: [String: Int64], _ plan: any SchemaMigrationPlan.Type,
    _ steps: [VersionStep], identifier: String, to schema: Schema, path: String
  ) throws -> (snapshots: [DefaultSnapshot], nextKeys: [String: Int64]) {
    guard let from = steps.first?.from.type, let to = steps.last?.to.type else {
      throw SwiftDataError.unknownSchema.explained("the plan's versions have no types", path: path)
    }
    let old = try DefaultStore(
      configuration(Schema(versionedSchema: from)), identifier: identifier, version: from.versionIdentifier)
    try old.load(snapshots, nextKeys: nextKeys)
    // A step may use models from a different store in the container.
    let new: DefaultStore
    do {
      new = try DefaultStore(
        configuration(Schema(versionedSchema: to)), migrationPlan: plan, identifier: nil, over: old)
    } catch let error as SwiftDataError {
      // The in-memory database has no path.
      guard let problem = error.storeProblem else { throw error }
      throw SwiftDataError.opening(problem, error.explanation ?? "", path: path)
    }
    let own = try new.allSnapshots(of: new.catalogue).filter { snapshot in
      snapshot.buffer.definition.map { schema.entitiesByName[$0.entityName] != nil } ?? false
    }
    return (own, try new.nextKeys())
  }

  private static func configuration(_ schema: Schema) -> ModelConfiguration {
    var configuration = ModelConfiguration("migration", schema: schema, isStoredInMemoryOnly: true)
    configuration.history.isRecorded = false
    return configuration
  }
}

extension DataStore where Snapshot == DefaultSnapshot {
  /// Returns all models with all list members.
  package func allSnapshots(of catalogue: StoreCatalogue) throws -> [DefaultSnapshot] {
    func fetched<M: PersistentModel>(_: M.Type) throws -> [DefaultSnapshot] {
      try fetch(DataStoreFetchRequest<M>(descriptor: FetchDescriptor(), editingState: EditingState()))
        .fetchedSnapshots
    }
    return try catalogue.layout.entities.filter { $0.name == $0.rootName }
      .flatMap { try fetched($0.definition.modelType) }
  }
}

extension DefaultStore {
  /// Inserts rows with their existing keys. References to missing rows are resolved by the delete rules.
  ///
  /// - Parameter nextKeys: The next free keys, by table.
  /// - Throws: ``SwiftDataError/modelValidationFailure`` if a row violates a schema rule. In that case, no row is
  ///   inserted.
  fileprivate func load(_ snapshots: [DefaultSnapshot], nextKeys: [String: Int64]) throws {
    let request = DataStoreSaveChangesRequest(
      inserted: snapshots, updated: [], deleted: [], editingState: EditingState())
    try writing { connection in
      let driver = SQLiteSaveDriver(self, connection, author: nil)
      try connection.write(explaining: driver.explained) {
        try driver.run(request, keepsKeys: true)
        try connection.updateReferences(of: catalogue)
        for (table, next) in nextKeys {
          try StoreMetadata.write(.integer(next), for: StoreMetadata.Key.nextPrefix + table, connection)
        }
      }
      persistedMarks.formUnion(driver.newMarks)
    }
  }

  /// Returns the next free keys, by table.
  fileprivate func nextKeys() throws -> [String: Int64] {
    try pool.exclusively(for: .other) { connection in
      var next: [String: Int64] = [:]
      for table in Set(catalogue.layout.entities.map(\.table)) {
        if let block = keys.state[table] {
          next[table] = block.next
          continue
        }
        let key = StoreMetadata.Key.nextPrefix + table
        if case .integer(let number)? = try StoreMetadata.value(for: key, connection) { next[table] = number }
      }
      return next
    }
  }
}
