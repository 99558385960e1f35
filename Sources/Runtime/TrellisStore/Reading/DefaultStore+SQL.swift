import CSQLite

/// Handwritten SQL.
extension DefaultStore {
  package func rows(_ query: SQLQuery, row: (inout StatementRow, [String]) throws -> Void) throws {
    let fragment = try query.statement(.reading, plans)
    try pool.read(for: .sql) { connection in
      try connection.run(fragment, .reading) { statement in
        guard try statement.step() else { return }
        let names = (0..<sqlite3_column_count(statement.handle)).map { column in
          sqlite3_column_name(statement.handle, column).map { String(cString: $0) } ?? ""
        }
        var current = StatementRow(statement: statement.handle, shape: .none)
        repeat { try row(&current, names) } while try statement.step()
      }
    }
  }

  package func explain(_ query: SQLQuery) throws -> (sql: SQLFragment, plan: [String]) {
    let fragment = try query.statement(.reading, plans)
    return try pool.read { connection in
      try connection.run(fragment, .reading) { _ in }
      return (fragment, try connection.queryPlan(of: fragment))
    }
  }

  /// Runs a writing statement inside a migration transaction.
  ///
  /// - Parameter others: The older version's stores, whose tables the statement may name.
  /// - Returns: The number of inserted, changed or deleted rows.
  package func execute(_ query: SQLQuery, besides others: [DefaultStore]) throws -> Int {
    guard case .transaction = pool.place, configuration.allowsSave else { throw SQLQueryError.isReadOnly }
    let fragment = try query.statement(.writing, plans, besides: others.map(\.catalogue.layout))
    return try pool.exclusively(for: .migration) { connection in
      try connection.run(fragment, .writing) { while try $0.step() {} }
      let count = connection.changes
      // SQLite may have chosen keys for inserted rows.
      try keys.retire(catalogue.layout, connection)
      connection.hasOwnWrites = true
      return count
    }
  }
}

extension SQLQueryError {
  package static var isReadOnly: Self {
    Self(
      .refusedStatement,
      "SQL can only write in a custom migration stage, to the new version's rows or, in 'willMigrate', to the old "
        + "version's rows: elsewhere, change models and save them")
  }
}

extension Connection {
  /// Calls `body` with a handwritten statement that is ready to run.
  ///
  /// - Throws: ``SQLQueryError`` if there are several statements, if a parameter has no value, or if a query or
  ///   writing statement is used in the wrong place.
  fileprivate func run(_ fragment: SQLFragment, _ use: SQLQuery.Use, _ body: (Statement) throws -> Void) throws {
    let statement = try take(fragment.text)
    defer { checkIn(statement) }
    guard SQLQuery.afterBlanks(Substring(fragment.text.utf8.dropFirst(statement.length))).isEmpty else {
      throw SQLQueryError(.refusedStatement, "the text contains several statements: run them separately")
    }
    let isQuery = sqlite3_stmt_readonly(statement.handle) != 0
    if use == .reading, !isQuery { throw SQLQueryError.isReadOnly }
    if use == .writing, isQuery {
      throw SQLQueryError(.refusedStatement, "the statement changes nothing: read rows with 'rows(_:as:)'")
    }
    let parameters = Int(sqlite3_bind_parameter_count(statement.handle))
    guard parameters == fragment.values.count else {
      throw SQLQueryError(
        .refusedStatement,
        parameters > fragment.values.count
          ? "the text has a parameter with no value: interpolate the value instead"
          : "an interpolation is inside quotes or a comment, where SQL has no parameters: remove the quotes")
    }
    try statement.bind(fragment.values)
    try body(statement)
  }

  /// Returns SQLite's query plan for a statement, indented by depth.
  func queryPlan(of fragment: SQLFragment) throws -> [String] {
    var plan: [String] = []
    var depths: [Int64: Int] = [0: 0]
    let statement = try Statement("EXPLAIN QUERY PLAN " + fragment.text, on: handle, isKept: false)
    try statement.bind(fragment.values)
    while try statement.step() {
      let depth = depths[statement.integer(1)] ?? 0
      depths[statement.integer(0)] = depth + 1
      plan.append(String(repeating: "  ", count: depth) + (statement.text(3) ?? ""))
    }
    return plan
  }

  /// Flags the columns in which handwritten SQL stored unusual values.
  func flagOwnWrites(to catalogue: StoreCatalogue) throws {
    guard hasOwnWrites else { return }
    hasOwnWrites = false
    for entity in catalogue.layout.entities {
      let members = entity.columns.flatMap(\.members).map { ($0.name, $0.type) }
      for (column, type) in entity.columns.map({ ($0.name, $0.type) }) + members {
        let unusual: (kind: ColumnFlags.Kind, values: SQLFragment)? =
          switch type.comparison {
          case .text: (.nonNFC, "\(name: column) IS NOT swift_nfc(\(name: column))")
          case .real: (.nan, "typeof(\(name: column)) = 'text'")
          default: nil
          }
        guard let unusual,
          try !rows("SELECT 1 FROM \(name: entity.table) WHERE \(unusual.values) LIMIT 1").isEmpty
        else { continue }
        let mark = ColumnFlags.Mark(kind: unusual.kind, table: entity.table, column: column)
        try StoreMetadata.write(.integer(1), for: mark.key, self)
      }
    }
  }
}

