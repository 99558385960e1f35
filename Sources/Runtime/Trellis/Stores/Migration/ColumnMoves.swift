/// Finds out where the columns of one table of models come from.
struct ColumnMoves {
  let shape: StageShape
  let members: [EntityLayout]
  let fills: Set<String>
  var move: TableMove
  var gaps: [MigrationGap] = []
  var checks: [MigrationCheck] = []
  /// By new column: the values for each class.
  var parts: [String: [(new: EntityLayout, old: EntityLayout, value: ColumnOrigin.Value)]] = [:]

  init(shape: StageShape, table: TableDefinition, members: [EntityLayout], fills: Set<String>) {
    self.shape = shape
    self.members = members
    self.fills = fills
    move = TableMove(table: table, rows: .none)
  }

  mutating func run(_ stored: (any ColumnValue) throws -> SQLValue) throws {
    // The rows of classes that were in other tables have keys that may be taken.
    let former = members.compactMap { shape.entities[$0.name] }
    guard let first = former.first,
      let source = shape.old.tables.first(where: { $0.name == first.table })
    else { return }
    for member in members {
      guard let old = shape.entities[member.name] else { continue }
      if old.table == source.name {
        move.entities.append((old, member))
      } else {
        note("was in another table: make its rows in a custom step of the stage", member, "", "")
      }
    }
    for (old, new) in move.entities {
      for column in new.columns { try add(column, of: new, old, stored) }
    }
    addPositions()
    addKeys(source, first)
    for (column, parts) in parts { move.origins[column] = merged(parts) }
    move.rows = .table(source, where: restriction(first))
    for column in move.table.columns where move.origins[column.name] == nil {
      move.origins[column.name] = ColumnOrigin(.null)
    }
  }

  private mutating func addKeys(_ source: TableDefinition, _ old: EntityLayout) {
    let new = members[0]
    move.keyColumns = (new.keyColumn, old.keyColumn)
    move.origins[new.keyColumn] = ColumnOrigin(.column(old.keyColumn))
    move.oldEntityColumn = old.discriminators.isEmpty ? nil : old.entityColumn
    guard !new.discriminators.isEmpty else { return }
    guard !old.discriminators.isEmpty else {
      move.origins[new.entityColumn] = ColumnOrigin(
        .literal("\(literal: move.entities[0].new.name)"))
      return
    }
    move.origins[new.entityColumn] = ColumnOrigin(.column(old.entityColumn))
    for (old, member) in move.entities where old.name != member.name {
      move.renamedClasses.append((new.entityColumn, old.name, member.name))
    }
  }

  /// Leaves out the rows of classes that are gone.
  private func restriction(_ old: EntityLayout) -> SQLFragment? {
    guard let column = move.oldEntityColumn else { return nil }
    let kept = move.entities.map(\.old.name)
    let all = shape.old.layout.entities.filter { $0.table == old.table }.map(\.name)
    guard all.contains(where: { !kept.contains($0) }) else { return nil }
    let names = kept.map { "\(literal: $0)" as SQLFragment }.joined(separator: ", ")
    return "\(name: column) IN (\(names))"
  }

  // MARK: a property

  private mutating func add(
    _ column: ColumnLayout, of new: EntityLayout, _ old: EntityLayout,
    _ stored: (any ColumnValue) throws -> SQLValue
  ) throws {
    let former = shape.formerProperty(of: column.property, in: new)
    let isFilled = fills.contains("\(new.name).\(column.property.name)")
    guard let former, !former.kind.isToMany, old.columns.indices ~= former.slot else {
      return try addNew(column, of: new, old, isFilled, stored)
    }
    let before = old.columns[former.slot]
    if let destination = column.destination {
      guard let origin = before.destination, shape.isSame(origin, destination) else {
        return try addNew(column, of: new, old, isFilled, stored)
      }
      return try keep(
        .same, before.name, of: before, as: column.name, of: column, new, old, isFilled, stored)
    }
    guard column.members.isEmpty == before.members.isEmpty else {
      return add(.null, as: column, new, old, gap: "is kept in another form", isFilled)
    }
    guard column.members.isEmpty else {
      return try addMembers(of: column, before, new, old, isFilled, stored)
    }
    let conversion = ValueConversion.from(former, to: column.property)
    try keep(
      conversion, before.name, of: before, as: column.name, of: column, new, old, isFilled, stored)
  }

  private mutating func keep(
    _ conversion: ValueConversion, _ source: String, of before: ColumnLayout, as name: String,
    of column: ColumnLayout, _ new: EntityLayout, _ old: EntityLayout, _ isFilled: Bool,
    _ stored: (any ColumnValue) throws -> SQLValue
  ) throws {
    var value = ColumnOrigin.Value.column(source)
    switch conversion {
    case .same: break
    case .expression(let make): value = .expression(make("\(name: source)"))
    case .checked(let make, let isInexact):
      value = .expression(make("\(name: source)"))
      if !isFilled {
        check(
          isInexact("\(name: source)"), "has values that its new type cannot hold exactly", column,
          new, old, isAboutMissing: false)
      }
    case .none:
      return add(.null, as: column, new, old, gap: Self.retyped(before, column), isFilled)
    }
    let mayBeMissing = before.property.isOptional && !column.property.isOptional
    if mayBeMissing {
      if let preset = try literal(for: name, new, stored) {
        value = .expression("COALESCE(\(value.sql), \(preset))")
      } else if !isFilled {
        check(
          "\(name: source) IS NULL", "has no default value, and there are rows without a value",
          column, new, old)
      }
    }
    parts[name, default: []].append((new, old, value))
  }

