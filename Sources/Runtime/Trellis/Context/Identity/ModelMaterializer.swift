/// Converts store results into registered models, in order.
///
/// Rows with a registered object are not decoded. All models belong to a single inheritance hierarchy.
final class ModelMaterializer {
  let table: IdentityTable
  // Written only by the row loop, which run-time exclusivity checks would slow down.
  @exclusivity(unchecked) private(set) var models: [AnyObject] = []
  /// The start index of each owner's list within `models`, for rows of to-many lists.
  @exclusivity(unchecked) private(set) var lists: [(owner: Int64, start: Int)] = []
  /// Models for related snapshots in the result.
  var related: [any PersistentModel] = []

  /// The attributes to load; `nil` for all.
  var parts: FetchParts?
  /// The member count after which the next owner's list is not read.
  var limit: Int?
  /// Thrown to stop reading lists.
  struct LimitReached: Error {}

  /// True to record the rows in order, so that the models become neighbors.
  private let isRemembered: Bool
  @exclusivity(unchecked) private var runs = RowRuns()
  private var list: [PersistentIdentifier] = []

  /// - Parameter isRemembered: True if a relationship that is read for one of the models is then read for all of them.
  init(table: IdentityTable, isRemembered: Bool = false) {
    self.table = table
    self.isRemembered = isRemembered && table.hasRelationships
  }

  /// Records the models as neighbors.
  ///
  /// - Returns: The group; `nil` if there are fewer than two models or no relationships to read.
  @discardableResult func remember() -> FaultBatch? {
    guard isRemembered, models.count > 1 else { return nil }
    let group = FaultBatch(list.isEmpty ? .runs(runs.runs, table.token) : .list(list))
    table.remember(group)
    return group
  }

  func reserve(_ count: Int) { models.reserveCapacity(count) }

  // MARK: reading

  /// Reads a query's matches, and additional related models from snapshot stores.
  func read<T: PersistentModel>(_ query: Query<T>) throws {
    let known = knowsRows && query.parts == nil ? receiveKnown : nil
    let others = try table.store.rows(query, known: known) { row in
      try receive(&row)
    } snapshot: {
      try receive($0)
    }
    guard !others.isEmpty else { return }
    let own = Set(models.map(ObjectIdentifier.init))
    for snapshot in others {
      guard let definition = snapshot.buffer.definition, let table = try? table.context.table(for: definition),
        table.store === self.table.store,
        table.object(snapshot.persistentIdentifier).map({ own.contains(ObjectIdentifier($0)) }) != true
      else { continue }
      let other = ModelMaterializer(table: table)
      try other.receive(snapshot)
      related += other.models.map(table.definition.codec.model(from:))
    }
  }

  /// Reads the rows with the given identifiers, in any order.
  func read(
    _ identifiers: [PersistentIdentifier], _ definition: ModelDefinition, _ editingState: EditingState
  ) throws {
    try table.store.rows(of: identifiers, definition, editingState) { row in
      try receive(&row)
    } snapshot: {
      try receive($0)
    }
  }

  /// Adds the model for an SQLite row.
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

  /// True if enough complete models are registered that reading only the rows with unknown keys saves time.
  var knowsRows: Bool { table.rowCount >= 64 && table.probe.incompleteModels == 0 }

  /// Adds the registered model with a key. Returns false if it is not registered.
  func receiveKnown(_ key: Int64) -> Bool {
    guard let object = table.object(row: key) else { return false }
    if models.isEmpty { models.reserveCapacity(table.rowCount) }
    if isRemembered { runs.append(key) }
    models.append(object)
    return true
  }

  /// Creates a model with placeholder values for omitted columns.
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

  /// Completes a partially fetched model with the full row.
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

  /// Adds a member of an owner's list. All members of an owner must be added consecutively.
  func receive(_ row: inout StatementRow, owner: Int64) throws {
    if lists.last?.owner != owner {
      if let limit, models.count >= limit { throw LimitReached() }
      lists.append((owner, models.count))
    }
    try receive(&row)
  }

  /// Adds the model for a store's snapshot. A clean registered model is updated with the snapshot's values.
  ///
  /// - Parameter snapshot: A snapshot validated by the store handle, whose class belongs to the table's hierarchy.
  func receive(_ snapshot: DefaultSnapshot) throws {
    let identifier = snapshot.persistentIdentifier
    if isRemembered { list.append(identifier) }
    if let object = table.object(identifier) {
      let model = table.definition.codec.model(from: object)
      let definition = type(of: model)._$definition
      guard definition === snapshot.buffer.definition else {
        throw table.store.misfit(snapshot, of: definition.entityName)
      }
      if model.phase == .clean { snapshot.buffer.restore(snapshot.index, model) }
      models.append(object)
      return
    }
    guard let model = snapshot.buffer.makeModel(snapshot.index) else { return }
    table.register(model)
    models.append(model)
  }

  /// Returns the models with their static type.
  func typed<T: PersistentModel>(as type: T.Type) -> [T] {
    if table.definition.modelType == type {
      // The table's codec creates objects of exactly this class or a subclass.
      return unsafeBitCast(models, to: [T].self)
    }
    return models.compactMap { $0 as? T }
  }
}
