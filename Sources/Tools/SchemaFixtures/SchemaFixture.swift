package import Foundation
package import SchemaDiagnostics
package import SchemaModel
package import SchemaVersions
package import Trellis

/// A populated store for a schema version, created without the app. The tables are identical to those that the app
/// creates, and the app can save every row.
///
/// Equal schemas, versions, row counts and seeds produce equal contents on every machine.
package struct SchemaFixture {
  private let version: ResolvedSchema
  private let schema: Schema
  private let rows: [String: [DescribedRow]]
  private let identifier: String

  /// - Parameters:
  ///   - version: A version in the history.
  ///   - history: The schema's history.
  ///   - files: The files that declare the versions.
  ///   - module: The app's Swift module.
  ///   - rows: The row count for each model.
  ///   - seed: The seed for the pseudorandom order.
  ///   - keepsNullCharacters: False for a store that does not support U+0000 in strings.
  /// - Throws: ``FixtureRefusal`` if the schema does not specify how a value is stored.
  package init(
    _ version: ResolvedSchema, of history: SchemaHistory, files: [SourceFile], module: String,
    rows: Int = 24, seed: UInt64 = 1, keepsNullCharacters: Bool = true
  ) throws(FixtureRefusal) {
    self.version = version
    schema = try Self.schema(of: version, in: history, files: files, module: module)
    self.rows =
      rows == 0
      ? [:]
      : try FixtureRows(version, rows: rows, seed: seed, keepsNullCharacters: keepsNullCharacters).byModel
    let digits = Array(
      Permutation.number(
        of: "\(version.name) \(version.version) \(version.fingerprint()) \(rows)", seed: seed
      )
      .uppercased())
    identifier = [digits[0..<8], digits[8..<12], digits[12..<16], digits[16..<20], digits[20..<32]]
      .map { String($0) }.joined(separator: "-")
  }

  /// Returns the runtime schema for a version, which equals the app's schema.
  ///
  /// - Throws: ``FixtureRefusal`` if the schema does not specify how a value is stored.
  package static func schema(
    of version: ResolvedSchema, in history: SchemaHistory, files: [SourceFile], module: String
  ) throws(FixtureRefusal) -> Schema {
    let paths = Set(version.files.map(\.path))
    let text = files.filter { paths.contains($0.path) }.map { $0.text(from: 0, to: $0.bytes.count) }
    return try SchemaDescription(version, of: history, module: module)
      .runtimeSchema(text: text.joined(separator: "\n"))
  }

  /// The row count for each model, in schema order.
  package var counts: [(model: String, rows: Int)] {
    version.entities.map { ($0.name, rows[$0.name]?.count ?? 0) }
  }

  /// Writes the rows to a new store. `open` creates the store for the version's schema.
  package func write<Store: DataStore>(
    opening open: (Schema) throws -> Store
  ) throws where Store.Snapshot == DefaultSnapshot {
    try DescribedStore.write(rows, of: schema, into: open(schema))
  }

  /// Writes the store to a location that does not exist yet.
  package func write(to url: URL) throws {
    try DescribedStore.write(rows, of: schema, to: url, identifier: identifier)
  }
}
