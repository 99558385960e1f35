import CSQLite

/// Settings of the SQLite library, made before the first connection.
enum SQLiteLibrary {
  /// SQLite counts the bytes it has allocated, under a lock, at every allocation, which is a twentieth
  /// of an insertion or a fetch. Its makers recommend to leave that out. Refused, and without effect,
  /// where the program has used SQLite before.
  static let prepared: Bool = trellis_sqlite3_leave_memory_uncounted() == SQLITE_OK
}
