import Foundation

/// Maps the numbers in recorded changes to names, for a single schema version. Entities are numbered in name order,
/// properties by slot.
///
/// Names are current: a migration that renames a property also renames it here, and removed declarations have no name.
/// Recorded changes are therefore never rewritten, and tokens remain valid across versions.
package struct HistoryNames: Hashable, Codable, Sendable {
  package struct Entity: Hashable, Codable, Sendable {
    package var name: String?
    package var columns: [String?]
    package var lists: [String?]
    /// The attributes whose values are preserved on deletion.
    package var preserved: [Preserved]
  }

  package struct Preserved: Hashable, Codable, Sendable {
    package var slot: Int
    package var columns: Int
    /// The value forms at the time of writing; empty if the meaning of the values has since changed.
    var parts: [StoredPart]
  }

  package var entities: [Entity]

  package init(_ layout: StoreLayout) {
    entities = Self.ordered(layout).map { entity in
      Entity(
        name: entity.name, columns: entity.columns.map(\.property.name),
        lists: entity.lists.map(\.property.name),
        preserved: entity.preservedColumns.map {
          Preserved(slot: $0.slot, columns: $0.names.count, parts: $0.property.storedParts)
        })
    }
  }

  /// Returns the entities in numbering order.
  package static func ordered(_ layout: StoreLayout) -> [EntityLayout] {
    layout.entities.sorted { $0.name < $1.name }
  }

  /// Returns true if both contain the same entities and properties, regardless of the property order.
  package func hasSameNames(as other: HistoryNames) -> Bool {
    entities.count == other.entities.count
      && zip(entities, other.entities).allSatisfy { one, other in
        one.name == other.name && Set(one.columns) == Set(other.columns) && Set(one.lists) == Set(other.lists)
      }
  }

  /// Returns the names after a migration between two schemas.
  ///
  /// - Parameter filled: The properties whose values a migration step replaced, as `Model.property` in the new schema.
  ///   Values preserved before the migration have a different meaning.
  package func following(from old: Schema, to new: Schema, filled: Set<String> = []) -> HistoryNames {
    let successors = NamePairing(from: old.entities.map(\.item), to: new.entities.map(\.item)).successors
    var copy = self
    for index in entities.indices {
      guard let name = entities[index].name, let successor = successors[name], let before = old.entitiesByName[name],
        let after = new.entitiesByName[successor]
      else {
        copy.entities[index].name = nil
        continue
      }
      let pairing = NamePairing(from: before.properties.map(Schema.item), to: after.properties.map(Schema.item))
      copy.entities[index].rename(to: successor, pairing.successors, filled: filled)
    }
    return copy
  }
}

extension HistoryNames.Entity {
  /// - Parameter properties: New property names by old name.
  fileprivate mutating func rename(to successor: String, _ properties: [String: String], filled: Set<String>) {
    name = successor
    columns = columns.map { $0.flatMap { properties[$0] } }
    lists = lists.map { $0.flatMap { properties[$0] } }
    for (place, preserved) in preserved.enumerated() where columns.indices ~= preserved.slot {
      guard let name = columns[preserved.slot], filled.contains("\(successor).\(name)") else { continue }
      self.preserved[place].parts = []
    }
  }
}

extension NamePairing {
  /// Old names mapped to new names.
  fileprivate var successors: [String: String] {
    Dictionary(origins.map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
  }
}

/// Encoding as JSON text.
extension HistoryNames {
  /// The highest accepted slot or column number. SQLite tables have fewer columns.
  static let mostColumns = 32_767

  package var text: String { (try? JSONColumn.text(of: self)) ?? "" }

  /// Decodes names; `nil` if the text is invalid.
  package init?(text: String) {
    guard let names = try? JSONColumn.value(HistoryNames.self, from: Data(text.utf8)),
      names.entities.allSatisfy({ entity in
        entity.preserved.allSatisfy { $0.slot >= 0 && 0...Self.mostColumns ~= $0.columns }
      })
    else { return nil }
    self = names
  }
}

/// The recorded names of all schema versions that have changes in the history.
extension HistoryNames {
  /// Records the current version's names, unless they are already recorded.
  ///
  /// - Returns: The number that changes use to refer to the names.
  package static func record(_ catalogue: StoreCatalogue, _ connection: Connection) throws -> Int64 {
    let table: SQLFragment = "\(name: HistoryTables.names)"
    let text = HistoryNames(catalogue.layout).text
    // Searches all versions, because apps may declare the same properties in different orders.
    let known = try connection.integers(
      """
      SELECT "epoch" FROM \(table) WHERE "names" = \(value: .text(text))
      AND "epoch" BETWEEN 1 AND \(value: .integer(StoreMetadata.numbers.upperBound)) ORDER BY 1 DESC LIMIT 1
      """)
    if let epoch = known.first { return epoch }
    let last = try connection.integers("SELECT \"epoch\" FROM \(table) ORDER BY 1 DESC LIMIT 1").first ?? 0
    guard StoreMetadata.numbers.contains(last) else {
      throw connection.damage(
        "its own table '\(HistoryTables.names)' has \(last) as an 'epoch', which is out of range")
    }
    try connection.executeCached(
      "INSERT INTO \(table) (\"epoch\", \"names\") VALUES (\(value: .integer(last + 1)), \(value: .text(text)))")
    return last + 1
  }

  /// Applies a migration's renames to all recorded names.
  package static func migrate(
    from old: Schema, to new: Schema, filled: Set<String> = [], _ connection: Connection
  ) throws {
    for (epoch, names) in try all(connection) {
      let moved = names.following(from: old, to: new, filled: filled)
      guard moved != names else { continue }
      try connection.executeCached(
        """
        UPDATE \(name: HistoryTables.names) SET "names" = \(value: .text(moved.text))
        WHERE "epoch" = \(value: .integer(Int64(epoch)))
        """)
    }
  }

  /// All recorded names by number.
  package static func all(_ connection: Connection) throws -> [(epoch: Int, names: HistoryNames)] {
    try connection.rows("SELECT \"epoch\", \"names\" FROM \(name: HistoryTables.names)")
      .compactMap { row in
        guard case .integer(let epoch) = row[0], case .text(let text) = row[1],
          let names = HistoryNames(text: text)
        else { return nil }
        return (Int(epoch), names)
      }
  }
}
