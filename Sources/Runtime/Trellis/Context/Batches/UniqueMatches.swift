/// The models of a store by the values of their unique constraints.
struct UniqueMatches<Model: PersistentModel> {
  private let plan: UniquePlan
  private var models: [UniqueKey: Model] = [:]
  /// What the models are found by.
  private var keys: [ObjectIdentifier: [UniqueKey]] = [:]

  init(_ context: ModelContext, _ type: Model.Type) throws {
    plan = UniquePlans(context.core.schema).plan(for: type._$definition)
    guard !plan.constraints.isEmpty else { return }
    for model in try context.fetch(FetchDescriptor<Model>()) { try add(model) }
  }

  mutating func add(_ model: Model) throws {
    guard !plan.constraints.isEmpty else { return }
    let codec = Swift.type(of: model)._$definition.codec
    let buffer = codec.makeBuffer(capacity: 1)
    codec.capture(model, into: buffer)
    // The values it had may have been others.
    for key in keys[ObjectIdentifier(model)] ?? [] where models[key] === model { models[key] = nil }
    let found = try plan.keys(of: DefaultSnapshot(buffer: buffer, index: 0)).compactMap { $0 }
    keys[ObjectIdentifier(model)] = found
    for key in found { models[key] = model }
  }

  /// The model of the very class of the snapshot that has its values; one that inherits from it has more,
  /// and is a conflict.
  func match(of snapshot: DefaultSnapshot) throws -> Model? {
    guard !plan.constraints.isEmpty else { return nil }
    return try plan.keys(of: snapshot).lazy.compactMap { $0 }.compactMap { models[$0] }
      .first { type(of: $0) == Model.self }
  }
}
