/// A table as the store wants it: what is created, compared and written down.
package struct TableDefinition: Hashable, Codable, Sendable {
  package var name: String
  package var columns: [ColumnDefinition]
  /// The columns of the primary key, for tables of pairs; other tables have a row number.
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
  /// For constraints of some entities of a shared table: the discriminator column and their names.
  package var condition: Condition?

  package struct Condition: Hashable, Codable, Sendable {
    package var column: String
    package var values: [String]
  }
}

extension ColumnType.Affinity: Codable {}

extension TableDefinition {
  /// The table and its indexes.
  var statements: [SQLFragment] { [creation] + indexes.map { $0.creation(on: name) } }

  /// The table without its indexes.
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
  /// The column in the definition of an SQLite table.
  var definition: SQLFragment {
    let own = definition(SQLFragment(stringLiteral: type.rawValue))
    return reference.map { "\(own) \($0.definition)" } ?? own
  }

  /// The column in the definition of a table, without its reference.
  ///
  /// - Parameter type: the type's name in the database.
  package func definition(_ type: SQLFragment) -> SQLFragment {
    var fragment: SQLFragment = "\(name: name) \(type)"
    if isRowKey { fragment += " PRIMARY KEY" }
    if isRequired { fragment += " NOT NULL" }
    return fragment
  }
}

extension ColumnDefinition.Reference {
  /// The foreign key in the definition of a column or a constraint.
  package var definition: SQLFragment {
    let action: SQLFragment =
      onDelete == .noAction ? "" : " ON DELETE \(SQLFragment(stringLiteral: onDelete.rawValue))"
    return "REFERENCES \(name: table)\(action) DEFERRABLE INITIALLY DEFERRED"
  }
}

extension IndexDefinition {
  /// - Parameter mode: text behind `INDEX`, for example ` CONCURRENTLY`.
  package func creation(on table: String, mode: SQLFragment = "") -> SQLFragment {
    let kind: SQLFragment = isUnique ? "CREATE UNIQUE INDEX" : "CREATE INDEX"
    var fragment: SQLFragment = "\(kind)\(mode) \(name: name) ON \(name: table) (\(names: columns))"
    if let condition { fragment += " WHERE \(name: condition.column) IN (\(literals: condition.values))" }
    return fragment
  }
}

extension SQLFragment.StringInterpolation {
  /// Quoted names, separated by commas.
  package mutating func appendInterpolation(names: [String]) {
    appendInterpolation(names.map { "\(name: $0)" as SQLFragment }.joined(separator: ", "))
  }

  /// Text literals, separated by commas.
  package mutating func appendInterpolation(literals: [String]) {
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
    case .text(let string) where string.utf8.contains(0):
      // SQL ends at such a byte.
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
