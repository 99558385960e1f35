import Foundation
import SchemaModel
import StoreCare
import StoreTransfer
import Trellis

/// A row that a draft mentions.
enum DraftRow: Hashable, Sendable {
  /// The table's root entity identifies rows in a hierarchy.
  case stored(root: String, key: Int64)
  case new(String)
}

/// A value to write.
enum DraftValue: Sendable {
  case stored(SQLValue)
  case row(DraftRow?)
}

/// A row to insert or update.
struct PlannedRow {
  let entity: StudioSchema.Entity
  let isNew: Bool
  /// The values by property, including those that follow from a change on a relationship's other side.
  var values: [String: DraftValue] = [:]
  /// The properties that the draft itself changes.
  var own: Set<String> = []
  /// Added and removed members, in order.
  var lists: [String: (added: [DraftRow], removed: [DraftRow])] = [:]
}

/// The rows to write, with both sides of each relationship, and everything that prevents it.
struct DraftPlan {
  private let reader: StoreReader
  private let types: JSONTypes
  private(set) var rows: [DraftRow: PlannedRow] = [:]
  /// The rows in the order of the draft.
  private(set) var order: [DraftRow] = []
  /// The rows to delete, excluding those that delete rules add.
  let deleted: [(entity: StudioSchema.Entity, key: Int64)]
  var problems: [DraftAnswer.Problem] = []
  private(set) var conflicts: [DraftAnswer.Conflict] = []
  /// Rows that lose a connection to a row of the draft.
  private(set) var robbed: [(row: DraftRow, property: String)] = []

  init(_ draft: Draft, _ reader: StoreReader) throws {
    self.reader = reader
    types = JSONTypes([reader.target.resolved])
    (deleted, conflicts) = try Self.deletions(draft.deletes ?? [], reader)
    for insert in draft.inserts ?? [] {
      let row = PlannedRow(entity: try reader.entity(insert.entity), isNew: true)
      guard rows.updateValue(row, forKey: .new(insert.id)) == nil, Int64(insert.id) == nil else {
        throw StudioError("'\(insert.id)' cannot name another new row")
      }
      order.append(.new(insert.id))
    }
    for insert in draft.inserts ?? [] {
      setDefaults(.new(insert.id))
      for (name, text) in (insert.values ?? [:]).sorted(by: { $0.key < $1.key }) {
        try setValue(.new(insert.id), name, text)
      }
      for (name, change) in (insert.lists ?? [:]).sorted(by: { $0.key < $1.key }) {
        try setList(.new(insert.id), name, change)
      }
    }
    for update in draft.updates ?? [] { try add(update) }
    try connect()
  }

  // MARK: Rows

  /// Finds the rows to delete. Missing rows are conflicts.
  private static func deletions(
    _ deletions: [Draft.Deletion], _ reader: StoreReader
  ) throws -> ([(entity: StudioSchema.Entity, key: Int64)], [DraftAnswer.Conflict]) {
    var (rows, conflicts) = ([(entity: StudioSchema.Entity, key: Int64)](), [DraftAnswer.Conflict]())
    for deletion in deletions {
      let (entity, key) = try row(deletion.entity, deletion.key, reader)
      if let entity = try reader.rowClass(entity, key) {
        rows.append((entity, key))
      } else {
        conflicts.append(.init(entity: deletion.entity, key: deletion.key, label: "\(deletion.entity) \(key)"))
      }
    }
    return (rows, conflicts)
  }

  private mutating func add(_ update: Draft.Update) throws {
    let (wanted, key) = try Self.row(update.entity, update.key, reader)
    guard let entity = try reader.rowClass(wanted, key) else {
      return conflicts.append(.init(entity: update.entity, key: update.key, label: "\(update.entity) \(key)"))
    }
    let row = DraftRow.stored(root: entity.layout.rootName, key: key)
    guard !deleted.contains(where: { $0.key == key && $0.entity.layout.rootName == entity.layout.rootName }) else {
      return report(row, nil, "is changed and deleted by the same save", entity)
    }
    touch(row, entity)
    for (name, change) in (update.values ?? [:]).sorted(by: { $0.key < $1.key }) {
      if try hasChanged(name, change, entity, key) { try setValue(row, name, change.to) }
    }
    for (name, change) in (update.lists ?? [:]).sorted(by: { $0.key < $1.key }) {
      try setList(row, name, change)
    }
  }

