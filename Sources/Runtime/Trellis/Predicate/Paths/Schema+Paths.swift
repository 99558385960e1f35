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
    if let route = KeyPathRoute.of(keyPath, definition) {
      var names: [String] = []
      var model = definition
      for reference in route.references {
        guard let property = model.layout.property(for: reference),
          let next = property.kind.destination?._$definition
        else { return nil }
        names.append(property.name)
        model = next
      }
      if ModelPaths.of(model.modelType).isIdentifier(route.leaf) { return names + ["persistentModelID"] }
      if let property = model.layout.property(for: route.leaf) { return names + [property.name] }
    }
    guard let path = SortPath.of(keyPath, definition), path.form == .value, let leaf = path.leaf else {
      return nil
    }
    let owner = path.hops.last?.kind.destination?._$definition ?? definition
    let member = path.leafPath.flatMap { owner.layout.member(for: $0) }?.member
    return path.hops.map(\.name) + [leaf.name] + (member.map { [$0.name] } ?? [])
  }
}
