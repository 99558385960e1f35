import Trellis

/// The types of columns that hold the values of models.
enum PostgresType: String, Sendable, Hashable, Codable {
  case boolean, bigint, numeric, double, real, text, uuid, json, bytea
  /// `UInt64` and `UInt`, which `bigint` cannot hold.
  case unsigned

  /// The name of the type in SQL. A column of text has the order of bytes, which is Swift's order of text in Normalization
  /// Form C, see ``PostgresDialect/byteOrder``.
  var sql: SQLFragment {
    switch self {
    case .boolean: "boolean"
    case .bigint: "bigint"
    case .numeric: "numeric"
    case .unsigned: "numeric(20)"
    case .double: "double precision"
    case .real: "real"
    case .text: "text"
    case .uuid: "uuid"
    case .json: "json"
    case .bytea: "bytea"
    }
  }

  /// The number by which the server knows the type.
  var oid: UInt32 {
    switch self {
    case .boolean: 16
    case .bigint: 20
    case .numeric, .unsigned: 1700
    case .double: 701
    case .real: 700
    case .text: 25
    case .uuid: 2950
    case .json: 114
    case .bytea: 17
    }
  }

  /// The number of the type of arrays.
  var arrayOID: UInt32 {
    switch self {
    case .boolean: 1000
    case .bigint: 1016
    case .numeric, .unsigned: 1231
    case .double: 1022
    case .real: 1021
    case .text: 1009
    case .uuid: 2951
    case .json: 199
    case .bytea: 1001
    }
  }

  /// The type of arrays in SQL.
  var arraySQL: SQLFragment {
    switch self {
    case .unsigned: "numeric[]"
    default: "\(sql)[]"
    }
  }
}

extension PostgresType {
  /// A value that no other row of a table has; nil if the type has too few values.
  ///
  /// - Parameter key: the key of the row.
  func unusedValue(_ key: SQLFragment) -> SQLFragment? {
    switch self {
    case .boolean: nil
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

  /// The type of the column of a property, or of a property of a flattened struct.
  init(_ column: ColumnType, _ kind: ScalarKind?) {
    guard let kind, kind.fits(column) else {
      switch column.affinity {
      case .integer: self = .bigint
      case .text: self = column.comparison == .none ? .json : .text
      case .blob, .any: self = .bytea
      }
      return
    }
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
    case .opaque: self = column.affinity == .text ? .json : .bytea
    }
  }

  /// The type of the column of a property. The column of an optional flattened struct says whether there is a struct.
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