  private static func row(
    _ entity: String, _ key: String, _ reader: StoreReader
  ) throws(StudioError) -> (StudioSchema.Entity, Int64) {
    guard let number = Int64(key) else { throw StudioError("'\(key)' is not the key of a row") }
    return (try reader.entity(entity), number)
  }

  private mutating func touch(_ row: DraftRow, _ entity: StudioSchema.Entity) {
    guard rows[row] == nil else { return }
    rows[row] = PlannedRow(entity: entity, isNew: false)
    order.append(row)
  }

  /// Returns false if the value is already stored. Records a conflict if the page has read a different stored value.
  private mutating func hasChanged(
    _ name: String, _ change: Draft.Change, _ entity: StudioSchema.Entity, _ key: Int64
  ) throws -> Bool {
    guard let column = entity.columns.first(where: { $0.property == name }),
      let theirs = try reader.values(of: [column], entity, key)?.first
    else { return true }
    func areSame(_ first: String?, _ second: String?) -> Bool {
      first.map { Array($0.utf8) } == second.map { Array($0.utf8) }
    }
    guard !areSame(theirs, change.to) else { return false }
    guard !areSame(theirs, change.from) else { return true }
    conflicts.append(
      .init(
        entity: entity.name, key: "\(key)", label: try reader.label(entity, key), property: name, from: change.from,
        theirs: theirs, mine: change.to))
    return true
  }

  private mutating func report(
    _ row: DraftRow, _ property: String?, _ message: String, _ entity: StudioSchema.Entity? = nil
  ) {
    let name = entity?.name ?? rows[row]?.entity.name ?? ""
    problems.append(.init(entity: name, key: row.text, property: property, message: message))
  }

  // MARK: Values

  private mutating func setDefaults(_ row: DraftRow) {
    guard let entity = rows[row]?.entity else { return }
    for property in entity.properties {
      guard let column = entity.columns.first(where: { $0.property == property.name }) else { continue }
      let value: SQLValue? =
        switch property.defaultKind {
        case "now": .real(Date.now.timeIntervalSinceReferenceDate)
        case "uuid": .text(UUID().uuidString)
        default: reader.target.catalogue.preset(of: column.sql, in: entity.layout.table)
        }
      if let value { rows[row]?.values[property.name] = .stored(value) }
    }
  }

  private mutating func setValue(_ row: DraftRow, _ name: String, _ text: String?) throws {
    guard let entity = rows[row]?.entity, let column = entity.columns.first(where: { $0.property == name }),
      let property = entity.properties.first(where: { $0.name == name }), property.isEditable
    else { return report(row, name, "cannot be changed") }
    rows[row]?.own.insert(name)
    if let destination = column.destination {
      let target = try text.flatMap { try self.target($0, of: destination, row, name) }
      rows[row]?.values[name] = .row(target)
    } else if let value = value(text, column, entity, row) {
      rows[row]?.values[name] = .stored(value)
    }
  }

  /// Returns a text's value in stored form; nil after a problem was reported.
  private mutating func value(
    _ text: String?, _ column: StudioSchema.Column, _ entity: StudioSchema.Entity, _ row: DraftRow
  ) -> SQLValue? {
    guard let text else { return .null }
    guard let place = entity.table.column(named: column.property) else { return nil }
    let parser = CellParser(entity.table.columns[place])
    if column.form == .json, let problem = jsonProblem(text, column.property, entity) {
      report(row, column.property, problem)
      return nil
    }
    guard let value = parser.value(text) else {
      report(row, column.property, "must be \(parser.noun)")
      return nil
    }
    return value
  }

  private func jsonProblem(_ text: String, _ name: String, _ entity: StudioSchema.Entity) -> String? {
    for case .attribute(let attribute) in entity.declared {
      if let type = types.type(of: name, attribute) { return JSONShape(type, types).problem(ofTyped: text) }
    }
    return nil
  }

