import Foundation
import SchemaDiagnostics
package import SchemaModel

/// The schema and contents of a store.
package struct StoreDescription {
  package struct Table: Sendable, Equatable {
    package let name: String
    package let rows: Int
  }

  package let path: String
  /// The size of the file in bytes, without the write-ahead log.
  package let size: Int
  package let identifier: String
  package let format: Int
  package let version: SchemaVersion
  package let fingerprint: String
  /// The schemas that wrote the store; empty if the store does not contain their text.
  package let schemas: [ResolvedSchema]
  package let tables: [Table]
  /// The columns that other programs added, as `Table.column`.
  package let strayColumns: [String]
  let file: StoreFile
  /// The column names by `Model.property`.
  let columns: [String: String]

  /// - Throws: ``InspectionError`` if the file is not a store of this library.
  package init(path: String) throws {
    let file = try StoreFile(path)
    let metadata: [(String, StoreFile.Value)]
    do {
      metadata = try file.rows("SELECT \"key\", \"value\" FROM \"trellis_metadata\"").compactMap { row in
        row[0].text.map { ($0, row[1]) }
      }
    } catch {
      throw InspectionError("\(path): is no store of this library: \(error)")
    }
    let values = Dictionary(metadata, uniquingKeysWith: { first, _ in first })
    guard let format = values["format"]?.integer, let identifier = values["identifier"]?.text,
      let version = values["version"]?.text.flatMap({ SchemaVersion($0) })
    else { throw InspectionError("\(path): the store does not say what it is; it may be damaged") }
    self.path = path
    self.file = file
    self.format = format
    self.identifier = identifier
    self.version = version
    fingerprint = values["fingerprint"]?.text ?? ""
    size = (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int).flatMap { $0 } ?? 0
    schemas = values["source"]?.text.map { Self.schemas(in: $0) } ?? []
    columns =
      values["columns"]?.text.flatMap { try? JSONDecoder().decode([String: String].self, from: Data($0.utf8)) } ?? [:]
    let names = try file.rows(
      "SELECT \"name\" FROM \"sqlite_schema\" WHERE \"type\" = 'table' ORDER BY \"rowid\"")
    tables = try names.compactMap { $0[0].text }
      .filter { !$0.hasPrefix("sqlite_") && !$0.hasPrefix("trellis_") }
      .map { Table(name: $0, rows: try file.number("SELECT count(*) FROM \(name: $0)")) }
    strayColumns = try Self.strayColumns(values["tables"]?.text, file)
  }

  /// The required part of the layout that the store recorded.
  private struct NotedTable: Decodable {
    struct Column: Decodable { let name: String }
    let name: String
    let columns: [Column]
  }

  private static func strayColumns(_ text: String?, _ file: StoreFile) throws -> [String] {
    guard let text, let tables = try? JSONDecoder().decode([NotedTable].self, from: Data(text.utf8)) else { return [] }
    return try tables.flatMap { table in
      let known = Set(table.columns.map { $0.name.lowercased() })
      return try file.rows("PRAGMA table_info(\(name: table.name))").compactMap { $0[1].text }
        .filter { !known.contains($0.lowercased()) }.map { "\(table.name).\($0)" }
    }
  }

  /// Splits the concatenated schema files at their `schema` lines.
  private static func schemas(in text: String) -> [ResolvedSchema] {
    var parts: [[Substring]] = [[]]
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("schema "), parts.contains(where: { $0.contains { $0.hasPrefix("schema ") } }) {
        parts.append([])
      }
      parts[parts.count - 1].append(line)
    }
    let files = parts.enumerated().map { number, lines in
      SourceFile(path: "store/\(number)", text: lines.joined(separator: "\n"))
    }
    return SchemaCompiler.compile(files).schemas
  }

  /// The table of a model; nil if the store has no such table.
  func table(of entity: String, in schema: ResolvedSchema) -> String? {
    var root = entity
    var seen: Set<String> = []
    while seen.insert(root).inserted, let above = schema.entities.first(where: { $0.name == root })?.superentity {
      root = above
    }
    return tables.first { $0.name == root }?.name
  }

  /// A condition that selects the rows of a model from a table with several models.
  func condition(of entity: String, in schema: ResolvedSchema) throws -> SQLText {
    guard schema.entities.first(where: { $0.name == entity })?.superentity != nil,
      let table = table(of: entity, in: schema)
    else { return "1" }
    let names = try file.rows("SELECT \"name\" FROM pragma_table_info(\(literal: table))")
      .compactMap { $0[0].text }
    guard
      let column = ["entity", "_entity", "__entity"].first(where: {
        names.contains($0) && !columns.values.contains($0)
      }) ?? names.dropFirst().first
    else { return "1" }
    var family: Set<String> = [entity]
    var count = 0
    while count != family.count {
      count = family.count
      for candidate in schema.entities where candidate.superentity.map(family.contains) ?? false {
        family.insert(candidate.name)
      }
    }
    let list = family.sorted().map { "\(literal: $0)" as SQLText }
    return "\(name: column) IN (\(list, by: ", "))"
  }
}
