import CSQLite

/// Finds the row that an upsert has overwritten. `RETURNING` would take twice as long.
package final class UpdateHook {
  private static let none = Int64.min
  private let touched = UnsafeMutablePointer<Int64>.allocate(capacity: 1)

  package init() { touched.initialize(to: Self.none) }

  deinit { touched.deallocate() }

  package func install(on connection: Connection) {
    sqlite3_update_hook(
      connection.handle,
      { touched, operation, _, _, row in
        if operation == SQLITE_UPDATE {
          touched?.assumingMemoryBound(to: Int64.self).pointee = row
        }
      }, touched)
  }

  package func remove(from connection: Connection) { sqlite3_update_hook(connection.handle, nil, nil) }

  /// Forgets the last updated row.
  @inline(__always) package func clear() { touched.pointee = Self.none }

  /// The row that was updated last since ``clear()``.
  @inline(__always) package var row: Int64? {
    let row = touched.pointee
    return row == Self.none ? nil : row
  }
}
