package import Foundation
import StoreTransfer
import Synchronization
import Trellis

/// The store that the studio shows, used by one request at a time, and opened again if it is replaced.
package final class StudioStore: Sendable {
  /// Opens a store's database.
  package typealias Opening = @Sendable () throws -> sending any StudioDatabase

  private let opening: Opening
  /// Nil after the end.
  private let reader: Mutex<StoreReader?>

  /// Opens a store file.
  ///
  /// - Throws: `TransferError` and `CareFailure`.
  package convenience init(_ url: URL) throws { try self.init(opening: { try FileDatabase(url) }) }

  /// - Throws: The errors of `opening`.
  package init(opening: @escaping Opening) throws {
    self.opening = opening
    reader = Mutex(try Self.open(opening))
  }

  private static func open(_ opening: Opening) throws -> sending StoreReader { try StoreReader(opening()) }

  /// Runs queries on a consistent snapshot.
  /// - Throws: ``StudioError`` after a minute, because requests wait for each other.
  func read<T: Sendable>(_ body: @Sendable (StoreReader) throws -> T) throws -> T {
    try withReader { reader in
      let result = try reader.database.read { try reader.database.run(within: .seconds(60)) { try body(reader) } }
      guard let result else { throw StudioError("the request took longer than a minute and was stopped") }
      return result
    }
  }

  func withReader<T: Sendable>(_ body: @Sendable (StoreReader) throws -> T) throws -> T {
    try reader.withLock { opened in
      guard var reader = opened else { throw StudioError("the studio has ended") }
      if reader.database.isReplaced {
        reader = try Self.open(opening)
        opened = reader
      }
      return try body(reader)
    }
  }

  /// Checks that the store can be changed.
  ///
  /// - Throws: ``StudioError`` and the errors of opening the store.
  func requireWritable() throws { try withReader { try $0.database.requireWritable() } }

  /// Closes the store. Later requests fail.
  package func close() {
    let finish = reader.withLock { reader in
      defer { reader = nil }
      return reader?.database.finish()
    }
    finish?()
  }

  /// Returns a text that changes with every commit, or if the store is replaced.
  func version() throws -> String { try withReader { try $0.database.version() } }
}

/// A store that is open for reading, with the facts that its answers need.
struct StoreReader {
  let database: any StudioDatabase
  let schema: StudioSchema
  private let values: ValueRow

  init(_ database: any StudioDatabase) throws {
    self.database = database
    schema = StudioSchema(database.target)
    values = try ValueRow()
  }

  var target: TransferTarget { database.target }

  /// Returns a statement at a row with one value that is not in a table, such as a default value.
  func statement(_ value: SQLValue) throws -> Statement { try values.statement([value]) }

  func entity(_ name: String) throws(StudioError) -> StudioSchema.Entity {
    guard let entity = schema.entity(name) else { throw StudioError("the store has no entity '\(name)'") }
    return entity
  }

  // MARK: Conditions

  /// The alias of the table in conditions.
  static let alias = RowExport.alias

  /// The condition for all rows.
  var everyRow: SQLFragment { database.dialect.condition(true) }

  /// Limits a shared table to an entity's rows.
  func membership(_ entity: StudioSchema.Entity) -> SQLFragment {
    guard !entity.classes.isEmpty else { return everyRow }
    let names = entity.classes.map { "\(value: .text($0))" as SQLFragment }.joined(separator: ", ")
    return "\(column: entity.layout.entityColumn, of: Self.alias) IN (\(names))"
  }

  func table(_ entity: StudioSchema.Entity) -> SQLFragment {
    "\(name: entity.layout.table) AS \(name: Self.alias)"
  }

  func key(_ entity: StudioSchema.Entity) -> SQLFragment { "\(column: entity.layout.keyColumn, of: Self.alias)" }

  func count(_ table: SQLFragment, where condition: SQLFragment) throws -> Int64 {
    try database.integers("SELECT count(*) FROM \(table) WHERE \(condition)").first ?? 0
  }

  // MARK: Relationships

  /// A side of a relationship.
  enum Side { case owner, member }

  /// Returns a table `pairs` with the pairs of a relationship: `owner`, `member` and `place`, the position in an ordered
  /// list.
  ///
  /// - Parameters:
  ///   - entity: The owners' entity.
  ///   - keys: The rows on one side.
  /// - Returns: nil if the relationship is not stored.
  func pairs(
    _ name: String, of entity: StudioSchema.Entity, _ side: Side, _ keys: [Int64]
  ) -> SQLFragment? {
    let (owner, member, place, source): (SQLFragment, SQLFragment, SQLFragment, SQLFragment)
    var isMember = everyRow
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
      WHERE \(database.dialect.isKey(known, in: "\(value: .keys(keys))")) AND \(other) IS NOT NULL AND \(isMember))
      AS "pairs"
      """
  }

  /// Returns a row's exact class; nil if there is no such row in the entity.
  func rowClass(_ entity: StudioSchema.Entity, _ key: Int64) throws -> StudioSchema.Entity? {
    let name: SQLFragment =
      entity.table.classColumn.map { "\(name: entity.table.columns[$0].column)" } ?? "\(value: .text(entity.name))"
    let found = try database.rows(
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
    let label: SQLFragment =
      entity.label.map { label in
        let value: SQLFragment = "\(column: label.sql, of: Self.alias)"
        return label.isText ? "substr(\(value), 1, 100) AS \(name: label.sql)" : value
      } ?? "NULL"
    let rows = try database.rows(
      """
      SELECT \(database.selection("\(key(entity)), \(label)", of: entity.layout)) FROM \(table(entity))
      WHERE \(database.dialect.isKey(key(entity), in: "\(value: .keys(keys))"))
      """)
    return rows.reduce(into: [:]) { result, row in
      guard case .integer(let key) = row[0] else { return }
      switch row[1] {
      case .text(let text) where !text.isEmpty: result[key] = text
      case .integer(let number): result[key] = "\(entity.name) \(number)"
      default: result[key] = "\(entity.name) \(key)"
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
package struct StudioError: Error, CustomStringConvertible {
  package let description: String
  package init(_ description: String) { self.description = description }
}
