import Foundation
import SchemaDiff
import SchemaModel
import SchemaVersions
import StoreInspection

/// A store description, as text and JSON.
struct InspectReport: Encodable {
  struct Schema: Encodable {
    /// The store's position among the schema versions.
    enum Standing: String, Encodable {
      case current, older, newer, unknown
      /// No schema file declares a schema with this name.
      case noSchema = "no-schema"
      /// The store does not record a schema name, because its models are in Swift files.
      case unnamed
    }

    var name: String
    var version: String
    var standing: Standing
    /// The versions of the migration to the head, starting with the store's version.
    var way: [String] = []
    /// The nearest version, if the store matches no version exactly. `differences` lists the differences.
    var nearest: String?
    var differences: [String] = []

    var isKnown: Bool { standing == .current || standing == .older || standing == .noSchema || standing == .unnamed }

    /// - Parameter isNamed: True if the store records a schema name.
    init(_ stored: ResolvedSchema, history: SchemaHistory?, isNamed: Bool) {
      name = stored.name
      version = stored.version.description
      guard let history else {
        standing = isNamed ? .noSchema : .unnamed
        return
      }
      let versions = history.versions
      if let index = history.index(of: stored) {
        way = (history.way(from: versions[index], to: history.head) ?? []).map(\.version.description)
        standing = index == versions.count - 1 ? .current : .older
        return
      }
      standing = stored.version > history.head.version ? .newer : .unknown
      let compared = versions.map { ($0, SchemaDiff.changes(from: $0, to: stored)) }
      guard let (nearest, changes) = compared.min(by: { $0.1.count < $1.1.count }) else { return }
      self.nearest = nearest.version.description
      differences = changes.map(\.text)
    }
  }

  struct Table: Encodable {
    var name: String
    var rows: Int
  }

  /// The format version. Increase it for incompatible changes.
  var schemaVersion = 1
  var path: String
  var format: Int
  var bytes: Int
  var identifier: String
  var version: String
  var schemas: [Schema]
  var tables: [Table]
  /// Unknown columns that were added to the tables. They prevent a migration that uses a migration plan.
  var strayColumns: [String]
  /// Between migration phases, the oldest app version that can use the store.
  var oldestServed: String?

  init(_ store: StoreDescription, schemas: [Schema]) {
    path = store.path
    format = store.format
    bytes = store.size
    identifier = store.identifier
    version = store.version.description
    self.schemas = schemas
    tables = store.tables.map { Table(name: $0.name, rows: $0.rows) }
    strayColumns = store.strayColumns
    oldestServed = store.oldestServed?.description
  }

  var text: String {
    var lines = ["\(path): store format \(format), \(bytes) bytes, identifier \(identifier)"]
    if schemas.isEmpty { lines.append("version \(version); the store does not record its schema") }
    for schema in schemas { lines += Self.lines(of: schema) }
    if let oldestServed {
      lines.append("between two migration phases: apps with version \(oldestServed) or later can use the store")
    }
    let width = tables.map(\.name.count).max() ?? 0
    lines += tables.map { table in
      let name = table.name.padding(toLength: width, withPad: " ", startingAt: 0)
      return "  \(name)  \(table.rows == 1 ? "1 row" : "\(table.rows) rows")"
    }
    lines += strayColumns.map { "  column '\($0)' belongs to no version; migration fails until it is removed" }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func lines(of schema: Schema) -> [String] {
    let title = "\(schema.name) \(schema.version)"
    switch schema.standing {
    case .noSchema: return ["\(title): there is no schema '\(schema.name)' to compare with"]
    case .unnamed: return [StorePath.unnamed]
    case .current: return ["\(title): the current version"]
    case .older: return ["\(title): migrates when opened: \(schema.way.joined(separator: " → "))"]
    case .newer, .unknown:
      let what = schema.standing == .newer ? "newer than the schema" : "matches no version"
      let isSame = schema.differences.isEmpty
      let nearest =
        schema.nearest.map {
          isSame ? ", but differs from version \($0) only in its number" : "; differences from version \($0):"
        } ?? ""
      return ["\(title): \(what)\(nearest)"] + schema.differences.map { "  - \($0)" }
    }
  }
}
