/// Determines where the values in a model table's columns come from.
struct ColumnMoves {
  private let stage: StageChanges
  private let members: [EntityLayout]
  private(set) var move: TableMove
  private(set) var gaps: [MigrationProblem] = []
  private(set) var checks: [MigrationProblem] = []
  /// Values for each class, by new column.
  private var values: [String: [(old: EntityLayout, value: ColumnOrigin.Value)]] = [:]

  /// A property in the new version, as stored in a single class's rows.
  private struct Target {
    let column: ColumnLayout
    let new: EntityLayout
    let old: EntityLayout
    /// True if a fill sets the property.
    let isFilled: Bool
  }

  private static let missingValue = "has no default value, and there are rows without a value"

  /// - Parameter members: The models in the table.
  init(of table: TableDefinition, _ members: [EntityLayout], in stage: StageChanges) {
    self.stage = stage
    self.members = members
    move = TableMove(table: table, rows: .none)
  }

  mutating func run() throws {
    let former = members.compactMap { stage.entities[$0.name] }
    guard let first = former.first, let source = stage.old.tables.first(where: { $0.name == first.table })
    else { return }
    for member in members {
      guard let old = stage.entities[member.name] else { continue }
      if old.table == source.name {
        move.entities.append((old, member))
      } else {
        // Keys from a different table may already be in use.
        gaps.append(
          MigrationProblem(
            entity: member.name, property: "",
            reason: "was in a different table: create its rows in a custom step of the stage"))
      }
    }
    for (old, new) in move.entities {
      for column in new.columns {
        let isFilled = stage.fills.contains("\(new.name).\(column.property.name)")
        try add(Target(column: column, new: new, old: old, isFilled: isFilled))
      }
    }
    addPositions()
    addKeys(first)
    for (column, values) in values { move.origins[column] = merged(values) }
    move.rows = .table(source, where: restriction(first))
    for column in move.table.columns where move.origins[column.name] == nil {
      move.origins[column.name] = ColumnOrigin(.null)
    }
  }

  private mutating func addKeys(_ old: EntityLayout) {
    let new = members[0]
    move.origins[new.keyColumn] = ColumnOrigin(.column(old.keyColumn))
    guard !new.discriminators.isEmpty else { return }
    move.origins[new.entityColumn] = ColumnOrigin(
      old.discriminators.isEmpty ? .literal(.text(move.entities[0].new.name)) : .column(old.entityColumn))
  }

  /// Returns a condition that excludes rows of removed classes.
  private func restriction(_ old: EntityLayout) -> SQLFragment? {
    guard let column = move.oldEntityColumn else { return nil }
    let kept = move.entities.map(\.old.name)
    guard stage.old.layout.entities.contains(where: { $0.table == old.table && !kept.contains($0.name) })
    else { return nil }
    return "\(name: column) IN (\(literals: kept))"
  }

  // MARK: properties

  private mutating func add(_ target: Target) throws {
    let column = target.column
    guard let before = stage.formerColumn(of: column.property, in: target.new) else { return try addNew(target) }
    var conversion = ValueConversion.same
    if let destination = column.destination {
      guard let origin = before.destination, stage.isSame(origin, destination) else { return try addNew(target) }
    } else if column.members.isEmpty != before.members.isEmpty {
      for name in column.names { add(.null, to: name, target) }
      return record("is stored differently now", target)
    } else if !column.members.isEmpty {
      return try addMembers(of: target, before)
    } else {
      conversion = .from(before.property, to: column.property)
    }
    let title = "\(target.new.name).\(column.property.name)"
    let mistaken = JSONFields.changes(from: before.property.attribute, to: column.property.attribute, title).mistaken
    guard mistaken.isEmpty else {
      add(.null, to: column.name, target)
      let texts = mistaken.map { "'\($0.title)' was \($0.before.description) and is now \($0.after.description)" }
      return record("would be misread: \(texts.joined(separator: ", "))", target)
    }
    let isNewlyRequired = before.property.isOptional && !column.property.isOptional
    let value = try converted(before.name, by: conversion, to: column.name, isNewlyRequired, nil, target)
    if value == nil {
      let (was, now) = (before.property.kindText, column.property.kindText)
      record(was == now ? "is stored differently now" : "was \(was) and is now \(now)", target)
    }
    // If there is no plan, the recorded gap rejects the stage, so no value is lost.
    add(value ?? (stage.step.isPlanned ? .null : .column(before.name)), to: column.name, target)
  }

  /// Adds a flattened struct.
  private mutating func addMembers(of target: Target, _ before: ColumnLayout) throws {
    let column = target.column
    let former = zip(before.property.flattenedMembers, before.members)
    // The presence column, which distinguishes an optional struct from nil.
    let presence = before.members.first?.name == before.name ? nil : before.name
    if column.members.first?.name != column.name {
      add(presence.map { .column($0) } ?? .literal(.integer(1)), to: column.name, target)
    } else if let presence {
      move.markers.insert(presence)
      record(Self.missingValue, target, rows: "\(name: presence) IS NULL")
    }
    for (part, member) in zip(column.property.flattenedMembers, column.members) {
      guard let (old, layout) = former.first(where: { $0.0.name == part.name }) else {
        let preset = preset(of: member.name, target)
        if preset == nil, !member.type.isOptional {
          record("is new and required, but has no default value", target, part: ".\(part.name)")
        }
        let value = preset.map { preset -> ColumnOrigin.Value in
          // A check finds rows that lack a newly required struct.
          column.property.isOptional ? presence.map { .member(preset, of: $0) } ?? .literal(preset) : .literal(preset)
        }
        add(value ?? .null, to: member.name, target)
        continue
      }
      let isNewlyRequired = layout.type.isOptional && !member.type.isOptional
      let value = try converted(
        layout.name, by: ValueForm(old.type).conversion(to: ValueForm(part.type)), to: member.name, isNewlyRequired,
        presence, target)
      if value == nil { record("has a different type", target) }
      add(value ?? (stage.step.isPlanned ? .null : .column(layout.name)), to: member.name, target)
    }
  }

