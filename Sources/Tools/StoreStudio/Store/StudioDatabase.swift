package import StoreTransfer
package import Trellis

/// A store's database, as far as files and servers differ.
package protocol StudioDatabase: StoreQueries, AnyObject {
  /// The store's own schema, with the tables' names in statements.
  var target: TransferTarget { get }
  /// The location, without user and password.
  var place: String { get }
  /// The folder of large values, if the rows do not contain them.
  var files: ExternalFolder { get }
  /// True if the store was replaced and has to be opened again.
  var isReplaced: Bool { get }
  /// A text that changes with every save.
  func version() throws -> String
  /// The size in bytes.
  func size() throws -> Int64

  // MARK: Queries

  /// Runs queries on a consistent snapshot.
  func read<T>(_ body: () throws -> T) throws -> T
  /// Runs queries for a limited time.
  ///
  /// - Returns: nil if the time was too short.
  func run<T>(within limit: Duration, _ body: () throws -> T) throws -> T?
  /// Calls a closure with a statement at each of a query's rows.
  func visit(_ query: SQLFragment, _ row: (Statement) throws -> Void) throws
  func plan(of query: SQLFragment) throws -> [String]

  // MARK: SQL

  /// Returns a query's columns, followed by those that are needed to read them.
  func selection(_ columns: SQLFragment, of entity: EntityLayout) -> SQLFragment
  /// Returns the first 16 bytes and the size of data; nil if it takes no longer to select all bytes.
  func preview(of data: SQLFragment) -> (beginning: SQLFragment, size: SQLFragment)?
  /// Returns a column's value as a parameter that is compared with the column.
  func parameter(_ value: SQLValue, for column: String, in table: String) -> SQLValue
  /// Returns a condition for a text that contains another, regardless of the case of ASCII letters.
  ///
  /// - Parameter pattern: A pattern for LIKE with `\\` before special characters.
  func matches(_ value: SQLFragment, _ pattern: String) -> SQLFragment
  /// Returns a decimal number's value for comparisons.
  func number(ofDecimal value: SQLFragment) -> SQLFragment
  /// Returns a part of a text around another text.
  func excerpt(of value: SQLFragment, around text: String) -> SQLFragment
  /// Returns the name of an internal table in statements.
  func internalTable(_ name: String) -> String
  /// Returns the values of a deleted row that the history preserves.
  func preservedValues(_ transaction: Int64, _ entity: Int, _ key: Int64) throws -> [SQLValue]

  // MARK: Changes

  /// Checks that the store can be changed.
  ///
  /// - Throws: ``StudioError`` with the reason.
  func requireWritable() throws
  /// Returns what is to be done after this object is released.
  func finish() -> @Sendable () -> Void

  /// Calls a closure with a transaction in which it reads and writes.
  ///
  /// Apps cannot save before the transaction ends. If other programs have nevertheless changed rows that the closure
  /// writes, nothing is committed, and the closure is called again.
  ///
  /// - Parameter isTrial: True if the closure does not commit.
  func change<T>(isTrial: Bool, _ body: (any TableStore, any StoreTransaction) throws -> T) throws -> T
  /// Returns the message of an error of ``change(isTrial:_:)`` that names a unique index or its columns; nil for other
  /// errors.
  func uniqueViolation(_ error: any Error) -> String?
}

/// Values as a statement's row, which the code for cells reads.
package final class ValueRow {
  private let connection: Connection
  private var statement: (count: Int, statement: Statement)?

  /// - Throws: ``SQLiteError``.
  package init() throws { connection = try Connection(":memory:", .creating) }

  /// Returns a statement that is valid until the next call.
  package func statement(_ values: [SQLValue]) throws -> Statement {
    if let statement, statement.count == values.count {
      statement.statement.clear()
    } else {
      let parameters = [SQLFragment](repeating: "?", count: values.count).joined(separator: ", ")
      statement = (values.count, try Statement("SELECT \(parameters.text)", on: connection.handle))
    }
    guard let statement = statement?.statement else { throw StudioError("there are no values") }
    try statement.bind(values)
    _ = try statement.step()
    return statement
  }
}
