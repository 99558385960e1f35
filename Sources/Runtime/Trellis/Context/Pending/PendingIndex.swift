/// The pending models of a context by entity and, once requested, by the value of an attribute.
///
/// A program that looks for a model by key before it inserts one asks about a few pending models
/// each time, however many wait to be saved. What the index says is checked against the model; what
/// it must never do is leave one out. It follows the growing list of models; who removes models from the list, or
/// changes values of pending models other than through their setters, drops the index.
final class PendingIndex {
  /// How many of the pending models are known.
  private var seen = 0
  /// By identity map.
  private var groups: [ObjectIdentifier: Group] = [:]

  /// Pending models of one identity map.
  final class Group {
    fileprivate(set) var models: [any PersistentModel] = []
    private var values: [AnyKeyPath: ValueTable] = [:]

    /// The models whose attribute may have the value; nil if that is unknown.
    func candidates(_ keyPath: AnyKeyPath, _ value: Any) -> [any PersistentModel]? {
      guard let key = ValueTable.key(value) else { return nil }
      return values[keyPath, default: ValueTable()].candidates(keyPath, key, among: models)
    }

    fileprivate func noteWrite(_ model: any PersistentModel, _ keyPath: AnyKeyPath) {
      values[keyPath]?.rewritten.append(model)
    }
  }

  /// Models by the value of one attribute, now or earlier.
  private struct ValueTable {
    private var models: [AnyHashable: [any PersistentModel]] = [:]
    private var seen = 0
    var rewritten: [any PersistentModel] = []

    static func key(_ value: Any) -> AnyHashable? {
      var value = value
      while let optional = value as? any OptionalValue, !optional.isNil,
        let wrapped = Mirror(reflecting: value).children.first?.value
      {
        value = wrapped
      }
      return value as? AnyHashable
    }

    mutating func candidates(
      _ keyPath: AnyKeyPath, _ key: AnyHashable, among all: [any PersistentModel]
    ) -> [any PersistentModel]? {
      for model in all[seen...] {
        guard enter(model, keyPath) else { return nil }
      }
      seen = all.count
      for model in rewritten { _ = enter(model, keyPath) }
      rewritten = []
      return models[key] ?? []
    }

    private mutating func enter(_ model: any PersistentModel, _ keyPath: AnyKeyPath) -> Bool {
      func read<M: PersistentModel>(_ model: M) -> Any? { model[keyPath: keyPath] }
      // A model of another class of the hierarchy does not have the attribute.
      guard let value = read(model) else { return true }
      guard let key = Self.key(value) else { return false }
      models[key, default: []].append(model)
      return true
    }
  }

  /// The pending models of an identity map; nil when there are none.
  func group(_ table: IdentityTable, _ pending: PendingChanges) -> Group? {
    let models = pending.models
    for model in models.dropFirst(seen) {
      guard let owner = model._$state.table else { continue }
      let key = owner._withUnsafeGuaranteedRef { ObjectIdentifier($0) }
      let group = groups[key] ?? Group()
      groups[key] = group
      group.models.append(model)
    }
    seen = models.count
    return groups[ObjectIdentifier(table)]
  }

  /// A property of a pending model is about to be written.
  func noteWrite(_ model: any PersistentModel, _ keyPath: AnyKeyPath) {
    guard let owner = model._$state.table else { return }
    owner._withUnsafeGuaranteedRef { groups[ObjectIdentifier($0)]?.noteWrite(model, keyPath) }
  }
}
