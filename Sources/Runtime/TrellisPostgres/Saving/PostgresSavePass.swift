import Foundation
import Synchronization
import Trellis

/// A save's statements.
///
/// All statements are created before the first is sent, so that they take one round trip.
final class PostgresSavePass: SaveDriver {
  let store: PostgresStore
  let request: DataStoreSaveChangesRequest<DefaultSnapshot>
  /// Identifies the save in the history, and shows after a lost connection whether the transaction was committed.
  let save: UUID
  private let connection: PostgresConnection
  /// True to read rows with the request's unique values first, and to accept that rows to delete may be missing.
  private let checksRows: Bool
  private let keepsKeys: Bool
  private var changes: TableSave?
  private var statements: [PostgresStatement] = []
  private var hasTombstones = false
  /// True if the last statement writes a history row and returns it.
  private(set) var isRecorded = false

  /// - Parameter keepsKeys: True if the inserted snapshots already have keys.
  init(
    _ store: PostgresStore, _ request: DataStoreSaveChangesRequest<DefaultSnapshot>, _ connection: PostgresConnection,
    checksRows: Bool = false, keepsKeys: Bool = false
  ) {
    self.store = store
    self.request = request
    self.connection = connection
    self.checksRows = checksRows
    self.keepsKeys = keepsKeys
    save = store.saves.next()
  }

  /// The statements between BEGIN and COMMIT, after any statements that read rows.
  func makeStatements() throws -> [PostgresStatement] {
    let changes = try TableSave(request, store.plans, store.history, through: self)
    self.changes = changes
    try changes.write(checksValues: checksRows, keepsKeys: keepsKeys, settlesPairs: false)
    try changes.writeHistory(hasTombstones: hasTombstones)
    return statements
  }

  /// References to missing rows after the statements have run.
  func orphans() throws -> [SwiftDataError.Violation] {
    connection.begin([.begin])
    defer { connection.rollBack() }
    try connection.run(makeStatements())
    guard let changes else { return [] }
    return try OrphanedRows(store.plans, identifier: changes.identifier, rows: connection.pairs).violations()
  }

  /// - Parameter token: The position after the transaction; `nil` if it is not recorded.
  func result(_ token: DefaultHistoryToken?) -> DataStoreSaveChangesResult<DefaultSnapshot> {
    changes?.result(store.identifier, token) ?? DataStoreSaveChangesResult(for: store.identifier)
  }

  private func add(_ fragment: SQLFragment, keys: [Int64]) {
    statements.append(store.statement(fragment, keys: keys))
  }

  /// Runs the pending statements before reading rows that they change.
  private func runStatements() throws {
    guard !statements.isEmpty else { return }
    try connection.run(statements)
    statements = []
  }

  // MARK: rows

  func newKeys(_ count: Int, of plan: EntityStatements) throws -> [Range<Int64>] {
    try store.newKeys(count, of: plan, connection)
  }

  func update(_ positions: Range<Int>, _ plan: EntityStatements, of save: TableSave) throws {
    let changed = request.updated[positions.lowerBound].changed
    let rows = request.updated[positions].map { ($0.persistentIdentifier.row ?? 0, $0) }
    statements += try columns(rows, changed, plan, save.keys).updates
  }

  func overwrite(_ positions: [Int], _ plan: EntityStatements, of save: TableSave) throws {
    statements += try columns(positions, plan, save).updates
  }

  func insert(_ group: TableSave.Group, of save: TableSave) throws {
    guard !group.written.isEmpty else { return }
    let rows = try columns(group.written, group.plan, save)
    let copies = rows.count >= RowColumns.many && store.copiesRows.load(ordering: .relaxed)
    statements += copies ? [rows.copying { try $0(rows.columns) }] : rows.insertions
  }

  /// The columns for inserted snapshots.
  private func columns(_ positions: [Int], _ plan: EntityStatements, _ save: TableSave) throws -> RowColumns {
    try columns(positions.map { (save.rows[$0], request.inserted[$0]) }, nil, plan, save.keys)
  }

  private func columns(
    _ rows: [(Int64, DefaultSnapshot)], _ changed: PropertySet?, _ plan: EntityStatements, _ keys: KeyTable
  ) throws -> RowColumns {
    let columns = RowColumns(plan, changed, store.layout)
    var binder = StatementBinder(columns, changed, shape: plan.shape, keys: keys)
    for (row, snapshot) in rows { try columns.add(row, snapshot.buffer, snapshot.index, &binder) }
    return columns
  }

