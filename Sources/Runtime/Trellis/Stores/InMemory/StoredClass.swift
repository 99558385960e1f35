/// The properties of one class in an in-memory store, and its snapshots from and to values of another form.
package struct StoredClass {
  private let marks: ColumnFlags
  let plan: EntityStatements
  /// The snapshots that ``read(_:)`` makes.
  private let buffer: SnapshotBuffer
  /// The names of the attributes and to-one relationships by slot.
  package let columns: [String]
  /// The names of the to-many relationships by slot.
  package let lists: [String]
  /// The classes of related models: of columns, then of lists.
  private let destinations: (columns: [IdentifierToken], lists: [IdentifierToken])

  init(_ plan: EntityStatements, in store: DefaultStore) throws {
    marks = store.marks
    self.plan = plan
    buffer = plan.entity.definition.codec.makeBuffer(capacity: 16)
    let layout = plan.entity.definition.layout
    columns = layout.columns.map(\.name)
    lists = layout.lists.map(\.name)
    destinations = (
      plan.shape.destinations, try plan.entity.lists.map { try store.plans.plan(named: $0.destination).token }
    )
  }

  package var name: String { plan.entity.name }
  package var table: String { plan.entity.table }

  /// The properties whose values the store keeps, by name: slots of columns, then of lists.
  package var stored: [String: Int] {
    let kept = Set(plan.entity.definition.layout.properties.filter { $0.slot >= 0 }.map(\.name))
    let names = columns + lists
    return Dictionary(
      zip(names, names.indices).filter { kept.contains($0.0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The identifier of a model of the class.
  package func identifier(_ row: Int64) -> PersistentIdentifier { PersistentIdentifier(token: plan.token, row: row) }
  package func destination(ofColumn slot: Int, _ row: Int64) -> PersistentIdentifier {
    PersistentIdentifier(token: destinations.columns[slot], row: row)
  }
  package func destination(ofList slot: Int, _ row: Int64) -> PersistentIdentifier {
    PersistentIdentifier(token: destinations.lists[slot], row: row)
  }

  /// True if the members of a list have an order; nil if the list follows from the references of its members.
  package func isOrdered(list slot: Int) -> Bool? {
    plan.writtenLists.first { $0.slot == slot }.map { list in
      if case .join(_, _, _, nil) = list.kind { false } else { true }
    }
  }

  /// The value of a property that a snapshot does not have; nil if there is none.
  package func missingValue<T>(_ slot: Int) -> T? {
    if plan.entity.definition.layout.columns[slot].isOptional, let none = NilLiteral.value(T.self) { return none }
    // Written before the property was added.
    if let value = plan.entity.definition.schemaDefault(ofPropertyNamed: columns[slot]) as? T { return value }
    return NilLiteral.value(T.self)
  }

  /// Makes a snapshot of the values of a reader.
  package func read(_ reader: any RowReader) throws -> DefaultSnapshot {
    try plan.entity.definition.codec.read(reader, into: buffer)
    return DefaultSnapshot(buffer: buffer, index: buffer.count - 1)
  }

  // MARK: values that the program does not know

  package enum ValueKind { case json, text, integer, real, other }

  /// The kind of values that a column has.
  package func kind(of slot: Int, isJSON: Bool) -> ValueKind {
    let type = plan.entity.columns[slot].type
    switch (type.affinity, type.comparison) {
    case (.text, let comparison): return isJSON || comparison == .none ? .json : .text
    case (.integer, _): return .integer
    case (_, .real): return .real
    default: return .other
    }
  }

  /// The values that the columns of a property have in a row.
  package func values(of slot: Int, _ row: Int64, _ connection: Connection) throws -> [SQLValue] {
    let names = plan.entity.columns[slot].names.map { "\(name: $0)" as SQLFragment }
    return try connection.rows(
      """
      SELECT \(names.joined(separator: ", ")) FROM \(name: table)
      WHERE \(name: plan.entity.keyColumn) = \(value: .integer(row))
      """
    ).first ?? []
  }

  /// Writes a value that no type of the program has.
  package func put(_ value: SQLValue, into slot: Int, of row: Int64, _ connection: Connection) throws {
    let column = plan.entity.columns[slot].name
    if case .text(let text) = value, text.utf8.contains(where: { $0 >= 0xCC }) {
      marks.formUnion([ColumnFlags.Mark(kind: .nonNFC, table: table, column: column)])
    }
    try connection.executeCached(
      """
      UPDATE \(name: table) SET \(name: column) = \(value: value)
      WHERE \(name: plan.entity.keyColumn) = \(value: .integer(row))
      """)
  }
}

extension DefaultStore {
  /// A class of the store; nil if its schema does not have it.
  package func storedClass(_ name: String) throws -> StoredClass? {
    guard let plan = try? plans.plan(named: name) else { return nil }
    return try StoredClass(plan, in: self)
  }
}

extension DefaultSnapshot {
  package var entityName: String? { buffer.definition?.entityName }

  /// Gives the values to a writer.
  package func write(to writer: any RowWriter) throws { try buffer.write(index, to: writer) }
}