  /// Returns the old column converted to the new type; `nil` if some values cannot be converted.
  ///
  /// - Parameters:
  ///   - isNewlyRequired: True if the old value may be missing but the new value is required.
  ///   - presence: The presence column of the enclosing optional struct; `nil` if there is none.
  private mutating func converted(
    _ source: String, by conversion: ValueConversion, to name: String, _ isNewlyRequired: Bool, _ presence: String?,
    _ target: Target
  ) throws -> ColumnOrigin.Value? {
    let column: SQLFragment = "\(name: source)"
    var value = ColumnOrigin.Value.column(source)
    switch conversion {
    case .same: break
    case .expression(let make): value = .expression(make(column))
    case .checked(let make, let isInexact):
      value = .expression(make(column))
      record(
        "has values that its new type cannot hold exactly", target, rows: isInexact(column),
        isAboutMissing: false)
    case .none: return nil
    }
    guard isNewlyRequired else { return value }
    // A nil struct has no values.
    let isThere: SQLFragment? = presence.map { "\(name: $0) IS NOT NULL" }
    guard let preset = preset(of: name, target) else {
      record(
        Self.missingValue, target, rows: isThere.map { "\(column) IS NULL AND \($0)" } ?? "\(column) IS NULL")
      return value
    }
    if case .column(let name) = value, isThere == nil { return .filled(name, preset) }
    let present: SQLFragment = "COALESCE(\(value.sql), \(literal: preset))"
    return .expression(isThere.map { "CASE WHEN \($0) THEN \(present) END" } ?? present)
  }

  private mutating func addNew(_ target: Target) throws {
    let column = target.column
    let isOptional = column.property.isOptional
    let whole = stage.new.memberPresets(of: column, in: target.new.name)
    for name in column.names {
      let field = column.members.firstIndex { $0.name == name }
      let preset: SQLValue?
      if let whole {
        preset = field.map { whole[$0] } ?? .integer(1)
      } else {
        // A nil struct has no values.
        preset = isOptional && !column.members.isEmpty ? nil : self.preset(of: name, target)
      }
      add(preset.map { .literal($0) } ?? .null, to: name, target)
      let type = field.map { column.members[$0].type } ?? column.type
      guard preset == nil, !isOptional, !type.isOptional else { continue }
      let part = field.map { ".\(column.property.flattenedMembers[$0].name)" } ?? ""
      record("is new and required, but has no default value", target, part: part)
    }
  }

  /// Adds list position columns.
  private mutating func addPositions() {
    for owner in stage.new.layout.entities {
      for list in owner.lists {
        guard let column = list.orderColumn, move.origins[column] == nil,
          stage.new.layout.entity(named: list.destination)?.table == move.table.name,
          let before = stage.formerList(of: list.property, in: owner), let source = before.orderColumn,
          let members = stage.old.layout.entity(named: before.destination),
          move.entities.first?.old.table == members.table
        else { continue }
        move.origins[column] = ColumnOrigin(.column(source))
      }
    }
  }

  // MARK: helpers

  private mutating func add(_ value: ColumnOrigin.Value, to column: String, _ target: Target) {
    values[column, default: []].append((target.old, value))
  }

  /// Returns a new column's default value.
  private func preset(of column: String, _ target: Target) -> SQLValue? {
    stage.new.preset(of: column, in: target.new.table)
  }

  /// Records a problem, unless a fill sets the value.
  ///
  /// - Parameters:
  ///   - part: The struct member, with a leading dot; empty for the property itself.
  ///   - rows: A condition for affected old rows; `nil` if all rows are affected.
  private mutating func record(
    _ reason: String, _ target: Target, part: String = "", rows: SQLFragment? = nil,
    isAboutMissing: Bool = true
  ) {
    guard !target.isFilled else { return }
    let old = target.old
    var problem = MigrationProblem(
      entity: target.new.name, property: target.column.property.name + part, reason: reason,
      place: (target.new.table, target.column.names), isAboutMissing: isAboutMissing)
    guard let rows else { return gaps.append(problem) }
    let isOfClass: SQLFragment =
      old.discriminators.isEmpty ? "" : " AND \(name: old.entityColumn) = \(literal: old.name)"
    problem.rows = .init(table: old.table, key: old.keyColumn, condition: "\(rows)\(isOfClass)")
    checks.append(problem)
  }

  /// Merges all classes' values into a single origin.
  private func merged(_ values: [(old: EntityLayout, value: ColumnOrigin.Value)]) -> ColumnOrigin {
    let first = values[0].value
    guard values.allSatisfy({ $0.value == first }) else {
      return ColumnOrigin(parts: values.map { .init(value: $0.value, classes: [$0.old.name]) })
    }
    let classes = values.map(\.old.name)
    var isForAllRows = first == .null || values.count == move.entities.count
    if case .column(let name) = first, move.isOwn(name, of: classes) { isForAllRows = true }
    return isForAllRows ? ColumnOrigin(first) : ColumnOrigin(parts: [.init(value: first, classes: classes)])
  }
}
