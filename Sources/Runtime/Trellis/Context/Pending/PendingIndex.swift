/// The pending models of a context by entity and, once requested, by the value of an attribute.
///
/// A program that looks for a model by key before it inserts one asks about a few pending models
/// each time, however many wait to be saved. What the index says is checked against the model; what
/// it must never do is leave one out. It follows the lists it is made of and notices when something
/// was taken out of them; who changes the values of pending models other than through their setters
/// drops it.
final class PendingIndex {
  private var insertions = Cursor()
  private var updates = Cursor()
  private var deletions = Cursor()
  /// By identity map.
  private var groups: [ObjectIdentifier: Group] = [:]

  /// What of a growing list has been seen.
  private struct Cursor {
    private var seen = 0
    private var last: ObjectIdentifier?

    /// The rest of the list; nil when it is not the list that was seen.
    mutating func rest(
      of list: [any PersistentModel]
    ) -> ArraySlice<any PersistentModel>? {
      guard seen <= list.count, seen == 0 || ObjectIdentifier(list[seen - 1]) == last else {
        return nil
      }
      defer {
        seen = list.count
        last = list.last.map(ObjectIdentifier.init)
      }
      return list[seen...]
    }
  }

  /// Pending models of one identity map.
  final class Group {
    fileprivate(set) var models: [any PersistentModel] = []
    fileprivate(set) var hasDeletions = false
    private var values: [AnyKeyPath: ValueTable] = [:]

    /// The inserted and changed models whose attribute may have the value; nil if that is unknown.
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
    if !follow(pending) {
      groups = [:]
      insertions = Cursor()
      updates = Cursor()
      deletions = Cursor()
      _ = follow(pending)
    }
    return groups[ObjectIdentifier(table)]
  }

  /// A property of a pending model is about to be written.
  func noteWrite(_ model: any PersistentModel, _ keyPath: AnyKeyPath) {
    guard let owner = model._$state.table else { return }
    owner._withUnsafeGuaranteedRef { groups[ObjectIdentifier($0)]?.noteWrite(model, keyPath) }
  }

  private func follow(_ pending: PendingChanges) -> Bool {
    guard let inserted = insertions.rest(of: pending.insertions.models),
      let updated = updates.rest(of: pending.updates.models),
      let deleted = deletions.rest(of: pending.deletions.models)
    else { return false }
    for model in inserted { group(of: model)?.models.append(model) }
    for model in updated { group(of: model)?.models.append(model) }
    for model in deleted { group(of: model)?.hasDeletions = true }
    return true
  }

  private func group(of model: any PersistentModel) -> Group? {
    guard let owner = model._$state.table else { return nil }
    return owner._withUnsafeGuaranteedRef { table in
      let key = ObjectIdentifier(table)
      if let group = groups[key] { return group }
      let group = Group()
      groups[key] = group
      return group
    }
  }
}
