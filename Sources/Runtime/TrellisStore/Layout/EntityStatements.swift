/// An entity's SQL statements and the mapping from result columns to properties.
package final class EntityStatements: Sendable {
  package let entity: EntityLayout
  package let dialect: any SQLDialect
  /// Identifies the entity's rows. All entities in a hierarchy share the root's token because a reference does not
  /// record which entity it points to.
  package let token: IdentifierToken
  /// Maps the columns in `selection` to this entity's properties.
  package let shape: RowShape
  /// Row shapes by entity name, if a query can return rows from several entities.
  package let shapes: [String: RowShape]
  /// The selected columns, in statement order.
  package let selection: SQLFragment
  /// The column count in `selection`.
  let selectionCount: Int32
  /// Limits a shared table to the entity's rows; empty if every row matches.
  let restriction: SQLFragment
  package let constraints: [UniqueConstraint]
  /// Lists that need separate statements because the members' to-one references do not fully describe them.
  package let writtenLists: [ListLayout]
  package let deletionPlan: DeletionPlan
  /// One-to-one relationships.
  package let pairs: [Relation]
  /// The first statement number; see ``NumberedText``. Unique across all stores.
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
    // Flattened struct members come last, so that a slot's position follows from its number.
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

  /// Which owners a list query covers.
  package enum Owners: Int, CaseIterable {
    case one
    /// A range of owner keys.
    case range
    /// Owner keys from a JSON array.
    case listed
  }

  /// Returns a statement's number.
  func number(_ slot: Slot) -> Int { number + slot.rawValue }

  /// Returns the statement number for a list query.
  func number(list: Int, of owners: Owners) -> Int {
    number + Slot.allCases.count + Self.listNumbers * list + owners.rawValue
  }

  /// Returns the statement number for a list's member count or existence check.
  func number(counting list: Int, isExistence: Bool) -> Int {
    number(list: list, of: .one) + Owners.allCases.count + (isExistence ? 1 : 0)
  }

  /// Returns the statement number for a unique-conflict query; see ``conflict(with:isNormalized:)``.
  func number(conflict constraint: Int, isNormalized: Bool) -> Int {
    number(list: entity.lists.count, of: .one) + 2 * constraint + (isNormalized ? 1 : 0)
  }

  private static let listNumbers = Owners.allCases.count + 2

  /// The entity's key column, qualified for SELECT statements.
  package var key: SQLFragment {
    "\(column: entity.keyColumn, of: PredicateTranslator.rootAlias)"
  }

  /// The entity's table and alias for SELECT statements.
  package var source: SQLFragment {
    "\(name: entity.table) AS \(name: PredicateTranslator.rootAlias)"
  }
}

extension ColumnLayout {
  /// The property's columns and parameter numbers in write statements.
  fileprivate var parameters: [(name: String, number: Int32)] {
    [(name, Int32(slot) + StatementBinder.firstParameter)]
      + members.filter { $0.name != name }.map { ($0.name, $0.parameter) }
  }
}

/// Statements that write a single row. Parameter 1 is the key; slot `n` is parameter `n + 2`.
extension EntityStatements {
  /// The entity name's parameter number in shared tables, after the slots.
  package var discriminatorParameter: Int32 {
    Int32(entity.columns.count) + StatementBinder.firstParameter
  }

  /// The inserted columns and parameter numbers.
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

  /// Returns an UPDATE statement that sets the given slots in one row.
  package func update(_ slots: [Int]) -> SQLFragment {
    let terms = slots.flatMap { entity.columns[$0].parameters }
      .map { "\(name: $0.name) = ?\(number: Int($0.number))" as SQLFragment }
    return """
      UPDATE \(name: entity.table) SET \(terms.joined(separator: ", "))
      WHERE \(name: entity.keyColumn) = ?1
      """
  }

  /// Returns the column bound to a parameter, counted from the first slot's parameter.
  func columnName(ofParameter index: Int) -> String {
    let number = Int32(index) + StatementBinder.firstParameter
    return entity.columns.lazy.flatMap(\.parameters).first { $0.number == number }?.name ?? ""
  }

  /// Returns a query for the keys of other rows that have the same unique values as the bound row.
  ///
  /// - Parameter isNormalized: True to treat canonically equivalent text as equal instead of comparing bytes.
  package func conflict(with constraint: UniqueConstraint, isNormalized: Bool) -> SQLFragment {
    let columns = constraint.slots.map { entity.columns[$0] }
    var terms = zip(constraint.columns, columns).map { name, column -> SQLFragment in
      let number = column.parameters.first { $0.name == name }?.number ?? 0
      let value: SQLFragment = "?\(number: Int(number))"
      guard isNormalized, column.type(of: name).comparison == .text else { return "\(name: name) = \(value)" }
      return "swift_nfc(\(name: name)) = swift_nfc(\(value))"
    }
    if let last = columns.last(where: { $0.parameters.count > 1 })?.parameters.last?.number {
      // Every struct member is bound, so the statement must declare all the parameters.
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

  /// Returns an UPDATE statement that writes unused values to a column in rows that will be changed or deleted.
  /// Parameter 1 is a list of keys.
  package func displacement(_ name: String, by value: SQLFragment) -> SQLFragment {
    """
    UPDATE \(name: entity.table) SET \(name: name) = \(value)
    WHERE \(dialect.isKey("\(name: entity.keyColumn)", in: "?1")) AND \(name: name) IS NOT NULL
    """
  }
}

extension ColumnLayout {
  /// Returns the type for any of the property's columns.
  fileprivate func type(of name: String) -> ColumnType { members.first { $0.name == name }?.type ?? type }

  /// Returns an SQL expression that generates an unused column value.
  func unusedValue(of name: String) -> SQLFragment {
    switch type(of: name).affinity {
    case .integer: "random()"
    case .text: "hex(randomblob(16))"
    case .blob, .any: "randomblob(16)"
    }
  }
}

/// Columns whose combined values must be unique within an entity. NULL equals nothing, so a model with a `nil` value
/// has no conflict.
package struct UniqueConstraint: Sendable {
  package let entity: String
  package let properties: [String]
  /// Slots in the entity that declares the constraint.
  package let slots: [Int]
  package let columns: [String]
  package let policy: Schema.ConflictPolicy
  package let index: String
  /// The classes to which the constraint applies, if the table also stores rows from other classes.
  package let classes: [String]
}
