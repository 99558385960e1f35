/// Runs code of a migration plan with contexts. A layer above conforms `ModelContext` to it, because stores know no
/// contexts.
protocol MigrationContext {
  /// Runs a closure with a context over a store. Pending changes are dropped.
  ///
  /// - Parameter run: calls the code of the program.
  static func runMigration(
    _ body: @escaping (ModelContext) throws -> Void, over store: DefaultStore, _ run: (() throws -> Void) throws -> Void
  ) throws

  /// Runs a custom step with contexts over the old rows and the new rows. Pending changes of the new rows are saved.
  static func runMigration(
    _ body: @escaping (MigrationRows) throws -> Void, from old: DefaultStore, to new: DefaultStore,
    report: @escaping (Int) -> Void, _ run: (() throws -> Void) throws -> Void
  ) throws
}
