import CSQLite
import Foundation

/// Writes the history of one store: a row a transaction, inside it.
package final class HistoryLog: Sendable {
  /// The identifier of the store.
  let store: String
  /// Names the version of the schema in ``HistoryTables/names``.
  let epoch: Int
  /// The transactions that the store keeps; nil for all.
  package let limit: HistoryLimit?
  /// As they are numbered.
  let entities: [EntityLayout]
  private let numbers: [ObjectIdentifier: Int]
  /// Where there are few, to look through them takes less time than to hash.
  private let few: [ObjectIdentifier]
  private let roots: [Int]
  /// Whose lists deleted rows leave.
  package let partners: ListPartners
  /// The transactions this store has written, so that others can be distinguished from them.
  let own = OwnTransactions()

  package init(
    _ catalogue: StoreCatalogue, store: String, epoch: Int64, retaining limit: HistoryLimit?,
    dialect: any SQLDialect = SQLiteDialect()
  ) {
    self.store = store
    self.epoch = Int(epoch)
    self.limit = limit
    entities = HistoryNames.ordered(catalogue.layout)
    var numbers: [ObjectIdentifier: Int] = [:]
    var byName: [String: Int] = [:]
    for (number, entity) in entities.enumerated() {
      numbers[ObjectIdentifier(entity.definition)] = number
      byName[entity.name] = number
    }
    self.numbers = numbers
    few = entities.prefix(8).map { ObjectIdentifier($0.definition) }
    partners = ListPartners(catalogue.layout, dialect)
    roots = entities.enumerated().map { byName[$1.rootName] ?? $0 }
  }

  /// The number of an entity of the store.
  ///
  /// - Throws: ``SwiftDataError/unknownSchema`` for an entity of another catalogue.
  package func number(of entity: EntityLayout) throws -> Int {
    let identifier = ObjectIdentifier(entity.definition)
    if let number = few.firstIndex(of: identifier) ?? numbers[identifier] { return number }
    throw SwiftDataError.unknownSchema.explained(
      "'\(entity.name)' is not one of the models the history of the store was opened with")
  }

  package func root(of number: Int) -> Int { roots[number] }

  /// Who writes: the program and the process.
  package static let program =
    Bundle.main.bundleIdentifier
    ?? CommandLine.arguments.first.map { URL(fileURLWithPath: $0).lastPathComponent } ?? ""
  package static let process = String(ProcessInfo.processInfo.processIdentifier)

  /// Writes the row of a transaction.
  ///
  /// - Parameter id: the number that was promised to its tombstones; nil when there are none.
  /// - Returns: the number of the transaction.
  func write(
    _ record: HistoryRecord, author: String?, id: Int64?, isComplete: Bool = true,
    _ connection: Connection
  ) throws -> Int64 {
    var writer = writer(id: id, isComplete: isComplete)
    writer.write(record)
    return try write(writer, author: author, id: id, connection)
  }

  /// Takes the changes of a transaction.
  package func writer(id: Int64?, isComplete: Bool = true) -> HistoryWriter {
    var flags: HistoryWriter.Flags = isComplete ? [] : .isIncomplete
    if id != nil { flags.insert(.hasTombstones) }
    return HistoryWriter(epoch: epoch, flags)
  }

  /// The same with changes that are written already.
  func write(
    _ writer: HistoryWriter, author: String?, id: Int64?, _ connection: Connection
  ) throws -> Int64 {
    let number = try Self.write(writer.bytes, author: author, id: id, connection)
    own.begin(number)
    if let limit { try prune(to: limit, after: number, connection) }
    return number
  }

  static func write(
    _ changes: [UInt8], author: String?, id: Int64?, _ connection: Connection
  ) throws -> Int64 {
    let statement = try connection.statement(
      slot: Connection.FixedSlot.recordHistory.rawValue, insertion.text)
    let handle = statement.handle
    defer {
      if id != nil { sqlite3_bind_null(handle, HistoryColumn.id.parameter) }
      if author != nil { sqlite3_bind_null(handle, HistoryColumn.author.parameter) }
    }
    if let id { statement.bind(id, at: HistoryColumn.id.parameter) }
    sqlite3_bind_double(handle, HistoryColumn.time.parameter, Date.timeIntervalSinceReferenceDate)
    if let author { try statement.bind(.text(author), at: HistoryColumn.author.parameter) }
    if !statement.hasConstants {
      try statement.bind(.text(program), at: HistoryColumn.bundle.parameter)
      try statement.bind(.text(process), at: HistoryColumn.process.parameter)
      statement.hasConstants = true
    }
    try changes.withUnsafeBytes {
      // SQLite does not copy the bytes, which are valid until the statement has run.
      let result = sqlite3_bind_blob64(
        handle, HistoryColumn.changes.parameter, $0.baseAddress ?? emptyBytes, UInt64($0.count), nil)
      guard result == SQLITE_OK else {
        throw SQLiteError(connection.handle, result: result, sql: statement.sql)
      }
      defer { sqlite3_bind_null(handle, HistoryColumn.changes.parameter) }
      do {
        try statement.run()
      } catch let error as SQLiteError where error.code.rawValue == SQLITE_MISMATCH {
        // The number after the highest is none.
        throw HistoryTables.exhausted(connection)
      }
    }
    let number = sqlite3_last_insert_rowid(connection.handle)
    guard number < .max else { throw HistoryTables.exhausted(connection) }
    return number
  }

  // After the highest number SQLite itself would continue with any lower one that is free.
  private static let insertion: SQLFragment = {
    let values = HistoryColumn.allCases.map { column -> SQLFragment in
      let parameter: SQLFragment = "?\(number: Int(column.parameter))"
      guard column == .id else { return parameter }
      return "ifnull(\(parameter), max(0, (SELECT max(\"id\") FROM \(name: HistoryTables.transactions))) + 1)"
    }
    return """
      INSERT INTO \(name: HistoryTables.transactions) (\(HistoryColumn.names))
      VALUES (\(values.joined(separator: ", ")))
      """
  }()

  /// Writes a transaction without changes, which says that rows were changed without history.
  static func noteGap(author: String?, epoch: Int64, _ connection: Connection) throws -> Int64 {
    let writer = HistoryWriter(epoch: Int(epoch), .isIncomplete)
    return try write(writer.bytes, author: author, id: nil, connection)
  }
}
