extension DefaultStore {
  /// To be called at the beginning of every transaction that writes.
  ///
  /// Another program may have brought the store to another version since it was opened here. The values
  /// of this program's models may mean something else there, even where the tables still take them.
  ///
  /// - Throws: ``SwiftDataError/backwardMigration`` then.
  @inline(__always) func checkVersion(_ connection: Connection) throws {
    // Changes when somebody else has committed.
    let state = connection.currentDataVersion
    if state != connection.checkedState { try checkVersion(connection, state) }
  }

  @inline(never) private func checkVersion(_ connection: Connection, _ state: UInt32) throws {
    guard case .file = pool.place else { return connection.checkedState = state }
    let now = try StoreMetadata(connection)
    guard now?.fingerprint == metadata.fingerprint, now?.migrations == metadata.migrations else {
      throw SwiftDataError.opening(
        .newerSchema,
        "another program has brought the store from version \(metadata.version) of the schema to "
          + "\(now?.version.description ?? "another one") since it was opened, and nothing was saved: make a new container",
        path: configuration.url.path)
    }
    connection.checkedState = state
  }
}
