/// Relationships whose references move to different columns: from a list to a reference, or to the inverse side.
extension StageChanges {
  /// Key pairs that become reference values.
  struct Link {
    let entity: EntityLayout
    let column: ColumnLayout
    let pairs: Pairs

    /// The reference as `Model.property`.
    var title: String { "\(entity.name).\(column.property.name)" }
  }

  /// An old table with two columns of related keys.
  struct Pairs {
    let table: String
    /// The column with the referring row's key.
    let row: String
    /// The column with the referenced row's key.
    let value: String
  }

  /// Finds the origins of references that are missing from the old rows, and relationships that would be lost.
  mutating func addLinks() {
    for entity in new.layout.entities {
      for column in entity.columns where column.destination != nil && !isCopied(column.name, in: entity.table) {
        guard !fills.contains("\(entity.name).\(column.property.name)"), let pairs = pairs(for: column, of: entity)
        else { continue }
        links.append(Link(entity: entity, column: column, pairs: pairs))
      }
    }
    for entity in new.layout.entities {
      for column in entity.columns where isLost(column, of: entity) {
        recordLoss(of: column.property, column.name, entity)
      }
      for list in entity.lists where isLost(list, of: entity) { recordLoss(of: list.property, "", entity) }
    }
    gaps = gaps.filter { gap in
      guard let (table, columns) = gap.place else { return true }
      let isRequired = columns.contains { new.isRequired($0, in: table) }
      let mayGo = accepted.contains("\(gap.entity).\(gap.property)") && !isRequired
      return !mayGo && !columns.contains { isLinked($0, in: table) }
    }
  }

  private func pairs(for column: ColumnLayout, of entity: EntityLayout) -> Pairs? {
    guard let destination = column.destination.flatMap({ new.layout.entity(named: $0) }) else { return nil }
    // The former list takes precedence over the former inverse.
    if formerList(of: column.property, in: entity) != nil,
      let pairs = pairs(of: column.property, in: entity, to: destination.name)
    {
      return pairs
    }
    guard let inverse = entity.definition.relations.toOne[column.slot]?.inverse else { return nil }
    return pairs(of: inverse, in: destination, to: entity.name).map {
      Pairs(table: $0.table, row: $0.value, value: $0.row)
    }
  }

  /// Returns the relationship's old references; `nil` if they had a different destination.
  func pairs(of property: ModelProperty, in entity: EntityLayout, to destination: String) -> Pairs? {
    if let column = formerColumn(of: property, in: entity), let old = entities[entity.name] {
      guard let target = column.destination, isSame(target, destination) else { return nil }
      return Pairs(table: old.table, row: old.keyColumn, value: column.name)
    }
    guard let list = formerList(of: property, in: entity), isSame(list.destination, destination) else { return nil }
    switch list.kind {
    case .join(let table, let owner, let member, _): return Pairs(table: table, row: owner, value: member)
    case .foreignKey(let column):
      guard let members = old.layout.entity(named: list.destination) else { return nil }
      return Pairs(table: members.table, row: column, value: members.keyColumn)
    }
  }

  private func isLinked(_ column: String, in table: String) -> Bool {
    links.contains { $0.entity.table == table && $0.column.name == column }
  }

  /// Returns true if the column receives values from old rows.
  private func isCopied(_ column: String, in table: String) -> Bool {
    if isLinked(column, in: table) { return true }
    guard let move = moves.first(where: { $0.table.name == table }), move.source != nil else { return true }
    return move.origins[column]?.uniform != .null
  }

  // MARK: lost relationships

  /// Returns true if the old values are not carried over. For attributes, the value conversion decides.
  private func isLost(_ column: ColumnLayout, of entity: EntityLayout) -> Bool {
    if column.destination != nil { return !isCopied(column.name, in: entity.table) }
    return formerColumn(of: column.property, in: entity).map { $0.destination != nil } ?? true
  }

