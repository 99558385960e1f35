/// What a save does with a value that another context or process has saved since its context has read it.
///
/// The policy concerns properties with one value: attributes and to-one relationships that this context
/// has assigned. To-many relationships are merged member by member under both policies. Not in SwiftData,
/// which overwrites.
///
///     var configuration = ModelConfiguration()
///     configuration.conflictPolicy = .fail
///     let container = try ModelContainer(for: Counter.self, configurations: configuration)
///
/// With ``fail`` a program repeats its change if another context has saved first:
///
///     while true {
///       let counter = try context.fetch(FetchDescriptor<Counter>())[0]
///       counter.value += 1
///       do { try context.save() } catch SwiftDataError.saveConflict {
///         context.rollback()
///         continue
///       }
///       break
///     }
public enum ConflictPolicy: String, Sendable, Hashable, CaseIterable {
  /// The last save wins, property by property: properties that this context has not assigned keep what
  /// others have saved.
  case overwrite
  /// The save throws ``SwiftDataError/saveConflict`` and writes nothing. The changes stay pending.
  ///
  /// A store in a file or in memory compares inside the transaction that writes, so that no other save comes in
  /// between, of any context, container or program. The context fetches the rows of a custom store just before
  /// it saves.
  case fail
}
