import CSQLite
import Foundation

extension ModelContext {
  /// Executes an SQL query and decodes the rows.
  ///
  /// ```swift
  /// struct Week: Decodable {
  ///   let monday: String
  ///   let trips: Int
  /// }
  ///
  /// let start = Date.now - 365 * 86_400
  /// let weeks = try context.rows(
  ///   """
  ///   SELECT date(\(\Trip.startDate) + 978307200, 'unixepoch', 'weekday 0', '-6 days') AS monday, count(*) AS trips
  ///   FROM \(Trip.self) WHERE \(\Trip.startDate) >= \(start) GROUP BY monday ORDER BY monday
  ///   """, as: Week.self)
  /// let count = try context.rows("SELECT count(*) FROM \(Trip.self)", as: Int.self)[0]
  /// ```
  ///
  /// Like a fetch, the query reads the last saved state. It ignores unsaved changes in this context and cannot write.
  /// See <doc:YourOwnSQL>. Not in SwiftData.
  ///
  /// - Parameters:
  ///   - query: A single SELECT, WITH or VALUES statement in the store's SQL dialect.
  ///   - type: The row type. `Int`, `Date?`, enums with raw values and similar types decode a single column. Structs
  ///     decode each property from the column with the same name.
  ///   - configuration: The store's configuration name; `nil` if the container has a single store or the query names
  ///     models.
  ///   - isolation: The isolation in which the context is used, for ``autosaveEnabled``.
  /// - Returns: The rows in result order.
  /// - Throws: ``SQLQueryError`` if the statement is not allowed or a column is missing, NULL or of the wrong type;
  ///   ``SQLiteError`` or `PostgresError` for database errors.
  public func rows<Row: Decodable>(
    _ query: SQLQuery, as type: Row.Type = Row.self, configuration: String? = nil,
    isolation: isolated (any Actor)? = #isolation
  ) throws -> [Row] {
    recordUse(on: isolation)
    return try querying(.fetch, tracedAs: .sql) {
      var rows: [Row] = []
      var decoder: ResultDecoder?
      try asking(query, configuration) { store, _ in
        try store.rows(query) { row, names in
          let current = decoder ?? ResultDecoder(row, names)
          decoder = current
          rows.append(try current.next(as: Row.self))
        }
      }
      return rows
    }
  }

  /// Executes an SQL statement that writes, in a custom migration stage.
  ///
  /// ```swift
  /// let stage = MigrationStage.custom(
  ///   fromVersion: SampleTripsSchema.V2_0_0.self, toVersion: SampleTripsSchema.V3_0_0.self,
  ///   willMigrate: nil,
  ///   didMigrate: { context in
  ///     try context.execute(
  ///       "UPDATE \(Trip.self) SET \(\Trip.destination) = \("Oslo") WHERE \(\Trip.destination) = \("Kristiania")")
  ///   })
  /// ```
  ///
  /// The statement runs in the migration's transaction. Migration stages run in SQLite for all stores, including
  /// servers. Fetched models are updated with the new values. See <doc:YourOwnSQL>. Not in SwiftData.
  ///
  /// - Parameter query: A single INSERT, UPDATE, DELETE, REPLACE or WITH statement that changes model tables.
  /// - Returns: The number of inserted, changed or deleted rows.
  /// - Throws: ``SQLQueryError`` if called outside of a custom stage, if the statement is not allowed, or if the
  ///   context has unsaved changes; ``SQLiteError`` for database errors.
  @discardableResult
  public func execute(_ query: SQLQuery) throws -> Int { try execute(query, besides: []) }

  /// - Parameter others: Contexts for the old rows, whose tables the statement may also use.
  func execute(_ query: SQLQuery, besides others: [ModelContext]) throws -> Int {
    func store(_ context: ModelContext) -> DefaultStore? { context.core.stores.first?.sqlStore as? DefaultStore }
    guard let own = store(self) else { throw SQLQueryError.isReadOnly }
    guard !hasChanges else {
      throw SQLQueryError(.refusedStatement, "the context has unsaved changes, which SQL does not see: save them first")
    }
    let count = try occupancy.performExclusively(.batch) { try own.execute(query, besides: others.compactMap(store)) }
    core.hub.post(Commit(isWholesale: true))
    try occupancy.performExclusively(.refresh) { try readCommit() }
    return count
  }

