extension ModelContext: MigrationContext {
  static func runMigration(
    _ body: @escaping (ModelContext) throws -> Void, over store: DefaultStore, _ run: (() throws -> Void) throws -> Void
  ) throws {
    let context = ModelContext(ModelContainer(store))
    try run { try body(context) }
    context.rollback()
  }

  static func runMigration(
    _ body: @escaping (MigrationRows) throws -> Void, from old: DefaultStore, to new: DefaultStore,
    report: @escaping (Int) -> Void, _ run: (() throws -> Void) throws -> Void
  ) throws {
    let rows = MigrationRows(
      old: ModelContext(ModelContainer(old)), new: ModelContext(ModelContainer(new)), report: report)
    do {
      try run { try body(rows) }
      if rows.new.hasChanges { try rows.new.save() }
    } catch {
      rows.new.rollback()
      throw error
    }
    rows.old.rollback()
  }
}
