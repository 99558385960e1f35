import Foundation
import Trellis

/// One requirement of contexts, with the code that checks it.
public struct ConformanceCheck: Sendable, CustomStringConvertible {
  /// A short description of the requirement.
  public let name: String
  /// The section of the article on custom stores that specifies the requirement.
  public let contract: ConformanceContract
  /// True if the store must be opened a second time.
  let needsReopening: Bool
  /// True if saves must be made to fail.
  let needsBreaking: Bool
  /// True if the store must conform to ``HistoryProviding``.
  let needsHistory: Bool
  /// The optional features that the check exercises. A store that declines one of them skips the check.
  let exercises: Set<ConformanceAllowance>
  let body: @Sendable (ConformanceStore) throws -> Void

  init(
    _ contract: ConformanceContract, _ name: String, needsReopening: Bool = false,
    needsBreaking: Bool = false, needsHistory: Bool = false, exercises: Set<ConformanceAllowance> = [],
    _ body: @escaping @Sendable (ConformanceStore) throws -> Void
  ) {
    self.name = name
    self.contract = contract
    self.needsReopening = needsReopening
    self.needsBreaking = needsBreaking
    self.needsHistory = needsHistory
    self.exercises = exercises
    self.body = body
  }

  public var description: String { name }

  /// All checks, in the order of the contract.
  public static let all: [ConformanceCheck] =
    opening + saving + references + fetching + answers + values + relationships + rules
    + hierarchies + uniqueness + deletion + contexts + failures + history
}

/// The parts of the contract between contexts and stores. They are the sections of the article on custom stores.
public enum ConformanceContract: String, Sendable, Hashable, CaseIterable {
  /// The contents of a store after it is opened.
  case opening = "Opening"
  /// The effects of a save.
  case saving = "Saving"
  /// The identifiers of new models and the references to them.
  case identifiers = "Identifiers"
  /// The results of fetches, their order and pages.
  case fetching = "Fetching"
  /// The preservation of values.
  case values = "Values"
  /// References, lists and delete rules.
  case relationships = "Relationships"
  /// Models whose class inherits from another model.
  case hierarchies = "Classes that inherit"
  /// Models with equal unique values.
  case uniqueness = "Unique values"
  /// The results of deletions and erasing.
  case deleting = "Deleting and erasing"
  /// Concurrent use of a store by contexts and threads.
  case contexts = "Contexts and threads"
  /// The state after a failed save.
  case failing = "Saves that fail"
  /// The transactions in the history of a store.
  case history = "History"

  /// The requirements of `DataStore` that the part concerns.
  public var symbols: String {
    switch self {
    case .opening: "DataStore.init(_:migrationPlan:), identifier"
    case .saving: "DataStore.save(_:)"
    case .identifiers: "DataStore.save(_:), DataStoreSaveChangesResult.remappedIdentifiers"
    case .fetching: "DataStore.fetch(_:), fetchCount(_:), fetchIdentifiers(_:)"
    case .values: "DataStore.save(_:), fetch(_:)"
    case .relationships:
      "DataStore.save(_:), DataStoreSnapshot.copy(persistentIdentifier:remappedIdentifiers:)"
    case .hierarchies: "DataStore.fetch(_:)"
    case .uniqueness: "DataStore.save(_:), enforcesUniqueConstraints"
    case .deleting: "DataStore.save(_:), DataStoreBatching.delete(_:), erase()"
    case .contexts: "DataStore.cachedSnapshots(for:editingState:), notifyExternalChange(_:)"
    case .failing: "DataStore.save(_:)"
    case .history: "HistoryProviding.fetchHistory(_:), deleteHistory(_:)"
    }
  }
}

/// A difference between the expected and the actual behaviour of a store.
public struct ConformanceFailure: Error, Sendable, CustomStringConvertible {
  /// The name of the check.
  public let check: String
  /// The operation that the store executed.
  public let operation: String
  /// The actual result.
  public let seen: String
  /// The expected result.
  public let expected: String
  /// The section of the contract.
  public let contract: ConformanceContract

  init(_ check: ConformanceCheck, _ operation: String, _ seen: String, _ expected: String) {
    self.check = check.name
    self.operation = operation
    self.seen = seen
    self.expected = expected
    contract = check.contract
  }

  public var description: String {
    """
    \(check): \(operation)
        seen:     \(seen)
        expected: \(expected)
        contract: "\(contract.rawValue)" in the article CustomStores; \(contract.symbols)
    """
  }
}

/// The result of one check.
public struct ConformanceResult: Sendable, CustomStringConvertible {
  /// The check.
  public let check: ConformanceCheck
  /// The failure; nil if the check passed or was skipped.
  public let failure: ConformanceFailure?
  /// The reason why the check was skipped; nil if it ran.
  public let skipped: String?

  /// The name of the check.
  public var name: String { check.name }

  public var description: String {
    if let failure { return "✘ \(failure)" }
    if let skipped { return "– \(name): not run, \(skipped)" }
    return "✔ \(name)"
  }
}
