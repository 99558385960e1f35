package import Foundation
package import SchemaDiagnostics
package import SchemaModel
package import SchemaVersions
import Trellis

/// A populated store of one version of a schema, made without the program: the tables are those the
/// program would make, the rows those it could have saved.
///
/// The same schema, version, number of rows and seed give the same contents, whoever makes it and when.
package struct SchemaFixture {
  private let version: ResolvedSchema
  private let schema: Schema
  private let rows: [String: [DescribedRow]]
  private let identifier: String

  /// - Parameters:
  ///   - version: one of the versions of the history.
  ///   - files: those the versions were read from.
  ///   - module: the Swift module of the program.
  ///   - rows: how many each model gets.
  /// - Throws: ``FixtureRefusal`` where only the program knows how something is kept.
  package init(
    _ version: ResolvedSchema, of history: SchemaHistory, files: [SourceFile], module: String,
    rows: Int = 24, seed: UInt64 = 1
  ) throws(FixtureRefusal) {
    self.version = version
    let paths = Set(version.files.map(\.path))
    let text = files.filter { paths.contains($0.path) }.map { $0.text(from: 0, to: $0.bytes.count) }
    schema = try SchemaDescription(
      version, of: history, module: module
    ).runtimeSchema(text: text.joined(separator: "\n"))
    self.rows = rows == 0 ? [:] : try FixtureRows(version, rows: rows, seed: seed).byModel
    let digits = Array(
      Permutation.number(
        of: "\(version.name) \(version.version) \(version.fingerprint()) \(rows)", seed: seed
      )
      .uppercased())
    identifier = [digits[0..<8], digits[8..<12], digits[12..<16], digits[16..<20], digits[20..<32]]
      .map { String($0) }.joined(separator: "-")
  }

  /// How many rows each model has, in the order of the schema.
  package var counts: [(model: String, rows: Int)] {
    version.entities.map { ($0.name, rows[$0.name]?.count ?? 0) }
  }

  /// Makes the store, in a place where nothing is.
  package func write(to url: URL) throws {
    try DescribedStore.write(rows, of: schema, to: url, identifier: identifier)
  }
}