  private mutating func addNew(
    _ column: ColumnLayout, of new: EntityLayout, _ old: EntityLayout, _ isFilled: Bool,
    _ stored: (any ColumnValue) throws -> SQLValue
  ) throws {
    // A struct that is nil has no values at all.
    let isNil = column.property.isOptional && !column.members.isEmpty
    for name in column.names {
      if !isNil, let preset = try literal(for: name, new, stored) {
        parts[name, default: []].append((new, old, .literal(preset)))
      } else {
        parts[name, default: []].append((new, old, .null))
      }
    }
    let hasValue = parts[column.name]?.last.map { $0.value != .null } ?? false
    guard !hasValue, !column.property.isOptional, !column.type.isOptional, !isFilled else { return }
    note("is new, required and has no default value", new, column.property.name, column.name)
  }

  mutating func add(
    _ value: ColumnOrigin.Value, as column: ColumnLayout, _ new: EntityLayout, _ old: EntityLayout,
    gap: String, _ isFilled: Bool, name: String? = nil
  ) {
    for name in name.map({ [$0] }) ?? column.names {
      parts[name, default: []].append((new, old, value))
    }
    if !isFilled { note(gap, new, column.property.name, name ?? column.name) }
  }

  /// The places in ordered lists.
  private mutating func addPositions() {
    for owner in shape.new.layout.entities {
      for list in owner.lists {
        guard let column = list.orderColumn, move.origins[column] == nil,
          shape.new.layout.entity(named: list.destination)?.table == move.table.name
        else { continue }
        let former = shape.formerProperty(of: list.property, in: owner)
        let before = shape.entities[owner.name]?.lists.first { $0.property.name == former?.name }
        let source = before?.orderColumn.flatMap { name in
          move.entities.first?.old.table == before.flatMap {
            shape.old.layout.entity(named: $0.destination)?.table
          } ? name : nil
        }
        move.origins[column] = ColumnOrigin(source.map { .column($0) } ?? .null)
      }
    }
  }

  // MARK: helpers

  func literal(
    for column: String, _ entity: EntityLayout, _ stored: (any ColumnValue) throws -> SQLValue
  ) throws -> SQLFragment? {
    try shape.new.preset(of: column, in: entity.table).map { "\(literal: try stored($0))" }
  }

  private static func retyped(_ before: ColumnLayout, _ after: ColumnLayout) -> String {
    func name(_ column: ColumnLayout) -> String {
      guard case .attribute(let type) = column.property.kind else {
        return column.destination ?? "a relationship"
      }
      return ValueTypeName(type).unqualified
    }
    let (old, new) = (name(before), name(after))
    return old == new ? "is kept in another form" : "was \(old) and is \(new)"
  }

  mutating func note(
    _ reason: String, _ entity: EntityLayout, _ property: String, _ column: String
  ) {
    gaps.append(
      MigrationGap(
        entity: entity.name, property: property, table: entity.table, column: column,
        reason: reason))
  }

  mutating func check(
    _ condition: SQLFragment, _ reason: String, _ column: ColumnLayout, _ new: EntityLayout,
    _ old: EntityLayout, isAboutMissing: Bool = true
  ) {
    var condition = condition
    if !old.discriminators.isEmpty {
      condition += " AND \(name: old.entityColumn) = \(literal: old.name)"
    }
    checks.append(
      MigrationCheck(
        entity: new.name, property: column.property.name, table: old.table,
        keyColumn: old.keyColumn, condition: condition, reason: reason,
        isAboutMissing: isAboutMissing))
  }

  /// One origin for the values of all classes.
  private func merged(
    _ parts: [(new: EntityLayout, old: EntityLayout, value: ColumnOrigin.Value)]
  ) -> ColumnOrigin {
    let first = parts[0].value
    let isSame = parts.allSatisfy { $0.value == first }
    if isSame, parts.count == move.entities.count { return ColumnOrigin(first) }
    if isSame {
      if first == .null { return ColumnOrigin(.null) }
      if case .column(let name) = first {
        // Rows of other classes have no value there.
        let owners = shape.old.layout.entities.filter { entity in
          entity.table == parts[0].old.table && entity.columns.contains { $0.names.contains(name) }
        }.map(\.name)
        if owners.allSatisfy({ owner in parts.contains { $0.old.name == owner } }) {
          return ColumnOrigin(first)
        }
      }
      return ColumnOrigin(parts: [
        .init(value: first, oldClasses: parts.map(\.old.name), newClasses: parts.map(\.new.name))
      ])
    }
    return ColumnOrigin(
      parts: parts.map {
        .init(value: $0.value, oldClasses: [$0.old.name], newClasses: [$0.new.name])
      })
  }
}
