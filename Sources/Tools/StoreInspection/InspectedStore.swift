/// A store that is read without its app: a file, or the tables in a database.
///
/// Tables and columns have the names recorded in the store. ``SQLText`` quotes them.
package protocol InspectedStore {
  /// The location for messages. It contains no password.
  var path: String { get }
  /// The size in bytes: the file excluding the write-ahead log, or the tables with their indexes.
  var size: Int { get }
  /// The metadata in which a store describes itself.
  ///
  /// - Throws: ``InspectionError`` if the store does not exist.
  func metadata() throws -> [String: StoredValue]
  /// The names of existing tables that contain models, in creation order.
  func tables() throws -> [String]
  /// The existing column names in a table; empty if the table does not exist.
  func columns(of table: String) throws -> [String]
  func rows(_ sql: SQLText) throws -> [[StoredValue]]
  /// An expression for a column with values that the database can compare with each other.
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
  /// The number in a text or an integer. Files store metadata as integers, databases as texts.
  var number: Int? { integer ?? text.flatMap { Int($0) } }
}

/// The reason why a store cannot be inspected.
package struct InspectionError: Error, CustomStringConvertible {
  package let description: String
  package init(_ description: String) { self.description = description }
}
