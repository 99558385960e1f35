import CSQLite
import Foundation
import SchemaDiagnostics
import SchemaDriver
import SchemaFixtures
import SchemaModel
import SchemaVersions
import StoreTransfer
import TestSupport
import Trellis

/// A schema in the repository whose fixtures are exported and imported.
struct FixtureSchema: CustomStringConvertible, Sendable {
  let history: SchemaHistory
  let version: ResolvedSchema
  let files: [SourceFile]

  var description: String { "\(version.name) \(version.version)" }

  /// The heads of the schemas with values, relationships, inheritance and unusual storage.
  static let all: [FixtureSchema] = [
    "Schemas/Values", "Schemas/Relationships", "Schemas/Inheritance", "Schemas/SampleTrips", "Schemas/Initializers",
    "Tests/ToolTests/Fixtures", "Tests/ToolTests/Fixtures/ValueTypes", "Tests/TestWorlds/Differential",
    "Tests/BatchTests", "Tests/HistoryTests",
  ].flatMap { (try? heads(in: $0)) ?? [] }

  /// The schemas with the most kinds of values and tables.
  static let various = all.filter { ["Inheritance", "Oddities", "Specimens"].contains($0.version.name) }

  private static func heads(in folder: String) throws -> [FixtureSchema] {
    let url = Repository.root.appendingPathComponent(folder)
    let names = try FileManager.default.contentsOfDirectory(atPath: url.path).filter { $0.hasSuffix(".schema") }.sorted()
    let project = try SchemaProject(
      heads: names.map { url.appendingPathComponent($0).path }, inputs: [], isTarget: true)
    return project.histories.map { FixtureSchema(history: $0, version: $0.head, files: project.files) }
  }

  /// - Throws: ``FixtureRefusal`` if only an app can encode the values.
  func write(to url: URL, rows: Int = 24) throws {
    try SchemaFixture(version, of: history, files: files, module: "Module", rows: rows).write(to: url)
  }
}

/// A store that a test fills with SQL.
struct RowStore {
  let url: URL
  let target: TransferTarget

  /// Creates an empty store.
  init(_ schema: String, at url: URL) throws {
    self.url = url
    target = try TransferTarget([SourceFile(path: "Things.schema", text: "schema Things 1.0.0\n\n\(schema)\n")])
    try target.create(at: url)
  }

  func execute(_ statements: SQLFragment...) throws {
    let connection = try Connection(url.path, .existing)
    for statement in statements { try connection.execute(statement) }
  }
}

/// A store's rows and the metadata that describes them.
struct StoreImage: Equatable {
  /// The rows by table, in key order. Values in files are replaced by their bytes.
  private(set) var rows: [String: [[SQLValue]]] = [:]
  private(set) var metadata: [String: SQLValue] = [:]
  private(set) var problems: [String] = []

  init(_ url: URL) throws {
    let source = try StoreSource(url)
    let connection = source.connection
    for table in source.target.rowTables {
      let columns = table.columns.map(\.column)
      var found = try connection.rows("SELECT \(names: columns) FROM \(name: table.name) ORDER BY \(names: table.keys)")
      for (index, column) in table.columns.enumerated() where column.form == .external {
        for row in found.indices {
          guard case .text(let name) = found[row][index] else { continue }
          let path = url.path + "-external/" + name
          found[row][index] = .blob(Array(FileManager.default.contents(atPath: path) ?? Data()))
        }
      }
      rows[table.name] = found
    }
    for row in try connection.rows("SELECT \(names: ["key", "value"]) FROM \(name: StoreCatalogue.metadataTable)") {
      guard case .text(let key) = row[0] else { continue }
      let isComparable = ["fingerprint", "version", "source", "tables", "columns", "value types"].contains(key)
      if isComparable || key.hasPrefix("mark ") { metadata[key] = row[1] }
    }
    problems = try connection.rows("PRAGMA foreign_key_check").map { "\($0)" }
    problems += try connection.rows("PRAGMA integrity_check").filter { $0 != [.text("ok")] }.map { "\($0)" }
  }

  /// The first difference; nil if the images are equal. NaN is stored as text, so equal values are equal here.
  func difference(from other: StoreImage) -> String? {
    for key in Set(metadata.keys).union(other.metadata.keys).sorted() where metadata[key] != other.metadata[key] {
      return "metadata '\(key)'"
    }
    for (table, own) in rows.sorted(by: { $0.key < $1.key }) {
      let others = other.rows[table] ?? []
      guard own.count == others.count else { return "\(table) has \(own.count) rows instead of \(others.count)" }
      for (row, (one, two)) in zip(own, others).enumerated() {
        for (column, (left, right)) in zip(one, two).enumerated() where !Self.isIdentical(left, right) {
          return "\(table), row \(row), column \(column): \("\(left)".prefix(80)) instead of \("\(right)".prefix(80))"
        }
      }
    }
    return problems == other.problems ? nil : "\(problems)"
  }

  /// Distinguishes 0.0 from -0.0 and compares text by bytes.
  private static func isIdentical(_ one: SQLValue, _ two: SQLValue) -> Bool {
    switch (one, two) {
    case (.real(let one), .real(let two)): one.bitPattern == two.bitPattern
    case (.text(let one), .text(let two)): one.utf8.elementsEqual(two.utf8)
    default: one == two
    }
  }
}

/// Runs a test with a temporary folder.
func inTemporaryFolder<T>(_ body: (URL) throws -> T) throws -> T {
  let folder = FileManager.default.temporaryDirectory.appendingPathComponent("rows-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  return try body(folder)
}

extension URL {
  /// A file in the folder.
  func file(_ name: String) -> URL { appendingPathComponent(name) }

  var text: String { (try? String(contentsOf: self, encoding: .utf8)) ?? "" }
}

/// Exports a store to a new folder.
@discardableResult
func export(_ store: URL, _ format: RowFormat, to folder: URL) throws -> ExportReport {
  let export = RowExport(try StoreSource(store), format)
  let place = try ExportFolder(folder, names: export.fileNames, isForced: false)
  return try place.write { try export.write(to: $0) }
}
