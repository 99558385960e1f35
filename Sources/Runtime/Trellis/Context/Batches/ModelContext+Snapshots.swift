extension ModelContext {
  /// Fetches the values of matching models as snapshots. No model objects are created.
  ///
  /// ```swift
  /// let trips = try context.fetchSnapshots(
  ///   FetchDescriptor(predicate: #Predicate { $0.destination == "Oslo" }), as: Trip.Snapshot.self)
  /// Task {  // snapshots are Sendable
  ///   try JSONEncoder().encode(trips).write(to: url)
  /// }
  /// ```
  ///
  /// The result has the same contents and order as ``fetch(_:)``. It contains the stored values, or the models' values
  /// if pending changes are included. To-one relationships are identifiers; to-many relationships are omitted. Subclass
  /// rows are included with the inherited properties. The descriptor's `propertiesToFetch` and
  /// `relationshipKeyPathsForPrefetching` have no effect.
  ///
  /// Not in SwiftData.
  ///
  /// - Parameters:
  ///   - descriptor: The predicate, sort order and limits. Default: all models.
  ///   - type: The snapshot type of the model, such as `Trip.Snapshot`.
  /// - Throws: The same errors as ``fetch(_:)``.
  @inlinable public func fetchSnapshots<S: ModelSnapshot>(
    _ descriptor: FetchDescriptor<S.Model> = FetchDescriptor(), as type: S.Type = S.self
  ) throws -> [S] {
    var snapshots: [S] = []
    try visit(descriptor, type) { row in
      snapshots.append(try S.read(&row))
    } snapshot: { snapshot in
      snapshots.append(snapshot)
    }
    return snapshots
  }

  /// Calls a closure with each matching model's values, in order. No model objects are created, and no values are
  /// retained.
  ///
  /// ```swift
  /// let file = try FileHandle(forWritingTo: url)
  /// try context.enumerateSnapshots(as: Trip.Snapshot.self) { trip in
  ///   try file.write(contentsOf: JSONEncoder().encode(trip) + Data("\n".utf8))
  /// }
  /// ```
  ///
  /// The enumeration reads a single consistent state of the store: changes saved during the enumeration, by the closure
  /// or elsewhere, are not visible. Until it ends, the store's write-ahead log grows with each save.
  ///
  /// Only SQLite stores are read row by row. Other stores, such as servers, load all snapshots into memory before the
  /// first call. If the snapshots exceed the available memory, use
  /// ``enumerate(_:batchSize:allowEscapingMutations:block:)``.
  ///
  /// Not in SwiftData.
  ///
  /// - Parameters:
  ///   - descriptor: The predicate, sort order and limits. Default: all models.
  ///   - type: The snapshot type of the model, such as `Trip.Snapshot`.
  ///   - block: Called with each snapshot.
  /// - Throws: Errors from the closure; the same errors as ``fetchSnapshots(_:as:)``.
  @inlinable public func enumerateSnapshots<S: ModelSnapshot>(
    _ descriptor: FetchDescriptor<S.Model> = FetchDescriptor(), as type: S.Type = S.self,
    block: (S) throws -> Void
  ) throws {
    guard streams(type) else {
      for snapshot in try fetchSnapshots(descriptor, as: type) { try block(snapshot) }
      return
    }
    try visit(descriptor, type) { row in
      try block(S.read(&row))
    } snapshot: { snapshot in
      try block(snapshot)
    }
  }

  /// Returns true if the store can read rows while other rows are written.
  @usableFromInline func streams<S: ModelSnapshot>(_ type: S.Type) -> Bool {
    core.store(for: S.Model._$definition.entityName)?.sqlStore?.streams ?? false
  }

  /// Visits the matching rows, or snapshots if the store has no rows or pending changes are included.
  @usableFromInline func visit<S: ModelSnapshot>(
    _ descriptor: FetchDescriptor<S.Model>, _ type: S.Type,
    row: (inout StatementRow) throws -> Void, snapshot: (S) throws -> Void
  ) throws {
    try occupancy.performExclusively(.fetch) {
      try readMailbox()
      try loadPendingRows()
      var plain = descriptor
      plain.propertiesToFetch = []
      plain.relationshipKeyPathsForPrefetching = []
      let pass = try FetchPass(context: self, descriptor: plain)
      if !pass.mustMerge {
        let isAnswered: Void? = try ask(pass.table.store) {
          try pass.table.store.rows(pass.query, row: row) { try snapshot($0.typed(as: S.self)) }
        }
        if isAnswered != nil { return }
      }
      guard plain.includePendingChanges || !pending.hasChanges else {
        return try withStoredValues { try $0.visit(plain, type, row: row, snapshot: snapshot) }
      }
      let models = try refusingUnreadValues { try pass.models() }
      for model in models { try snapshot(values(of: model)) }
    }
  }

  /// Returns the values that a save would write for a model, excluding lists.
  private func values<S: ModelSnapshot>(of model: S.Model) -> S {
    complete(model)
    var snapshot = S(of: model)
    let definition = type(of: model)._$definition
    for relation in definition.relations.references {
      guard let reference = snapshot.reference(relation.slot),
        let target = registered(reference, relation.destination), !target.isUsableTarget
      else { continue }
      snapshot.setReference(relation.slot, to: nil)
    }
    for relation in definition.relations.toMany { snapshot.setReferences(relation.slot, to: nil) }
    return snapshot
  }
}

extension DefaultSnapshot {
  /// Returns the typed values, excluding lists. For a subclass, these are the inherited properties.
  func typed<S: ModelSnapshot>(as type: S.Type) throws -> S {
    let definition = S.Model._$definition
    var values: S
    if let own = (buffer as? TypedBuffer<S>)?.values(index) {
      values = own
    } else {
      var row = StatementRow(try RowValues(buffer, index))
      values = try S.read(&row)
    }
    for relation in definition.relations.toMany { values.setReferences(relation.slot, to: nil) }
    return values
  }
}
