/// Turns what a store sends into registered models, keeping the order.
///
/// A row whose object is registered is not decoded. The models of one materializer are objects of one
/// inheritance chain.
final class ModelMaterializer {
  let table: IdentityTable
  // Written by the loop over rows alone, which a check at run time for each would slow down.
  @exclusivity(unchecked) private(set) var models: [AnyObject] = []
  /// Where the list of each owner begins among the models, for rows of to-many lists.
  @exclusivity(unchecked) private(set) var lists: [(owner: Int64, start: Int)] = []
  /// Models of related snapshots that came along.
  var related: [any PersistentModel] = []

  /// The attributes to load, if not all of them.
  var parts: FetchParts?
  /// How many members of lists to take; the next one of another owner ends it.
  var limit: Int?
  /// Ends the reading of lists.
  struct LimitReached: Error {}

  /// The rows in their order, if the models are to be known as neighbours.
  private let isRemembered: Bool
  @exclusivity(unchecked) private var runs = RowRuns()
  private var list: [PersistentIdentifier] = []

  /// - Parameter isRemembered: whether relationships of one of the models shall be read for all.
  init(table: IdentityTable, isRemembered: Bool = false) {
    self.table = table
    self.isRemembered = isRemembered && table.hasRelationships
  }

  /// Makes the models neighbours of each other.
  ///
  /// - Returns: their group; nil for less than two and where nothing is to be read for them.
  @discardableResult func remember() -> FaultBatch? {
    guard isRemembered, models.count > 1 else { return nil }
    let group = FaultBatch(list.isEmpty ? .runs(runs.runs, table.token) : .list(list))
    table.remember(group)
    return group
  }

  func reserve(_ count: Int) { models.reserveCapacity(count) }

  /// A row of an SQLite statement.
  func receive(_ row: inout StatementRow) throws {
    let key = row.row
    if isRemembered { runs.append(key) }
    let object = try table.object(row: key) { object in
      if table.probe.incompleteModels > 0 { try complete(object, &row) }
    } make: { state in
      if let parts, let model = try partialModel(row, parts) {
        model._$state.owner = state.owner
        return model
      }
      return try row.definition.codec.makeModel(statement: &row, state: state)
    }
    models.append(consume object)
  }

  /// Whether so many models are registered, all of them complete, that rows need not be read before
  /// their keys are known.
  var knowsRows: Bool { table.rowCount >= 64 && table.probe.incompleteModels == 0 }

  /// The key of a row; false when its model is not registered.
  func receiveKnown(_ key: Int64) -> Bool {
    guard let object = table.object(row: key) else { return false }
    if models.isEmpty { models.reserveCapacity(table.rowCount) }
    if isRemembered { runs.append(key) }
    models.append(object)
    return true
  }

  /// A model with placeholders for what the row leaves out.
  private func partialModel(
    _ row: StatementRow, _ parts: FetchParts
  ) throws -> (any PersistentModel)? {
    let definition = row.definition
    let missing = parts.missing(of: definition)
    guard !missing.isEmpty else { return nil }
    var known = row.omitting(missing)
    let buffer = definition.codec.makeBuffer(capacity: 1)
    try definition.codec.read(statement: &known, into: buffer)
    let model = buffer.makeModel(0)
    model?.side.missing = MissingColumns(missing, table.probe)
    return model
  }

  /// Gives a model that was fetched in part the whole row.
  private func complete(_ object: AnyObject, _ row: inout StatementRow) throws {
    let model = table.definition.codec.model(from: object)
    guard parts == nil, model.phase == .clean, let side = model._$state.side, side.missing != nil
    else { return }
    let codec = row.definition.codec
    let buffer = codec.makeBuffer(capacity: 1)
    try codec.read(statement: &row, into: buffer)
    buffer.restore(0, model)
    side.missing = nil
  }

  /// A member of the list of `owner`; the members of one owner come one after the other.
  func receive(_ row: inout StatementRow, owner: Int64) throws {
    if lists.last?.owner != owner {
      if let limit, models.count >= limit { throw LimitReached() }
      lists.append((owner, models.count))
    }
    try receive(&row)
  }

  /// A snapshot of a store that hands out whole snapshots. A clean registered model takes its values.
  ///
  /// - Parameter gate: what the snapshot has passed; the table is of its hierarchy.
  func receive(_ snapshot: DefaultSnapshot, _ gate: SnapshotGate) throws {
    let identifier = snapshot.persistentIdentifier
    if isRemembered { list.append(identifier) }
    if let object = table.object(identifier) {
      let model = table.definition.codec.model(from: object)
      let definition = type(of: model)._$definition
      guard definition === snapshot.buffer.definition else {
        throw gate.misfit(snapshot, of: definition.entityName)
      }
      if model.phase == .clean { snapshot.buffer.restore(snapshot.index, model) }
      models.append(object)
      return
    }
    guard let model = snapshot.buffer.makeModel(snapshot.index) else { return }
    table.register(model)
    models.append(model)
  }

  /// The models as their own type.
  func typed<T: PersistentModel>(as type: T.Type) -> [T] {
    if table.definition.modelType == type {
      // The codec of the table makes objects of exactly this class or of subclasses.
      return unsafeBitCast(models, to: [T].self)
    }
    return models.compactMap { $0 as? T }
  }
}

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
