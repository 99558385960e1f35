#if canImport(ObjectiveC)
  import Foundation
#else
  public import Foundation
#endif

/// Compares two predicate expressions: nodes by type, then by key paths and captured values.
///
/// The type of an expression spells its shape out, so only the leaves are left to compare.
struct ExpressionComparison {
  private var variables: [PredicateExpressions.VariableID: PredicateExpressions.VariableID] = [:]

  mutating func areEqual(_ lhs: Any, _ rhs: Any) -> Bool {
    guard type(of: lhs) == type(of: rhs) else { return false }
    if let lhs = lhs as? PredicateExpressions.VariableID,
      let rhs = rhs as? PredicateExpressions.VariableID
    {
      // Each predicate numbers its own variables: what matters is where they return.
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

  /// Whether there is nothing in the value to compare.
  private func isEmpty(_ value: Any) -> Bool {
    func open<T>(_: T) -> Bool { MemoryLayout<T>.size == 0 }
    return _openExistential(value, do: open)
  }
}

#if !canImport(ObjectiveC)
  /// The orders of text that Foundation's `String.StandardComparator` has on Apple's platforms and not on
  /// Linux: a sort that names one compiles on both.
  ///
  ///     FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.name, comparator: .localizedStandard)])
  ///
  /// The orders are those of `String.localizedStandard` and `String.localized`.
  public enum TextComparator: Sendable, Hashable, CaseIterable {
    /// As people expect in lists of files: numbers by value, accents and case only between equals.
    case localizedStandard
    /// As in a dictionary: the same with digits one by one.
    case localized

    var order: TextOrder {
      switch self {
      case .localizedStandard: .localizedStandard
      case .localized: .localized
      }
    }
  }

  extension SortDescriptor where Compared: PersistentModel {
    /// Sorts by a text in an order for people; a fetch does it in the store.
    public init(
      _ keyPath: any KeyPath<Compared, String> & Sendable, comparator: TextComparator, order: SortOrder = .forward
    ) {
      self.init(keyPath.appending(path: comparator.order.keyPath).sendable, order: order)
    }

    /// Sorts by an optional text in an order for people, nil first; a fetch does it in the store.
    public init(
      _ keyPath: any KeyPath<Compared, String?> & Sendable, comparator: TextComparator, order: SortOrder = .forward
    ) {
      self.init(keyPath.appending(path: comparator.order.optionalKeyPath).sendable, order: order)
    }
  }
#endif

extension SortDescriptor {
  /// The descriptor created again, so that comparing follows `order`.
  ///
  /// On Linux a descriptor whose `order` was assigned after it was made continues comparing as before;
  /// SQL and sorting in memory both take `order` for what counts.
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
  /// The key path for a descriptor, which wants a sendable one: it was made with it, or stays in one isolation.
  package var sendable: any KeyPath<Root, Value> & Sendable {
    unsafeBitCast(self, to: (any KeyPath<Root, Value> & Sendable).self)
  }
}
