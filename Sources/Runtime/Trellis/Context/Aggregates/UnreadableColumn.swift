extension UnreadableColumn {
  /// Throws the error with the row that has the value, which it searches row by row.
  ///
  /// Returns if no row has such a value any more, because another connection has changed it.
  func throwLocated<T: PersistentModel>(
    among query: Query<T>, in store: StoreHandle
  ) throws {
    _ = try store.summarize(query.inAnyOrder, isWide: false) { sql in
      var select = AggregateSelect(
        columns: [try sql.term(route.toIdentifier).sql, try sql.term(route).sql])
      select.isProjection = true
      return select
    } row: { row in
      do {
        try read(&row, 1)
      } catch let error as StoredValueError {
        // Without the reference on the way there is no value either.
        guard !row.isNull(0) else { return }
        throw StoredValueError(
          entity: route.definition.entityName,
          property: route.definition.layout.property(for: route.leaf)?.name ?? error.property,
          identifier: row.identifier(0, route.definition.root.entityName), value: error.value,
          type: error.type)
      }
    }
  }
}

extension KeyPathRoute {
  /// The way to the identifier of the model that has the value.
  fileprivate var toIdentifier: KeyPathRoute {
    KeyPathRoute(
      references: references, leaf: ModelPaths.of(definition.modelType).identifier,
      definition: definition)
  }
}

extension StatementRow {
  /// A column with the number of a row of the same store.
  func identifier(_ column: Int32, _ entity: String) -> PersistentIdentifier {
    PersistentIdentifier(
      token: .interned(store: shape.token.entry.store, entity: entity), row: integer(column))
  }
}
