import StoreTransfer
import Trellis

/// A row's complete values as texts that a ``Draft`` accepts.
struct EditableRow: Encodable, Sendable {
  var entity: String
  /// The exact class.
  var `class`: String
  var key: String
  /// The values by property; nil for NULL. Data is only named.
  var values: [String: String?]
}

/// Rows that a relationship can lead to.
struct RowChoices: Encodable, Sendable {
  var rows: [RowLink]
  /// False if there are more rows.
  var isComplete: Bool

  static let most = 20
}

extension StoreReader {
  func editable(_ name: String, key: Int64) throws -> EditableRow {
    guard let entity = try rowClass(entity(name), key) else { throw Self.missing(name, key) }
    let values = try values(of: entity.columns, entity, key) ?? []
    let properties = zip(entity.columns.map(\.property), values)
    return EditableRow(
      entity: name, class: entity.name, key: "\(key)",
      values: Dictionary(properties.map { ($0, $1) }, uniquingKeysWith: { first, _ in first }))
  }

  /// Returns a row's values as texts; nil if there is no such row.
  func values(
    of columns: [StudioSchema.Column], _ entity: StudioSchema.Entity, _ key: Int64
  ) throws -> [String?]? {
    var values: [String?]?
    try visit(columns.map { "\(column: $0.sql, of: Self.alias)" }, of: entity, key) { statement in
      values = columns.indices.map { editableText(columns[$0].form, statement, Int32($0)) }
    }
    return values
  }

  /// Returns the texts of values that are not in a table, such as default values.
  func text(of value: SQLValue, _ form: CellForm) throws -> String? {
    editableText(form, try statement(value), 0)
  }

  private func editableText(_ form: CellForm, _ statement: Statement, _ index: Int32) -> String? {
    guard let cell = Cell(form, statement.handle, index) else {
      return "invalid:" + String(decoding: Statement.bytes(statement.handle, index), as: UTF8.self)
    }
    switch cell {
    case .null: return nil
    case .text(let bytes), .json(let bytes): return String(decoding: bytes, as: UTF8.self)
    case .file(let bytes):
      let name = String(decoding: bytes, as: UTF8.self)
      return "data:\(ExternalFolder.length(of: name) ?? 0):\(name)"
    case .data(let bytes):
      var hasher = Hasher()
      hasher.combine(bytes: bytes)
      return "data:\(bytes.count):\(UInt(bitPattern: hasher.finalize()))"
    case .boolean, .integer, .unsigned, .real, .float, .date:
      var text = ""
      var sink = ByteSink(capacity: 64) { text += String(decoding: $0, as: UTF8.self) }
      _ = CellText.csv(cell, database.files, &sink)
      sink.flush()
      return text
    }
  }

  func choices(_ name: String, _ text: String) throws -> RowChoices {
    let entity = try entity(name)
    var condition = membership(entity)
    if !text.isEmpty {
      let columns = entity.columns.compactMap { contains(text, $0) }
      let isKey: SQLFragment = "\(key(entity)) = \(value: Int64(text).map { .integer($0) } ?? .null)"
      condition = "\(condition) AND (\((columns + [isKey]).joined(separator: " OR ")))"
    }
    let found = try database.run(within: .seconds(1)) {
      try database.integers(
        """
        SELECT \(key(entity)) FROM \(table(entity)) WHERE \(condition) ORDER BY 1 LIMIT \(number: RowChoices.most + 1)
        """)
    }
    let keys = found ?? []
    return RowChoices(
      rows: try links(entity, Array(keys.prefix(RowChoices.most))),
      isComplete: found != nil && keys.count <= RowChoices.most)
  }
}
