import CSQLite
import Foundation

extension ModelContext {
  /// Runs an SQL query and decodes the rows.
  ///
  ///     struct Week: Decodable { let monday: String; let trips: Int }
  ///     let weeks = try context.rows(
  ///       """
  ///       SELECT date("startDate" + 978307200, 'unixepoch', 'weekday 0', '-6 days') AS monday, count(*) AS trips
  ///       FROM \(Trip.self) WHERE \(\Trip.startDate) >= \(start) GROUP BY monday ORDER BY monday
  ///       """, as: Week.self)
  ///
  /// The query sees the last saved state, as a fetch does. Unsaved changes of this context do not count, and the query
  /// cannot write. See <doc:YourOwnSQL>. Not in SwiftData.
  ///
  /// - Parameters:
  ///   - query: a single SELECT, WITH or VALUES statement in the store's SQL dialect.
  ///   - type: the row type. `Int`, `Date?`, an enum with raw values and similar types read the only column. Structs decode
  ///     each property from the column with the property's name.
  ///   - configuration: the store's configuration name; nil if the container has a single store or the query names models.
  ///   - isolation: where the context is used, for ``autosaveEnabled``.
  /// - Returns: the rows in the order of the result.
  /// - Throws: ``SQLQueryError`` for a refused statement, and for a column that is missing, NULL or of the wrong type;
  ///   ``SQLiteError`` or `PostgresError` for an error of the database.
  public func rows<Row: Decodable>(
    _ query: SQLQuery, as type: Row.Type = Row.self, configuration: String? = nil,
    isolation: isolated (any Actor)? = #isolation
  ) throws -> [Row] {
    noteUse(on: isolation)
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

  /// Runs an SQL statement that writes, in a custom stage of a migration.
  ///
  ///     didMigrate: { context in
  ///       try context.execute("UPDATE \(V2.Trip.self) SET \(\V2.Trip.budget) = \(\V2.Trip.budget) * 100")
  ///     }
  ///
  /// The statement runs in the migration's transaction. Stages run in SQLite for every store, also for a server. Fetched models
  /// get the new values. See <doc:YourOwnSQL>. Not in SwiftData.
  ///
  /// - Parameter query: a single INSERT, UPDATE, DELETE, REPLACE or WITH statement that changes tables of models.
  /// - Returns: the number of inserted, changed or deleted rows.
  /// - Throws: ``SQLQueryError`` outside of a custom stage, for a refused statement, and while the context has unsaved
  ///   changes; ``SQLiteError``.
  @discardableResult
  public func execute(_ query: SQLQuery) throws -> Int { try execute(query, besides: []) }

  /// - Parameter others: contexts over the older rows, whose tables the statement may name.
  func execute(_ query: SQLQuery, besides others: [ModelContext]) throws -> Int {
    func store(_ context: ModelContext) -> DefaultStore? { context.core.stores.first?.sqlStore as? DefaultStore }
    guard let own = store(self) else { throw SQLQueryError.isReadOnly }
    guard !hasChanges else {
      throw SQLQueryError(.refusedStatement, "the context has unsaved changes, which SQL does not see: save them first")
    }
    let count = try occupancy.occupy(.batch) { try own.execute(query, besides: others.compactMap(store)) }
    core.hub.post(Commit(isWholesale: true))
    try occupancy.occupy(.refresh) { try readCommit() }
    return count
  }

  /// Calls `body` with the store for a query and the configuration name.
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
  /// Describes how a store would run a query, without running it.
  ///
  ///     print(try query.explain(in: context))
  ///
  /// - Parameters:
  ///   - context: a context of the container.
  ///   - configuration: as for ``ModelContext/rows(_:as:configuration:isolation:)``.
  /// - Returns: the statement, the values and the database's query plan.
  /// - Throws: as ``ModelContext/rows(_:as:configuration:isolation:)``.
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
    // PostgreSQL turns unquoted names into lower case.
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
    throw row.unreadable(column, as: type)
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
