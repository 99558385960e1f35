import Foundation

/// The stage of a store that is opened without a plan: from the tables that the store has to those of the program's schema.
///
/// It adds tables, columns and indexes, drops indexes, and renames by `originalName`. It never changes a stored value, so
/// it needs no models of the old version, which a program without a plan does not have.
struct InferredStage {
  private let specification: StoreSpecification
  private let changes: [CatalogueDifference.Change]

  /// - Throws: ``SwiftDataError/unknownDataStoreSchema`` where the stage would lose or misread a stored value.
  init(_ specification: StoreSpecification, _ metadata: StoreMetadata, _ connection: Connection) throws {
    self.specification = specification
    let tables = try specification.storedTables(connection)
    let stored = try specification.storedSchema(connection)
    let difference = CatalogueDifference(
      from: tables, stored, columns: try specification.storedColumns(connection), to: specification.catalogue)
    changes = difference.changes
    var obstacles = ValueDifference.exchanges(from: stored, to: specification.schema) + difference.obstacles
    obstacles += ValueDifference.obstacles(from: stored, to: specification.schema, obstacles)
    let foreign = try ForeignObjects(in: tables, before: specification.catalogue.tables, connection)
    obstacles += foreign.conflicts(with: specification.catalogue.tables, after: changes)
    obstacles += foreign.losses(of: changes)
    guard obstacles.isEmpty else { throw refused(obstacles) }
  }

  /// True if a name in the tables means something else afterwards, so that programs of the old version would read other
  /// values.
  var reusesNames: Bool {
    changes.contains { change in
      switch change {
      case .renameEntity: true
      case .renameColumn(let table, let former, _):
        specification.catalogue.tables.first { $0.name == table }?.column(named: former) != nil
      default: false
      }
    }
  }

  /// True if the tables stay as they are.
  var isEmpty: Bool { changes.isEmpty }

  /// The error of a program that may not change the store; nil if the tables stay as they are.
  var problem: SwiftDataError? {
    isEmpty ? nil : different(changes.map(\.summary), "open it once with a program that may change it")
  }

  /// Changes the tables, and what the store says of itself.
  func run(_ metadata: inout StoreMetadata, _ connection: Connection) throws {
    var triggers: [String] = []
    for change in changes {
      // SQLite changes the names in triggers when it renames tables and columns.
      if change.phase != .tables, triggers.isEmpty { triggers = try connection.setAsideTriggers() }
      if let obstacle = try change.obstacle(connection) { throw refused([obstacle]) }
      do {
        try change.run(connection)
      } catch let error as SQLiteError where error.code == .constraint {
        throw refused(["\(change.summary): \(error.message)"])
      }
    }
    try rename(in: &metadata, connection)
    try checkTexts(connection)
    let old = try specification.storedSchema(connection)
    try addInverses(since: old, connection)
    try HistoryNames.migrate(from: old, to: specification.schema, connection)
    for sql in triggers { try connection.executeText(sql) }
  }

  /// Fails if rows have texts in a new unique constraint that are equal in Swift and have different bytes.
  private func checkTexts(_ connection: Connection) throws {
    for case .addIndex(let index, let name) in changes where index.isUnique {
      guard let table = specification.catalogue.tables.first(where: { $0.name == name }),
        try connection.mayHaveHiddenDuplicates(of: index, in: table),
        let row = try connection.duplicateRows(of: index, in: table).first
      else { continue }
      let values = row.dropFirst().map { "'\($0.text)'" }.joined(separator: ", ")
      throw refused(["'\(name)' has several rows with the values (\(values)), which have to be unique"])
    }
  }

  /// Fills each new reference from the older reference that is its inverse now.
  ///
  /// If several rows refer to one, it stays empty, and the check of pairs refuses the store.
  private func addInverses(since stored: Schema, _ connection: Connection) throws {
    let layout = specification.catalogue.layout
    let origins = SchemaOrigins(stored, of: specification.schema)
    for entity in layout.entities {
      guard let model = specification.schema.entitiesByName[entity.name] else { continue }
      for column in entity.columns {
        // Inherited properties are those of another model.
        guard let property = model.storedPropertiesByName[column.property.name],
          origins.sources(of: property, in: model).isEmpty,
          let inverse = entity.definition.relations.toOne[column.slot]?.inverse, !inverse.kind.isToMany,
          let destination = column.destination.flatMap({ layout.entity(named: $0) }),
          destination.columns.indices ~= inverse.slot
        else { continue }
        let pairs: SQLFragment = """
          FROM \(name: destination.table) AS "other"
          WHERE "other".\(name: destination.columns[inverse.slot].name) = \(column: entity.keyColumn, of: entity.table)
          """
        try connection.execute(
          """
          UPDATE \(name: entity.table) SET \(name: column.name) = (SELECT "other".\(name: destination.keyColumn) \(pairs))
          WHERE \(name: column.name) IS NULL AND (SELECT COUNT(*) \(pairs)) = 1
          """)
      }
    }
  }

  /// Column flags and row numbers are stored under the names of tables and columns.
  private func rename(in metadata: inout StoreMetadata, _ connection: Connection) throws {
    let old = metadata.marks
    for change in changes { metadata.marks = change.renamed(metadata.marks) }
    for mark in metadata.marks.subtracting(old) {
      try StoreMetadata.write(.integer(1), for: mark.key, connection)
    }
    let tables = changes.compactMap { change in
      if case .renameTable(let from, let to) = change { (from: from, to: to) } else { nil }
    }
    try StoreMetadata.renameNextKeys(tables, connection)
  }

  private func refused(_ obstacles: [String]) -> SwiftDataError {
    different(
      obstacles, "a change that loses or converts values needs a migration plan with the former version of the schema")
  }

  private func different(_ differences: [String], _ solution: String) -> SwiftDataError {
    specification.file.failure(
      .differentSchema,
      "the store's tables are not those of the schema, and a migration is needed:\n"
        + differences.map { "  - \($0)" }.joined(separator: "\n") + "\n\(solution)")
  }
}
