/// Observer notifications that are sent after an operation is complete.
///
/// Observers run arbitrary app code that may read, write, save and roll back. During a save, they could write to
/// models whose values have already been sent to the store or will be replaced, and those changes would be lost.
/// Therefore saves, rollbacks, undo steps and refreshes change all models first and notify afterwards.
struct HeldNotifications {
  private var entries: [(model: any PersistentModel, property: ModelProperty)] = []
  /// Property names by model.
  private var known: [ObjectIdentifier: Set<String>] = [:]

  mutating func add(_ model: any PersistentModel, _ property: ModelProperty) {
    guard known[ObjectIdentifier(model), default: []].insert(property.name).inserted else { return }
    entries.append((model, property))
  }

  /// Notifies the observers, in order of the changes.
  func send() {
    for (model, property) in entries { PropertyNotification.changed(model, property) }
  }
}

extension ModelContext {
  /// Runs an operation on several models, and notifies observers when it has ended or thrown an error.
  ///
  /// Nested calls are part of the outermost operation.
  func deferringNotifications<Result>(_ body: () throws -> Result) rethrows -> Result {
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
