import CSQLiteRaw
import Foundation

/// A connection with prepared statements, in WAL mode with `synchronous` NORMAL and foreign keys. All remaining
/// settings have default values.
final class RawStore {
  let connection: OpaquePointer
  let begin, commit: RawStatement
  let insertTrip, updateTrip, deleteTrip, insertItem: RawStatement
  let allTrips, firstTrips, tripByKey, tripsByDestination, tripsByPairs: RawStatement
  let itemsOfTrip, itemsOfFirstTrips: RawStatement
  let countItems, countItemsOfTrip, countFavorites, groupTrips: RawStatement

  static let schema = """
    CREATE TABLE IF NOT EXISTS Trip (
      id INTEGER PRIMARY KEY, name TEXT NOT NULL, destination TEXT NOT NULL,
      startDate REAL NOT NULL, endDate REAL NOT NULL, budget REAL NOT NULL,
      isFavorite INTEGER NOT NULL, notes TEXT);
    CREATE TABLE IF NOT EXISTS BucketListItem (
      id INTEGER PRIMARY KEY, title TEXT NOT NULL, isInPlan INTEGER NOT NULL,
      trip INTEGER REFERENCES Trip(id) ON DELETE CASCADE);
    CREATE INDEX IF NOT EXISTS BucketListItem_trip ON BucketListItem(trip);
    """
  static let index = "CREATE INDEX IF NOT EXISTS Trip_sorted ON Trip(destination, startDate);"

  init(_ url: URL, isIndexed: Bool = false) throws {
    var handle: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
    guard sqlite3_open_v2(url.path, &handle, flags, nil) == SQLITE_OK, let db = handle else {
      throw RawFailure(description: "cannot open \(url.lastPathComponent)")
    }
    connection = db
    let settings = "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA foreign_keys=ON;"
    guard sqlite3_exec(db, settings + Self.schema, nil, nil, nil) == SQLITE_OK,
      !isIndexed || sqlite3_exec(db, Self.index, nil, nil, nil) == SQLITE_OK
    else { throw RawFailure(description: String(cString: sqlite3_errmsg(db))) }

    let trip = "id, name, destination, startDate, endDate, budget, isFavorite, notes"
    let item = "id, title, isInPlan, trip"
    begin = try RawStatement(db, "BEGIN")
    commit = try RawStatement(db, "COMMIT")
    insertTrip = try RawStatement(
      db,
      """
      INSERT INTO Trip (name, destination, startDate, endDate, budget, isFavorite, notes)
      VALUES (?, ?, ?, ?, ?, ?, ?)
      """)
    updateTrip = try RawStatement(
      db,
      """
      UPDATE Trip SET name = ?, destination = ?, startDate = ?, endDate = ?, budget = ?,
      isFavorite = ?, notes = ? WHERE id = ?
      """)
    deleteTrip = try RawStatement(db, "DELETE FROM Trip WHERE id = ?")
    insertItem = try RawStatement(
      db, "INSERT INTO BucketListItem (title, isInPlan, trip) VALUES (?, ?, ?)")
    allTrips = try RawStatement(db, "SELECT \(trip) FROM Trip")
    firstTrips = try RawStatement(db, "SELECT \(trip) FROM Trip ORDER BY id LIMIT ?")
    tripByKey = try RawStatement(db, "SELECT \(trip) FROM Trip WHERE id = ?")
    tripsByDestination = try RawStatement(
      db, "SELECT \(trip) FROM Trip WHERE destination = ? ORDER BY startDate, id LIMIT 1000")
    tripsByPairs = try RawStatement(
      db,
      """
      SELECT \(trip) FROM Trip WHERE (name, destination) IN
      (SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]') FROM json_each(?)) ORDER BY id
      """)
    itemsOfTrip = try RawStatement(
      db, "SELECT \(item) FROM BucketListItem WHERE trip = ? ORDER BY id")
    itemsOfFirstTrips = try RawStatement(
      db,
      """
      SELECT \(item) FROM BucketListItem
      WHERE trip IN (SELECT id FROM Trip ORDER BY id LIMIT ?) ORDER BY trip, id
      """)
    countItems = try RawStatement(db, "SELECT count(*) FROM BucketListItem")
    countItemsOfTrip = try RawStatement(db, "SELECT count(*) FROM BucketListItem WHERE trip = ?")
    groupTrips = try RawStatement(
      db,
      "SELECT destination, count(*), max(budget), sum(budget) FROM Trip GROUP BY destination "
        + "ORDER BY destination")
    countFavorites = try RawStatement(
      db, "SELECT count(*) FROM Trip WHERE isFavorite = 1 AND budget > ?")
  }

  deinit {
    while let statement = sqlite3_next_stmt(connection, nil) { sqlite3_finalize(statement) }
    sqlite3_close(connection)
  }

  @inline(__always)
  func transaction<Result>(_ body: () throws -> Result) throws -> Result {
    try begin.run()
    let result = try body()
    try commit.run()
    return result
  }
}
