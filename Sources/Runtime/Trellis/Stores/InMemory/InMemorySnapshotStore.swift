import Foundation

/// The models of a custom store while a migration changes them: rows of an in-memory database.
///
/// The database numbers its rows, and a custom store may use keys of any type. Loading therefore gives every model a row
/// number. Exporting gives it its key back, and gives a key to every model that a stage has inserted.
struct InMemorySnapshotStore {
  private let store: DefaultStore
  /// The models by row number, from ``firstRow`` on.
  private let origins: [Origin]

  private struct Origin {
    let identifier: PersistentIdentifier
    /// True if the identifier names the model's own class and not a superclass.
    let namesOwnClass: Bool
  }

  /// Tables that a stage adds number their rows from 1, so a row below this number is a new model.
  private static let firstRow: Int64 = 1 << 40

  /// Loads the models of an old version.
  ///
  /// References to models that are not among the snapshots are dropped, as their relationships demand.
  ///
  /// - Parameters:
  ///   - schema: the schema that the snapshots were written with.
  ///   - version: its version.
  /// - Throws: ``SwiftDataError/modelValidationFailure`` for snapshots that break the rules of the schema,
  ///   ``SwiftDataError/unknownSchema`` for two snapshots with one identifier.
  init(
    _ snapshots: [DefaultSnapshot], of schema: Schema, version: Schema.Version, identifier: String
  ) throws {
    store = try DefaultStore(
      Self.configuration(for: schema), identifier: identifier, version: version)
    // A higher key counts as newer, for 'dedupe'. Keys that are no numbers have no order.
    let ordered = snapshots.enumerated()
      .sorted {
        ($0.element.persistentIdentifier.row ?? 0, $0.offset) < ($1.element.persistentIdentifier.row ?? 0, $1.offset)
      }
      .map(\.element)
    var rows: [PersistentIdentifier: PersistentIdentifier] = [:]
    var origins: [Origin] = []
    for snapshot in ordered {
      guard let definition = snapshot.buffer.definition else { throw SwiftDataError.unknownSchema }
      let identifier = snapshot.persistentIdentifier
      let row = PersistentIdentifier(
        token: try store.plans.plan(for: definition).token, row: Self.firstRow + Int64(origins.count))
      guard rows.updateValue(row, forKey: identifier) == nil else {
        throw SwiftDataError.unknownSchema.explained(
          "two models have the identifier \(identifier): give each model an identifier of its own")
      }
      origins.append(
        Origin(identifier: identifier, namesOwnClass: identifier.entityName == definition.entityName))
    }
    self.origins = origins
    let numbered = ordered.map { snapshot in
      let copy = snapshot.buffer.copy(snapshot.index)
      let own = snapshot.persistentIdentifier
      copy.setIdentifier(0, rows[own] ?? own)
      copy.mapReferences(0) { rows[$0] ?? PersistentIdentifier(token: $0.token, row: -1) }
      return DefaultSnapshot(buffer: copy, index: 0)
    }
    let tables = store.catalogue.layout.entities.map(\.table)
    let next = Self.firstRow + Int64(origins.count)
    try store.load(
      numbered, nextKeys: Dictionary(tables.map { ($0, next) }, uniquingKeysWith: { first, _ in first }),
      dropsDanglingReferences: true)
  }

  private static func configuration(for schema: Schema) -> ModelConfiguration {
    var configuration = ModelConfiguration("migration", schema: schema, isStoredInMemoryOnly: true)
    configuration.history.isRecorded = false
    return configuration
  }

  /// Migrates the models to the last version of a plan and exports them.
  ///
  /// - Throws: ``SwiftDataError/unknownSchema`` if the stages do not give every property a value, the errors of the
  ///   plan's code.
  func migrated(by plan: any SchemaMigrationPlan.Type, to schema: Schema) throws -> [DefaultSnapshot] {
    do {
      return try exported(
        DefaultStore(
          Self.configuration(for: schema), migrationPlan: plan, identifier: store.identifier, over: store))
    } catch let error as SwiftDataError where error.storeProblem != nil {
      // The store is not a file, and its rows have other keys than the models.
      throw SwiftDataError.unknownSchema.explained(named(error.explanation ?? "\(error)"))
    }
  }

