/// Notifications that observers get after an operation is complete.
///
/// Observers run any code of the program: they read, write, save and roll back. During a save, they could write to models
/// whose values are already sent to the store or will be replaced, and lose their changes. So a save, a rollback, an undo
/// step and the reading of external commits change their models first and notify afterwards.
struct HeldNotifications {
  private var entries: [(model: any PersistentModel, property: ModelProperty)] = []
  private var known = Set<Key>()

  private struct Key: Hashable {
    let model: ObjectIdentifier
    let property: String
  }

  mutating func add(_ model: any PersistentModel, _ property: ModelProperty) {
    guard known.insert(Key(model: ObjectIdentifier(model), property: property.name)).inserted else {
      return
    }
    entries.append((model, property))
  }

  /// Tells the observers, in the order of the changes.
  func send() {
    for (model, property) in entries {
      guard let registrar = model._$state.side?.registrar,
        let keyPath = property.accessedKeyPath as? any ObservableKeyPath
      else { continue }
      keyPath.notify(registrar, .willSet, of: model)
      keyPath.notify(registrar, .didSet, of: model)
    }
  }
}

extension ModelContext {
  /// Runs what changes models as a whole, and tells their observers when it is done or has failed.
  ///
  /// What runs inside of another such call is a part of that one.
  func holdingNotifications<Result>(_ body: () throws -> Result) rethrows -> Result {
    guard state.held == nil else { return try body() }
    state.held = HeldNotifications()
    defer {
      let notifications = state.held
      state.held = nil
      notifications?.send()
    }
    return try body()
  }
}
