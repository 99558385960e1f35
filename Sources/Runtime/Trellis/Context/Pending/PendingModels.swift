/// Models with pending changes, in the order in which the changes began.
///
/// A context holds them strongly: a program may change a model, drop it, and save. A model that retains its
/// context must not be retained by it in turn, so the models are loose once only models keep the context.
struct PendingModels {
  private var held: [any PersistentModel] = []
  /// Used instead of `held` once the models are loose.
  private var loose: [LooseModel] = []

  var models: [any PersistentModel] { loose.isEmpty ? held : loose.compactMap(\.model) + held }

  var count: Int { held.count + loose.count }
  var isEmpty: Bool { held.isEmpty && loose.isEmpty }

  /// - Parameter registry: the loose models of the context; nil while it holds them.
  mutating func append(_ model: any PersistentModel, _ registry: LooseModels?) {
    if let registry { loose.append(registry.entry(of: model)) } else { held.append(model) }
  }

  mutating func prepend(_ earlier: PendingModels) {
    held = earlier.held + held
    loose = earlier.loose + loose
  }

  mutating func reserve(_ additional: Int) { held.reserveCapacity(held.count + additional) }

  mutating func removeAll(where isRemoved: (any PersistentModel) -> Bool) {
    held.removeAll(where: isRemoved)
    loose.removeAll { $0.model.map(isRemoved) ?? true }
  }

  mutating func removeFirst(_ count: Int) {
    let loosened = min(count, loose.count)
    loose.removeFirst(loosened)
    held.removeFirst(min(count - loosened, held.count))
  }

  /// Keeps the models that pass the test, each of them once.
  mutating func keepOnce(where isKept: (any PersistentModel) -> Bool) {
    var seen = Set<ObjectIdentifier>()
    removeAll { !isKept($0) || !seen.insert(ObjectIdentifier($0)).inserted }
  }

  mutating func letGo(_ registry: LooseModels) {
    loose += held.map(registry.entry(of:))
    held = []
  }
}

extension [any PersistentModel] {
  /// The models by class, classes and models in the order of appearance.
  ///
  /// - Parameter common: the class of all models, if it is known.
  func grouped(of common: ModelDefinition? = nil) -> [(definition: ModelDefinition, models: Self)] {
    guard let first else { return [] }
    let definition = common ?? type(of: first)._$definition
    if common != nil || allSatisfy({ type(of: $0)._$definition === definition }) { return [(definition, self)] }
    var groups: [(definition: ModelDefinition, models: Self)] = []
    var positions: [ObjectIdentifier: Int] = [:]
    for model in self {
      let definition = type(of: model)._$definition
      let position = positions[ObjectIdentifier(definition)] ?? groups.count
      if position == groups.count {
        positions[ObjectIdentifier(definition)] = position
        groups.append((definition, []))
      }
      groups[position].models.append(model)
    }
    return groups
  }
}
