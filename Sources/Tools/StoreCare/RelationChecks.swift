import Foundation
import Trellis

/// Checks values across rows: references, pairs, uniqueness, positions and keys.
struct RelationChecks {
  private let store: ExaminedStore
  private let entities: [EntityLayout]
  private var connection: Connection { store.connection }

  init(_ store: ExaminedStore, _ complete: [(table: String, entities: [EntityLayout])]) {
    self.store = store
    entities = complete.flatMap(\.entities)
  }

  var parts: [() throws -> [Finding]] {
    store.catalogue.tables.map { table in { try danglingReferences(of: table.name) } }
      + [oneSidedReferences, oneSidedPairs, duplicates, positions, usedKeys]
  }

  // MARK: references

  private func danglingReferences(of table: String) throws -> [Finding] {
    var found: [String: (count: Int, examples: [String])] = [:]
    let query: SQLFragment = "PRAGMA foreign_key_check(\(name: table))"
    let statement = try Statement(query.text, on: connection.handle, isKept: false)
    while try statement.step() {
      let target = statement.text(2) ?? ""
      var item = found[target] ?? (0, [])
      item.count += 1
      if item.examples.count < Finding.exampleLimit, !statement.isNull(1) {
        item.examples.append("\(statement.integer(1))")
      }
      found[target] = item
    }
    return found.sorted { $0.key < $1.key }.map { target, item in
      Finding(
        .danglingReference, table, count: item.count, examples: item.examples,
        "a reference leads to a missing row in '\(target)'")
    }
  }

  /// Checks that to-one references and inverses agree.
  private func oneSidedReferences() throws -> [Finding] {
    var findings: [Finding] = []
    for entity in entities {
      for column in declaredColumns(of: entity) {
        guard let relationship = column.property.relationship, let inverse = relationship.inverseName,
          let destination = entities.first(where: { $0.name == relationship.destination }),
          let property = destination.definition.layout.property(named: inverse), !property.kind.isToMany,
          destination.columns.indices ~= property.slot
        else { continue }
        let back = destination.columns[property.slot].name
        let found = try store.examples(
          """
          SELECT "own".\(name: entity.keyColumn) FROM \(name: entity.table) AS "own"
          JOIN \(name: destination.table) AS "other" ON "other".\(name: destination.keyColumn) = "own".\(name: column.name)
          WHERE "other".\(name: back) IS NOT "own".\(name: entity.keyColumn)
          """)
        guard found.count > 0 else { continue }
        findings.append(
          Finding(
            .oneSidedReference, entity.name, column.property.name, count: found.count, examples: found.examples,
            "a reference leads to a '\(destination.name)' whose '\(inverse)' does not lead back"))
      }
    }
    return findings
  }

  /// Checks that a self-inverse list, such as a list of friends, contains each pair in both directions.
  private func oneSidedPairs() throws -> [Finding] {
    var findings: [Finding] = []
    for entity in entities {
      for list in entity.lists {
        guard let relationship = list.property.relationship, relationship.inverseName == list.property.name,
          relationship.destination == entity.name, case .join(let table, let owner, let member, _) = list.kind
        else { continue }
        let found = try store.examples(
          """
          SELECT "a".\(name: owner), "a".\(name: member) FROM \(name: table) AS "a" WHERE NOT EXISTS
          (SELECT 1 FROM \(name: table) AS "b" WHERE "b".\(name: owner) = "a".\(name: member)
          AND "b".\(name: member) = "a".\(name: owner))
          """)
        guard found.count > 0 else { continue }
        findings.append(
          Finding(
            .oneSidedReference, entity.name, list.property.name, count: found.count, examples: found.examples,
            "a pair lacks its counterpart"))
      }
    }
    return findings
  }

  /// An entity's columns, excluding inherited columns.
  private func declaredColumns(of entity: EntityLayout) -> ArraySlice<ColumnLayout> {
    let above = store.catalogue.schema.entitiesByName[entity.name]?.superentity
    return entity.columns.dropFirst(above.flatMap { store.catalogue.layout.entity(named: $0.name) }?.columns.count ?? 0)
  }

  // MARK: constraints

  private func duplicates() throws -> [Finding] {
    var findings: [Finding] = []
    for entity in entities {
      for constraint in store.catalogue.constraints[entity.name] ?? [] where constraint.entity == entity.name {
        let isSet = constraint.columns.map { "\(name: $0) IS NOT NULL" as SQLFragment }.joined(separator: " AND ")
        let isOwn: SQLFragment =
          constraint.classes.isEmpty
          ? "" : " AND \(name: entity.entityColumn) IN (\(literals: constraint.classes))"
        let found = try store.examples(
          """
          SELECT min(\(name: entity.keyColumn)), max(\(name: entity.keyColumn)) FROM \(name: entity.table)
          NOT INDEXED WHERE \(isSet)\(isOwn) GROUP BY \(names: constraint.columns) HAVING count(*) > 1
          """)
        guard found.count > 0 else { continue }
        findings.append(
          Finding(
            .duplicateValue, entity.name, constraint.properties.joined(separator: ", "), count: found.count,
            examples: found.examples, "a value that must be unique occurs more than once"))
      }
    }
    return findings
  }

  private func positions() throws -> [Finding] {
    var findings: [Finding] = []
    for entity in entities {
      for list in entity.lists {
        let place: (table: String, key: String, position: String)?
        switch list.kind {
        case .join(let table, let owner, _, let position): place = position.map { (table, owner, $0) }
        case .foreignKey:
          let members = entities.first { $0.name == list.destination }
          place = list.orderColumn.flatMap { column in members.map { ($0.table, $0.keyColumn, column) } }
        }
        guard let place else { continue }
        let found = try store.examples(
          "SELECT \(name: place.key) FROM \(name: place.table) WHERE \(name: place.position) < 0")
        guard found.count > 0 else { continue }
        let finding = Finding(
          .listPosition, entity.name, list.property.name, count: found.count, examples: found.examples,
          "the position in an ordered list is negative")
        // Subclasses inherit the list.
        if !findings.contains(where: { $0.column == finding.column && $0.examples == finding.examples }) {
          findings.append(finding)
        }
      }
    }
    return findings
  }

  /// Checks that the next row key exceeds all existing keys. Otherwise a key could be reused after a row is deleted.
  private func usedKeys() throws -> [Finding] {
    var findings: [Finding] = []
    for entity in entities where entity.name == entity.rootName {
      let last = try connection.integers("SELECT max(\(name: entity.keyColumn)) FROM \(name: entity.table)").first
      let next = try StoreMetadata.value(for: StoreMetadata.Key.nextPrefix + entity.table, connection)
      if last == nil, next == nil { continue }
      let problem: String
      switch next {
      case .integer(.max)?: problem = "the next row number is the highest possible one"
      case .integer(let next)? where next > last ?? 0: continue
      default: problem = "the next row number is missing or too low"
      }
      findings.append(Finding(.usedKey, entity.name, nil, problem + (last.map { ": row \($0) exists" } ?? "")))
    }
    return findings
  }
}
