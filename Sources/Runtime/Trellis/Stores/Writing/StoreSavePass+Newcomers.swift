/// The state of a store that delete rules were applied to.
struct StoreLook: Sendable {
  /// Another number as soon as anybody has committed; nil where nobody can tell.
  var state: UInt64?
}

/// Rows would go with others, or lose a reference, that delete rules know nothing of: somebody has written them
/// since. The rules have to be applied once more.
struct StaleLook: Error {}

/// Rows that others have written between the delete rules and the transaction.
extension StoreSavePass {
  /// Looks for rows that foreign keys would delete or change by themselves: no history would tell of it, and no
  /// context would hear of it. Where nobody has committed meanwhile, this compares two numbers.
  ///
  /// - Throws: ``StaleLook``.
  func lookForNewcomers(_ groups: [(definition: ModelDefinition, keys: [Int64])]) throws {
    guard let look = request.look, !groups.isEmpty else { return }
    if let state = look.state, state == store.pool.state { return }
    var leaving: [String: Set<Int64>] = [:]
    for group in groups {
      leaving[try store.plans.plan(for: group.definition).entity.table, default: []].formUnion(group.keys)
    }
    var cleared: [Follower: Set<Int64>] = [:]
    for (row, slot, definition) in request.clearedRows {
      let entity = try store.plans.plan(for: definition).entity
      guard let key = row.row, entity.columns.indices ~= slot else { continue }
      cleared[Follower(entity, entity.columns[slot]), default: []].insert(key)
    }
    for group in groups {
      let root = try store.plans.plan(for: group.definition).entity.rootName
      for follower in followers(of: root) {
        let statement = try connection.take(follower.query.text)
        defer { connection.giveBack(statement) }
        try statement.bind(KeyList.text(of: group.keys), at: 1)
        while try statement.step() {
          let key = statement.integer(0)
          guard leaving[follower.table]?.contains(key) != true, cleared[follower]?.contains(key) != true
          else { continue }
          throw StaleLook()
        }
      }
    }
  }

  /// A column whose foreign key does something when the row it leads to is deleted.
  private struct Follower: Hashable {
    var table: String
    var key: String
    var column: String

    init(_ entity: EntityLayout, _ column: ColumnLayout) {
      table = entity.table
      key = entity.keyColumn
      self.column = column.name
    }

    /// Parameter 1 is a list of keys.
    var query: SQLFragment {
      """
      SELECT \(name: key) FROM \(name: table)
      WHERE \(name: column) IN (SELECT "value" FROM json_each(?1))
      """
    }
  }

  /// Those whose owners have a rule for it: a reference without an inverse is the foreign key's alone.
  private func followers(of root: String) -> Set<Follower> {
    var followers = Set<Follower>()
    let layout = store.catalogue.layout
    for entity in layout.entities {
      for column in entity.columns {
        guard let destination = column.destination, layout.entity(named: destination)?.rootName == root,
          entity.definition.relations.references.contains(where: {
            $0.property.slot == column.slot && $0.inverse != nil
          }),
          let table = store.catalogue.tables.first(where: { $0.name == entity.table }),
          let reference = table.column(named: column.name)?.reference, reference.onDelete != .noAction
        else { continue }
        followers.insert(Follower(entity, column))
      }
    }
    return followers
  }
}
