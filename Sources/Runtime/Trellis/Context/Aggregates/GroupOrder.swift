/// What groups are sorted by: an aggregate, or one of the key paths they are grouped by.
///
///     orderedBy: [.descending(.count), .ascending(\.destination)]
///     // … ORDER BY count(*) DESC, "t0"."destination"
///
/// nil comes before every value and NaN behind every number; text comes in Swift's order, enums in
/// that of their raw values, `false` before `true`. Not in SwiftData.
public struct GroupOrder<Model: PersistentModel> {
  let source: GroupSource<Model>
  let isDescending: Bool
  /// The key path, when groups are sorted by one of theirs.
  let keyPath: AnyKeyPath?

  private init<V>(_ aggregate: Aggregate<Model, V>, isDescending: Bool) {
    func erased<S: AggregateSource<Model, V>>(_ source: S) -> GroupSource<Model> {
      GroupSource(source)
    }
    source = erased(aggregate.source)
    self.isDescending = isDescending
    keyPath = nil
  }

  private init<V>(_ keyPath: KeyPath<Model, V>, isDescending: Bool) {
    source = GroupSource(KeySource(keyPath: keyPath))
    self.isDescending = isDescending
    self.keyPath = keyPath
  }

  /// Smallest first.
  public static func ascending<V>(_ aggregate: Aggregate<Model, V>) -> Self {
    Self(aggregate, isDescending: false)
  }

  /// Largest first.
  public static func descending<V>(_ aggregate: Aggregate<Model, V>) -> Self {
    Self(aggregate, isDescending: true)
  }

  /// By a key path the rows are grouped by, smallest first.
  public static func ascending<V>(_ keyPath: KeyPath<Model, V>) -> Self {
    Self(keyPath, isDescending: false)
  }

  /// By a key path the rows are grouped by, largest first.
  public static func descending<V>(_ keyPath: KeyPath<Model, V>) -> Self {
    Self(keyPath, isDescending: true)
  }
}
