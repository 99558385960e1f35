/// What a store of snapshots answers, before anything is made of it: identifiers have to be the
/// store's own, and snapshots of the class their identifiers say.
///
/// Behind it models are taken for what their tables are made for, without another look.
struct SnapshotGate: Sendable {
  let storeIdentifier: String
  let name: String

  func error(_ explanation: String) -> SwiftDataError {
    SwiftDataError.invalidStoreAnswer.explained("the store '\(name)' \(explanation)")
  }

  /// - Throws: for an identifier that is temporary or of another store.
  func check(_ identifier: PersistentIdentifier) throws {
    guard identifier.isTemporary || identifier.storeIdentifier != storeIdentifier else { return }
    let kind =
      identifier.storeIdentifier.map { "which is of the store '\($0)'" } ?? "which is temporary"
    throw error(
      "handed out \(identifier), \(kind): make identifiers with "
        + "'PersistentIdentifier.identifier(for:entityName:primaryKey:)' for its own identifier, "
        + "'\(storeIdentifier)'")
  }

  /// - Parameter root: the class at the top of the hierarchy that models are expected to be of.
  /// - Throws: also for a snapshot of another class than that of its identifier, or of those that
  ///   inherit from it.
  func check(_ snapshot: DefaultSnapshot, root: ModelDefinition) throws {
    let identifier = snapshot.persistentIdentifier
    try check(identifier)
    guard let definition = snapshot.buffer.definition else {
      throw error("handed out a snapshot for \(identifier) without any values")
    }
    guard definition.root === root else {
      let other =
        definition.root.entityName == root.entityName
        ? ", but of another class of that name: decode it within the schema of the container"
        : ", where a '\(root.entityName)' is expected"
      throw error("handed out a snapshot of '\(definition.entityName)' for \(identifier)\(other)")
    }
    guard definition.isOrInherits(from: identifier.entityName) else {
      throw misfit(snapshot, of: identifier.entityName)
    }
  }

  /// A snapshot that has not all the values of its model, or values it does not have.
  func misfit(_ snapshot: DefaultSnapshot, of entityName: String) -> SwiftDataError {
    error(
      "handed out a snapshot of '\(snapshot.buffer.definition?.entityName ?? "nothing")' for "
        + "\(snapshot.persistentIdentifier), which is a '\(entityName)': keep the snapshots of a "
        + "save, or decode them, as they are of the model's own class")
  }

  func misplaced(_ snapshot: DefaultSnapshot, under identifier: PersistentIdentifier) -> SwiftDataError {
    error("handed out the snapshot of \(snapshot.persistentIdentifier) under \(identifier)")
  }
}
