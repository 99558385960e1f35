import Foundation

/// The models and properties that can affect a query's result.
struct QueryDependencies {
  private let schema: Schema
  /// The changes that affect the result. A class is marked unknown if any of its properties may be read.
  private var changes = ClassChanges()

  /// - Parameter keyPath: The key path that groups the results; `nil` if they are not grouped.
  init<T: PersistentModel>(
    of descriptor: FetchDescriptor<T>, groupedBy keyPath: AnyKeyPath? = nil, schema: Schema
  ) {
    self.schema = schema
    addComingAndGoing(of: T._$definition)
    var isKnown = true
    if let predicate = descriptor.predicate {
      let shape = PredicateShape(predicate)
      isKnown = !shape.isOpaque
      for read in shape.reads {
        guard let model = read.model else { continue }
        isKnown = add(read.keyPath, of: model._$definition) && isKnown
      }
    }
    for sort in descriptor.sortBy {
      guard let path = sort.keyPath else { isKnown = false; continue }
      isKnown = add(path, of: T._$definition) && isKnown
    }
    if let keyPath { isKnown = add(keyPath, of: T._$definition) && isKnown }
    if !isKnown { addEverythingReachable(from: T._$definition) }
  }

  // MARK: matching changes

  func areTouched(by commit: Commit) -> Bool {
    commit.isWholesale || commit.changes.byClass.values.contains(where: areTouched)
  }

  func areTouched(by change: ClassChange) -> Bool {
    guard let own = changes[change.definition] else { return false }
    if own.comesOrGoes && change.comesOrGoes { return true }
    if own.isUnknown || change.isUnknown {
      return change.isUnknown || change.isEphemeral || !change.columns.isEmpty
        || !change.lists.isEmpty
    }
    return own.columns.intersects(change.columns) || own.lists.intersects(change.lists)
  }

  // MARK: adding dependencies

  private mutating func addComingAndGoing(of definition: ModelDefinition) {
    for known in schema.classes(of: definition) { changes.addComingOrGoing(known) }
  }

  /// Adds the properties along a key path. Returns false if the path cannot be resolved and may read any property.
  private mutating func add(_ keyPath: AnyKeyPath, of definition: ModelDefinition) -> Bool {
    if let property = definition.layout.property(for: keyPath), property.slot >= 0 {
      add(property, of: definition)
      return true
    }
    guard let path = SortPath.of(keyPath, definition) else { return false }
    var owner = definition
    for hop in path.hops {
      add(hop, of: owner)
      guard let destination = hop.kind.destination?._$definition else { return false }
      owner = destination
    }
    if let leaf = path.leaf { add(leaf, of: owner) } else { addComingAndGoing(of: owner) }
    return true
  }

  private mutating func add(_ property: ModelProperty, of definition: ModelDefinition) {
    if property.kind.isRelationship,
      let relation = definition.relations.relation(for: property)
    {
      // A list is computed from the members' references, and references to deleted models read as `nil`.
      addComingAndGoing(of: relation.destination)
      if let inverse = relation.inverse { addColumn(inverse, of: relation.destination) }
    }
    addColumn(property, of: definition)
  }

  private mutating func addColumn(_ property: ModelProperty, of definition: ModelDefinition) {
    for known in schema.classes(of: definition) {
      guard let property = known.layout.property(named: property.name) else { continue }
      changes.add(ClassChange(known, property))
    }
  }

  /// Adds all reachable models, because a computed property or custom comparator may read any of them.
  private mutating func addEverythingReachable(from definition: ModelDefinition) {
    var queue = schema.classes(of: definition.root)
    var seen = Set<ObjectIdentifier>()
    while let next = queue.popLast() {
      guard seen.insert(ObjectIdentifier(next)).inserted else { continue }
      var change = ClassChange(next)
      change.isUnknown = true
      change.comesOrGoes = true
      changes.add(change)
      for relation in next.relations.all { queue += schema.classes(of: relation.destination.root) }
    }
  }
}
