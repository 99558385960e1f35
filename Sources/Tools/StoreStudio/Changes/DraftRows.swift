import Foundation
import SchemaFixtures
import StoreTransfer
import Trellis

/// A planned row as the store writes it.
private struct DraftSnapshot: DescribedRows {
  let definition: ModelDefinition
  let identifier: PersistentIdentifier
  var cells: [String: DescribedRow.Cell] = [:]
  /// The to-one destinations by property; nil for nil.
  var targets: [String: PersistentIdentifier?] = [:]
  /// The members of stored lists by slot.
  var lists: [Int: [PersistentIdentifier]] = [:]

  var count: Int { 1 }

  func identifier(_ index: Int) -> PersistentIdentifier { identifier }

  func references(_ index: Int, _ slot: Int) -> [PersistentIdentifier]? { lists[slot] }

  func bind(_ index: Int, to row: inout StatementBinder) throws {
    for property in definition.layout.columns {
      if let target = targets[property.name] {
        try row.reference(property.slot, target)
      } else {
        try row.cell(property, cells[property.name])
      }
    }
  }
}

/// Converts a plan's rows to the snapshots of a save.
struct DraftRows {
  private let plan: DraftPlan
  private let walk: DeletionWalk
  private let reader: StoreReader
  private let store: DefaultStore
  /// The new rows in the order of ``inserted``.
  private(set) var new: [String] = []
  private(set) var inserted: [DefaultSnapshot] = []
  private(set) var updated: [DefaultSnapshot] = []

  init(_ plan: DraftPlan, _ walk: DeletionWalk, _ reader: StoreReader, in store: DefaultStore) throws {
    self.plan = plan
    self.walk = walk
    self.reader = reader
    self.store = store
    new = plan.order.compactMap { if case .new(let name) = $0 { name } else { nil } }
    for row in plan.order {
      guard let planned = plan.rows[row] else { continue }
      try add(row, planned)
    }
  }

  private mutating func add(_ row: DraftRow, _ planned: PlannedRow) throws {
    let layout = planned.entity.layout
    var snapshot = DraftSnapshot(definition: layout.definition, identifier: identifier(of: row, planned.entity))
    var changed = PropertySet()
    for column in layout.columns {
      if case .row(let target)? = planned.values[column.property.name] {
        snapshot.targets[column.property.name] = target.map { identifier(of: $0) }
      } else if let cell = try cell(column, row, planned) {
        snapshot.cells[column.property.name] = cell
      } else {
        continue
      }
      changed.insert(column.slot)
    }
    var changedLists = PropertySet()
    var former: [Int: [PersistentIdentifier]] = [:]
    for list in layout.lists {
      guard let change = planned.lists[list.property.name] else { continue }
      let before = try plan.partners(row, list.property.name)
      let members = plan.members(before, change).filter { !walk.contains($0) }
      snapshot.lists[list.slot] = members.map { identifier(of: $0) }
      former[list.slot] = before.map { identifier(of: $0) }
      changedLists.insert(list.slot)
    }
    let buffer = DescribedBuffer(snapshot)
    if planned.isNew {
      inserted.append(DefaultSnapshot(buffer: buffer, index: 0))
    } else if !changed.isEmpty || !changedLists.isEmpty {
      updated.append(
        DefaultSnapshot(
          buffer: buffer, index: 0, changed: changed, changedLists: changedLists, formerMembers: former))
    }
  }

  /// Returns an attribute's value; nil if it is not changed.
  private func cell(_ column: ColumnLayout, _ row: DraftRow, _ planned: PlannedRow) throws -> DescribedRow.Cell? {
    let property = column.property
    guard property.flattenedMembers.isEmpty else { return try flattened(column, row, planned) }
    guard case .stored(let value)? = planned.values[property.name] else { return nil }
    if property.isExternal, case .blob(let bytes) = value {
      return .external(Data(bytes), number: StudioAccess.randomToken())
    }
    return .value(DescribedValue(value))
  }

  /// Returns a struct with separate columns, all of which are written. An optional struct is nil if all parts are.
  private func flattened(_ column: ColumnLayout, _ row: DraftRow, _ planned: PlannedRow) throws -> DescribedRow.Cell? {
    let property = column.property
    let names = property.flattenedMembers.map { "\(property.name).\($0.name)" }
    guard planned.isNew || names.contains(where: { planned.values[$0] != nil }) else { return nil }
    var values = [SQLValue](repeating: .null, count: names.count)
    if case .stored(_, let key) = row {
      let columns = column.members.map { "\(column: $0.name, of: StoreReader.alias)" as SQLFragment }
      let stored = try reader.connection.rows(
        """
        SELECT \(columns.joined(separator: ", ")) FROM \(reader.table(planned.entity))
        WHERE \(reader.key(planned.entity)) = \(value: .integer(key))
        """)
      values = stored.first ?? values
    }
    for (index, name) in names.enumerated() {
      if case .stored(let value)? = planned.values[name] { values[index] = value }
    }
    if property.isOptional, values.allSatisfy({ $0 == .null }) { return .flattened(nil) }
    let members = zip(property.flattenedMembers.map(\.name), values.map { DescribedValue($0) })
    return .flattened(Dictionary(members.map { ($0, $1) }, uniquingKeysWith: { first, _ in first }))
  }

  /// - Parameter entity: The exact class; nil for the root class, which also identifies a row in a reference.
  private func identifier(of row: DraftRow, _ entity: StudioSchema.Entity? = nil) -> PersistentIdentifier {
    switch row {
    case .stored(let root, let key):
      PersistentIdentifier(token: .interned(store: store.identifier, entity: entity?.name ?? root), row: key)
    case .new(let name):
      PersistentIdentifier(
        token: .interned(store: nil, entity: plan.rows[row]?.entity.name ?? ""),
        row: Int64(new.firstIndex(of: name) ?? 0) + 1)
    }
  }

  /// Returns the row with an identifier in an error.
  func row(_ identifier: PersistentIdentifier) -> DraftRow? {
    guard let number = identifier.row else { return nil }
    guard identifier.isTemporary else {
      let entity = reader.schema.entity(identifier.entityName)
      return .stored(root: entity?.layout.rootName ?? identifier.entityName, key: number)
    }
    return new.indices.contains(Int(number) - 1) ? .new(new[Int(number) - 1]) : nil
  }
}

extension DraftPlan {
  /// Returns a list's members after the change. Added members come last.
  func members(_ before: [DraftRow], _ change: (added: [DraftRow], removed: [DraftRow])) -> [DraftRow] {
    let kept = before.filter { !change.removed.contains($0) || change.added.contains($0) }
    return kept + change.added.filter { !kept.contains($0) }
  }
}

extension DescribedValue {
  /// Creates a value that is already in stored form.
  fileprivate init(_ value: SQLValue) {
    switch value {
    case .null, .list: self = .null
    case .integer(let number): self = .scalar(number)
    case .real(let number): self = .scalar(number)
    case .text(let text): self = .scalar(text)
    case .blob(let bytes): self = .scalar(Data(bytes))
    }
  }
}