// MARK: the statement

extension SQLQuery {
  package enum Use: String {
    case reading = "SELECT, WITH or VALUES", writing = "INSERT, UPDATE, DELETE, REPLACE or WITH"
  }

  /// Returns the statement in the store's dialect.
  ///
  /// - Parameter others: The older tables that the statement may name.
  /// - Throws: ``SQLQueryError``.
  package func statement(
    _ use: Use, _ plans: StoreStatements, besides others: [StoreLayout] = []
  ) throws -> SQLFragment {
    let dialect = plans.dialect
    var text = ""
    var values: [SQLValue] = []
    func add(_ value: any Encodable, _ scalar: ScalarKind?) throws -> String {
      let stored = try Self.stored(value, plans.store)
      values.append(scalar.map { dialect.stored(stored, $0) } ?? stored)
      let parameter = dialect.parameter(values.count)
      return scalar.map { dialect.typed(SQLFragment(stringLiteral: parameter), $0).text } ?? parameter
    }
    func entity(_ definition: ModelDefinition) throws -> EntityLayout {
      for layout in [plans.catalogue.layout] + others {
        if let entity = layout.entities.first(where: { $0.definition === definition }) { return entity }
      }
      throw SQLQueryError(
        .unknownName,
        "the store has no model '\(String(reflecting: definition.modelType))': use a model from this store")
    }
    for part in parts {
      switch part {
      case .text(let literal):
        if use == .writing, literal.lowercased().contains("trellis_") || literal.lowercased().contains("sqlite_") {
          throw SQLQueryError(.refusedStatement, "only model tables may be changed, not the store's own tables")
        }
        text += literal
      case .value(let value, let scalar): text += try add(value, scalar)
      case .list(let list, let scalar):
        let empty = "SELECT \(scalar.map { dialect.typed("NULL", $0).text } ?? "NULL") WHERE 1 = 0"
        let members = list.isEmpty ? empty : try list.map { try add($0, scalar) }.joined(separator: ", ")
        text += text.last { !$0.isWhitespace } == "(" ? members : "(\(members))"
      case .table(let definition):
        let entity = try entity(definition)
        guard entity.name == entity.rootName else {
          throw SQLQueryError(
            .unknownName,
            "'\(entity.name)' has no separate table: name '\(entity.rootName)', and select the rows by the column "
              + "'\(entity.entityColumn)'")
        }
        text += dialect.name(entity.table)
      case .column(let definition, let slot):
        let entity = try entity(definition)
        let column = slot.map { entity.columns[$0] }
        if let column, !column.members.isEmpty {
          let names = column.members.map { dialect.name($0.name) }.joined(separator: ", ")
          throw SQLQueryError(
            .unknownName, "a flattened property has a column for each field: write the column names instead, \(names)")
        }
        text += dialect.name(column?.name ?? entity.keyColumn)
      case .unknown(let name):
        throw SQLQueryError(
          .unknownName, "\(name) has no column: name an attribute, a to-one relationship or the identifier")
      }
    }
    let word = Self.afterBlanks(text[...]).prefix { $0.isLetter }
    guard use.rawValue.split(whereSeparator: { !$0.isUppercase }).contains(word.uppercased()[...]) else {
      throw SQLQueryError(
        .refusedStatement, "the statement begins with '\(word)', but here it must begin with \(use.rawValue)")
    }
    return SQLFragment(verbatim: text, values)
  }

  /// Returns a value's stored form.
  ///
  /// - Parameter store: The store identifier, for model identifiers.
  private static func stored(_ value: any Encodable, _ store: String) throws -> SQLValue {
    guard let value = ConstantTerm.unwrap(value) as? any Encodable else { return .null }
    if let captured = value as? PersistentIdentifier {
      let identifier = CapturedIdentifiers.current(captured)
      guard let row = identifier.row, identifier.storeIdentifier == store else {
        throw SQLQueryError(
          .invalidValue, "the model '\(identifier)' is not in this store: save the model first")
      }
      return .integer(row)
    }
    do {
      return try SQLValue(stored: value)
    } catch let error as UnencodableValue {
      throw SQLQueryError(.invalidValue, "a value of type '\(type(of: value))' cannot be encoded: \(error.cause)")
    }
  }

  /// Skips blanks, comments, semicolons and opening parentheses.
  fileprivate static func afterBlanks(_ text: Substring) -> Substring {
    var rest = text.utf8
    while let byte = rest.first {
      switch byte {
      case 9...13, UInt8(ascii: " "), UInt8(ascii: ";"), UInt8(ascii: "("): rest = rest.dropFirst()
      case UInt8(ascii: "-") where rest.starts(with: "--".utf8): rest = rest.drop { $0 != UInt8(ascii: "\n") }
      case UInt8(ascii: "/") where rest.starts(with: "/*".utf8):
        let end = rest.dropFirst(2).firstRange(of: "*/".utf8)?.upperBound
        rest = rest[(end ?? rest.endIndex)...]
      default: return Substring(rest)
      }
    }
    return ""
  }
}
