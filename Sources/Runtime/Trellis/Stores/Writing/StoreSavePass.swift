/// One save, inside its transaction.
///
/// Most saves break no unique constraint, so the database finds the conflicts. Only then are the rows with the unique values
/// read, and the save begins again.
final class StoreSavePass {
  let store: DefaultStore
  let connection: Connection
  let request: DataStoreSaveChangesRequest<DefaultSnapshot>
  private var driver: SQLiteSaveDriver
  private var save: TableSave?

  init(
    store: DefaultStore, connection: Connection, request: DataStoreSaveChangesRequest<DefaultSnapshot>
  ) {
    self.store = store
    self.connection = connection
    self.request = request
    driver = SQLiteSaveDriver(store, connection, author: request.editingState.author)
  }

  /// - Parameter keepsKeys: true if the inserted snapshots have their keys already.
  func run(keepsKeys: Bool = false) throws {
    if !request.committed.isEmpty { try checkConflicts() }
    var save = try TableSave(request, store.plans, store.history, through: driver)
    self.save = save
    if save.isConstrained {
      let keysBefore = store.keys.state
      do {
        try connection.savepoint { try save.write(keepsKeys: keepsKeys, settlesPairs: true) }
      } catch  where driver.isConflict(error) {
        store.keys.restore(keysBefore)
        driver.discardFiles()
        driver = SQLiteSaveDriver(store, connection, isChecked: true, author: request.editingState.author)
        save = try TableSave(request, store.plans, store.history, through: driver)
        self.save = save
        try save.write(checksValues: true, keepsKeys: keepsKeys, settlesPairs: true)
      }
    } else {
      try save.write(keepsKeys: keepsKeys, settlesPairs: true)
    }
    try save.writeHistory(hasTombstones: driver.historyNumber != nil)
  }

  private func checkConflicts() throws {
    try ConflictCheck(request: request).run { identifiers, definition, buffer in
      try store.rows(of: identifiers, on: connection) { row in
        try definition.codec.read(statement: &row, into: buffer)
      }
    }
  }

  /// Column flags that are in memory and in this transaction, but not yet in the file.
  var newMarks: Set<ColumnFlags.Mark> { driver.newMarks }

  /// Explains a broken foreign key.
  func explained(_ error: any Error) -> any Error {
    guard let save else { return error }
    return OrphanedRows(store: store, connection: connection, identifier: save.identifier).explained(error)
  }

  var result: DataStoreSaveChangesResult<DefaultSnapshot> {
    save?.result(store.identifier, driver.historyToken) ?? DataStoreSaveChangesResult(for: store.identifier)
  }
}
