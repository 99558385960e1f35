/// The rows of a store in the middle of a stage: those of the old version and those of the new one. Given
/// to ``MigrationStep/custom(_:_:)``. Not in SwiftData.
///
///     .custom("splitNames") { rows in
///       try rows.forEach(V1.Person.Snapshot.self) { people in
///         try rows.new.insert(contentsOf: people.map { person in
///           V2.Alias.Snapshot(
///             text: person.nickname, person: rows.identifier(of: person, as: V2.Person.self))
///         })
///       }
///     }
///
/// Both contexts are of no use after the step. What is pending in ``new`` when the step returns is saved.
public struct MigrationRows {
  /// A context over the old models. It cannot be saved.
  public let old: ModelContext
  /// A context over the new models. Rows that follow from old ones are there and have the same keys.
  public let new: ModelContext
  let report: (Int) -> Void

  /// Calls a block with the values of all rows of an old model, some at a time, in the order in which
  /// they were inserted. No more than `count` of them are in memory.
  ///
  /// Rows of subclasses come with what they inherit. To-many relationships are left out.
  ///
  /// - Throws: what reading the rows and what the block throws.
  public func forEach<S: ModelSnapshot>(
    _ snapshot: S.Type, count: Int = 4096, _ body: ([S]) throws -> Void
  ) throws {
    var batch: [S] = []
    let size = max(1, count)
    batch.reserveCapacity(min(size, 16_384))
    var done = 0
    try old.enumerateSnapshots(as: S.self) { values in
      batch.append(values)
      guard batch.count == size else { return }
      try body(batch)
      done += batch.count
      report(done)
      batch.removeAll(keepingCapacity: true)
    }
    guard !batch.isEmpty else { return }
    try body(batch)
    report(done + batch.count)
  }

  /// What the new row is called that follows from an old one, or has the key of one.
  public func identifier<T: PersistentModel>(
    of old: PersistentIdentifier, as model: T.Type
  ) -> PersistentIdentifier {
    let root = T._$definition.root.entityName
    return PersistentIdentifier(
      key: old.key, token: .interned(store: old.storeIdentifier, entity: root))
  }

  /// What the new row is called that follows from an old one.
  public func identifier<S: ModelSnapshot, T: PersistentModel>(
    of old: S, as model: T.Type
  ) -> PersistentIdentifier {
    identifier(of: old.persistentIdentifier, as: model)
  }
}
