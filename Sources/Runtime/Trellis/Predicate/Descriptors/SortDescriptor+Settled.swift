import Foundation

extension SortDescriptor {
  /// The descriptor created again, so that comparing follows `order`.
  ///
  /// On Linux a descriptor whose `order` was assigned after it was made continues comparing as before;
  /// SQL and sorting in memory both take `order` for what counts.
  var settled: SortDescriptor {
    guard let keyPath else { return self }
    let type = Swift.type(of: keyPath).valueType
    if let comparator = stringComparator {
      if let path = keyPath as? KeyPath<Compared, String> {
        return SortDescriptor(path.sendable, comparator: comparator, order: order)
      }
      if let path = keyPath as? KeyPath<Compared, String?> {
        return SortDescriptor(path.sendable, comparator: comparator, order: order)
      }
      return self
    }
    if let type = type as? any Comparable.Type { return settled(keyPath, type) ?? self }
    if let type = (type as? any OptionalValue.Type)?.wrappedType as? any Comparable.Type {
      return settledOptional(keyPath, type) ?? self
    }
    return self
  }

  private func settled<V: Comparable>(
    _ keyPath: PartialKeyPath<Compared>, _: V.Type
  ) -> SortDescriptor? {
    (keyPath as? KeyPath<Compared, V>).map { SortDescriptor($0.sendable, order: order) }
  }

  private func settledOptional<V: Comparable>(
    _ keyPath: PartialKeyPath<Compared>, _: V.Type
  ) -> SortDescriptor? {
    (keyPath as? KeyPath<Compared, V?>).map { SortDescriptor($0.sendable, order: order) }
  }
}

extension KeyPath {
  /// The key path for a descriptor, which wants a sendable one: it was made with it, or stays in one isolation.
  package var sendable: any KeyPath<Root, Value> & Sendable {
    unsafeBitCast(self, to: (any KeyPath<Root, Value> & Sendable).self)
  }
}
