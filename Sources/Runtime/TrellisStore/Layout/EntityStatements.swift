/// The statements of one entity and what their columns mean.
package final class EntityStatements: Sendable {
  package let entity: EntityLayout
  package let dialect: any SQLDialect
  /// Names the rows: those of a hierarchy carry the name of its root, because a reference to one
  /// does not say which entity it is of.
  package let token: IdentifierToken
  /// Of the entity itself; its columns are those of `insertion`, its own parameters.
  package let shape: RowShape
  /// By entity name, when rows of several entities can come.
  package let shapes: [String: RowShape]
  /// The columns of a row, in the order of the statement.
  package let selection: SQLFragment
  /// How many columns that is.
  let selectionCount: Int32
  /// Restricts a shared table to the entity's rows; empty when nothing is to be restricted.
  let restriction: SQLFragment
  package let constraints: [UniqueConstraint]
  /// The lists whose members are not told by the members' own to-one references alone.
  package let writtenLists: [ListLayout]
  package let deletionPlan: DeletionPlan
  /// To-one relationships whose other end is a to-one as well.
  package let pairs: [Relation]
  /// The first number of the entity's statements; see ``NumberedText``. Names the plan among those of all stores.
  package let number: Int

  package enum Slot: Int, CaseIterable {
    case fetchAll, keys, fetchFrom, byKey, byKeys, insertion, update
  }

  package init(
    _ entity: EntityLayout, in layout: StoreLayout, store: String,
    constraints: [UniqueConstraint], deletion: DeletionPlan, files: ExternalFiles?, dialect: any SQLDialect
  ) {
    self.entity = entity
    self.dialect = dialect
    deletionPlan = deletion
    pairs = entity.definition.relations.references.filter { $0.inverse?.kind.isToMany == false }
    self.constraints = constraints
    number = NumberedText.numbers(
      Slot.allCases.count + Self.listNumbers * entity.lists.count + 2 * constraints.count)
    writtenLists = entity.lists.filter { list in
      if case .join = list.kind { true } else { list.orderColumn != nil }
    }
    let token = IdentifierToken.interned(store: store, entity: entity.rootName)
    self.token = token
    let members = entity.discriminators.compactMap { layout.entity(named: $0) }
    let entities = members.count > 1 ? members : [entity]
    var names: [String] = []
    var positions: [String: Int32] = [:]
    // The properties of flattened structs come last: the place of a slot follows from its number.
    let all = entities.flatMap(\.columns)
    for name in all.map(\.name) + all.flatMap(\.names) where positions[name] == nil {
      positions[name] = Int32(names.count + (members.count > 1 ? 2 : 1))
      names.append(name)
    }
    let shapes = entities.map { member in
      RowShape(
        entity: member, token: token,
        destinations: member.columns.map { column in
          let root = column.destination.flatMap { layout.entity(named: $0)?.rootName }
          return root.map { .interned(store: store, entity: $0) } ?? token
        },
        columns: member.columns.map { positions[$0.name] ?? 0 },
        members: Dictionary(
          member.columns.filter { !$0.members.isEmpty }.map { column in
            (column.slot, column.members.map { positions[$0.name] ?? 0 })
          }, uniquingKeysWith: { old, _ in old }),
        files: files, layout: layout)
    }
    shape = shapes.first { $0.entity === entity } ?? shapes[0]
    self.shapes =
      members.count > 1
      ? Dictionary(shapes.map { ($0.entity.name, $0) }, uniquingKeysWith: { old, _ in old }) : [:]
    let head = members.count > 1 ? [entity.keyColumn, entity.entityColumn] : [entity.keyColumn]
    let alias = PredicateTranslator.rootAlias
    selectionCount = Int32(head.count + names.count)
    selection = (head + names).map { "\(column: $0, of: alias)" as SQLFragment }
      .joined(separator: ", ")
    let discriminators = entity.discriminators.map { "\(value: .text($0))" as SQLFragment }.joined(separator: ", ")
    restriction =
      entity.name == entity.rootName || entity.discriminators.isEmpty
      ? "" : "\(column: entity.entityColumn, of: alias) IN (\(discriminators))"
  }

  /// The owners that a statement for members of lists is for.
  package enum Owners: Int, CaseIterable {
    case one
    /// Owners whose keys lie between two keys.
    case range
    /// Owners whose keys are in a JSON array.
    case listed
  }

  /// The number of a statement.
  func number(_ slot: Slot) -> Int { number + slot.rawValue }

  /// The number of the statement for the members of a list.
  func number(list: Int, of owners: Owners) -> Int {
    number + Slot.allCases.count + Self.listNumbers * list + owners.rawValue
  }

  /// The number of the statement that counts the members of a list, or tells whether there are any.
  func number(counting list: Int, isExistence: Bool) -> Int {
    number(list: list, of: .one) + Owners.allCases.count + (isExistence ? 1 : 0)
  }

  /// The number of a statement that finds rows with unique values; see ``conflict(with:isNormalized:)``.
  func number(conflict constraint: Int, isNormalized: Bool) -> Int {
    number(list: entity.lists.count, of: .one) + 2 * constraint + (isNormalized ? 1 : 0)
  }

  private static let listNumbers = Owners.allCases.count + 2

  /// The key of the entity's own table, as SELECT statements name it.
  package var key: SQLFragment {
    "\(column: entity.keyColumn, of: PredicateTranslator.rootAlias)"
  }

  /// The entity's own table, as SELECT statements name it.
  package var source: SQLFragment {
    "\(name: entity.table) AS \(name: PredicateTranslator.rootAlias)"
  }
}

