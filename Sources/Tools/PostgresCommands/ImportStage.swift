import Foundation
import StoreTransfer
import Trellis

/// A temporary SQLite database with the server's rows, from which the copy engine fills the store. It is deleted with
/// this object.
final class ImportStage {
  let url: URL
  private let folder: PartialFolder

  init() throws {
    folder = try PartialFolder()
    url = folder.url.appendingPathComponent("rows.sqlite")
  }

  /// Copies all rows.
  ///
  /// - Throws: `TransferError` if the temporary folder is full, `PostgresError` if the connection fails.
  func fill(from catalogue: ImportCatalogue, _ source: ImportConnection, progress: TransferProgress) throws {
    do {
      let database = try Connection(url.path, .creating)
      // The file is deleted after a failure.
      for pragma: SQLFragment in [
        "PRAGMA journal_mode = OFF", "PRAGMA synchronous = OFF", "PRAGMA cache_size = -8000",
      ] {
        try database.execute(pragma)
      }
      let total = catalogue.database.tables.reduce(0) { $0 + $1.rowCount }
      var done: Int64 = 0
      for table in catalogue.tables {
        let description = catalogue.database.tables[table.index]
        let copied = try database.write {
          try copy(table, description, source, database) {
            progress(TransferStep(.reading, description.name, done: done + $0, total: total))
          }
        }
        guard copied == description.rowCount else {
          throw TransferError(
            "'\(description.name)' has \(description.rowCount) rows, but the server returned \(copied); import again")
        }
        done += copied
        try addIndexes(description, database)
      }
    } catch let error as SQLiteError {
      throw TransferError(
        "the temporary database in \(FileManager.default.temporaryDirectory.path) cannot be written: \(error.message); set "
          + "the variable TMPDIR to a folder with space for all rows")
    }
  }

  private func copy(
    _ table: ImportCatalogue.Table, _ description: ForeignTable, _ source: ImportConnection, _ database: Connection,
    report: (Int64) -> Void
  ) throws -> Int64 {
    let columns = description.columns.map { column -> SQLFragment in
      let isKey = description.numbering == .column(column.name)
      return "\(name: column.name)\(isKey ? " INTEGER PRIMARY KEY" : "")"
    }
    try database.execute("CREATE TABLE \(name: description.name) (\(columns.joined(separator: ", ")))")
    let places = [SQLFragment](repeating: "?", count: columns.count).joined(separator: ", ")
    let insertion: SQLFragment = "INSERT INTO \(name: description.name) VALUES (\(places))"
    let statement = try Statement(insertion.text, on: database.handle)
    var count: Int64 = 0
    try source.read(table.query, isWide: table.isWide) { rows in
      for row in rows {
        for (index, value) in row.enumerated() {
          try statement.bind(table.types[index].form.stored(value), at: Int32(index + 1))
        }
        try statement.run()
      }
      count += Int64(rows.count)
      report(count)
    }
    return count
  }

  /// Indexes the key columns, which are used to find referenced rows.
  private func addIndexes(_ table: ForeignTable, _ database: Connection) throws {
    var number = 0
    for columns in [table.primaryKey] + table.uniques where !columns.isEmpty {
      if table.numbering == .column(columns[0]), columns.count == 1 { continue }
      number += 1
      try database.execute(
        "CREATE INDEX \(name: "\(table.name) key \(number)") ON \(name: table.name) (\(names: columns))")
    }
  }
}

extension ImportType.Form {
  /// Returns the value for the temporary database.
  func stored(_ value: SQLValue) -> SQLValue {
    guard case .text(let text) = value else { return value }
    switch self {
    case .plain: return value
    // SQLite has no negative zero.
    case .double: return Double(text).map { .real($0 == 0 ? 0 : $0) } ?? value
    case .float: return Float(text).map { .real($0 == 0 ? 0 : Double($0)) } ?? value
    case .numeric: return .text(ImportExpression.trimmed(text))
    case .bytes: return .blob(Self.bytes(text.utf8))
    }
  }

  private static func bytes(_ digits: String.UTF8View) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(digits.count / 2)
    var high: UInt8?
    for digit in digits {
      let value = digit < 58 ? digit - 48 : digit - 87
      if let first = high {
        bytes.append(first << 4 | value)
        high = nil
      } else {
        high = value
      }
    }
    return bytes
  }
}
