extension SwiftDataError {
  /// A property that a context has assigned, and that another context or process has saved since it was read.
  ///
  /// Not in SwiftData.
  public struct Conflict: Sendable {
    /// The model.
    public let model: PersistentIdentifier
    /// The name of the property.
    public let property: String
    /// The value the context had read when the property was assigned. That of a to-one relationship is the
    /// ``PersistentIdentifier`` of the other model.
    public let committed: (any Sendable)?
    /// The value in the store.
    public let stored: (any Sendable)?
    /// The value that was to be saved.
    public let new: (any Sendable)?

    /// A conflict, as a store of your own reports it.
    public init(
      model: PersistentIdentifier, property: String, committed: (any Sendable)?, stored: (any Sendable)?,
      new: (any Sendable)?
    ) {
      self.model = model
      self.property = property
      self.committed = committed
      self.stored = stored
      self.new = new
    }
  }
}

extension SwiftDataError.Conflict: CustomStringConvertible {
  /// `Counter/1 value: 6 is stored and not 5, 7 was to be saved`
  public var description: String {
    "\(model) \(property): \(Self.text(stored)) is stored and not \(Self.text(committed)), "
      + "\(Self.text(new)) was to be saved"
  }

  /// A value, in few words however long it is.
  private static func text(_ value: (any Sendable)?) -> String {
    guard let value else { return "nil" }
    let text = value is String ? "\"\(value)\"" : ValueDescription.of(value)
    return text.count > 80 ? "\(text.prefix(80))…" : text
  }
}

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
