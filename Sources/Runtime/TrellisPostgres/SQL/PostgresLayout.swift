import Trellis

/// The types of the columns of a store, and which tables have texts.
struct PostgresLayout: Sendable {
  /// The column with the original texts of a row whose columns have them in Normalization Form C: an object with the
  /// text of each such column. NULL in most rows.
  static let exactColumn = "$exact"

  /// By table and column.
  private var types: [String: [String: PostgresType]] = [:]
  /// By table: the columns whose texts are compared.
  private var normalized: [String: Set<String>] = [:]
  let tables: [TableDefinition]

  init(_ catalogue: StoreCatalogue, _ dialect: PostgresDialect) {
    tables = catalogue.tables
    for entity in catalogue.layout.entities {
      var types = self.types[entity.table] ?? [:]
      types[entity.keyColumn] = .bigint
      if !entity.discriminators.isEmpty { types[entity.entityColumn] = .text }
      for column in entity.columns {
        types[column.name] = PostgresType(column)
        for (member, flattened) in zip(column.members, column.property.flattenedMembers) {
          types[member.name] = PostgresType(member.type, ScalarKind.of(flattened.type))
        }
        let parts = column.members.isEmpty ? [(column.name, column.type)] : column.members.map { ($0.name, $0.type) }
        for (name, type) in parts where type.comparison == .text {
          normalized[entity.table, default: []].insert(name)
        }
      }
      self.types[entity.table] = types
    }
    for table in catalogue.tables {
      // JSON has no equality, which indexes need.
      for index in table.indexes {
        for column in index.columns where types[table.name]?[column] == .json {
          types[table.name]?[column] = .text
        }
      }
    }
    types = types.mapValues { $0.mapValues { $0 == .json ? dialect.jsonType : $0 } }
    for table in normalized.keys { types[table]?[Self.exactColumn] = dialect.exactType }
  }

  /// The type of a column; that of keys and positions for columns that no property has.
  func type(of column: String, in table: String) -> PostgresType { types[table]?[column] ?? .bigint }

  /// True if a column has its texts in Normalization Form C.
  func isNormalized(_ column: String, in table: String) -> Bool { normalized[table]?.contains(column) ?? false }

  /// True if a table has ``exactColumn``.
  func hasExactColumn(_ table: String) -> Bool { normalized[table] != nil }

  /// Flags of the columns that may have NaN: every column with such numbers.
  var flags: ColumnFlags {
    ColumnFlags(
      Set(
        types.flatMap { table, columns in
          columns.filter { $1 == .double || $1 == .real }.map { column, _ in
            ColumnFlags.Mark(kind: .nan, table: table, column: column)
          }
        }))
  }
}

/// Parts of statements that depend on the types of columns.
extension PostgresLayout {
  /// The value of a column as a tombstone has it: its type, because a later schema version may use another one, and its
  /// text. Of bytes, and of numbers whose text depends on a setting of the server, `x` and the bytes in hexadecimal.
  func preserved(_ column: String, in table: String, _ dialect: PostgresDialect) -> SQLFragment {
    let (value, type): (SQLFragment, _) = ("\(name: column)", type(of: column, in: table))
    var form: SQLFragment = "\(value)::text"
    if isNormalized(column, in: table) {
      // The original text is NULL for most rows.
      let exact: SQLFragment = "\(name: Self.exactColumn)::jsonb->>\(literal: column)"
      form = "CASE WHEN normalize(\(exact), NFC) = \(value) THEN \(exact) ELSE \(value) END"
    } else if type == .bytea {
      form = "'x' || encode(\(value), 'hex')"
    } else if type == .double || type == .real, dialect.engine.hasSendFunctions {
      form = "'x' || encode(float8send(\(value)), 'hex')"
    }
    return "\(literal: type.rawValue + " ") || \(form)"
  }
}

/// The statements that create the tables. The layout has their names without the schema of the database.
extension PostgresLayout {
  /// Creates all tables, their indexes and their sequences.
  ///
  /// - Parameter hasForeignKeys: true to let the database check references and apply delete rules.
  func definitions(hasForeignKeys: Bool, _ schema: InternalTables, _ dialect: PostgresDialect) -> [SQLFragment] {
    tables.map { creation($0, schema, dialect) }
      + tables.filter { $0.key.isEmpty }.map { Self.sequence(schema.qualified($0.name)) }
      + tables.flatMap { table in table.indexes.map { $0.creation(on: schema.qualified(table.name)) } }
      + (hasForeignKeys
        ? tables.flatMap { table in table.columns.compactMap { foreignKey($0, of: table, schema) } } : [])
  }

  func creation(_ table: TableDefinition, _ schema: InternalTables, _ dialect: PostgresDialect) -> SQLFragment {
    var lines = table.columns.map { definition($0, in: table.name, dialect) }
    if hasExactColumn(table.name) { lines.append("\(name: Self.exactColumn) \(dialect.exactType.sql)") }
    if !table.key.isEmpty { lines.append("PRIMARY KEY (\(names: table.key))") }
    return "CREATE TABLE \(name: schema.qualified(table.name)) (\n  \(lines.joined(separator: ",\n  "))\n)"
  }

  /// A column in the definition of a table.
  func definition(_ column: ColumnDefinition, in table: String, _ dialect: PostgresDialect) -> SQLFragment {
    let type = type(of: column.name, in: table)
    return column.definition(type == .text ? "\(type.sql)\(dialect.byteOrder)" : type.sql)
  }

  /// Adds the foreign key of a column; nil for a column without a reference. The constraints are named by us, so that a
  /// migration finds them.
  func foreignKey(_ column: ColumnDefinition, of table: TableDefinition, _ schema: InternalTables) -> SQLFragment? {
    guard var reference = column.reference else { return nil }
    reference.table = schema.qualified(reference.table)
    return """
      ALTER TABLE \(name: schema.qualified(table.name))
      ADD CONSTRAINT \(name: Self.constraint(column.name, of: table.name))
      FOREIGN KEY (\(name: column.name)) \(reference.definition)
      """
  }

  static func constraint(_ column: String, of table: String) -> String { "\(table)_\(column)_reference" }

  /// The sequence of the keys of a table, which gives a thousand of them at once.
  static func sequence(_ table: String) -> SQLFragment {
    "CREATE SEQUENCE \(name: keySequence(of: table)) INCREMENT \(number: keysPerBlock)"
  }

  static func keySequence(of table: String) -> String { "\(table)_keys" }

  /// The keys that one value of a sequence stands for.
  static let keysPerBlock = 1_000
}
