/// A store of tables.
final class TableStoreHandle: StoreHandle, @unchecked Sendable {  // as its superclass
  let store: any TableStore

  init(_ store: any TableStore, configurationName: String, entityNames: Set<String>, allowsSave: Bool) {
    self.store = store
    super.init(
      identifier: store.identifier, configurationName: configurationName, entityNames: entityNames,
      allowsSave: allowsSave, history: store, isLocked: false)
  }

  override var object: AnyObject { store }
  override var sqlStore: (any TableStore)? { store }
  override var isRelational: Bool { true }
  override var decodesSnapshots: Bool { false }
  override var savesByForeignCode: Bool { false }

  // MARK: queries

  override func rows<T: PersistentModel>(
    _ query: Query<T>, into materializer: ModelMaterializer
  ) throws {
    let known = materializer.knowsRows && query.parts == nil ? materializer.receiveKnown : nil
    try store.rows(query, known: known) { row in try materializer.receive(&row) }
  }

  override func rows<T: PersistentModel>(
    _ query: Query<T>, row: (inout StatementRow) throws -> Void,
    snapshot: (DefaultSnapshot) throws -> Void
  ) throws {
    try store.rows(query, known: nil, row: row)
  }

  override func keys<T: PersistentModel>(_ query: Query<T>) throws -> [PersistentIdentifier] {
    try store.identifiers(query)
  }

  override func count<T: PersistentModel>(_ query: Query<T>) throws -> Int { try store.count(query) }

  override func explain<T: PersistentModel>(_ query: Query<T>) throws -> StoreExplanation? {
    try store.explain(query)
  }

  override func readingOneState<Result>(_ body: () throws -> Result) throws -> Result {
    try store.readingOneState(body)
  }

  // MARK: rows by identifier

  override func load(
    _ identifiers: [PersistentIdentifier], _ definition: ModelDefinition,
    _ editingState: EditingState, _ materializer: ModelMaterializer
  ) throws {
    try store.rows(of: identifiers) { row in try materializer.receive(&row) }
  }

  override func read(
    _ identifiers: [PersistentIdentifier], _ definition: ModelDefinition,
    _ editingState: EditingState, into buffer: SnapshotBuffer
  ) throws {
    try store.rows(of: identifiers) { row in
      try definition.codec.read(statement: &row, into: buffer)
    }
  }

  override func loadMembers(
    of owners: [PersistentIdentifier], _ definition: ModelDefinition, slot: Int,
    _ editingState: EditingState, _ materializer: ModelMaterializer
  ) throws -> Bool {
    let request = DataStoreRelatedRequest(
      owners: owners, entityName: definition.entityName, slot: slot, editingState: editingState)
    try store.members(request) { owner, row in
      try materializer.receive(&row, owner: owner.row ?? 0)
    }
    return true
  }

  override var deletesRows: Bool { true }

  override func visitRelatedRows(
    of rows: [Int64], _ definition: ModelDefinition, _ relation: Relation,
    _ body: (RelatedRow) throws -> Void
  ) throws {
    try store.visitRelatedRows(of: rows, definition, relation, body)
  }

  // MARK: changes

  override func makeTransaction(readsFirst: Bool) -> any StoreTransaction {
    store.makeTransaction(readsFirst: readsFirst)
  }
  override var recordsHistory: Bool { store.recordsHistory }
  override var streams: Bool { store.streams }

  override func write(
    _ definition: ModelDefinition, isUpsert: Bool, _ progress: BatchProgress,
    _ editingState: EditingState, _ body: BatchBody
  ) throws -> BatchOutcome? {
    try store.write(definition, isUpsert: isUpsert, progress, editingState, body)
  }

  override func historyReach() throws -> HistoryReach? { try store.historyReach() }
  override func makeCommitMonitor() -> (any CommitMonitor)? { store.makeCommitMonitor() }

  override func erase() throws {
    guard allowsSave else {
      throw SwiftDataError.loadIssueModelContainer.explained(
        "the store '\(configurationName)' does not allow saving")
    }
    try store.erase()
  }

  override func initializeState(for editingState: EditingState) {
    store.initializeState(for: editingState)
  }

  override func invalidateState(for editingState: EditingState) {
    store.invalidateState(for: editingState)
  }
}