  /// Calls `body` with a query's store and configuration name.
  fileprivate func asking(
    _ query: SQLQuery, _ configuration: String?, _ body: (any TableStore, String) throws -> Void
  ) throws {
    var stores = core.stores
    if let configuration {
      stores.removeAll { $0.configurationName != configuration }
    } else if stores.count > 1 {
      let named = query.models.compactMap { core.store(for: $0.entityName) }
      stores.removeAll { store in !named.contains { $0 === store } }
    }
    guard let handle = stores.first, stores.count == 1 else {
      let names = core.stores.map { "'\($0.configurationName)'" }.joined(separator: ", ")
      throw SQLQueryError(
        .unknownStore, "the container has the stores \(names): name a store with 'configuration'")
    }
    guard let store = handle.sqlStore else {
      throw SQLQueryError(
        .unsupportedStore,
        "the store '\(handle.configurationName)' has no SQL: fetch its models, or use aggregates and groups")
    }
    guard try ask(handle, { try body(store, handle.configurationName) }) != nil else {
      throw SQLQueryError(.refusedStatement, "the statement exceeds a limit of the database")
    }
  }
}

extension SQLQuery {
  /// Describes how a store would execute a query. The query is not executed.
  ///
  /// ```swift
  /// let query: SQLQuery = "SELECT max(\(\Trip.endDate)) FROM \(Trip.self) WHERE \(\Trip.destination) = \("Oslo")"
  /// print(try query.explain(in: context).queryPlan)
  /// ```
  ///
  /// - Parameters:
  ///   - context: A context of the container.
  ///   - configuration: See ``ModelContext/rows(_:as:configuration:isolation:)``.
  /// - Returns: The statement, parameter values and the database's query plan.
  /// - Throws: The same errors as ``ModelContext/rows(_:as:configuration:isolation:)``.
  public func explain(in context: ModelContext, configuration: String? = nil) throws -> FetchExplanation {
    var result = FetchExplanation(entityName: "", storeName: "")
    try context.asking(self, configuration) { store, name in
      let (sql, plan) = try store.explain(self)
      result = FetchExplanation(
        entityName: "", storeName: name, sql: sql.text, parameters: sql.values.map(\.description), queryPlan: plan)
    }
    return result
  }
}

/// Decodes an SQL query's rows. Each result uses a single decoder.
final class ResultDecoder: Decoder {
  let codingPath: [any CodingKey] = []
  let userInfo: [CodingUserInfoKey: Any] = [:]
  fileprivate let names: [String]
  /// The current row.
  fileprivate var row: StatementRow
  private var number = 0
  /// Columns read by earlier rows, by property name.
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
          "'\(type)' is read from a single column, but the result has \(names.count): select one, or decode "
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
    // PostgreSQL folds unquoted names to lowercase.
    if found.isEmpty { found = names.indices.filter { names[$0].lowercased() == name.lowercased() } }
    guard found.count == 1 else {
      let all = names.map { "'\($0)'" }.joined(separator: ", ")
      throw failure(
        .missingColumn,
        found.isEmpty
          ? "the result has no column with this name (columns: \(all)): name it with 'AS'"
          : "the result has several columns with this name: rename them with 'AS'", name)
    }
    columns[name] = Int32(found[0])
    return Int32(found[0])
  }

  fileprivate func failure(_ code: SQLQueryError.Code, _ message: String, _ column: String? = nil) -> SQLQueryError {
    SQLQueryError(code, message, column: column, row: number)
  }

  // MARK: values

  /// Decodes a column from the stored form for the type.
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
      let advice = type == Decimal.self ? ": SQL calculates in binary floating point, so decode it as 'Double'" : ""
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
    throw row.unreadable(column, as: type)
  }

  /// Returns the unsigned number in a column.
  ///
  /// - Throws: An error in SQLite, because `UInt64` columns and computed numbers have different forms that a result
  ///   does not distinguish.
  private func unsigned(_ column: Int32) throws -> UInt64 {
    guard row.statement == nil else {
      throw failure(
        .invalidValue,
        "SQLite stores 64-bit unsigned integers with the highest bit inverted: decode an 'Int', or for the column of a "
          + "'UInt64' property decode an 'Int64' and use 'UInt64(bitPattern: value) ^ (1 << 63)'", names[Int(column)])
    }
    if let number = try? row.integer(column, as: UInt64.self), number >= 0 { return UInt64(number) }
    guard let number = UInt64(try row.text(column, as: UInt64.self)) else {
      throw row.unreadable(column, as: UInt64.self)
    }
    return number
  }

  // MARK: Decoder

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(ResultColumns(decoder: self))
  }

  fileprivate var unnamed: SQLQueryError {
    failure(.missingColumn, "the values of a row have names: decode a struct whose properties match the column names")
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw unnamed }
  func singleValueContainer() throws -> any SingleValueDecodingContainer { throw unnamed }
}

/// A row's columns by property name.
private struct ResultColumns<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let decoder: ResultDecoder

  var codingPath: [any CodingKey] { [] }
  var allKeys: [Key] { decoder.names.compactMap { Key(stringValue: $0) } }

  /// Always true, so that a missing column is an error even for an optional property, whose name may be misspelled.
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
