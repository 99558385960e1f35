/// A context's pending models by entity and, on request, by attribute value.
///
/// Makes lookups fast regardless of the number of pending models, for apps that search for a model by key before each
/// insertion. Candidates are checked against their current values, so the index may return too many models but must
/// never miss a match. The index follows the growing list of pending models. Code that removes models from the list, or
/// changes pending models' values by means other than their setters, must discard the index.
final class PendingIndex {
  /// The number of pending models that have been indexed.
  private var seen = 0
  /// Groups by identity map.
  private var groups: [ObjectIdentifier: Group] = [:]

  /// The pending models of a single identity map.
  final class Group {
    fileprivate(set) var models: [any PersistentModel] = []
    private var values: [AnyKeyPath: ValueTable] = [:]

    /// Returns the models whose attribute may have the value, or `nil` if the value cannot be looked up.
    func candidates(_ keyPath: AnyKeyPath, _ value: Any) -> [any PersistentModel]? {
      guard let key = ValueTable.key(value) else { return nil }
      return values[keyPath, default: ValueTable()].candidates(keyPath, key, among: models)
    }

    fileprivate func recordWrite(_ model: any PersistentModel, _ keyPath: AnyKeyPath) {
      values[keyPath]?.rewritten.append(model)
    }
  }

  /// Models by current or earlier values of an attribute.
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
      // Models of sibling classes lack the attribute.
      guard let value = read(model) else { return true }
      guard let key = Self.key(value) else { return false }
      models[key, default: []].append(model)
      return true
    }
  }

  /// Returns an identity map's pending models, or `nil` if there are none.
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

  /// Called before a pending model's property is written.
  func recordWrite(_ model: any PersistentModel, _ keyPath: AnyKeyPath) {
    guard let owner = model._$state.table else { return }
    owner._withUnsafeGuaranteedRef { groups[ObjectIdentifier($0)]?.recordWrite(model, keyPath) }
  }
}