  /// Returns a relationship's new destination; nil after a problem was reported.
  private mutating func target(
    _ text: String, of destination: String, _ row: DraftRow, _ name: String
  ) throws -> DraftRow? {
    if let found = rows[.new(text)] {
      if found.entity.lineage.contains(destination) { return .new(text) }
    } else if let key = Int64(text), let entity = try reader.rowClass(reader.entity(destination), key) {
      return .stored(root: entity.layout.rootName, key: key)
    }
    report(row, name, "there is no \(destination) \(text)")
    return nil
  }

  private mutating func setList(_ row: DraftRow, _ name: String, _ change: Draft.ListChange) throws {
    guard let relationship = rows[row]?.entity.relationships[name], relationship.isToMany else {
      return report(row, name, "cannot be changed")
    }
    rows[row]?.own.insert(name)
    let added = try change.add.compactMap { try target($0, of: relationship.destination, row, name) }
    let removed = try change.remove.compactMap { try target($0, of: relationship.destination, row, name) }
    rows[row]?.lists[name] = (added, removed)
  }

  // MARK: Both sides of relationships

  /// A change on a relationship's other side.
  private struct Consequence {
    let row: DraftRow
    let property: String
    /// The connected or disconnected row.
    let other: DraftRow
    let isConnected: Bool
  }

  /// Changes the other side of each changed relationship, unless the draft states it too.
  private mutating func connect() throws {
    var consequences: [Consequence] = []
    for row in order {
      guard let planned = rows[row] else { continue }
      for name in planned.own.sorted() {
        guard let relationship = planned.entity.relationships[name] else { continue }
        let (added, removed) = try changes(row, planned, relationship)
        guard let inverse = relationship.inverseName else { continue }
        consequences += removed.map { Consequence(row: $0, property: inverse, other: row, isConnected: false) }
        consequences += added.map { Consequence(row: $0, property: inverse, other: row, isConnected: true) }
        // A row that is moved here leaves its former place.
        guard let back = schemaRelationship(relationship.destination, inverse), !back.isToMany else { continue }
        for member in added {
          guard let former = try partners(member, back.name).first, former != row else { continue }
          consequences.append(Consequence(row: former, property: name, other: member, isConnected: false))
          if rows[former]?.own.contains(name) != true, rows[member]?.own.contains(back.name) != true {
            robbed.append((former, name))
          }
        }
      }
    }
    // Disconnecting comes first, because a row may be connected again.
    for consequence in consequences where !consequence.isConnected { try apply(consequence) }
    for consequence in consequences where consequence.isConnected { try apply(consequence) }
    for consequence in consequences where consequence.isConnected { try check(consequence) }
  }

  /// Reports a row that the draft gives to two others.
  private mutating func check(_ consequence: Consequence) throws {
    let (row, name) = (consequence.row, consequence.property)
    guard let entity = try entity(of: row), entity.relationships[name]?.isToMany == false,
      case .row(let target)? = rows[row]?.values[name], target != consequence.other
    else { return }
    report(row, name, "is given to two rows by the same save", entity)
  }

  private func schemaRelationship(_ entity: String, _ name: String) -> ResolvedRelationship? {
    reader.schema.entity(entity)?.relationships[name]
  }

  /// Returns a changed relationship's added and removed destinations.
  private func changes(
    _ row: DraftRow, _ planned: PlannedRow, _ relationship: ResolvedRelationship
  ) throws -> (added: [DraftRow], removed: [DraftRow]) {
    if let list = planned.lists[relationship.name] { return list }
    guard case .row(let target)? = planned.values[relationship.name] else { return ([], []) }
    let former = try partners(row, relationship.name)
    return (target.map { former.contains($0) ? [] : [$0] } ?? [], former.filter { $0 != target })
  }

  /// Returns a relationship's stored destinations.
  func partners(_ row: DraftRow, _ name: String) throws -> [DraftRow] {
    guard case .stored(_, let key) = row, let entity = try entity(of: row),
      let relationship = entity.relationships[name],
      let destination = reader.schema.entity(relationship.destination)
    else { return [] }
    return try reader.members(name, of: entity, key).map { .stored(root: destination.layout.rootName, key: $0) }
  }