  private func isLost(_ list: ListLayout, of entity: EntityLayout) -> Bool {
    switch list.kind {
    case .join(let table, _, _, _):
      if case .none? = moves.first(where: { $0.table.name == table })?.rows { true } else { false }
    case .foreignKey(let column):
      new.layout.entity(named: list.destination).map { members in
        !isCopied(column, in: members.table) || pairs(of: list.property, in: entity, to: list.destination) == nil
      } ?? false
    }
  }

  /// Records that a property's old values are not carried over, unless a fill sets them or the loss is accepted.
  private mutating func recordLoss(of property: ModelProperty, _ column: String, _ entity: EntityLayout) {
    let title = "\(entity.name).\(property.name)"
    guard !fills.contains(title), !accepted.contains(title), let former = formerProperty(of: property, in: entity)
    else { return }
    // An inherited property is listed for the declaring model.
    let isListed = gaps.contains { gap in
      gap.property.prefix { $0 != "." } == property.name
        && (gap.entity == entity.name
          || gap.place?.table == entity.table && gap.place?.columns.contains(column) == true)
    }
    guard !isListed else { return }
    gaps.append(
      MigrationProblem(
        entity: entity.name, property: property.name,
        reason: "was \(former.kindText) and is now \(property.kindText); existing values are not carried over: "
          + "carry them over in a custom step, give the new property a different name, or discard them with "
          + "'.accept([\"\(title)\"])'", place: (entity.table, [column])))
  }
}

extension ModelProperty {
  /// The property's type in error messages.
  var kindText: String {
    if case .attribute(let type) = kind {
      return "'\(ValueTypeName((type as? any OptionalValue.Type)?.wrappedType ?? type).unqualified)'"
    }
    // The destination's class is unknown in a recorded schema.
    let recorded = relationship?.destination ?? ""
    let name = recorded.isEmpty ? kind.destination?._$definition.entityName ?? "a model" : recorded
    return kind.isToMany ? "a list of '\(name)'" : "a reference to '\(name)'"
  }
}

/// Join tables.
extension StageChanges {
  func joinMove(_ table: TableDefinition) -> TableMove {
    var move = TableMove(table: table, rows: .none)
    for entity in new.layout.entities {
      for list in entity.lists {
        guard case .join(table.name, let owner, let member, let position) = list.kind,
          let pairs = pairs(of: list.property, in: entity, to: list.destination)
        else { continue }
        let former = formerList(of: list.property, in: entity)
        var formerPosition = former?.orderColumn
        var source: TableDefinition?
        if case .join(let name, _, _, let position)? = former?.kind {
          source = old.tables.first { $0.name == name }
          formerPosition = position
        }
        if case .none = move.rows {
          // A former reference becomes the first list member.
          move.rows =
            source.map { .table($0, where: nil) }
            ?? .references(table: pairs.table, owner: pairs.row, member: pairs.value)
          move.origins[owner] = ColumnOrigin(.column(pairs.row))
          move.origins[member] = ColumnOrigin(.column(pairs.value))
        } else if source == nil || source != move.source {
          continue
        }
        // Both sides' lists have positions.
        if let position, let formerPosition { move.origins[position] = ColumnOrigin(.column(formerPosition)) }
      }
    }
    for column in table.columns where move.origins[column.name] == nil {
      move.origins[column.name] = ColumnOrigin(.null)
    }
    return move
  }
}

/// References to rows whose class no longer matches, because the class has a new superclass or the reference has a new
/// destination.
extension StageChanges {
  mutating func addDepartures() {
    for entity in new.layout.entities {
      guard let model = new.schema.entitiesByName[entity.name] else { continue }
      for column in entity.columns where model.declarer(of: column.property.name) === model {
        guard let destination = column.destination else { continue }
        addDeparture(column.property, of: entity, to: destination, entity.table, column.name, isPair: false)
      }
      for list in entity.lists where model.declarer(of: list.property.name) === model {
        guard case .join(let table, let owner, let member, _) = list.kind else { continue }
        addDeparture(list.property, of: entity, to: list.destination, table, member, isPair: true)
        addDepartedOwners(of: list.property, entity, table, owner)
      }
    }
  }

