extension Schema {
  /// The names of the stored properties a key path goes through, for stores that translate predicates or
  /// sort descriptors; nil when it leads to something that is not stored.
  ///
  ///     Schema.propertyNames(along: \Trip.name)                   // ["name"]
  ///     Schema.propertyNames(along: \BucketListItem.trip?.name)   // ["trip", "name"]
  ///     Schema.propertyNames(along: \Trip.address.street)         // ["address", "street"], flattened
  ///     Schema.propertyNames(along: \Trip.persistentModelID)      // ["persistentModelID"]
  ///
  /// Not in SwiftData, where a key path cannot be told from another.
  public static func propertyNames<T: PersistentModel>(
    along keyPath: PartialKeyPath<T>
  ) -> [String]? {
    let definition = T._$definition
    if let property = definition.layout.property(for: keyPath) {
      return property.slot >= 0 ? [property.name] : nil
    }
    guard let path = SortPath.of(keyPath, definition), path.form == .value else { return nil }
    let names = path.hops.map(\.name)
    guard let leaf = path.leaf else { return names + ["persistentModelID"] }
    let owner = path.hops.last?.kind.destination?._$definition ?? definition
    let member = path.leafPath.flatMap { owner.layout.member(for: $0) }?.member
    return names + [leaf.name] + (member.map { [$0.name] } ?? [])
  }
}