extension ColumnLayout {
  /// The columns of the property with their parameters in statements that write a row.
  fileprivate var parameters: [(name: String, number: Int32)] {
    [(name, Int32(slot) + StatementBinder.firstParameter)]
      + members.filter { $0.name != name }.map { ($0.name, $0.parameter) }
  }
}

/// The statements that write one row. Parameter 1 is the key, slot `n` is parameter `n + 2`.
extension EntityStatements {
  /// The parameter after those of the slots, in tables that are shared.
  package var discriminatorParameter: Int32 {
    Int32(entity.columns.count) + StatementBinder.firstParameter
  }

  /// The columns that an insertion sets, with their parameters.
  package var parameters: [(name: String, number: Int32)] {
    let name = entity.discriminators.isEmpty ? [] : [(entity.entityColumn, discriminatorParameter)]
    return [(entity.keyColumn, 1)] + entity.columns.flatMap(\.parameters) + name
  }

  package var insertion: SQLFragment { insertion(parameters) }

  package func insertion(_ parameters: [(name: String, number: Int32)]) -> SQLFragment {
    let values = parameters.map { "?\(number: Int($0.number))" as SQLFragment }
    return """
      INSERT INTO \(name: entity.table) (\(names: parameters.map(\.name)))
      VALUES (\(values.joined(separator: ", ")))
      """
  }

  /// Sets the given slots of one row.
  package func update(_ slots: [Int]) -> SQLFragment {
    let terms = slots.flatMap { entity.columns[$0].parameters }
      .map { "\(name: $0.name) = ?\(number: Int($0.number))" as SQLFragment }
    return """
      UPDATE \(name: entity.table) SET \(terms.joined(separator: ", "))
      WHERE \(name: entity.keyColumn) = ?1
      """
  }

  /// The column a parameter is for, counted from the first slot's.
  func columnName(ofParameter index: Int) -> String {
    let number = Int32(index) + StatementBinder.firstParameter
    return entity.columns.lazy.flatMap(\.parameters).first { $0.number == number }?.name ?? ""
  }

  /// Selects the key of another row with the values of a constraint.
  ///
  /// - Parameter isNormalized: compares text by its canonical form instead of its bytes.
  package func conflict(with constraint: UniqueConstraint, isNormalized: Bool) -> SQLFragment {
    let columns = constraint.slots.map { entity.columns[$0] }
    var terms = zip(constraint.columns, columns).map { name, column -> SQLFragment in
      let number = column.parameters.first { $0.name == name }?.number ?? 0
      let value: SQLFragment = "?\(number: Int(number))"
      guard isNormalized, column.type(of: name).comparison == .text else { return "\(name: name) = \(value)" }
      return "swift_nfc(\(name: name)) = swift_nfc(\(value))"
    }
    if let last = columns.last(where: { $0.parameters.count > 1 })?.parameters.last?.number {
      // All properties of a struct are bound, so the statement must have as many parameters.
      terms.append("?\(number: Int(last)) IS ?\(number: Int(last))")
    }
    terms.append("\(name: entity.keyColumn) <> ?1")
    if !constraint.classes.isEmpty {
      terms.append("\(name: entity.entityColumn) IN (\(literals: constraint.classes))")
    }
    return """
      SELECT \(name: entity.keyColumn) FROM \(name: entity.table) WHERE \(terms.joined(separator: " AND "))
      """
  }

  /// Puts values that no other row has into a column of rows that are about to be changed or deleted. Parameter 1 is a list
  /// of keys.
  package func displacement(_ name: String, by value: SQLFragment) -> SQLFragment {
    """
    UPDATE \(name: entity.table) SET \(name: name) = \(value)
    WHERE \(dialect.isKey("\(name: entity.keyColumn)", in: "?1")) AND \(name: name) IS NOT NULL
    """
  }
}

extension ColumnLayout {
  /// The type of one of the property's columns.
  fileprivate func type(of name: String) -> ColumnType { members.first { $0.name == name }?.type ?? type }

  /// A value of a column that no other row has, in SQLite.
  func unusedValue(of name: String) -> SQLFragment {
    switch type(of: name).affinity {
    case .integer: "random()"
    case .text: "hex(randomblob(16))"
    case .blob, .any: "randomblob(16)"
    }
  }
}

/// Columns in which no two rows of an entity may have equal values. NULL equals nothing, so a model without a value has
/// no conflict.
package struct UniqueConstraint: Sendable {
  package let entity: String
  package let properties: [String]
  /// By slot of the entity that declares it.
  package let slots: [Int]
  package let columns: [String]
  package let policy: Schema.ConflictPolicy
  package let index: String
  /// The classes it binds, where the table has rows of others.
  package let classes: [String]
}
