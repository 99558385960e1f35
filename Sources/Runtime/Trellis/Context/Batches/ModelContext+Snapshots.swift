extension ModelContext {
  /// The values of the models that match a descriptor, without making models of them.
  ///
  ///     let trips = try context.fetchSnapshots(as: Trip.Snapshot.self)
  ///     let near: [Trip.Snapshot] = try context.fetchSnapshots(
  ///       FetchDescriptor(predicate: #Predicate { $0.destination == "Oslo" }))
  ///
  /// Snapshots are `Sendable`: hand them to any task. They are what ``fetch(_:)`` would find, in its
  /// order, with the values rows have; where pending changes count, with the values models have.
  /// To-one relationships are identifiers, those of to-many relationships are left out. Rows of
  /// subclasses come with what they inherit. What a descriptor says of properties to fetch and
  /// relationships to prefetch is without effect.
  ///
  /// Not in SwiftData.
  ///
  /// - Throws: as ``fetch(_:)``.
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

  /// Calls a block with the values of every model that matches a descriptor, in its order, without
  /// making models of them and without keeping any.
  ///
  ///     try context.enumerateSnapshots(as: Trip.Snapshot.self) { trip in
  ///       try out.write(encoder.encode(trip))
  ///     }
  ///
  /// All of it is one state of the store, however long it takes: what is saved meanwhile, by the block
  /// or by others, is not seen. The log of the store grows meanwhile by what is saved.
  ///
  /// Only SQLite stores are read row by row. Snapshots of another store, such as a server, are all in memory before the
  /// first call of the block. For more of them than memory holds, use ``enumerate(_:batchSize:allowEscapingMutations:block:)``.
  ///
  /// Not in SwiftData.
  ///
  /// - Throws: what the block throws. Otherwise as ``fetchSnapshots(_:as:)``.
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

  /// Whether rows can be handed out while others are written.
  @usableFromInline func streams<S: ModelSnapshot>(_ type: S.Type) -> Bool {
    core.store(for: S.Model._$definition.entityName)?.sqlStore?.streams ?? false
  }

  /// The rows that match, or snapshots where there are none or pending changes count.
  @usableFromInline func visit<S: ModelSnapshot>(
    _ descriptor: FetchDescriptor<S.Model>, _ type: S.Type,
    row: (inout StatementRow) throws -> Void, snapshot: (S) throws -> Void
  ) throws {
    try occupancy.occupy(.fetch) {
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

  /// What a model would be saved as, without lists.
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
  /// The typed values, of a subclass those that it inherits; without lists.
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
