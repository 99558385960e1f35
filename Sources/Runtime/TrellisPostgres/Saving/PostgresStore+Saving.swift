import Foundation
import Synchronization
public import Trellis

extension PostgresStore {
  /// Writes the changes of a request in one transaction.
  ///
  /// The transaction is repeated if the server has ended it because of another one. After a lost connection the store
  /// looks up whether the transaction was committed.
  ///
  /// - Throws: `SwiftDataError.modelValidationFailure` for constraints and required references,
  ///   `SwiftDataError.saveConflict` with the policy `ConflictPolicy.fail`, and ``PostgresError``. Nothing is saved
  ///   then, unless the error is ``PostgresError/Code/commitOutcomeUnknown``.
  public func save(
    _ request: DataStoreSaveChangesRequest<DefaultSnapshot>
  ) throws -> DataStoreSaveChangesResult<DefaultSnapshot> {
    try PostgresTransaction(self, readsFirst: true).save(request)
  }

  package func makeTransaction(readsFirst: Bool) -> any StoreTransaction {
    PostgresTransaction(self, readsFirst: readsFirst)
  }

  /// Waits longer from time to time and never the same, so that two saves do not meet again.
  func pause(_ attempt: Int) {
    Thread.sleep(forTimeInterval: Double.random(in: 0.001...0.004) * Double(1 << min(attempt, 6)))
  }
}

extension PostgresStore {
  /// Those of some identifiers that have a row.
  func identifiers(existing identifiers: [PersistentIdentifier]) throws -> [PersistentIdentifier] {
    var found: [PersistentIdentifier] = []
    for (token, group) in Dictionary(grouping: identifiers.filter { !$0.isTemporary }, by: \.token) {
      guard let plan = try plans.plan(of: token, identifier) else { continue }
      let statement = statement(
        "SELECT \(plan.key) FROM \(plan.source) WHERE \(dialect.isKey(plan.key, in: "?1"))",
        keys: group.compactMap(\.row))
      try reading {
        try $0.run(statement) { found.append(PersistentIdentifier(token: token, row: $0.integer(0) ?? 0)) }
      }
    }
    return found
  }

  /// The rows of a class whose reference in a slot leads to a row.
  func rows(
    referringTo target: PersistentIdentifier, in slot: Int, of plan: EntityStatements
  ) throws -> [PersistentIdentifier] {
    guard let key = target.row else { return [] }
    let column: SQLFragment = "\(column: plan.entity.columns[slot].name, of: PredicateTranslator.rootAlias)"
    let statement = statement(
      "SELECT \(plan.key) FROM \(plan.source) WHERE \(dialect.isKey(column, in: "?1"))", keys: [key])
    return try reading { connection in
      var found: [PersistentIdentifier] = []
      try connection.run(statement) { found.append(PersistentIdentifier(token: plan.token, row: $0.integer(0) ?? 0)) }
      return found
    }
  }

  /// The rows of a hierarchy that have a unique value of a snapshot in the request.
  func candidates(
    _ root: ModelDefinition, _ request: DataStoreSaveChangesRequest<DefaultSnapshot>
  ) throws -> [PersistentIdentifier] {
    let plan = try plans.plan(for: root)
    var found = Set<PersistentIdentifier>()
    for snapshots in [request.inserted, request.updated] {
      for (definition, group) in Dictionary(grouping: snapshots, by: { ObjectIdentifier($0.buffer.definition ?? root) })
      {
        guard let own = group.first?.buffer.definition, ObjectIdentifier(own) == definition, own.root === root else {
          continue
        }
        let statements = try plans.plan(for: own)
        for constraint in statements.constraints {
          for key in try rows(constraint, statements, group, request.inserted) {
            found.insert(PersistentIdentifier(token: plan.token, row: key))
          }
        }
      }
    }
    // Rows of the request itself, whose values may move from one to another.
    for snapshot in request.updated + request.deleted where snapshot.buffer.definition?.root === root {
      found.insert(snapshot.persistentIdentifier)
    }
    return found.sorted()
  }

  /// The keys of the rows that have the values of a constraint that some snapshots have.
  private func rows(
    _ constraint: UniqueConstraint, _ plan: EntityStatements, _ snapshots: [DefaultSnapshot],
    _ inserted: [DefaultSnapshot]
  ) throws -> [Int64] {
    var slots = PropertySet()
    for slot in constraint.slots { slots.insert(slot) }
    let keys = KeyTable(growing: true)
    // No row refers to a model that is not saved yet.
    for snapshot in inserted { if let serial = snapshot.persistentIdentifier.row { keys[serial] = -1 } }
    let columns = RowColumns(plan, slots, layout)
    var binder = StatementBinder(columns, slots, shape: plan.shape, keys: keys)
    for snapshot in snapshots { try columns.add(0, snapshot.buffer, snapshot.index, &binder) }
    var parameters = PostgresParameters()
    var arrays: [SQLFragment] = []
    var names: [SQLFragment] = []
    var conditions: [SQLFragment] = []
    for (position, name) in columns.names.enumerated() where constraint.columns.contains(name) {
      columns.columns[position].appendArray(to: &parameters)
      arrays.append("?\(number: arrays.count + 1)::\(columns.columns[position].type.arraySQL)")
      names.append("c\(number: arrays.count)")
      conditions.append("\(column: name, of: "t") = v.c\(number: arrays.count)")
    }
    let fragment: SQLFragment = """
      SELECT DISTINCT \(column: plan.entity.keyColumn, of: "t") FROM \(name: plan.entity.table) AS t
      JOIN unnest(\(arrays.joined(separator: ", "))) AS v(\(names.joined(separator: ", ")))
      ON \(conditions.joined(separator: " AND "))
      """
    var found: [Int64] = []
    try reading { connection in
      try connection.run(PostgresStatement(fragment, parameters)) { found.append($0.integer(0) ?? 0) }
    }
    return found
  }
}
