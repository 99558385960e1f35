import CSQLiteRaw
import Foundation

/// Reads a store's contents with the C API after a write operation. Both sides use the same table and column names.
enum StoredState {
  static func checksum(_ url: URL) throws -> String {
    var handle: OpaquePointer?
    defer { sqlite3_close(handle) }
    guard sqlite3_open(url.path, &handle) == SQLITE_OK, let connection = handle else {
      throw RawFailure(description: "cannot open \(url.lastPathComponent)")
    }
    let rows = try RawStatement(
      connection,
      """
      SELECT name, destination, startDate, endDate, budget, isFavorite, notes FROM Trip
      ORDER BY id
      """)
    defer { sqlite3_finalize(rows.handle) }
    var checksum = Checksum()
    while try rows.step() {
      checksum.add(
        TripValues(
          name: rows.text(0), destination: rows.text(1), startDate: rows.date(2),
          endDate: rows.date(3), budget: rows.real(4), isFavorite: rows.integer(5) != 0,
          notes: rows.optionalText(6)))
    }
    let items = try RawStatement(
      connection,
      """
      SELECT count(*), (SELECT count(*) FROM BucketListItem JOIN Trip ON Trip.id = trip)
      FROM BucketListItem
      """)
    defer { sqlite3_finalize(items.handle) }
    while try items.step() {
      checksum.add(Int(items.integer(0)))
      checksum.add(Int(items.integer(1)))
    }
    return checksum.text
  }
}
