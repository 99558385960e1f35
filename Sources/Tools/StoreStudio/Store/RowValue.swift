import CSQLite
import StoreTransfer
import Trellis

/// A complete value, as the browser shows or saves it.
struct RowValue: Sendable {
  var type: String
  var bytes: [UInt8]

  /// The largest value that is sent.
  static let largest = 64 << 20
}

extension StoreReader {
  func value(_ name: String, key: Int64, property: String) throws -> RowValue {
    let entity = try entity(name)
    let columns = ([entity] + schema.entities.filter { $0.lineage.contains(name) }).lazy.flatMap(\.columns)
    guard let column = columns.first(where: { $0.property == property }) else {
      throw StudioError("'\(name)' has no value '\(property)'")
    }
    var found: RowValue?
    try visit(["\(column: column.sql, of: Self.alias)"], of: entity, key) { found = try value(column, $0) }
    guard let found else { throw Self.missing(name, key) }
    return found
  }

  private func value(_ column: StudioSchema.Column, _ statement: Statement) throws -> RowValue {
    guard sqlite3_column_bytes(statement.handle, 0) <= RowValue.largest else { throw Self.tooLarge }
    guard let cell = Cell(column.form, statement.handle, 0) else {
      return RowValue(type: "text/plain; charset=utf-8", bytes: Array(Statement.bytes(statement.handle, 0)))
    }
    switch cell {
    case .data(let bytes): return RowValue(bytes)
    case .file(let name):
      let size = ExternalFolder.length(of: String(decoding: name, as: UTF8.self)) ?? 0
      guard size <= RowValue.largest else { throw Self.tooLarge }
      var bytes: [UInt8] = []
      bytes.reserveCapacity(size)
      if let problem = database.files.read(name, { bytes.append(contentsOf: $0) }) {
        throw StudioError("the value \(problem)")
      }
      return bytes.withUnsafeBytes { RowValue($0) }
    default:
      return RowValue(type: "text/plain; charset=utf-8", bytes: Array(Statement.bytes(statement.handle, 0)))
    }
  }

  private static let tooLarge = StudioError("the value is larger than 64 MiB; use 'trellis export'")
}

extension RowValue {
  fileprivate init(_ bytes: UnsafeRawBufferPointer) {
    self.init(type: ImageType(bytes)?.rawValue ?? "application/octet-stream", bytes: Array(bytes))
  }
}

// MARK: Export

extension StoreReader {
  /// Returns all rows of a view as CSV or JSON.
  ///
  /// - Throws: `UnexportableValue`, and ``StudioError`` if the text is too long.
  func export(_ query: RowQuery, _ format: RowFormat) throws -> [UInt8] {
    let entity = try entity(query.entity)
    let sort = try sortColumn(query, entity)
    return try matching(query, entity) { condition in
      let columns = entity.table.columns.map { "\(column: $0.column, of: Self.alias)" as SQLFragment }
      let select: SQLFragment = """
        SELECT \(database.selection(columns.joined(separator: ", "), of: entity.layout)) FROM \(table(entity))
        WHERE \(condition) ORDER BY \(order(entity, sort, query.isDescending))
        """
      let output = ExportedText()
      var sink = ByteSink { try output.append($0) }
      let encoder = RowEncoder(format, entity.table, files: database.files)
      encoder.begin(&sink)
      var isFirst = true
      try database.visit(select) { statement in
        try encoder.append(statement, isFirst: isFirst, to: &sink)
        isFirst = false
        try sink.check()
      }
      encoder.end(&sink)
      try sink.finish()
      return output.bytes
    }
  }
}

/// The text of an export, which is sent at once.
private final class ExportedText {
  var bytes: [UInt8] = []

  func append(_ part: UnsafeRawBufferPointer) throws(StudioError) {
    guard bytes.count + part.count <= RowValue.largest else {
      throw StudioError("the rows are larger than 64 MiB; use 'trellis export'")
    }
    bytes.append(contentsOf: part)
  }
}
