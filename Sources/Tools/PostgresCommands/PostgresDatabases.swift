import Foundation
import SchemaCommands
import StoreInspection
import Trellis
import TrellisPostgres

/// Opens stores in PostgreSQL databases for the verbs that read stores.
struct PostgresDatabases: StoreDatabases {
  func store(at address: String, schema: String?) throws -> any InspectedStore {
    do {
      return try DatabaseStore(StoreTables(Self.configuration(at: address, schema: schema)))
    } catch let error as PostgresError {
      throw InspectionError("\(error)")
    }
  }

  /// - Parameter models: The store's models, or nil to read only the tables.
  static func configuration(
    at address: String, schema: String?, for models: Schema? = nil
  ) -> PostgresConfiguration {
    var configuration = PostgresConfiguration(schema: models, url: address)
    configuration.schemaName = schema
    configuration.poolSize = 2
    return configuration
  }
}

/// A store in a PostgreSQL database, opened for inspection.
struct DatabaseStore: InspectedStore {
  private let database: StoreTables

  /// - Throws: ``InspectionError`` if the table sizes cannot be read.
  init(_ database: StoreTables) throws {
    self.database = database
    path = database.place
    size = try Self.reading(database.place) { try database.size() }
  }

  let path: String
  let size: Int

  func metadata() throws -> [String: StoredValue] {
    guard let values = try reading({ try database.metadata() }) else {
      throw InspectionError(
        "\(path): the schema contains no Trellis store; '--schema' selects a different schema")
    }
    return values.mapValues { .text($0) }
  }

  func tables() throws -> [String] { try reading { try database.names() } }

  func columns(of table: String) throws -> [String] { try reading { try database.columns(of: table) } }

  func comparable(_ column: String, of table: String) throws -> SQLText {
    try reading { try database.isComparable(column, of: table) } ? "\(name: column)" : "CAST(\(name: column) AS text)"
  }

  func rows(_ sql: SQLText) throws -> [[StoredValue]] {
    let fragments = sql.pieces.map { piece -> SQLFragment in
      switch piece {
      case .sql(let text): SQLFragment(stringLiteral: "\(text)")
      case .table(let name): "\(name: database.qualified(name))"
      case .name(let name): "\(name: name)"
      // Stored text is in Normalization Form C.
      case .literal(let text): "\(literal: text.precomposedStringWithCanonicalMapping)"
      case .number(let number): "\(number: Int(number))"
      }
    }
    return try reading { try database.rows(fragments.joined(separator: "")) }.map { row in
      row.map { value in
        switch value {
        case .integer(let number): .integer(number)
        case .text(let text): .text(text)
        default: .null
        }
      }
    }
  }

  private func reading<Result>(_ body: () throws -> Result) throws -> Result { try Self.reading(path, body) }

  /// Adds the store's location to server errors.
  private static func reading<Result>(_ path: String, _ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as PostgresError {
      throw InspectionError("\(path): \(error)")
    }
  }
}
