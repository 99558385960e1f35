#if canImport(ObjectiveC)
  import Foundation
#else
  public import Foundation
#endif

/// Compares two predicate expressions by node type, then by key paths and captured values.
///
/// The expression type encodes the tree's structure, so only the leaves remain to be compared.
struct ExpressionComparison {
  private var variables: [PredicateExpressions.VariableID: PredicateExpressions.VariableID] = [:]

  mutating func areEqual(_ lhs: Any, _ rhs: Any) -> Bool {
    guard type(of: lhs) == type(of: rhs) else { return false }
    if let lhs = lhs as? PredicateExpressions.VariableID,
      let rhs = rhs as? PredicateExpressions.VariableID
    {
      // Each predicate numbers its variables independently, so only their positions are compared.
      if let known = variables[lhs] { return known == rhs }
      variables[lhs] = rhs
      return true
    }
    if let lhs = lhs as? any Equatable { return Self.equal(lhs, rhs) }
    let (left, right) = (Mirror(reflecting: lhs), Mirror(reflecting: rhs))
    if left.displayStyle == .class { return (lhs as AnyObject) === (rhs as AnyObject) }
    guard left.children.count == right.children.count else { return false }
    if left.children.isEmpty { return isEmpty(lhs) }
    for (lhs, rhs) in zip(left.children, right.children)
    where !areEqual(lhs.value, rhs.value) { return false }
    return true
  }

  private static func equal<E: Equatable>(_ lhs: E, _ rhs: Any) -> Bool { lhs == (rhs as? E) }

  /// Returns true if the value has no content to compare.
  private func isEmpty(_ value: Any) -> Bool {
    func open<T>(_: T) -> Bool { MemoryLayout<T>.size == 0 }
    return _openExistential(value, do: open)
  }
}

#if !canImport(ObjectiveC)
  /// The sort orders for text that Foundation's `String.StandardComparator` provides only on Apple's platforms. A sort
  /// descriptor with such an order compiles on all platforms.
  ///
  /// ```swift
  /// let byName = FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.name, comparator: .localizedStandard)])
  /// // Day 9, Day 10, Émile's birthday, Fjords
  /// ```
  ///
  /// The orders are the same as `String.localizedStandard` and `String.localized`.
  public enum TextComparator: Sendable, Hashable, CaseIterable {
    /// File list order: numbers compare by value; accents and case only break ties.
    case localizedStandard
    /// Dictionary order: like `localizedStandard`, but each digit is compared as a character.
    case localized

    var order: TextOrder {
      switch self {
      case .localizedStandard: .localizedStandard
      case .localized: .localized
      }
    }
  }

  extension SortDescriptor where Compared: PersistentModel {
    /// Creates a descriptor that sorts by a string in a localized order. Fetches sort in the store.
    ///
    /// ```swift
    /// let byDestination = SortDescriptor(\Trip.destination, comparator: .localized, order: .reverse)
    /// ```
    ///
    /// - Parameters:
    ///   - keyPath: A text attribute.
    ///   - comparator: The sort order for text.
    ///   - order: `.reverse` for descending order.
    public init(
      _ keyPath: any KeyPath<Compared, String> & Sendable, comparator: TextComparator, order: SortOrder = .forward
    ) {
      self.init(keyPath.appending(path: comparator.order.keyPath).sendable, order: order)
    }

    /// Creates a descriptor that sorts by an optional string in a localized order, with nil first. Fetches sort in
    /// the store.
    ///
    /// ```swift
    /// let byBooking = SortDescriptor(\LivingAccommodation.bookingReference, comparator: .localizedStandard)
    /// ```
    ///
    /// - Parameters:
    ///   - keyPath: An optional text attribute, or a text attribute reached through an optional relationship.
    ///   - comparator: The sort order for text.
    ///   - order: `.reverse` for descending order.
    public init(
      _ keyPath: any KeyPath<Compared, String?> & Sendable, comparator: TextComparator, order: SortOrder = .forward
    ) {
      self.init(keyPath.appending(path: comparator.order.optionalKeyPath).sendable, order: order)
    }
  }
#endif

extension SortDescriptor {
  /// The descriptor, recreated so that comparisons use the current `order`.
  ///
  /// On Linux, a descriptor whose `order` was changed after creation still compares in the original order. SQL and
  /// in-memory sorting both use `order`.
  package var settled: SortDescriptor {
    guard let keyPath else { return self }
    if let comparator = stringComparator {
      if let path = keyPath as? KeyPath<Compared, String> {
        return SortDescriptor(path.sendable, comparator: comparator, order: order)
      }
      if let path = keyPath as? KeyPath<Compared, String?> {
        return SortDescriptor(path.sendable, comparator: comparator, order: order)
      }
      return self
    }
    guard let type = wrappedType(of: Swift.type(of: keyPath).valueType) as? any Comparable.Type else { return self }
    return settled(type) ?? self
  }

  private func settled<V: Comparable>(_: V.Type) -> SortDescriptor? {
    if let path = keyPath as? KeyPath<Compared, V> { return SortDescriptor(path.sendable, order: order) }
    return (keyPath as? KeyPath<Compared, V?>).map { SortDescriptor($0.sendable, order: order) }
  }
}

extension KeyPath {
  /// The key path as a sendable key path, which descriptors require. It was created as sendable or remains in one
  /// isolation.
  package var sendable: any KeyPath<Root, Value> & Sendable {
    unsafeBitCast(self, to: (any KeyPath<Root, Value> & Sendable).self)
  }
}
