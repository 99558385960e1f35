/// The catalogue of a version as it is in the middle of a stage.
extension StoreCatalogue {
  /// Whether there is a `Model.property`.
  func hasProperty(_ name: String) -> Bool {
    layout.entities.contains { entity in
      entity.definition.layout.properties.contains { "\(entity.name).\($0.name)" == name }
    }
  }

  /// True if a store can be used as it is: its schema differs in the order of properties at most.
  ///
  /// - Parameter columns: the store's columns by class and property.
  package func reorders(_ stored: Schema, columns: [String: String]) -> Bool {
    guard columns == columnNames, SchemaFingerprint.areEqualUnordered(stored, schema),
      ValueDifference.obstacles(from: schema, to: stored).isEmpty
    else { return false }
    let step = UnplannedStep.make(
      from: stored, columns: columns, schema.version, fingerprint: "", to: schema, schema.version)
    guard let stage = try? StageChanges(step, knowing: Set(tables.map(\.name)), columns: columns) else { return false }
    return stage.isEmpty && stage.refusals.isEmpty && stage.checks.isEmpty
  }

  /// The same with some of the constraints: those whose indexes are there.
  package func with(constraints: [String: [UniqueConstraint]]) -> StoreCatalogue {
    StoreCatalogue(
      schema: schema, layout: layout, tables: tables, constraints: constraints,
      presets: presets, holders: holders, namedColumns: namedColumns)
  }

  /// The same with other names for tables, for reading.
  package func renamingTables(_ names: [String: String]) -> StoreCatalogue {
    func current(_ name: String) -> String { names[name] ?? name }
    let entities = layout.entities.map { entity in
      EntityLayout(
        name: entity.name, table: current(entity.table), keyColumn: entity.keyColumn,
        entityColumn: entity.entityColumn, definition: entity.definition,
        rootName: entity.rootName, discriminators: entity.discriminators, columns: entity.columns,
        lists: entity.lists.map { list in
          guard case .join(let table, let owner, let member, let position) = list.kind else {
            return list
          }
          return ListLayout(
            slot: list.slot, destination: list.destination,
            kind: .join(table: current(table), owner: owner, member: member, position: position),
            property: list.property, orderColumn: list.orderColumn)
        })
    }
    return StoreCatalogue(
      schema: schema, layout: StoreLayout(entities: entities),
      tables: tables.map { table in
        var table = table
        table.name = current(table.name)
        return table
      },
      constraints: constraints, presets: [:], holders: [:], namedColumns: namedColumns)
  }
}
