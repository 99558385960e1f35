/// The rows of an aggregate query: evaluated in the store, fetched as columns, or read as models.
struct ValueRows<Model: PersistentModel> {
  /// The store query; `nil` if the context has changes that the store lacks.
  let stored: (context: ModelContext, query: Query<Model>)?
  /// Calls the argument with each model.
  let visitModels: ((Model) throws -> Void) throws -> Void

  /// Calls `row` with each row of a SELECT.
  ///
  /// - Returns: False if the context must compute the result from individual rows. `row` may already have been called.
  func select(
    _ select: (inout Translation) throws -> AggregateSelect, row: (inout ValueRow<Model>) throws -> Void
  ) throws -> Bool {
    guard let (context, query) = stored else { return false }
    let store = try context.table(for: Model._$definition).store
    guard let tables = store.sqlStore else { return false }
    do {
      return try context.ask(store) {
        try tables.summarize(query, select: select) { columns in
          var current = ValueRow<Model>(model: nil, columns: columns)
          try row(&current)
        }
      } ?? false
    } catch let error as SQLiteError where error.isIntegerOverflow {
      // The total may still fit.
      return false
    } catch is StoredValueError {
      // Aggregate columns belong to no row. Reading the models reports the error with row and property.
      return false
    }
  }

  /// Folds all rows into a state, from columns if the store provides them, otherwise from models.
  ///
  /// - Parameters:
  ///   - inputs: The values to read, by column; `nil` for a column that is not read.
  ///   - isOrdered: True to keep the query's order and the original form of text.
  func fold<State>(
    _ inputs: [ValueInput?], isOrdered: Bool = false, into makeState: () -> State,
    _ add: (inout State, inout ValueRow<Model>) throws -> Void
  ) throws -> State {
    var state = makeState()
    let haveColumns = inputs.allSatisfy { $0?.isColumn != false }
    let isDone =
      try haveColumns
      && select { sql in
        var select = AggregateSelect(columns: [])
        for input in inputs {
          guard let input else {
            select.columns.append("NULL")
            continue
          }
          let term = try input.term(&sql)
          select.columns.append(term.sql)
          if term.scalar == .opaque || term.scalar == .url || (isOrdered && term.scalar.isText) {
            select.needsOriginals = true
          }
        }
        select.isProjection = isOrdered
        return select
      } row: {
        try add(&state, &$0)
      }
    if isDone { return state }
    state = makeState()
    var row = ValueRow<Model>(model: nil, columns: StatementRow(statement: nil, shape: .none))
    try visitModels { model in
      row.model = model
      try add(&state, &row)
    }
    return state
  }
}

extension SQLiteError {
  /// True if an integer sum exceeded 64 bits.
  fileprivate var isIntegerOverflow: Bool { extendedCode == 1 && message == "integer overflow" }
}

extension ModelContext {
  /// Returns the rows of the models that match a descriptor.
  ///
  /// - Parameter crossesRelationships: True if values of related models or unstored values are read.
  func valueRows<T: PersistentModel>(
    _ descriptor: FetchDescriptor<T>, crossesRelationships: Bool
  ) throws -> ValueRows<T> {
    let isMerged =
      try pending.hasChanges && descriptor.includePendingChanges
      && (crossesRelationships || FetchPass(context: self, descriptor: descriptor).mustMerge)
    return ValueRows(stored: isMerged ? nil : (self, Query(descriptor, editingState))) { [self] body in
      guard pending.hasChanges, !descriptor.includePendingChanges else {
        return try FetchPass(context: self, descriptor: descriptor).models().forEach(body)
      }
      try withStoredValues { stored in
        try stored.refusingUnreadValues {
          try FetchPass(context: stored, descriptor: descriptor).models().forEach(body)
        }
      }
    }
  }
}

// MARK: row values

/// A row for computations in the context: a model, or columns fetched instead.
struct ValueRow<Model: PersistentModel> {
  var model: Model?
  var columns: StatementRow

  func isNull(_ column: Int32) -> Bool { model == nil && columns.isNull(column) }
}

/// Reads a key path's value from a model or a column.
struct ValueReader<Model: PersistentModel, V> {
  let keyPath: KeyPath<Model, V>
  let input: ValueInput
  private let column: ((inout StatementRow, Int32) throws -> V)?

  init(_ keyPath: KeyPath<Model, V>) {
    self.keyPath = keyPath
    let definition = Model._$definition
    let path = SortPath.ofAttribute(keyPath, definition)
    column = path.flatMap { Self.column($0, of: $0.owner(definition)) }
    input = ValueInput(
      keyPath: keyPath, type: V.self, kind: ScalarKind.of(V.self), definition: definition, path: path,
      isColumn: column != nil)
  }

  func callAsFunction(_ row: inout ValueRow<Model>, _ column: Int32) throws -> V {
    if let model = row.model { return model[keyPath: keyPath] }
    guard let read = self.column else { throw row.columns.unreadable(column, as: V.self) }
    return try read(&row.columns, column)
  }

  /// Returns `nil` if values of the type are not stored in a single column.
  private static func column(
    _ path: SortPath, of owner: ModelDefinition
  ) -> ((inout StatementRow, Int32) throws -> V)? {
    guard path.leaf?.isRecoded != true else { return nil }
    let wrapped = (V.self as? any OptionalValue.Type)?.wrappedType ?? V.self
    if wrapped == PersistentIdentifier.self { return identifier(of: owner.root.entityName) }
    func value<C: ColumnValue>(_: C.Type) -> ((inout StatementRow, Int32) throws -> V)? {
      let read: (inout StatementRow, Int32) throws -> C = { try C.read(&$0, $1) }
      return read as? (inout StatementRow, Int32) throws -> V
    }
    return (V.self as? any ColumnValue.Type).flatMap { value($0) }
  }

  private static func identifier(of entity: String) -> (inout StatementRow, Int32) throws -> V {
    { row, column in
      let token = IdentifierToken.interned(store: row.shape.token.entry.store, entity: entity)
      let identifier: PersistentIdentifier? =
        row.isNull(column)
        ? nil : PersistentIdentifier(token: token, row: try row.integer(column, as: PersistentIdentifier.self))
      if let value = identifier as? V { return value }
      throw row.unreadable(column, as: V.self)
    }
  }
}

/// A type-erased key path to a model's value.
struct ValueInput {
  let keyPath: AnyKeyPath
  let type: any Any.Type
  /// `nil` if values of the type have no comparable stored form.
  let kind: ScalarKind?
  /// The key path's root model.
  let definition: ModelDefinition
  /// `nil` if the value is not stored.
  let path: SortPath?
  /// True if the value is stored in a single column.
  let isColumn: Bool

  /// True if the value depends on more than the row's own stored attributes.
  var crossesRelationships: Bool { path?.hops.isEmpty != true }

  /// Returns the SQL term for the value.
  ///
  /// - Throws: ``Untranslatable`` if the value is not a column.
  func term(_ sql: inout Translation) throws -> ScalarTerm {
    guard let path else { throw Untranslatable("a value that is not stored is computed in memory") }
    return try sql.value(at: path)
  }

  /// Returns the error for a sum that does not fit the type.
  func overflow(_ type: any Any.Type) -> AggregateOverflow {
    AggregateOverflow(
      entity: definition.entityName, property: path?.names.joined(separator: ".") ?? "\(keyPath)", type: "\(type)")
  }
}
