import AppleStore
package import Trellis

/// A Core Data store's tables and compressed model.
package struct AppleStoreContents: Sendable {
  /// The numbers in `Z_ENT` by entity name.
  package private(set) var numbers: [String: Int64] = [:]
  /// The columns by table.
  package private(set) var columns: [String: [String]] = [:]
  /// Row counts by table and entity number.
  package private(set) var rowCounts: [String: [Int64: Int64]] = [:]
  /// The compressed model; `nil` if the store has none.
  package private(set) var modelCache: [UInt8]?
  /// Row counts of Core Data's internal tables, such as the history.
  package private(set) var internalTables: [(name: String, rows: Int64)] = []

  /// The largest accepted compressed model, in bytes.
  static let cacheLimit: Int64 = 16 << 20

  /// - Throws: ``AppleStoreProblem`` if the database is not a Core Data store, and ``SQLiteError``.
  package init(_ connection: Connection) throws {
    // Excludes virtual tables and views, which could run code.
    let names = try connection.rows(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0 ORDER BY name"
    ).compactMap { row -> String? in
      guard case .text(let name)? = row.first else { return nil }
      return name
    }
    for name in names {
      columns[name] = try connection.rows("SELECT name FROM pragma_table_info(\(value: .text(name)))")
        .compactMap { row in
          guard case .text(let column)? = row.first else { return nil }
          return column
        }
    }
    guard let keys = columns["Z_PRIMARYKEY"], Set(keys).isSuperset(of: ["Z_ENT", "Z_NAME"]),
      columns["Z_METADATA"] != nil
    else {
      throw AppleStoreProblem(
        "not a SwiftData or Core Data store: the tables Z_PRIMARYKEY and Z_METADATA are missing; for other "
          + "databases, use '--from sqlite'")
    }
    for row in try connection.rows("SELECT Z_NAME, Z_ENT FROM Z_PRIMARYKEY ORDER BY Z_ENT") {
      guard case .text(let name)? = row.first, case .integer(let number)? = row.last else { continue }
      guard numbers.updateValue(number, forKey: name) == nil else {
        throw AppleStoreProblem("entity '\(name)' has two numbers in the table Z_PRIMARYKEY")
      }
    }
    guard Set(numbers.values).count == numbers.count else {
      throw AppleStoreProblem("two entities have the same number in the table Z_PRIMARYKEY")
    }
    for (name, columns) in columns.sorted(by: { $0.key < $1.key }) {
      try count(name, columns, connection)
    }
    modelCache = try Self.modelCache(columns["Z_MODELCACHE"], connection)
  }

  private mutating func count(_ name: String, _ columns: [String], _ connection: Connection) throws {
    if columns.contains("Z_PK"), columns.contains("Z_ENT") {
      var counts: [Int64: Int64] = [:]
      let rows = try connection.rows(
        "SELECT Z_ENT, count(*) FROM \(name: name) WHERE typeof(Z_ENT) = 'integer' GROUP BY Z_ENT")
      for row in rows {
        guard case .integer(let number)? = row.first, case .integer(let count)? = row.last else { continue }
        counts[number] = count
      }
      rowCounts[name] = counts
    }
    // Entity and relationship tables begin with Z.
    guard !name.hasPrefix("Z"), !name.hasPrefix("sqlite_") else { return }
    internalTables.append((name, try connection.integers("SELECT count(*) FROM \(name: name)").first ?? 0))
  }

  private static func modelCache(_ columns: [String]?, _ connection: Connection) throws -> [UInt8]? {
    guard columns?.contains("Z_CONTENT") ?? false else { return nil }
    let sizes = try connection.integers(
      "SELECT length(Z_CONTENT) FROM Z_MODELCACHE WHERE Z_CONTENT IS NOT NULL LIMIT 1")
    guard let size = sizes.first, size > 0 else { return nil }
    guard size <= cacheLimit else {
      throw AppleStoreProblem("the model cache has \(size) bytes, which is more than \(cacheLimit)")
    }
    let row = try connection.rows("SELECT Z_CONTENT FROM Z_MODELCACHE WHERE Z_CONTENT IS NOT NULL LIMIT 1").first
    guard case .blob(let bytes)? = row?.first else { return nil }
    return bytes
  }
}
