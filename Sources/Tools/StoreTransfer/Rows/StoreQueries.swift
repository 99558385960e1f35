package import Trellis

/// Queries on a store's tables in a file or on a server.
package protocol StoreQueries {
  var dialect: any SQLDialect { get }
  /// The columns with values that a predicate has to treat specially.
  func flags() throws -> ColumnFlags
  /// Returns a small query's rows, with values in the form in which SQLite stores them.
  func rows(_ query: SQLFragment) throws -> [[SQLValue]]
}

extension StoreQueries {
  /// Returns the first column of a small query, omitting NULL.
  package func integers(_ query: SQLFragment) throws -> [Int64] {
    try rows(query).compactMap { if case .integer(let value)? = $0.first { value } else { nil } }
  }
}

extension Connection: StoreQueries {
  package var dialect: any SQLDialect { SQLiteDialect() }
  package func flags() throws -> ColumnFlags { ColumnFlags(try StoreMetadata.marks(self)) }
}