  func existing(_ keys: [Int64], _ plan: EntityStatements) throws -> [Int64] {
    // The history omits the deletion of a row that a concurrent save has deleted.
    guard checksRows else { return keys }
    let query: SQLFragment = "SELECT \(plan.key) FROM \(plan.source) WHERE \(store.dialect.isKey(plan.key, in: "?1"))"
    let found = Set(try connection.rows(store.statement(query, keys: keys)) { $0.integer(0) })
    return keys.filter(found.contains)
  }

  func delete(_ groups: [(EntityStatements, [Int64])]) throws {
    for (plan, keys) in groups where !keys.isEmpty {
      for fragment in plan.deletionPlan.forgetting { add(fragment, keys: keys) }
      let rows: SQLFragment = """
        FROM \(name: plan.entity.table) WHERE \(store.dialect.isKey("\(name: plan.entity.keyColumn)", in: "?1"))
        """
      guard checksRows else {
        add(RowColumns.checked("DELETE \(rows)", count: "cardinality(?1)"), keys: keys)
        continue
      }
      // A foreign key may have deleted some of these rows already.
      add("DELETE \(rows)", keys: keys)
      add("SELECT 1 / (count(*) = 0)::int \(rows)", keys: keys)
    }
  }

  // MARK: unique values

  func rows(
    withValuesOf snapshots: [DefaultSnapshot], _ constraint: Int, _ plan: EntityStatements, _ keys: KeyTable
  ) throws -> [Int64] {
    let constraint = plan.constraints[constraint]
    let columns = try columns(snapshots.map { (0, $0) }, PropertySet(constraint.slots), plan, keys)
    return try connection.rows(columns.matches(in: constraint.columns)) { $0.integer(0) }
  }

  func displace(_ columns: [Int], of constraint: UniqueConstraint, _ keys: [Int64], _ plan: EntityStatements) throws {
    let key: SQLFragment = "\(name: plan.entity.keyColumn)"
    for column in columns.map({ constraint.columns[$0] }) {
      guard let value = store.layout.type(of: column, in: plan.entity.table).unusedValue(key) else { continue }
      return add(plan.displacement(column, by: value), keys: keys)
    }
  }

  // MARK: history

  func visitOwners(
    of keys: [Int64], in list: ListPartners.List, _ body: (_ row: Int64, _ entity: String?) throws -> Void
  ) throws {
    let found = try connection.rows(store.statement(list.query, keys: keys)) { ($0.integer(0) ?? 0, $0.string(1)) }
    for (row, entity) in found { try body(row, entity) }
  }

  func writeTombstones(of keys: [Int64], _ plan: EntityStatements) throws {
    let preserved = plan.entity.preservedColumns.flatMap(\.names)
    guard let history = store.history, !preserved.isEmpty else { return }
    hasTombstones = true
    let values = preserved.map { store.layout.preserved($0, in: plan.entity.table, store.dialect) }
    var statement = PostgresStatement(
      """
      INSERT INTO \(name: store.tables.tombstones) ("save", "entity", "key", "values")
      SELECT \(value: .text(save.uuidString))::uuid, \
      \(value: .integer(Int64(try history.number(of: plan.entity))))::bigint, \(name: plan.entity.keyColumn),
      array_to_json(ARRAY[\(values.joined(separator: ", "))])::text FROM \(name: plan.entity.table)
      WHERE \(store.dialect.isKey("\(name: plan.entity.keyColumn)", in: "?3")) ON CONFLICT DO NOTHING
      """)
    statement.parameters.append(keys: keys)
    statements.append(statement)
  }

  func writeHistory(_ changes: [UInt8]) throws {
    statements += store.recording(save, request.editingState, changes)
    isRecorded = true
  }

  // MARK: queries

  func snapshots(of identifiers: [PersistentIdentifier]) throws -> [DefaultSnapshot] {
    try runStatements()
    var collector = SnapshotCollector()
    try store.rows(of: identifiers) { try collector.add(&$0) }
    return collector.snapshots
  }

  func integers(_ query: SQLFragment) throws -> [Int64] {
    try runStatements()
    return try connection.rows(PostgresStatement(query)) { $0.integer(0) }
  }

  func execute(_ statement: SQLFragment) throws { statements.append(PostgresStatement(statement)) }
}
