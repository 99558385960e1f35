import CSQLite
import Foundation

/// Decodes the rows of an SQL query. A result uses a single decoder.
final class ResultDecoder: Decoder {
  let codingPath: [any CodingKey] = []
  let userInfo: [CodingUserInfoKey: Any] = [:]
  fileprivate let names: [String]
  /// Reads the current row of the result.
  fileprivate var row: StatementRow
  private var number = 0
  /// The columns that rows have read, by property name.
  private var columns: [String: Int32] = [:]

  init(_ row: StatementRow, _ names: [String]) {
    self.row = row
    self.names = names
  }

  /// Decodes the next row.
  func next<Row: Decodable>(as type: Row.Type) throws -> Row {
    number += 1
    guard type != PersistentIdentifier.self else {
      throw failure(
        .invalidValue,
        "rows do not contain whole identifiers: select a unique value and fetch the models with a predicate")
    }
    if type is any ColumnValue.Type || type is any RawRepresentable.Type || type is any OptionalValue.Type {
      guard names.count == 1 else {
        throw failure(
          .missingColumn,
          "'\(type)' is the value of one column, and the result has \(names.count): select one, or decode "
            + "a struct with a property for each")
      }
      return try value(type, 0)
    }
    do {
      return try Row(from: self)
    } catch let error as DecodingError {
      throw failure(.invalidValue, "\(error)")
    }
  }

  // MARK: columns

  fileprivate func column(_ key: some CodingKey) throws -> Int32 {
    let name = key.stringValue
    if let known = columns[name] { return known }
    var found = names.indices.filter { names[$0] == name }
    // PostgreSQL turns names without quotes into lower case.
    if found.isEmpty { found = names.indices.filter { names[$0].lowercased() == name.lowercased() } }
    guard found.count == 1 else {
      let all = names.map { "'\($0)'" }.joined(separator: ", ")
      throw failure(
        .missingColumn,
        found.isEmpty
          ? "the result has no column of this name, but \(all): name it with 'AS'"
          : "the result has several columns of this name: give each a name with 'AS'", name)
    }
    columns[name] = Int32(found[0])
    return Int32(found[0])
  }

  fileprivate func failure(_ code: SQLQueryError.Code, _ message: String, _ column: String? = nil) -> SQLQueryError {
    SQLQueryError(code, message, column: column, row: number)
  }

  // MARK: values

  /// Decodes a column from the store's form for the type.
  fileprivate func value<T: Decodable>(_ type: T.Type, _ column: Int32) throws -> T {
    let name = names[Int(column)]
    guard !row.isNull(column) else {
      if let none = NilLiteral.value(type) { return none }
      throw failure(.nullValue, "NULL is not a '\(type)': make the property optional, or use 'coalesce'", name)
    }
    do {
      guard ScalarKind.of(type) == .unsigned else { return try Self.value(type, &row, column) }
      var row = StatementRow(ValueCells([.integer(try unsigned(column).stored)]), .none)
      return try Self.value(type, &row, 0)
    } catch let error as StoredValueError {
      let advice = type == Decimal.self ? ": SQL computes numbers in binary, so decode it as 'Double'" : ""
      throw failure(.invalidValue, "the value \(error.value) is not a '\(error.type)'\(advice)", name)
    } catch let error as DecodingError {
      throw failure(.invalidValue, "\(error)", name)
    }
  }

  private static func value<T: Decodable>(_ type: T.Type, _ row: inout StatementRow, _ column: Int32) throws -> T {
    if let type = type as? any ColumnValue.Type {
      func read<C: ColumnValue>(_: C.Type) throws -> C { try C.read(&row, column) }
      if let value = try read(type) as? T { return value }
    } else if let optional = type as? any OptionalValue.Type, let wrapped = optional.wrappedType as? any Decodable.Type
    {
      func read<W: Decodable>(_ type: W.Type) throws -> W { try Self.value(type, &row, column) }
      if let value = try read(wrapped) as? T { return value }
    } else if let type = type as? any RawRepresentable.Type {
      func read<R: RawRepresentable>(_: R.Type) throws -> R? {
        guard let raw = R.RawValue.self as? any Decodable.Type else { return nil }
        func read<V: Decodable>(_ type: V.Type) throws -> V { try Self.value(type, &row, column) }
        return (try read(raw) as? R.RawValue).flatMap { R(rawValue: $0) }
      }
      if let value = try read(type) as? T { return value }
    } else {
      return try JSONColumn.value(type, from: Data(row.bytes(column, SQLITE_TEXT, as: type)))
    }
    throw row.mismatch(column, type)
  }

  /// The number in a column.
  ///
  /// - Throws: An error in SQLite: `UInt64` columns and computed numbers have different forms, which a result does not
  ///   distinguish.
  private func unsigned(_ column: Int32) throws -> UInt64 {
    guard row.statement == nil else {
      throw failure(
        .invalidValue,
        "SQLite stores unsigned numbers of 64 bits with the highest bit inverted: decode an 'Int', or for a column of such "
          + "a property an 'Int64' and take 'UInt64(bitPattern: value) ^ (1 << 63)'", names[Int(column)])
    }
    if let number = try? row.integer(column, as: UInt64.self), number >= 0 { return UInt64(number) }
    guard let number = UInt64(try row.text(column, as: UInt64.self)) else { throw row.mismatch(column, UInt64.self) }
    return number
  }

  // MARK: Decoder

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(ResultColumns(decoder: self))
  }

  fileprivate var unnamed: SQLQueryError {
    failure(.missingColumn, "the values of a row have names: decode a struct whose properties have the columns' names")
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw unnamed }
  func singleValueContainer() throws -> any SingleValueDecodingContainer { throw unnamed }
}

/// The columns of a row by property name.
private struct ResultColumns<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let decoder: ResultDecoder

  var codingPath: [any CodingKey] { [] }
  var allKeys: [Key] { decoder.names.compactMap { Key(stringValue: $0) } }

  /// True, so that a missing column is also an error for an optional property: the name may be misspelt.
  func contains(_ key: Key) -> Bool { true }
  func decodeNil(forKey key: Key) throws -> Bool { decoder.row.isNull(try decoder.column(key)) }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    try decoder.value(type, decoder.column(key))
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> { throw decoder.unnamed }
  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer { throw decoder.unnamed }
  func superDecoder() throws -> any Decoder { throw decoder.unnamed }
  func superDecoder(forKey key: Key) throws -> any Decoder { throw decoder.unnamed }
}
