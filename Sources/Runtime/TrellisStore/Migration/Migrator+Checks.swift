/// Checks before each stage and after all stages.
extension Migrator {
  /// Fails if a property has no value, or if a step names an unknown property.
  func check(_ stage: StageChanges) throws {
    guard stage.step.isPlanned else {
      let reasons = stage.refusals + (try problems(ofRowsIn: stage))
      guard reasons.isEmpty else { throw refusal(reasons) }
      return
    }
    var problems = stage.step.plan.steps.flatMap { step -> [String] in
      switch step.kind {
      case .fill(let fill): check(fill, stage)
      case .dedupe(let model, let properties, _):
        unstored(properties, of: stage.new.layout.entity(named: model.entityName)).map {
          "'dedupe' names '\(model.entityName).\($0)', which is not a stored value"
        }
      case .accept(let names):
        names.filter { !stage.new.hasProperty($0) }.map {
          "'accept' names '\($0)', which is not a property of the new version"
        }
      case .custom: []
      }
    }
    // A custom step may set any value. Missing values are detected after the step.
    if !stage.step.hasCustomSteps { problems += stage.gaps.map(\.text) }
    guard problems.isEmpty else {
      let advice =
        stage.step.plan.isCustom
        ? "'didMigrate' runs too late, when all rows already have their values: give a new property a default value or "
          + "make it optional, and set it in 'didMigrate'; if a property's type changes, keep the old values in a "
          + "second property, with the former name as its 'originalName', and remove it in a later version"
        : "give a new property a default value or make it optional, or set its values in a 'fill' or a custom step of "
          + "the stage"
      throw specification.file.failure(
        .migrationFailed,
        "the migration from \(stage.step.from.number) to \(stage.step.to.number) is incomplete, and nothing was "
          + "touched:\n" + problems.map { "  - \($0)\n" }.joined() + advice)
    }
  }

  private func unstored(_ properties: [String], of entity: EntityLayout?) -> [String] {
    properties.filter { entity?.place(of: $0) == nil }
  }

  private func check(_ fill: MigrationFill, _ stage: StageChanges) -> [String] {
    let name = fill.new.entityName
    guard let new = stage.new.layout.entity(named: name), new.definition === fill.new else {
      return ["a fill is for '\(name)', which is not a model of the new version"]
    }
    let problems = unstored(fill.properties, of: new).map { "a fill names '\(name).\($0)', which is not stored" }
    let old = stage.entities[name]
    let reads = stage.old.layout.entity(named: fill.old.entityName)
    if let old, reads?.definition === fill.old, old.definition.isOrInherits(from: fill.old.entityName) {
      return problems
    }
    let origin = old.map { "come from '\($0.name)'" } ?? "do not come from an old model"
    return problems + ["a fill of '\(name)' reads '\(fill.old.entityName)', but the rows of '\(name)' \(origin)"]
  }

  /// Fails if existing rows match one of the stage's check conditions.
  func checkRows(for stage: StageChanges) throws {
    let problems = try problems(ofRowsIn: stage)
    if !problems.isEmpty { throw failure(problems.joined(separator: "; ")) }
  }

  private func problems(ofRowsIn stage: StageChanges) throws -> [String] {
    try stage.checks.filter { !($0.isAboutMissing && stage.step.hasCustomSteps) }.compactMap { check in
      let keys = try check.rows.map { try connection.rows($0.keys(in: $0.table)).compactMap(\.first?.text) } ?? []
      return keys.isEmpty ? nil : check.text(keys)
    }
  }

