/// The relationships and attributes that a store failed to read, and that the program saw as empty.
///
/// What a program computes from an empty list may be wrong, so no save passes until the property was read, or
/// ``ModelContext/rollback()`` was called.
struct FailedReads {
  private struct Key: Hashable {
    let model: PersistentIdentifier
    let property: String
  }

  /// The failures, each with the value of ``count`` when it was first noted.
  private var failures: [Key: (violation: SwiftDataError.Violation, number: Int)] = [:]
  /// How many failures were noted, and the error of the last one.
  private(set) var count = 0
  private var lastError: (any Error)?

  var isEmpty: Bool { failures.isEmpty }

  mutating func note(_ model: PersistentIdentifier, _ property: String, _ error: any Error) {
    count += 1
    lastError = error
    let key = Key(model: model, property: property)
    let violation = SwiftDataError.Violation(
      model: model, properties: [property], rule: .unreadable,
      reason: "could not be read, and was empty for the program: \(error)")
    failures[key] = (violation, failures[key]?.number ?? count)
  }

  mutating func remove(_ model: PersistentIdentifier, _ property: String) {
    failures[Key(model: model, property: property)] = nil
  }

  mutating func removeAll() { failures = [:] }

  /// Removes the failures that were noted after ``count`` had a value.
  ///
  /// - Throws: the error of the last one.
  mutating func refuse(after count: Int) throws {
    guard self.count != count, let lastError else { return }
    failures = failures.filter { $0.value.number <= count }
    throw lastError
  }

  /// - Throws: ``SwiftDataError/failedRead`` with every failure.
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
  /// - Throws: The error of a value that could not be read, otherwise that of the query. The program has not seen the value,
  ///   so the failure does not keep saves from passing.
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

  /// Reports a relationship that reads as empty because its store failed, and keeps saves from passing.
  func noteFailedRead(of model: PersistentIdentifier, _ property: String, _ error: any Error) {
    state.failedReads.note(model, property, error)
    ModelIssue.unreadableRelationship(model, property: property, reason: "\(error)").report()
  }

  /// Reports attributes that keep their default values because the store failed to read them.
  func noteFailedRead(of model: any PersistentModel, _ missing: MissingColumns, _ error: any Error) {
    for name in missing.names(in: type(of: model)._$definition) {
      state.failedReads.note(model._$identifier, name, error)
    }
    ModelIssue.unreadableModels(model._$identifier, count: 1, reason: "\(error)").report()
  }

  /// - Parameter names: the properties that the store has read.
  func noteRead(of model: any PersistentModel, _ names: @autoclosure () -> [String]) {
    guard !state.failedReads.isEmpty else { return }
    for name in names() { state.failedReads.remove(model._$identifier, name) }
  }
}
