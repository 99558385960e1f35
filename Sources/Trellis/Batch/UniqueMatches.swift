/// The models of a store by the values of their unique constraints.
struct UniqueMatches<Model: PersistentModel> {
  private let constraints: [[String]]
  private var models: [[AnyHashable]: Model] = [:]

  init(_ context: ModelContext, _ type: Model.Type) throws {
    let name = type._$definition.entityName
    constraints = context.container.schema.entitiesByName[name]?.uniquenessConstraints ?? []
    guard !constraints.isEmpty else { return }
    for model in try context.fetch(FetchDescriptor<Model>()) { add(model) }
  }

  mutating func add(_ model: Model) {
    let codec = Swift.type(of: model)._$definition.codec
    let batch = codec.makeBatch(capacity: 1)
    codec.capture(model, into: batch)
    let snapshot = DefaultSnapshot(batch: batch, index: 0)
    for number in constraints.indices {
      if let key = key(number, snapshot) { models[key] = model }
    }
  }

  func match(of snapshot: DefaultSnapshot) -> Model? {
    for number in constraints.indices {
      if let key = key(number, snapshot), let model = models[key] { return model }
    }
    return nil
  }

  /// Nil where a value is missing: it conflicts with none.
  private func key(_ number: Int, _ snapshot: DefaultSnapshot) -> [AnyHashable]? {
    var key: [AnyHashable] = [number]
    for name in constraints[number] {
      guard let value = snapshot.value(named: name) as? AnyHashable else { return nil }
      key.append(value)
    }
    return key
  }
}