  func entity(of row: DraftRow) throws -> StudioSchema.Entity? {
    if let planned = rows[row] { return planned.entity }
    guard case .stored(let root, let key) = row, let entity = reader.schema.entity(root) else { return nil }
    return try reader.rowClass(entity, key)
  }

  private mutating func apply(_ consequence: Consequence) throws {
    let (row, name) = (consequence.row, consequence.property)
    guard let entity = try entity(of: row), let relationship = entity.relationships[name] else { return }
    touch(row, entity)
    if !relationship.isToMany, rows[row]?.own.contains(name) == true {
      // A row that was freed can be given to another row by the same save.
      guard consequence.isConnected, case .row(nil)? = rows[row]?.values[name] else { return }
    }
    if relationship.isToMany {
      var list = rows[row]?.lists[name] ?? ([], [])
      if consequence.isConnected {
        if !list.added.contains(consequence.other) { list.added.append(consequence.other) }
        list.removed.removeAll { $0 == consequence.other }
      } else if !list.added.contains(consequence.other), !list.removed.contains(consequence.other) {
        list.removed.append(consequence.other)
      }
      rows[row]?.lists[name] = list
    } else if consequence.isConnected {
      rows[row]?.values[name] = .row(consequence.other)
    } else if try partners(row, name).contains(consequence.other) || rows[row]?.isNew == true {
      rows[row]?.values[name] = .row(nil)
    }
  }

  // MARK: Required values

  /// Removes rows that delete rules delete anyway.
  mutating func remove(where isDeleted: (DraftRow) -> Bool) {
    order.removeAll { rows[$0]?.own.isEmpty == true && isDeleted($0) }
  }

  mutating func checkRequired() throws {
    for row in order {
      guard let planned = rows[row], let own = planned.entity.table.row(class: planned.entity.name) else { continue }
      for required in own.required {
        let name = planned.entity.table.columns[required.column].name
        if let presence = required.presence {
          let structure = planned.entity.table.columns[presence].name
          if try isMissing(name, of: structure, row, planned) {
            report(row, name, "needs a value, because other parts of '\(structure)' have one")
          }
          continue
        }
        switch planned.values[name] {
        case .stored(.null)?, .row(nil)?: break
        case nil: guard planned.isNew, !planned.own.contains(name) else { continue }
        default: continue
        }
        // A reference that could not be resolved was reported.
        if !problems.contains(where: { $0.key == row.text && $0.property == name }) {
          report(row, name, "needs a value")
        }
      }
    }
  }
}

extension DraftPlan {
  /// Returns true if a member of an optional struct with separate columns is nil, but the struct is not.
  private func isMissing(_ name: String, of structure: String, _ row: DraftRow, _ planned: PlannedRow) throws -> Bool {
    let columns = planned.entity.columns.filter { $0.property.hasPrefix(structure + ".") }
    guard columns.contains(where: { planned.values[$0.property] != nil }) else { return false }
    var stored = [String?](repeating: nil, count: columns.count)
    if case .stored(_, let key) = row { stored = try reader.values(of: columns, planned.entity, key) ?? stored }
    let present = zip(columns, stored).filter { column, text in
      guard case .stored(let value)? = planned.values[column.property] else { return text != nil }
      return value != .null
    }
    return !present.isEmpty && !present.contains { $0.0.property == name }
  }
}

extension DraftRow {
  /// The key, or the name of a new row.
  var text: String {
    switch self {
    case .stored(_, let key): "\(key)"
    case .new(let name): name
    }
  }
}

extension StoreReader {
  /// Returns the keys of the rows to which a row's relationship leads.
  func members(_ name: String, of entity: StudioSchema.Entity, _ key: Int64) throws -> [Int64] {
    guard let pairs = pairs(name, of: entity, .owner, [key]) else { return [] }
    return try database.integers("SELECT \"member\" FROM \(pairs) ORDER BY \"place\", \"member\"")
  }

  func label(_ entity: StudioSchema.Entity, _ key: Int64) throws -> String {
    try labels(entity, [key])[key] ?? "\(entity.name) \(key)"
  }
}