  /// Fails if two references have become inverses of each other but disagree in any row.
  func checkPairs(of stage: StageChanges) throws {
    let layout = stage.new.layout
    for entity in layout.entities {
      for column in entity.columns {
        guard let inverse = entity.definition.relations.toOne[column.slot]?.inverse, !inverse.kind.isToMany,
          let destination = column.destination.flatMap({ layout.entity(named: $0) }),
          destination.columns.indices ~= inverse.slot,
          !stage.origins.havePair(column.property.name, of: entity.name, inverse.name, of: destination.name)
        else { continue }
        let back = destination.columns[inverse.slot].name
        let rows = try connection.rows(
          """
          SELECT "own".\(name: entity.keyColumn) FROM \(name: entity.table) AS "own"
          WHERE "own".\(name: column.name) IS NOT NULL AND NOT EXISTS
          (SELECT 1 FROM \(name: destination.table) AS "other"
          WHERE "other".\(name: destination.keyColumn) = "own".\(name: column.name)
          AND "other".\(name: back) = "own".\(name: entity.keyColumn))
          ORDER BY 1 LIMIT 3
          """)
        guard !rows.isEmpty else { continue }
        let keys = rows.map { "\(entity.name)/\($0.first?.text ?? "")" }.joined(separator: ", ")
        throw failure(
          "'\(entity.name).\(column.property.name)' and '\(destination.name).\(inverse.name)' are inverses of each "
            + "other now, but \(keys) refer to a '\(destination.name)' that does not refer back: set both in a stage "
            + "of a migration plan, or add '@Relationship(inverse: nil)' to both")
      }
    }
  }

  /// Compares the tables with a new store's tables, and checks values and references that SQLite did not check during
  /// the migration.
  func checkResult() throws {
    let catalogue = specification.catalogue
    let isTouched = stages.contains { $0.rewritesRows || !$0.step.plan.isOnlyShape }
    for (table, columns) in catalogue.holders where isTouched {
      for (column, rows) in columns {
        let found = try connection.rows(
          "SELECT 1 FROM \(name: table) WHERE \(name: column) IS NULL AND \(rows) LIMIT 1")
        guard found.isEmpty else { throw failure("'\(table).\(column)' has no value in some rows") }
      }
    }
    if isTouched { try checkReferences() }
    // If there is no plan, foreign columns and indexes are kept.
    let differences = try connection.differences(from: catalogue, allowsMore: !stages.allSatisfy(\.step.isPlanned))
    guard differences.isEmpty else {
      throw failure(
        "the tables differ from a new store's tables:\n"
          + differences.map { "  - \($0)" }.joined(separator: "\n"))
    }
  }

  private func checkReferences() throws {
    // References between foreign tables are not checked.
    let broken = try connection.rows("PRAGMA foreign_key_check").filter { row in
      specification.catalogue.tables.contains { $0.name == row[0].text }
    }
    guard let first = broken.first else { return }
    let table = first[0].text
    let row = first[1] == .null ? "" : ", row \(first[1].text)"
    throw failure(
      "\(broken.count) references refer to missing rows; the first is in '\(table)'\(row), and "
        + "refers to '\(first[2].text)'")
  }
}

extension Connection {
  /// Applies the foreign keys' delete rules to dangling references. Call this after the app's code deletes rows and
  /// after inserting snapshots with dangling references.
  func updateReferences(of catalogue: StoreCatalogue) throws {
    var isSettled = false
    while !isSettled {
      isSettled = true
      for table in catalogue.tables {
        for column in table.columns {
          guard let reference = column.reference, reference.onDelete != .noAction,
            let target = catalogue.tables.first(where: { $0.name == reference.table }),
            let key = target.columns.first(where: \.isRowKey)
          else { continue }
          let dangling: SQLFragment = """
            \(name: column.name) IS NOT NULL AND NOT EXISTS (SELECT 1 FROM \(name: target.name) AS "target"
            WHERE "target".\(name: key.name) = \(column: column.name, of: table.name))
            """
          let action: SQLFragment =
            reference.onDelete == .cascade
            ? "DELETE FROM \(name: table.name) WHERE \(dangling)"
            : "UPDATE \(name: table.name) SET \(name: column.name) = NULL WHERE \(dangling)"
          try execute(action)
          if reference.onDelete == .cascade, changes > 0 { isSettled = false }
        }
      }
    }
  }
}

extension SQLValue {
  /// The value as it appears in error messages.
  package var text: String {
    switch self {
    case .null: "nil"
    case .integer(let number): "\(number)"
    case .real(let number): "\(number)"
    case .text(let text): text
    case .blob(let bytes): "\(bytes.count) bytes"
    case .list: "a list"
    }
  }
}
