package import Foundation
import StoreCare
import StoreTransfer
import Synchronization
import Trellis

/// The store that the studio shows. It is only read, one request at a time, and opened again if its file is replaced.
package final class StudioStore: Sendable {
  private struct Opened {
    let reader: StoreReader
    let stamp: FileStamp?
  }

  private let url: URL
  private let opened: Mutex<Opened>

  /// - Throws: `TransferError` and `CareFailure`.
  package init(_ url: URL) throws {
    self.url = url
    opened = Mutex(try Self.open(url))
  }

  private static func open(_ url: URL) throws -> sending Opened {
    Opened(reader: try StoreReader(StoreSource(url)), stamp: FileStamp(url.path))
  }

  /// Runs queries on a consistent snapshot.
  func read<T: Sendable>(_ body: @Sendable (StoreReader) throws -> T) throws -> T {
    try withReader { reader in try reader.source.read { try body(reader) } }
  }

  func withReader<T: Sendable>(_ body: @Sendable (StoreReader) throws -> T) throws -> T {
    try opened.withLock { opened in
      let now = FileStamp(url.path)
      if now?.device != opened.stamp?.device || now?.file != opened.stamp?.file { opened = try Self.open(url) }
      return try body(opened.reader)
    }
  }

  /// Returns a number that changes with every commit, or if the file is replaced.
  func version() throws -> String {
    try opened.withLock { opened in
      let version = try opened.reader.connection.externalVersion()
      return "\(FileStamp(url.path)?.file ?? 0)-\(version)"
    }
  }
}

/// A store that is open for reading, with the facts that its answers need.
struct StoreReader {
  let source: StoreSource
  let schema: StudioSchema

  var connection: Connection { source.connection }
  /// The store's folder of large values, which may appear later than the store.
  var files: ExternalFolder { ExternalFolder(ofStore: source.url.path) }

  init(_ source: StoreSource) throws {
    self.source = source
    schema = StudioSchema(source.target)
    try RowFilter.prepare(source.connection)
  }

  func entity(_ name: String) throws(StudioError) -> StudioSchema.Entity {
    guard let entity = schema.entity(name) else { throw StudioError("the store has no entity '\(name)'") }
    return entity
  }

  // MARK: Conditions

  /// The alias of the table in conditions.
  static let alias = RowExport.alias

  /// Limits a shared table to an entity's rows.
  func membership(_ entity: StudioSchema.Entity) -> SQLFragment {
    guard !entity.classes.isEmpty else { return "1" }
    let names = entity.classes.map { "\(value: .text($0))" as SQLFragment }.joined(separator: ", ")
    return "\(column: entity.layout.entityColumn, of: Self.alias) IN (\(names))"
  }

  func table(_ entity: StudioSchema.Entity) -> SQLFragment {
    "\(name: entity.layout.table) AS \(name: Self.alias)"
  }

  func key(_ entity: StudioSchema.Entity) -> SQLFragment { "\(column: entity.layout.keyColumn, of: Self.alias)" }

  func count(_ table: SQLFragment, where condition: SQLFragment) throws -> Int64 {
    try connection.integers("SELECT count(*) FROM \(table) WHERE \(condition)").first ?? 0
  }

  // MARK: Relationships

  /// A side of a relationship.
  enum Side { case owner, member }

  /// Returns a table with the pairs of a relationship: `owner`, `member` and `place`, the position in an ordered list.
  ///
  /// - Parameters:
  ///   - entity: The owners' entity.
  ///   - keys: The rows on one side.
  /// - Returns: nil if the relationship is not stored.
  func pairs(
    _ name: String, of entity: StudioSchema.Entity, _ side: Side, _ keys: [Int64]
  ) -> SQLFragment? {
    let (owner, member, place, source): (SQLFragment, SQLFragment, SQLFragment, SQLFragment)
    var isMember: SQLFragment = "1"
    if let column = entity.layout.columns.first(where: { $0.property.name == name }) {
      (owner, member, place) = (key(entity), "\(column: column.name, of: Self.alias)", "NULL")
      (source, isMember) = (table(entity), membership(entity))
    } else if let list = entity.layout.lists.first(where: { $0.property.name == name }),
      let destination = schema.entity(list.destination)
    {
      switch list.kind {
      case .foreignKey(let column):
        (owner, member) = ("\(column: column, of: Self.alias)", key(destination))
        place = list.orderColumn.map { "\(column: $0, of: Self.alias)" } ?? "NULL"
        source = table(destination)
      case .join(let table, let own, let other, let position):
        (owner, member) = ("\(column: own, of: Self.alias)", "\(column: other, of: Self.alias)")
        place = position.map { "\(column: $0, of: Self.alias)" } ?? "NULL"
        source = "\(name: table) AS \(name: Self.alias)"
      }
    } else {
      return nil
    }
    let (known, other) = side == .owner ? (owner, member) : (member, owner)
    return """
      (SELECT \(owner) AS "owner", \(member) AS "member", \(place) AS "place" FROM \(source)
      WHERE \(known) IN (SELECT "value" FROM json_each(\(value: .keys(keys)))) AND \(other) IS NOT NULL AND \(isMember))
      """
  }

  /// Returns a row's exact class; nil if there is no such row in the entity.
  func rowClass(_ entity: StudioSchema.Entity, _ key: Int64) throws -> StudioSchema.Entity? {
    let name: SQLFragment =
      entity.table.classColumn.map { "\(name: entity.table.columns[$0].column)" } ?? "\(value: .text(entity.name))"
    let found = try connection.rows(
      """
      SELECT \(name) FROM \(table(entity)) WHERE \(self.key(entity)) = \(value: .integer(key)) AND \(membership(entity))
      """)
    guard case .text(let name)? = found.first?.first else { return nil }
    return schema.entity(name) ?? entity
  }

  // MARK: Links

  /// Returns the texts that name rows in links, by key. Rows that are missing have no text.
  func labels(_ entity: StudioSchema.Entity, _ keys: [Int64]) throws -> [Int64: String] {
    guard !keys.isEmpty else { return [:] }
    let label: SQLFragment = entity.label.map { "substr(\(name: $0), 1, 100)" } ?? "NULL"
    let rows = try connection.rows(
      """
      SELECT \(name: entity.layout.keyColumn), \(label) FROM \(name: entity.layout.table)
      WHERE \(name: entity.layout.keyColumn) IN (SELECT "value" FROM json_each(\(value: .keys(keys))))
      """)
    return rows.reduce(into: [:]) { result, row in
      guard case .integer(let key) = row[0] else { return }
      if case .text(let text) = row[1], !text.isEmpty {
        result[key] = text
      } else {
        result[key] = "\(entity.name) \(key)"
      }
    }
  }

  func links(_ entity: StudioSchema.Entity, _ keys: [Int64]) throws -> [RowLink] {
    let labels = try labels(entity, keys)
    return keys.map { RowLink(entity: entity.name, key: "\($0)", label: labels[$0] ?? "\(entity.name) \($0)") }
  }
}

/// A row as a link.
struct RowLink: Encodable, Sendable {
  var entity: String
  var key: String
  var label: String
}

/// A request that cannot be answered, with the reason for the page.
struct StudioError: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}
