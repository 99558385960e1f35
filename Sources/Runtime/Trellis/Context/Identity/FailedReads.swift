/// Relationships and attributes that a store failed to read and that therefore appeared empty.
///
/// Values that the app computes from an empty list may be wrong. Therefore saves fail until the property has been read
/// or ``ModelContext/rollback()`` is called.
struct FailedReads {
  private struct Key: Hashable {
    let model: PersistentIdentifier
    let property: String
  }

  /// The failures, each with the value of ``count`` when first recorded.
  private var failures: [Key: (violation: SwiftDataError.Violation, number: Int)] = [:]
  /// The number of failures recorded so far.
  private(set) var count = 0
  private var lastError: (any Error)?

  var isEmpty: Bool { failures.isEmpty }

  mutating func record(_ model: PersistentIdentifier, _ property: String, _ error: any Error) {
    count += 1
    lastError = error
    let key = Key(model: model, property: property)
    let violation = SwiftDataError.Violation(
      model: model, properties: [property], rule: .unreadable,
      reason: "could not be read and appeared empty: \(error)")
    failures[key] = (violation, failures[key]?.number ?? count)
  }

  mutating func remove(_ model: PersistentIdentifier, _ property: String) {
    failures[Key(model: model, property: property)] = nil
  }

  mutating func removeAll() { failures = [:] }

  /// Removes failures recorded after ``count`` had the given value.
  ///
  /// - Throws: The last failure's error.
  mutating func refuse(after count: Int) throws {
    guard self.count != count, let lastError else { return }
    failures = failures.filter { $0.value.number <= count }
    throw lastError
  }

  /// - Throws: ``SwiftDataError/failedRead`` with all failures.
  func check() throws {
    guard !failures.isEmpty else { return }
    throw SwiftDataError.failedRead.explained(
      "read the properties again, or roll back: values computed from them may be wrong"
    ).listing(failures.values.map(\.violation).sorted { "\($0)" < "\($1)" })
  }
}

extension ModelContext {
  /// Runs a query in memory.
  ///
  /// - Throws: The read error if a value was unreadable, otherwise the query's error. The failure does not block saves,
  ///   because the app has not seen the value.
  func refusingUnreadValues<Result>(_ body: () throws -> Result) throws -> Result {
    let count = state.failedReads.count
    do {
      let result = try body()
      try state.failedReads.refuse(after: count)
      return result
    } catch {
      try state.failedReads.refuse(after: count)
      throw error
    }
  }

  /// Reports a relationship that appears empty because the store failed, and blocks saves.
  func recordFailedRead(of model: PersistentIdentifier, _ property: String, _ error: any Error) {
    state.failedReads.record(model, property, error)
    ModelIssue.unreadableRelationship(model, property: property, reason: "\(error)").report()
  }

  /// Reports attributes that have default values because the store failed to read them.
  func recordFailedRead(of model: any PersistentModel, _ missing: MissingColumns, _ error: any Error) {
    for name in missing.names(in: type(of: model)._$definition) {
      state.failedReads.record(model._$identifier, name, error)
    }
    ModelIssue.unreadableModels(model._$identifier, count: 1, reason: "\(error)").report()
  }

  /// Removes the recorded failures of properties that have now been read.
  ///
  /// - Parameter names: The properties read from the store.
  func recordRead(of model: any PersistentModel, _ names: @autoclosure () -> [String]) {
    guard !state.failedReads.isEmpty else { return }
    for name in names() { state.failedReads.remove(model._$identifier, name) }
  }
}
