/// Turns what a store sends into registered models, keeping the order.
///
/// A row whose object is registered is not decoded. The models of one receiver are objects of one
/// inheritance chain.
final class ModelReceiver {
  let table: IdentityTable
  private(set) var models: [AnyObject] = []
  /// The owner of each model, for rows of to-many lists.
  private(set) var owners: [Int64] = []
  /// Related models that came along; they live until the receiver's call is over.
  var keepAlive: [AnyObject] = []

  init(table: IdentityTable) { self.table = table }

  func reserve(_ count: Int) { models.reserveCapacity(count) }

  /// A row of an SQLite statement.
  func receive(_ row: inout StatementRow) throws {
    if let object = table.object(row: row.row) {
      models.append(object)
      return
    }
    let model = try row.definition.codec.makeModel(statement: &row)
    table.register(model)
    models.append(model)
  }

  /// A member of the list of `owner`.
  func receive(_ row: inout StatementRow, owner: Int64) throws {
    owners.append(owner)
    try receive(&row)
  }

  /// A snapshot of a store that hands out whole snapshots. A clean registered model takes its values.
  func receive(_ snapshot: DefaultSnapshot) {
    let identifier = snapshot.persistentIdentifier
    if let object = table.object(identifier) {
      let model = table.definition.codec.model(from: object)
      if model.phase == .clean { snapshot.batch.restore(snapshot.index, model) }
      models.append(object)
      return
    }
    guard let model = snapshot.batch.makeModel(snapshot.index) else { return }
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
