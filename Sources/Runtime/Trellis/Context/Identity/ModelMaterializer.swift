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

  // MARK: reading

  /// Receives the matches of a query, and the related models that a store of snapshots sends along.
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

  /// Receives the rows of the given identifiers, in no particular order.
  func read(
    _ identifiers: [PersistentIdentifier], _ definition: ModelDefinition, _ editingState: EditingState
  ) throws {
    try table.store.rows(of: identifiers, definition, editingState) { row in
      try receive(&row)
    } snapshot: {
      try receive($0)
    }
  }

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
  /// - Parameter snapshot: checked by the store's handle. The table is that of its hierarchy.
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

  /// The models as their own type.
  func typed<T: PersistentModel>(as type: T.Type) -> [T] {
    if table.definition.modelType == type {
      // The codec of the table makes objects of exactly this class or of subclasses.
      return unsafeBitCast(models, to: [T].self)
    }
    return models.compactMap { $0 as? T }
  }
}
