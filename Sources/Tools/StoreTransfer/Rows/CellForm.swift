package import SchemaModel
package import Trellis

/// How a column's values are written in exported files.
package enum CellForm: Sendable, Equatable {
  case boolean
  /// A row key, a position, or an integer property with the type's range.
  case integer(ClosedRange<Int64>)
  /// A 64-bit unsigned integer, stored with an inverted sign bit.
  case unsigned
  case real
  case float
  case decimal
  case text
  case character
  case url
  case uuid
  case date
  /// Whole nanoseconds.
  case duration
  case data
  /// Data that may be in a separate file.
  case external
  case json
  /// The row's class, in a table that several classes share.
  case className
  /// True if an optional struct with separate columns has a value; stored as 1 or NULL.
  case presence

  /// Row keys and positions.
  package static let key = CellForm.integer(.min ... .max)
}

extension CellForm {
  /// Creates the form for a column that is not stored externally.
  ///
  /// - Parameter type: The column type, used if the Swift type is unknown.
  package init(_ form: ValueForm, _ type: ColumnType) {
    switch form {
    case .standard(let name), .raw(let name, _):
      self = ScalarType(rawValue: name).map { CellForm($0) } ?? .json
    case .json: self = .json
    case .transformed: self = .data
    case .unknown:
      switch type.affinity {
      case .integer: self = .key
      case .text: self = .text
      case .blob: self = .data
      case .any: self = .real
      }
    }
  }

  package init(_ type: ScalarType) {
    func integer<I: FixedWidthInteger>(_: I.Type) -> CellForm {
      .integer(Int64(truncatingIfNeeded: I.min)...Int64(truncatingIfNeeded: I.max))
    }
    switch type {
    case .bool: self = .boolean
    case .int, .int64: self = .key
    case .int8: self = integer(Int8.self)
    case .int16: self = integer(Int16.self)
    case .int32: self = integer(Int32.self)
    case .uint8: self = integer(UInt8.self)
    case .uint16: self = integer(UInt16.self)
    case .uint32: self = integer(UInt32.self)
    case .uint, .uint64: self = .unsigned
    case .float: self = .float
    case .double: self = .real
    case .decimal: self = .decimal
    case .string: self = .text
    case .character: self = .character
    case .date: self = .date
    case .duration: self = .duration
    case .uuid: self = .uuid
    case .url: self = .url
    case .data: self = .data
    }
  }

  /// The form's name in messages: "'x' is not a date".
  package var noun: String {
    switch self {
    case .boolean, .presence: "true or false"
    case .integer(let range):
      range == (.min ... .max) ? "an integer" : "an integer from \(range.lowerBound) to \(range.upperBound)"
    case .unsigned: "an integer from 0 to \(UInt64.max)"
    case .real: "a number"
    case .float: "a number with single precision"
    case .decimal: "a decimal number"
    case .text: "text"
    case .character: "a single character"
    case .url: "a URL"
    case .uuid: "a UUID"
    case .date: "a date"
    case .duration: "a duration in nanoseconds"
    case .data, .external: "Base64"
    case .json: "JSON"
    case .className: "a class"
    }
  }
}
