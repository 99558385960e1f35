/// Links between models that are kept in another place in the new version: in a list that is a
/// reference now, or at the other end.
extension StageShape {
  /// Links that become the values of a reference.
  struct Link {
    /// The model with the reference, and its property.
    let entity: String
    let property: String
    /// The table that has it, and the columns of its key and of the reference.
    let table: String
    let key: String
    let column: String
    let isRequired: Bool
    /// Whether one of several may be taken.
    let isAccepted: Bool
    /// The old table with the pairs.
    let pairs: Pairs
  }

  /// The columns of an old table in which keys stand that belong together.
  struct Pairs {
    let table: String
    /// The key of the row with the reference.
    var row: String
    /// What it refers to.
    var value: String

    var reversed: Pairs { Pairs(table: table, row: value, value: row) }
  }

  /// Finds out where references come from that are not in the old rows, and what nothing carries over.
  ///
  /// - Parameter settled: the properties, as `Model.property`, whose values are given or accepted to go.
  mutating func addLinks(filling fills: Set<String>, accepting accepted: Set<String>) {
    for entity in new.layout.entities {
      for column in entity.columns where column.destination != nil {
        addLink(column, of: entity, fills, accepted)
      }
    }
    for entity in new.layout.entities {
      let settled = { (name: String) in
        fills.contains("\(entity.name).\(name)") || accepted.contains("\(entity.name).\(name)")
      }
      for column in entity.columns where !settled(column.property.name) { noteLoss(of: column, in: entity) }
      for list in entity.lists where !settled(list.property.name) { noteLoss(of: list, in: entity) }
    }
    gaps = gaps.filter { gap in
      !(accepted.contains("\(gap.entity).\(gap.property)") && !isRequired(gap))
        && !links.contains { $0.table == gap.table && $0.column == gap.column }
    }
  }

  private func isRequired(_ gap: MigrationGap) -> Bool {
    new.tables.first { $0.name == gap.table }?.column(named: gap.column)?.isRequired ?? false
  }

  // MARK: what is carried

  private mutating func addLink(
    _ column: ColumnLayout, of entity: EntityLayout, _ fills: Set<String>, _ accepted: Set<String>
  ) {
    let name = "\(entity.name).\(column.property.name)"
    guard !isCarried(column.name, in: entity.table), !fills.contains(name), let pairs = pairs(for: column, of: entity)
    else { return }
    links.append(
      Link(
        entity: entity.name, property: column.property.name, table: entity.table,
        key: entity.keyColumn, column: column.name,
        isRequired: new.tables.first { $0.name == entity.table }?.column(named: column.name)?.isRequired
          ?? false,
        isAccepted: accepted.contains(name), pairs: pairs))
  }

  private func pairs(for column: ColumnLayout, of entity: EntityLayout) -> Pairs? {
    guard let destination = column.destination.flatMap({ new.layout.entity(named: $0) }) else { return nil }
    // What it was itself says more than what its other end was.
    if let former = formerProperty(of: column.property, in: entity), former.kind.isToMany,
      let pairs = pairs(of: former, in: entity, to: destination.name)
    {
      return pairs
    }
    guard let inverse = entity.definition.relations.toOne[column.slot]?.inverse,
      let former = formerProperty(of: inverse, in: destination)
    else { return nil }
    return pairs(of: former, in: destination, to: entity.name)?.reversed
  }

  /// Where the links of an old relationship are.
  func pairs(of former: ModelProperty, in new: EntityLayout, to destination: String) -> Pairs? {
    guard let old = entities[new.name] else { return nil }
    guard former.kind.isToMany else {
      guard old.columns.indices ~= former.slot, let target = old.columns[former.slot].destination,
        isSame(target, destination)
      else { return nil }
      return Pairs(table: old.table, row: old.keyColumn, value: old.columns[former.slot].name)
    }
    guard old.lists.indices ~= former.slot else { return nil }
    let list = old.lists[former.slot]
    guard isSame(list.destination, destination) else { return nil }
    switch list.kind {
    case .join(let table, let owner, let member, _): return Pairs(table: table, row: owner, value: member)
    case .foreignKey(let column):
      guard let members = self.old.layout.entity(named: list.destination) else { return nil }
      return Pairs(table: members.table, row: column, value: members.keyColumn)
    }
  }

  private func isCarried(_ column: String, in table: String) -> Bool {
    if links.contains(where: { $0.table == table && $0.column == column }) { return true }
    guard let move = moves.first(where: { $0.table.name == table }), move.source != nil else { return true }
    if case .null? = move.origins[column]?.uniform { return false }
    return true
  }

  // MARK: what is not

  private mutating func noteLoss(of column: ColumnLayout, in entity: EntityLayout) {
    guard let former = formerProperty(of: column.property, in: entity) else { return }
    // Of two attributes it is the conversion that tells.
    if !former.kind.isToMany, column.destination == nil, let old = entities[entity.name],
      old.columns.indices ~= former.slot, old.columns[former.slot].destination == nil
    {
      return
    }
    let isLinked = links.contains { $0.table == entity.table && $0.column == column.name }
    guard column.destination == nil || !isCarried(column.name, in: entity.table), !isLinked else { return }
    note(former, column.property, column.name, entity)
  }

  private mutating func noteLoss(of list: ListLayout, in entity: EntityLayout) {
    guard let former = formerProperty(of: list.property, in: entity) else { return }
    switch list.kind {
    case .join(let table, _, _, _):
      guard case .none? = moves.first(where: { $0.table.name == table })?.rows else { return }
    case .foreignKey(let column):
      guard let members = new.layout.entity(named: list.destination),
        !isCarried(column, in: members.table) || pairs(of: former, in: entity, to: list.destination) == nil
      else { return }
    }
    note(former, list.property, "", entity)
  }

  private mutating func note(
    _ former: ModelProperty, _ property: ModelProperty, _ column: String, _ entity: EntityLayout
  ) {
    guard !gaps.contains(where: { $0.entity == entity.name && $0.property == property.name }),
      // What is inherited is said of the model that has it.
      !gaps.contains(where: { $0.table == entity.table && $0.property == property.name && $0.column == column })
    else { return }
    gaps.append(
      MigrationGap(
        entity: entity.name, property: property.name, table: entity.table, column: column,
        reason: "was \(Self.text(former)) and is \(Self.text(property)), and what rows have does not follow: "
          + "carry it over in a custom step, give the new property a name of its own, or let it go with "
          + "'.accept([\"\(entity.name).\(property.name)\"])'"))
  }

  private static func text(_ property: ModelProperty) -> String {
    if case .attribute(let type) = property.kind {
      return "'\(ValueTypeName((type as? any OptionalValue.Type)?.wrappedType ?? type).unqualified)'"
    }
    let name = property.kind.destination?._$definition.entityName ?? "a model"
    return property.kind.isToMany ? "a list of '\(name)'" : "a reference to '\(name)'"
  }
}
