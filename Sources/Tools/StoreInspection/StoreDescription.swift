import Foundation
import SchemaDiagnostics
package import SchemaModel

/// A store's schema and contents.
package struct StoreDescription {
  package struct Table: Sendable, Equatable {
    package let name: String
    package let rows: Int
  }

  package let path: String
  /// The size in bytes. See ``InspectedStore/size``.
  package let size: Int
  package let identifier: String
  package let format: Int
  package let version: SchemaVersion
  package let fingerprint: String
  /// The schemas that wrote the store; empty if the store does not contain schema text.
  package let schemas: [ResolvedSchema]
  /// False if the text has no `schema` line with a name and a version, as for models declared in Swift files.
  package let isNamed: Bool
  package let tables: [Table]
  /// Columns added outside Trellis, as `Table.column`.
  package let strayColumns: [String]
  /// Between the phases of a migration, the oldest version that can still use the store; otherwise nil.
  package let oldestServed: SchemaVersion?
  let store: any InspectedStore
  /// Column names by `Model.property`.
  let columns: [String: String]

  /// - Throws: ``InspectionError`` if the store was not written by this library.
  package init(_ store: any InspectedStore) throws {
    let values = try store.metadata()
    guard let format = values["format"]?.number, let identifier = values["identifier"]?.text,
      let version = values["version"]?.text.flatMap({ SchemaVersion($0) })
    else { throw InspectionError("\(store.path): the store's metadata is incomplete; the store may be damaged") }
    self.store = store
    self.format = format
    self.identifier = identifier
    self.version = version
    path = store.path
    size = store.size
    fingerprint = values["fingerprint"]?.text ?? ""
    schemas = values["source"]?.text.map { Self.schemas(in: $0) } ?? []
    isNamed =
      values["source"]?.text.map { text in
        text.split(whereSeparator: \.isNewline).contains { $0.hasPrefix("schema ") }
      } ?? true
    columns = Self.decoded([String: String].self, values["columns"]) ?? [:]
    tables = try store.tables().map {
      Table(name: $0, rows: try store.number("SELECT count(*) FROM \(table: $0)"))
    }
    // Each line contains a version and a fingerprint.
    oldestServed = values["former versions"]?.text?.split(separator: " ").first.flatMap { SchemaVersion(String($0)) }
    // Between the phases, the older version's columns still exist and are not stray.
    let recorded = oldestServed == nil ? values["tables"] : nil
    strayColumns = try (Self.decoded([RecordedTable].self, recorded) ?? []).flatMap { table in
      let known = Set(table.columns.map { $0.name.lowercased() })
      return try store.columns(of: table.name).filter { !known.contains($0.lowercased()) }
        .map { "\(table.name).\($0)" }
    }
  }

  private static func decoded<T: Decodable>(_ type: T.Type, _ value: StoredValue?) -> T? {
    value?.text.flatMap { try? JSONDecoder().decode(type, from: Data($0.utf8)) }
  }

  /// Splits concatenated schema files at the `schema` lines.
  package static func schemas(in text: String) -> [ResolvedSchema] {
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

  /// Returns the name of a model's table; nil if the store has no such table.
  func table(of entity: String, in schema: ResolvedSchema) -> String? {
    var root = entity
    var seen: Set<String> = []
    while seen.insert(root).inserted, let above = schema.entities.first(where: { $0.name == root })?.superentity {
      root = above
    }
    return tables.first { $0.name == root }?.name
  }

  /// Returns a condition that selects a model's rows from a table with several models.
  func condition(of entity: String, in schema: ResolvedSchema) throws -> SQLText {
    guard schema.entities.first(where: { $0.name == entity })?.superentity != nil,
      let table = table(of: entity, in: schema)
    else { return "1 = 1" }
    let names = try store.columns(of: table)
    guard
      let column = ["entity", "_entity", "__entity"].first(where: {
        names.contains($0) && !columns.values.contains($0)
      }) ?? names.dropFirst().first
    else { return "1 = 1" }
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

/// The layout details that are read from the store.
package struct RecordedTable: Decodable {
  package struct Column: Decodable { package let name: String }
  package let name: String
  package let columns: [Column]
}