  /// All models of the migrated store: those that were loaded in their order, then the new ones.
  private func exported(_ store: DefaultStore) throws -> [DefaultSnapshot] {
    let snapshots = try store.allSnapshots()
      .sorted { Self.order(of: $0.persistentIdentifier) < Self.order(of: $1.persistentIdentifier) }
    var identifiers: [PersistentIdentifier: PersistentIdentifier] = [:]
    // A store with integer keys gets integer keys for new models, any other store UUIDs.
    var lastKey = highestKey()
    for snapshot in snapshots {
      let own = snapshot.persistentIdentifier
      guard let origin = origin(of: own) else {
        if let key = lastKey, key < .max {
          lastKey = key + 1
          identifiers[own] = PersistentIdentifier(token: own.token, row: key + 1)
        } else {
          lastKey = nil
          identifiers[own] = try PersistentIdentifier.identifier(
            for: store.identifier, entityName: own.entityName, primaryKey: UUID.unique())
        }
        continue
      }
      let name = origin.namesOwnClass ? snapshot.buffer.definition?.entityName : nil
      identifiers[own] = Self.identifier(origin.identifier, entityName: name ?? own.entityName)
    }
    return snapshots.map { snapshot in
      let own = snapshot.persistentIdentifier
      return snapshot.copy(persistentIdentifier: identifiers[own] ?? own, remappedIdentifiers: identifiers)
    }
  }

  /// The highest key of the loaded models; nil if one of them has another kind of key, or without models.
  private func highestKey() -> Int64? {
    var highest: Int64?
    for origin in origins {
      guard let row = origin.identifier.row else { return nil }
      highest = max(highest ?? 0, row)
    }
    return highest
  }

  /// An identifier with the key and the store of another one.
  private static func identifier(_ other: PersistentIdentifier, entityName: String) -> PersistentIdentifier {
    PersistentIdentifier(key: other.key, token: .interned(store: other.storeIdentifier, entity: entityName))
  }

  private static func order(of identifier: PersistentIdentifier) -> (Int, Int64) {
    let row = identifier.row ?? 0
    return (row < firstRow ? 1 : 0, row)
  }

  private func origin(of identifier: PersistentIdentifier) -> Origin? {
    guard let row = identifier.row, row >= Self.firstRow else { return nil }
    let place = Int(row - Self.firstRow)
    return origins.indices.contains(place) ? origins[place] : nil
  }

  /// A text with the keys of the models in place of their row numbers.
  private func named(_ text: String) -> String {
    text.replacing(/\d{13}/) { match in
      guard let row = Int64(match.output), row >= Self.firstRow, row - Self.firstRow < Int64(origins.count)
      else { return String(match.output) }
      let identifier = origins[Int(row - Self.firstRow)].identifier
      return String("\(identifier)".dropFirst(identifier.entityName.count + 1))
    }
  }
}

extension DefaultStore {
  /// Inserts models under the keys that they had in another store.
  ///
  /// - Parameters:
  ///   - nextKeys: the first row number that is free, by table.
  ///   - dropsDanglingReferences: true if references to models that are not there are dropped, false if they are errors.
  /// - Throws: ``SwiftDataError/modelValidationFailure`` when the models break the rules of the schema; then none is
  ///   inserted.
  package func load(
    _ snapshots: [DefaultSnapshot], nextKeys: [String: Int64], dropsDanglingReferences: Bool = false
  ) throws {
    var request = DataStoreSaveChangesRequest(
      inserted: snapshots, updated: [], deleted: [], editingState: EditingState())
    // The history does not mention them: they are not new.
    request.isTimeless = true
    try writing { connection in
      let pass = StoreSavePass(store: self, connection: connection, request: request)
      pass.keepsKeys = true
      try connection.write(explaining: { pass.explained($0) }) {
        try pass.run()
        if dropsDanglingReferences {
          try connection.settleReferences(of: catalogue)
        } else {
          try pass.completePairs()
          try pass.checkDerivedLists()
          try pass.throwViolations()
        }
        if let position = pass.merged.first {
          let identifier = snapshots[position].persistentIdentifier
          throw SwiftDataError.modelValidationFailure.explained(
            "\(identifier) has the unique values of \(identifier.entityName)/\(pass.rows[position])")
        }
        for (table, next) in nextKeys {
          try StoreMetadata.write(
            .integer(next), for: StoreMetadata.Key.nextPrefix + table, connection)
        }
      }
      persistedMarks.formUnion(pass.newMarks)
    }
  }

  /// All models with the members of all their relationships.
  package func allSnapshots() throws -> [DefaultSnapshot] {
    func fetched<M: PersistentModel>(_: M.Type) throws -> [DefaultSnapshot] {
      try fetch(DataStoreFetchRequest<M>(descriptor: FetchDescriptor(), editingState: EditingState()))
        .fetchedSnapshots
    }
    return try catalogue.layout.entities.filter { $0.name == $0.rootName }
      .flatMap { try fetched($0.definition.modelType) }
  }
}
