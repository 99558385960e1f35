package import Foundation
package import SchemaDiagnostics
package import SchemaModel
package import SchemaVersions
package import Trellis

/// A populated store of one version of a schema, created without the program. Its tables equal those that the program
/// creates, and its rows are rows that the program can save.
///
/// Equal schemas, versions, row counts and seeds give equal contents on every machine.
package struct SchemaFixture {
  private let version: ResolvedSchema
  private let schema: Schema
  private let rows: [String: [DescribedRow]]
  private let identifier: String

  /// - Parameters:
  ///   - version: A version of the history.
  ///   - history: The history of the schema.
  ///   - files: The files that declare the versions.
  ///   - module: The Swift module of the program.
  ///   - rows: The number of rows of each model.
  ///   - seed: The seed of the pseudorandom order.
  ///   - keepsNullCharacters: False for a store that has no U+0000 in texts.
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

  /// The runtime schema of a version, as the program has it.
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

  /// The number of rows of each model, in the order of the schema.
  package var counts: [(model: String, rows: Int)] {
    version.entities.map { ($0.name, rows[$0.name]?.count ?? 0) }
  }

  /// Writes the rows into a new store, which `open` creates for the schema of the version.
  package func write<Store: DataStore>(
    opening open: (Schema) throws -> Store
  ) throws where Store.Snapshot == DefaultSnapshot {
    try DescribedStore.write(rows, of: schema, into: open(schema))
  }

  /// Writes the store to a location without a file.
  package func write(to url: URL) throws {
    try DescribedStore.write(rows, of: schema, to: url, identifier: identifier)
  }
}
