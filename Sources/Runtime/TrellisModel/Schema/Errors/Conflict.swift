extension SwiftDataError {
  /// A property that a context has assigned and that a concurrent context or process has saved since the context read
  /// it.
  ///
  /// ```swift
  /// do {
  ///   try context.save()
  /// } catch let error as SwiftDataError where error == .saveConflict {
  ///   for conflict in error.conflicts { print(conflict) }
  ///   // Trip/1 destination: "Bergen" is stored instead of "Oslo"; "Voss" was not saved
  /// }
  /// ```
  ///
  /// Not in SwiftData.
  public struct Conflict: Sendable {
    /// The model.
    public let model: PersistentIdentifier
    /// The property name.
    public let property: String
    /// The value that the context had read when the property was assigned. For a to-one relationship, the destination's
    /// ``PersistentIdentifier``.
    public let committed: (any Sendable)?
    /// The value in the store.
    public let stored: (any Sendable)?
    /// The value to be saved.
    public let new: (any Sendable)?

    /// Creates a conflict, for example to test code that presents conflicts.
    ///
    /// - Parameters:
    ///   - model: The model.
    ///   - property: The property name.
    ///   - committed: The value that the context had read.
    ///   - stored: The value in the store.
    ///   - new: The value to be saved.
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
  /// `Counter/1 value: 6 is stored instead of 5; 7 was not saved`
  public var description: String {
    "\(model) \(property): \(Self.text(stored)) is stored instead of \(Self.text(committed)); "
      + "\(Self.text(new)) was not saved"
  }

  /// Returns a value as text, truncated if it is long.
  private static func text(_ value: (any Sendable)?) -> String {
    guard let value else { return "nil" }
    let text = value is String ? "\"\(value)\"" : ValueDescription.of(value)
    return text.count > 80 ? "\(text.prefix(80))…" : text
  }
}

/// The policy for values that a concurrent context or process has saved since the context read them.
///
/// The policy applies to single-valued properties: attributes and to-one relationships that this context has assigned.
/// To-many relationships are merged member by member under both policies. Not in SwiftData, which overwrites.
///
/// ```swift
/// var configuration = ModelConfiguration()
/// configuration.conflictPolicy = .fail
/// let container = try ModelContainer(for: Trip.self, configurations: configuration)
/// ```
///
/// With ``fail``, repeat the change if a concurrent context saved first:
///
/// ```swift
/// func addToBudget(of id: PersistentIdentifier, _ amount: Decimal) throws {
///   guard let trip = context.model(for: id) as? Trip else { return }
///   trip.budget = (trip.budget ?? 0) + amount
///   do {
///     try context.save()
///   } catch SwiftDataError.saveConflict {
///     context.rollback()
///     try addToBudget(of: id, amount)
///   }
/// }
/// ```
public enum ConflictPolicy: String, Sendable, Hashable, CaseIterable {
  /// The last save wins, property by property. Properties that this context has not assigned keep concurrently saved
  /// values.
  case overwrite
  /// The save throws ``SwiftDataError/saveConflict`` and writes nothing. The changes remain pending.
  ///
  /// A store in a file or in memory compares values inside the write transaction, so that no context, container or
  /// process can save in between. For a custom store, the context fetches the rows immediately before it saves.
  case fail
}
