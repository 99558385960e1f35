/// A store that is read without its app: a file, or the tables in a database.
///
/// Tables and columns have the names recorded in the store. ``SQLText`` quotes them.
package protocol InspectedStore {
  /// The location for messages. It contains no password.
  var path: String { get }
  /// The size in bytes: the file excluding the write-ahead log, or the tables with their indexes.
  var size: Int { get }
  /// Returns the metadata that describes the store.
  ///
  /// - Throws: ``InspectionError`` if the store does not exist.
  func metadata() throws -> [String: StoredValue]
  /// Returns the names of existing tables that contain models, in creation order.
  func tables() throws -> [String]
  /// Returns the existing column names in a table; empty if the table does not exist.
  func columns(of table: String) throws -> [String]
  func rows(_ sql: SQLText) throws -> [[StoredValue]]
  /// Returns an expression for a column. The database can compare the expression's values.
  func comparable(_ column: String, of table: String) throws -> SQLText
}

extension InspectedStore {
  func number(_ sql: SQLText) throws -> Int { try rows(sql).first?.first?.integer ?? 0 }
}

/// A column value, reduced to the required types.
package enum StoredValue: Equatable, Sendable {
  case null
  case integer(Int64)
  case text(String)

  var integer: Int? { if case .integer(let number) = self { Int(number) } else { nil } }
  var text: String? { if case .text(let text) = self { text } else { nil } }
  /// The number in a string or an integer. Files store numeric metadata as integers, databases as strings.
  var number: Int? { integer ?? text.flatMap { Int($0) } }
}

/// The reason why a store cannot be inspected.
package struct InspectionError: Error, CustomStringConvertible {
  package let description: String
  package init(_ description: String) { self.description = description }
}
