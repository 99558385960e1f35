package import Trellis

/// The column types for model values.
package enum PostgresType: String, Sendable, Hashable, Codable {
  case boolean, bigint, numeric, double, real, text, uuid, json, bytea
  /// `UInt64` and `UInt`, which exceed the range of `bigint`.
  case unsigned
  /// A row's original strings. See ``PostgresLayout/exactColumn``.
  case jsonb

  /// The SQL type name, and the server's object identifiers for the type and the array type.
  private var facts: (sql: SQLFragment, oid: UInt32, arrayOID: UInt32) {
    switch self {
    case .boolean: ("boolean", 16, 1000)
    case .bigint: ("bigint", 20, 1016)
    case .numeric: ("numeric", 1700, 1231)
    case .unsigned: ("numeric(20)", 1700, 1231)
    case .double: ("double precision", 701, 1022)
    case .real: ("real", 700, 1021)
    case .text: ("text", 25, 1009)
    case .uuid: ("uuid", 2950, 2951)
    case .json: ("json", 114, 199)
    case .jsonb: ("jsonb", 3802, 3807)
    case .bytea: ("bytea", 17, 1001)
    }
  }

  /// The SQL type name. Text columns are compared by byte, which for Normalization Form C gives the same order as
  /// Swift. See ``PostgresDialect/byteOrder``.
  var sql: SQLFragment { facts.sql }
  var oid: UInt32 { facts.oid }
  var arrayOID: UInt32 { facts.arrayOID }
}

extension PostgresType {
  /// A value that no other row in the table has; `nil` if the type has too few values.
  ///
  /// - Parameter key: The row key.
  func unusedValue(_ key: SQLFragment) -> SQLFragment? {
    switch self {
    case .boolean, .jsonb: nil
    case .bigint: "-\(key) - 4611686018427387904"
    case .numeric: "-\(key) - 1e30"
    case .unsigned: "-\(key)"
    case .double: "\(key) * 1e-300"
    case .real: "\(key) * 1e-30"
    case .text: "gen_random_uuid()::text"
    case .json: "to_json(gen_random_uuid()::text)"
    case .uuid: "gen_random_uuid()"
    case .bytea: "uuid_send(gen_random_uuid())"
    }
  }

  /// Converts a stored value to its PostgreSQL form.
  package func stored(_ value: SQLValue) -> SQLValue {
    switch (self, value) {
    case (.boolean, .integer(let number)): .text(number == 0 ? "false" : "true")
    case (.unsigned, .integer(let number)): .text(String(UInt64(bitPattern: number) ^ (1 << 63)))
    default: value
    }
  }

  /// The type for a scalar kind; `nil` if the type depends on the column.
  init?(_ kind: ScalarKind) {
    switch kind {
    case .boolean: self = .boolean
    case .integer, .identifier: self = .bigint
    case .unsigned: self = .unsigned
    case .real, .date: self = .double
    case .float: self = .real
    case .text, .character, .url: self = .text
    case .decimal: self = .numeric
    case .uuid: self = .uuid
    case .data, .textKey: self = .bytea
    case .opaque: return nil
    }
  }

  /// The column type for a property, or for a member of a flattened struct.
  init(_ column: ColumnType, _ kind: ScalarKind?) {
    if let kind, kind.fits(column), let own = Self(kind) {
      self = own
      return
    }
    switch column.affinity {
    case .integer: self = .bigint
    case .text: self = column.comparison == .none ? .json : .text
    case .blob, .any: self = .bytea
    }
  }

  /// The column type for a property. An optional flattened struct has a column that is true if the struct is present.
  init(_ column: ColumnLayout) {
    if column.destination != nil {
      self = .bigint
    } else if !column.members.isEmpty, column.members[0].name != column.name {
      self = .boolean
    } else if !column.members.isEmpty {
      self.init(column.members[0].type, column.property.flattenedMembers.first.flatMap { ScalarKind.of($0.type) })
    } else {
      var kind: ScalarKind?
      if case .attribute(let type) = column.property.kind, !column.property.isRecoded { kind = ScalarKind.of(type) }
      self.init(column.type, kind)
    }
  }
}