  private mutating func addDeparture(
    _ property: ModelProperty, of entity: EntityLayout, to destination: String, _ table: String,
    _ column: String, isPair: Bool
  ) {
    let titles = new.layout.entities.filter { entity.definition.isOrInherits(from: $0.name) }
      .map { "\($0.name).\(property.name)" }
    guard isPair || !titles.contains(where: { fills.contains($0) }),
      let former = formerProperty(of: property, in: entity), former.kind.isToMany == property.kind.isToMany || isPair,
      let pairs = pairs(of: property, in: entity, to: destination),
      let origin = former.kind.destination?._$definition.entityName,
      let before = old.layout.entity(named: origin), let after = new.layout.entity(named: destination)
    else { return }
    let gone = new.layout.entities.filter { candidate in
      guard let old = entities[candidate.name] else { return false }
      return old.definition.isOrInherits(from: before.name) && !candidate.definition.isOrInherits(from: after.name)
    }
    guard !gone.isEmpty else { return }
    let mayGo = titles.contains(where: { accepted.contains($0) }) && (isPair || !new.isRequired(column, in: table))
    if !mayGo {
      let rows = before.keys(ofClasses: gone.compactMap { entities[$0.name]?.name })
      checks.append(
        MigrationProblem(
          entity: entity.name, property: property.name,
          reason: "refers to models that are no '\(destination)' in the new version "
            + "(\(gone.map { "'\($0.name)'" }.joined(separator: ", "))): give it others in a custom step, or "
            + "let these references go with '.accept([\"\(entity.name).\(property.name)\"])' where it may be "
            + "without",
          place: isPair ? nil : (table, [column]),
          rows: .init(
            table: pairs.table, key: pairs.row,
            condition: "\(name: pairs.row) IS NOT NULL AND \(name: pairs.value) IN (\(rows))")))
    }
    // Rows in other tables are deleted, and references to them are removed as dangling references.
    remove(column, of: table, isPair: isPair, to: after, gone.filter { $0.table == after.table })
  }

  /// Removes pairs whose owner's class no longer has the list.
  private mutating func addDepartedOwners(
    of property: ModelProperty, _ entity: EntityLayout, _ table: String, _ owner: String
  ) {
    guard let former = formerList(of: property, in: entity), !entity.discriminators.isEmpty else { return }
    let gone = new.layout.entities.filter { candidate in
      guard candidate.table == entity.table,
        entities[candidate.name]?.definition.layout.property(named: former.property.name)?.slot == former.slot
      else { return false }
      return !candidate.lists.contains { list in
        if case .join(table, owner, _, _) = list.kind { true } else { false }
      }
    }
    remove(owner, of: table, isPair: true, to: entity, gone)
  }

  /// - Parameter isPair: True for a join table, whose rows are deleted; other references become NULL.
  private mutating func remove(
    _ column: String, of table: String, isPair: Bool, to target: EntityLayout, _ classes: [EntityLayout]
  ) {
    guard !classes.isEmpty else { return }
    let condition: SQLFragment = "\(name: column) IN (\(target.keys(ofClasses: classes.map(\.name))))"
    departures.append(
      isPair
        ? "DELETE FROM \(name: table) WHERE \(condition)"
        : "UPDATE \(name: table) SET \(name: column) = NULL WHERE \(condition)")
  }
}

extension EntityLayout {
  /// Returns a statement that selects the keys for some of the table's classes.
  fileprivate func keys(ofClasses classes: [String]) -> SQLFragment {
    let keys: SQLFragment = "SELECT \(name: keyColumn) FROM \(name: table)"
    return discriminators.isEmpty ? keys : "\(keys) WHERE \(name: entityColumn) IN (\(literals: classes))"
  }
}
