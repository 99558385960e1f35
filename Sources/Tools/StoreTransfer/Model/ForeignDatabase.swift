import StoreCare

/// The structure of an existing database, with statistics about the values.
///
/// Created by readers such as ``SQLiteReader``; ``SchemaDraft`` turns it into a schema.
package struct ForeignDatabase: Sendable, Encodable {
  /// The basis for the schema's name, for example the file name (extension removed).
  package var name: String
  package var tables: [ForeignTable]
  /// Objects that are not copied, in database order.
  package var skipped: [SkippedObject]
  /// The reader's notes on tables and columns.
  package var notes: [TransferNote] = []

  package init(name: String, tables: [ForeignTable] = [], skipped: [SkippedObject] = []) {
    self.name = name
    self.tables = tables
    self.skipped = skipped
  }

  package func table(named name: String) -> ForeignTable? { tables.first { $0.name == name } }
}

/// A view, trigger, virtual table or similar object that an import skips.
package struct SkippedObject: Sendable, Hashable, Encodable {
  package var kind: String
  package var name: String
  /// The reason, or a suggested replacement.
  package var reason: String

  package init(kind: String, name: String, reason: String) {
    self.kind = kind
    self.name = name
    self.reason = reason
  }
}

package struct ForeignTable: Sendable, Encodable {
  package var name: String
  package var columns: [ForeignColumn]
  /// The primary key's columns; empty if the table has none.
  package var primaryKey: [String]
  /// How rows are numbered.
  package var numbering: RowNumbering
  package var foreignKeys: [ForeignKey]
  /// Unique constraints and unconditional unique indexes, except for the primary key.
  package var uniques: [[String]]
  /// Non-unique indexes that consist of columns only.
  package var indexes: [[String]]
  /// Constraints and indexes that a schema cannot express, for the report.
  package var remarks: [String]
  package var rowCount: Int64
  /// True if the table has two foreign keys and no two rows refer to the same pair.
  package var hasDistinctPairs = false

  package init(
    name: String, columns: [ForeignColumn], primaryKey: [String] = [], numbering: RowNumbering = .hidden("rowid"),
    foreignKeys: [ForeignKey] = [], uniques: [[String]] = [], indexes: [[String]] = [], remarks: [String] = [],
    rowCount: Int64 = 0
  ) {
    self.name = name
    self.columns = columns
    self.primaryKey = primaryKey
    self.numbering = numbering
    self.foreignKeys = foreignKeys
    self.uniques = uniques
    self.indexes = indexes
    self.remarks = remarks
    self.rowCount = rowCount
  }

  package func column(named name: String) -> ForeignColumn? {
    columns.first { $0.name == name } ?? columns.first { $0.name.lowercased() == name.lowercased() }
  }

  /// True if the columns identify at most one row.
  package func isUnique(_ columns: [String]) -> Bool {
    let wanted = Set(columns)
    return ([primaryKey] + uniques).contains { !$0.isEmpty && Set($0).isSubset(of: wanted) }
  }
}

/// Identifies a table's rows by number.
package enum RowNumbering: Sendable, Hashable, Encodable {
  /// An integer primary key. The store keeps its values as row keys.
  case column(String)
  /// SQLite's hidden row number, under a name that no column uses.
  case hidden(String)
  /// Rows have no number (`WITHOUT ROWID`), so the import numbers them in key order.
  case none
}

package struct ForeignColumn: Sendable, Encodable {
  package var name: String
  /// The type as declared; empty if there is none.
  package var declaredType: String
  package var type: ForeignType
  /// True if the column rejects NULL.
  package var isRequired: Bool
  /// The default as an SQL expression.
  package var defaultValue: String?
  /// True for a generated column. The values are copied like stored values.
  package var isGenerated: Bool
  package var values: ValueCounts
  /// The name of the database's enum type, which several columns can share.
  package var enumName: String?
  /// Possible date forms, most likely first. Values become dates only if the user requests it.
  package var dateForms: [DateForm]

  package init(
    name: String, declaredType: String = "", type: ForeignType, isRequired: Bool = false, defaultValue: String? = nil,
    isGenerated: Bool = false, values: ValueCounts = ValueCounts(), dateForms: [DateForm] = []
  ) {
    self.name = name
    self.declaredType = declaredType
    self.type = type
    self.isRequired = isRequired
    self.defaultValue = defaultValue
    self.isGenerated = isGenerated
    self.values = values
    self.dateForms = dateForms
  }
}

/// The type of a column's values, from which the draft chooses a Swift type.
package enum ForeignType: Sendable, Hashable, Encodable {
  case integer, boolean, real, text, data
  /// Numbers stored as integers, reals or text.
  case decimal
  /// UUIDs as text or as 16 bytes.
  case uuid
  case date(DateForm)
  /// Text from a fixed set.
  case choice(texts: [String])
  case choiceOfIntegers([Int64])
  /// Values of a Swift type such as `Int32`, in stored form; for databases with exact types.
  case exact(String)
  /// JSON arrays.
  indirect case list(ForeignType)
}

/// A date representation, as named on the command line.
package enum DateForm: String, Sendable, Hashable, Encodable, CaseIterable {
  /// Text such as `2024-05-01 10:00:00`, `2024-05-01T10:00:00.123Z` or `2024-05-01`.
  case iso
  /// Seconds since 1 January 1970.
  case unix
  /// Milliseconds since 1 January 1970.
  case milliseconds
  /// Julian days, as in SQLite's `julianday()`.
  case julian
  /// Seconds since 1 January 2001, as in Foundation.
  case since2001
}

/// A column's values by storage class.
package struct ValueCounts: Sendable, Hashable, Encodable {
  package var nulls: Int64 = 0
  package var integers: Int64 = 0
  package var reals: Int64 = 0
  package var texts: Int64 = 0
  package var blobs: Int64 = 0
  /// Text that is not valid UTF-8.
  package var invalidTexts: Int64 = 0
  /// Text dates with more digits than a `Double` holds.
  package var roundedDates: Int64 = 0
  /// The first value in each storage class, shortened.
  package var examples: [String] = []

  package init() {}

  package var total: Int64 { nulls + integers + reals + texts + blobs }
  /// The number of storage classes, excluding NULL.
  package var classes: Int { [integers, reals, texts, blobs].count { $0 > 0 } }

  /// For example `12 integers, 3 texts`.
  package var text: String {
    let parts = [(integers, "integer"), (reals, "real"), (texts, "text"), (blobs, "blob")].filter { $0.0 > 0 }
    return parts.map { counted($0.0, $0.1) }.joined(separator: ", ")
  }
}

package struct ForeignKey: Sendable, Hashable, Encodable {
  /// The delete action in SQL.
  package enum Action: String, Sendable, Hashable, Encodable {
    case noAction = "NO ACTION"
    case restrict = "RESTRICT"
    case setNull = "SET NULL"
    case setDefault = "SET DEFAULT"
    case cascade = "CASCADE"
  }

  package var columns: [String]
  package var table: String
  /// The referenced columns, resolved to the primary key if the declaration names none.
  package var targets: [String]
  package var onDelete: Action

  package init(columns: [String], table: String, targets: [String], onDelete: Action = .noAction) {
    self.columns = columns
    self.table = table
    self.targets = targets
    self.onDelete = onDelete
  }
}
