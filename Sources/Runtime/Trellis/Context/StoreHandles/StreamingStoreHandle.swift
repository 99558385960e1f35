/// A store that streams rows, such as ``DefaultStore``.
final class StreamingStoreHandle<S: DataStoreStreaming>: StoreHandle, @unchecked Sendable {  // as its superclass
  let store: S
  /// The same, if it is the library's own.
  private let own: DefaultStore?
  private let summarizing: (any SummarizingStore)?
  /// Who tells of the store's history, if it is not the store itself.
  private let history: (any HistoryProviding)?

  init(
    _ store: S, configurationName: String, entityNames: Set<String>, allowsSave: Bool,
    history: (any HistoryProviding)? = nil
  ) {
    self.store = store
    self.history = history
    // The first question about a protocol goes through every conformance of the program.
    let own = store as? DefaultStore
    self.own = own
    self.summarizing = own ?? (store as? any SummarizingStore)
    super.init(
      identifier: store.identifier, configurationName: configurationName, entityNames: entityNames,
      allowsSave: allowsSave, isLocked: own == nil && !(store is any ConcurrentDataStore))
  }

  override var object: AnyObject { store }
  override var isRelational: Bool { true }
  override var decodesSnapshots: Bool { own == nil }
  override var savesByForeignCode: Bool { own == nil }

  override func fetch<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>, into receiver: ModelReceiver
  ) throws {
    try serialised {
      if let own {
        if let parts = receiver.parts {
          return try own.stream(request, parts: parts) { row in try receiver.receive(&row) }
        }
        if receiver.knowsRows,
          try own.stream(
            request, known: receiver.receiveKnown, row: { try receiver.receive(&$0) })
        {
          return
        }
      }
      // Others send whole rows.
      receiver.parts = nil
      try store.stream(request) { row in try receiver.receive(&row) }
    }
  }

  override func fetch(_ question: SharedQuestion, into receiver: ModelReceiver) throws -> Bool {
    try own?.stream(question) { row in try receiver.receive(&row) } ?? false
  }

  override func count(_ question: SharedQuestion) throws -> Int? { try own?.count(question) }

  override func identifiers(_ question: SharedQuestion) throws -> [PersistentIdentifier]? {
    try own?.identifiers(question)
  }

  override func fetchCount<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>
  ) throws -> Int {
    try serialised { try store.fetchCount(request) }
  }

  override func fetchIdentifiers<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>
  ) throws -> [PersistentIdentifier] {
    try serialised { try store.fetchIdentifiers(request) }
  }

  override func explain<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>
  ) throws -> StoreExplanation? {
    guard let store = store as? any ExplainingStore else { return nil }
    return try serialised { try store.explain(request) }
  }

  override func summarize<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>, isWide: Bool,
    select: (inout AggregateTranslation) throws -> AggregateSelect,
    row: (inout StatementRow) throws -> Void
  ) throws -> Bool {
    guard let summarizing else { return false }
    try serialised {
      try summarizing.summarize(request, isWide: isWide, select: select, row: row)
    }
    return true
  }

  override var countsLists: Bool { summarizing != nil }

  override func countMembers(
    _ request: DataStoreRelatedRequest, isExistence: Bool
  ) throws -> [Int] {
    try serialised { try summarizing?.countMembers(request, isExistence: isExistence) ?? [] }
  }

  override func load(
    _ identifiers: [PersistentIdentifier], _ definition: ModelDefinition,
    _ editingState: EditingState, _ receiver: ModelReceiver
  ) throws {
    try serialised {
      try store.stream(identifiers, editingState: editingState) { row in
        try receiver.receive(&row)
      }
    }
  }

  override func load(
    _ identifier: PersistentIdentifier, _ definition: ModelDefinition,
    _ editingState: EditingState, _ receiver: ModelReceiver
  ) throws {
    guard let own else { return try load([identifier], definition, editingState, receiver) }
    try serialised { try own.stream(identifier) { row in try receiver.receive(&row) } }
  }

  override func read(
    _ identifiers: [PersistentIdentifier], _ definition: ModelDefinition,
    _ editingState: EditingState, into batch: SnapshotBatch
  ) throws {
    try serialised {
      try store.stream(identifiers, editingState: editingState) { row in
        try definition.codec.read(statement: &row, into: batch)
      }
    }
  }

  override func loadMembers(
    of owners: [PersistentIdentifier], _ definition: ModelDefinition, slot: Int,
    _ editingState: EditingState, _ receiver: ModelReceiver
  ) throws -> Bool {
    let request = DataStoreRelatedRequest(
      owners: owners, entityName: definition.entityName, slot: slot, editingState: editingState)
    try serialised {
      try store.streamRelated(request) { owner, row in
        try receiver.receive(&row, owner: owner.row ?? 0)
      }
    }
    return true
  }

  override var deletesRows: Bool { store is DefaultStore }

  override func visitRelatedRows(
    of rows: [Int64], _ definition: ModelDefinition, _ relation: Relation,
    _ body: (RelatedRow) throws -> Void
  ) throws {
    try (store as? DefaultStore)?.visitRelatedRows(of: rows, definition, relation, body)
  }

  /// A JSON file is replaced after its database in memory has written, and before that commits.
  override var savingRank: Int { own == nil ? 2 : history == nil ? 0 : 1 }

  override func save(
    _ request: DataStoreSaveChangesRequest<DefaultSnapshot>,
    recheck: () throws -> DataStoreSaveChangesRequest<DefaultSnapshot>, beforeCommit: () throws -> Void
  ) throws -> DataStoreSaveChangesResult<DefaultSnapshot> {
    if let own { return try own.save(request, recheck: recheck, beforeCommit: beforeCommit) }
    return try serialised {
      try checkConflicts(request)
      try beforeCommit()
      return try store.save(request)
    }
  }

  override var dataVersion: DataVersion? { own?.dataVersion }

  override var recordsHistory: Bool { own?.history != nil }

  override var streams: Bool { own?.pool.streams ?? false }

  override func visit<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>, row: (inout StatementRow) throws -> Void,
    snapshot: (DefaultSnapshot) throws -> Void
  ) throws {
    try serialised { try store.stream(request, row: row) }
  }

  override func write(
    _ definition: ModelDefinition, isUpsert: Bool, _ progress: BatchProgress,
    _ editingState: EditingState, _ body: (TableBatch) throws -> Void
  ) throws -> BatchOutcome? {
    try own?.write(definition, isUpsert: isUpsert, progress, editingState, body)
  }

  override func fetchHistory<T: HistoryTransaction>(
    _ descriptor: HistoryDescriptor<T>
  ) throws -> [T]? {
    guard let store = history ?? (store as? any HistoryProviding) else { return nil }
    return try serialised { try store.history(descriptor) }
  }

  override func deleteHistory<T: HistoryTransaction>(
    _ descriptor: HistoryDescriptor<T>
  ) throws -> Bool {
    guard let store = history ?? (store as? any HistoryProviding) else { return false }
    return try serialised { try store.forget(descriptor) }
  }

  override func historyReach() throws -> HistoryReach? { try own?.historyReach() }

  override func erase() throws {
    guard allowsSave else {
      throw SwiftDataError.loadIssueModelContainer.explained(
        "the store '\(configurationName)' does not allow saving")
    }
    try serialised { try store.erase() }
  }

  override func initializeState(for editingState: EditingState) {
    serialised { store.initializeState(for: editingState) }
  }

  override func invalidateState(for editingState: EditingState) {
    serialised { store.invalidateState(for: editingState) }
  }
}
