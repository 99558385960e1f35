/// What a save does with a value that somebody else has saved since its context has read it.
///
/// The policy is about properties with one value: attributes and to-one relationships that this context
/// has assigned. To-many relationships are merged member by member under both policies. Not in SwiftData,
/// which overwrites.
///
///     var configuration = ModelConfiguration()
///     configuration.conflictPolicy = .fail
///     let container = try ModelContainer(for: Counter.self, configurations: configuration)
///
/// With ``fail`` a program repeats what it did when somebody else was faster:
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
  /// A store in a file or in memory compares inside the transaction that writes, so that nobody comes in
  /// between: no other context, container or program. A store of your own is asked for the rows just before
  /// it saves.
  case fail
}
