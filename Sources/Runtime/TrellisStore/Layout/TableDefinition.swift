/// A table definition, used to create, compare and record tables.
package struct TableDefinition: Hashable, Codable, Sendable {
  package var name: String
  package var columns: [ColumnDefinition]
  /// The primary key columns for join tables. Other tables use a row key.
  package var key: [String] = []
  package var indexes: [IndexDefinition] = []

  package func column(named name: String) -> ColumnDefinition? { columns.first { $0.name == name } }
}

package struct ColumnDefinition: Hashable, Codable, Sendable {
  package var name: String
  package var type: ColumnType.Affinity
  package var isRowKey = false
  package var isRequired = false
  package var reference: Reference?

  package struct Reference: Hashable, Codable, Sendable {
    package enum Action: String, Codable, Sendable {
      case cascade = "CASCADE"
      case setNull = "SET NULL"
      case noAction = "NO ACTION"
    }

    package var table: String
    package var onDelete: Action
  }
}

package struct IndexDefinition: Hashable, Codable, Sendable {
  package var name: String
  package var columns: [String]
  package var isUnique = false
  /// The discriminator column and entity names, if a constraint applies only to some entities in a shared table.
  package var condition: Condition?

  package struct Condition: Hashable, Codable, Sendable {
    package var column: String
    package var values: [String]
  }
}

extension ColumnType.Affinity: Codable {}

extension TableDefinition {
  /// The statements that create the table and indexes.
  package var statements: [SQLFragment] { [creation] + indexes.map { $0.creation(on: name) } }

  /// The statement that creates the table.
  var creation: SQLFragment {
    var lines = columns.map(\.definition)
    if !key.isEmpty {
      lines.append("PRIMARY KEY (\(names: key))")
    }
    let body = lines.joined(separator: ",\n  ")
    return "CREATE TABLE \(name: name) (\n  \(body)\n)\(key.isEmpty ? " STRICT" : " STRICT, WITHOUT ROWID")"
  }
}

extension ColumnDefinition {
  /// The column definition in a CREATE TABLE statement.
  var definition: SQLFragment {
    let own = definition(SQLFragment(stringLiteral: type.rawValue))
    return reference.map { "\(own) \($0.definition)" } ?? own
  }

  /// Returns the column definition, except for the foreign key.
  ///
  /// - Parameter type: The database type name.
  package func definition(_ type: SQLFragment) -> SQLFragment {
    var fragment: SQLFragment = "\(name: name) \(type)"
    if isRowKey { fragment += " PRIMARY KEY" }
    if isRequired { fragment += " NOT NULL" }
    return fragment
  }
}

extension ColumnDefinition.Reference {
  /// The foreign key clause for a column or constraint.
  package var definition: SQLFragment {
    let action: SQLFragment =
      onDelete == .noAction ? "" : " ON DELETE \(SQLFragment(stringLiteral: onDelete.rawValue))"
    return "REFERENCES \(name: table)\(action) DEFERRABLE INITIALLY DEFERRED"
  }
}

extension IndexDefinition {
  /// - Parameter mode: Text that follows `INDEX`, for example ` CONCURRENTLY`.
  package func creation(on table: String, mode: SQLFragment = "") -> SQLFragment {
    let kind: SQLFragment = isUnique ? "CREATE UNIQUE INDEX" : "CREATE INDEX"
    var fragment: SQLFragment = "\(kind)\(mode) \(name: name) ON \(name: table) (\(names: columns))"
    if let condition { fragment += " WHERE \(name: condition.column) IN (\(literals: condition.values))" }
    return fragment
  }
}

extension SQLFragment.StringInterpolation {
  /// Appends quoted names, separated by commas.
  package mutating func appendInterpolation(names: [String]) {
    appendInterpolation(names.map { "\(name: $0)" as SQLFragment }.joined(separator: ", "))
  }

  /// Appends text literals, separated by commas.
  package mutating func appendInterpolation(literals: [String]) {
    appendInterpolation(literals.map { "\(literal: $0)" as SQLFragment }.joined(separator: ", "))
  }

  /// Appends a literal value, for definitions in which SQLite accepts no parameters.
  mutating func appendInterpolation(literal value: SQLValue) {
    switch value {
    case .null: text += "NULL"
    case .integer(let integer): text += String(integer)
    case .real(let real) where real.isNaN: text += "'NaN'"
    case .real(let real) where real.isInfinite: text += real < 0 ? "-9e999" : "9e999"
    case .real(let real): text += "\(real)"
    case .text(let string) where string.utf8.contains(0):
      // SQL text ends at a zero byte.
      text += "(CAST("
      appendInterpolation(literal: .blob(Array(string.utf8)))
      text += " AS TEXT))"
    case .text(let text): appendInterpolation(literal: text)
    case .blob(let bytes):
      text +=
        "x'" + bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined() + "'"
    case .list(let values): appendInterpolation(literal: JSONList.text(of: values))
    }
  }
}
