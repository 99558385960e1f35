/// A table as the store wants it: what is created, compared and written down.
struct TableDefinition: Hashable, Codable, Sendable {
  var name: String
  var columns: [ColumnDefinition]
  /// The columns of the primary key, for tables of pairs; other tables have a row number.
  var key: [String] = []
  var indexes: [IndexDefinition] = []

  func column(named name: String) -> ColumnDefinition? { columns.first { $0.name == name } }
}

struct ColumnDefinition: Hashable, Codable, Sendable {
  var name: String
  var type: ColumnType.Affinity
  var isRowKey = false
  var isRequired = false
  var reference: Reference?

  struct Reference: Hashable, Codable, Sendable {
    enum Action: String, Codable, Sendable {
      case cascade = "CASCADE"
      case setNull = "SET NULL"
      case noAction = "NO ACTION"
    }

    var table: String
    var onDelete: Action
  }
}

struct IndexDefinition: Hashable, Codable, Sendable {
  var name: String
  var columns: [String]
  var isUnique = false
  /// For constraints of some entities of a shared table: the discriminator column and their names.
  var condition: Condition?

  struct Condition: Hashable, Codable, Sendable {
    var column: String
    var values: [String]
  }
}

extension ColumnType.Affinity: Codable {}

extension TableDefinition {
  /// The table and its indexes.
  var statements: [SQLFragment] { [creation] + indexes.map { $0.creation(on: name) } }

  /// The table without its indexes.
  var creation: SQLFragment { creation(in: SQLiteDialect()) }

  func creation(in dialect: any SQLDialect) -> SQLFragment {
    var lines = columns.map { $0.definition(in: dialect) }
    if !key.isEmpty {
      lines.append("PRIMARY KEY (\(names: key))")
    }
    let body = lines.joined(separator: ",\n  ")
    return "CREATE TABLE \(name: name) (\n  \(body)\n)\(dialect.tableOptions(hasRowNumber: key.isEmpty))"
  }
}

extension ColumnDefinition {
  /// The column as a table's definition has it.
  var definition: SQLFragment { definition(in: SQLiteDialect()) }

  func definition(in dialect: any SQLDialect) -> SQLFragment {
    var fragment: SQLFragment = "\(name: name) \(dialect.columnType(type))"
    if isRowKey { fragment += " PRIMARY KEY" }
    if isRequired { fragment += " NOT NULL" }
    if let reference {
      fragment += " REFERENCES \(name: reference.table)"
      switch reference.onDelete {
      case .cascade: fragment += " ON DELETE CASCADE"
      case .setNull: fragment += " ON DELETE SET NULL"
      case .noAction: break
      }
      fragment += " DEFERRABLE INITIALLY DEFERRED"
    }
    return fragment
  }
}

extension IndexDefinition {
  func creation(on table: String) -> SQLFragment {
    let kind: SQLFragment = isUnique ? "CREATE UNIQUE INDEX" : "CREATE INDEX"
    var fragment: SQLFragment = "\(kind) \(name: name) ON \(name: table) (\(names: columns))"
    if let condition { fragment += " WHERE \(name: condition.column) IN (\(literals: condition.values))" }
    return fragment
  }
}

extension SQLFragment.StringInterpolation {
  /// Quoted names, separated by commas.
  mutating func appendInterpolation(names: [String]) {
    appendInterpolation(names.map { "\(name: $0)" as SQLFragment }.joined(separator: ", "))
  }

  /// Text literals, separated by commas.
  mutating func appendInterpolation(literals: [String]) {
    appendInterpolation(literals.map { "\(literal: $0)" as SQLFragment }.joined(separator: ", "))
  }

  /// A value in a definition, where SQLite takes no parameters.
  mutating func appendInterpolation(literal value: SQLValue) {
    switch value {
    case .null: text += "NULL"
    case .integer(let integer): text += String(integer)
    case .real(let real) where real.isNaN: text += "'NaN'"
    case .real(let real) where real.isInfinite: text += real < 0 ? "-9e999" : "9e999"
    case .real(let real): text += "\(real)"
    case .text(let text): appendInterpolation(literal: text)
    case .blob(let bytes):
      text +=
        "x'" + bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined() + "'"
    case .list(let values): appendInterpolation(literal: JSONList.text(of: values))
    }
  }
}
