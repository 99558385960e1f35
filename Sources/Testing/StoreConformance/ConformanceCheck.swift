import Foundation
import Trellis

/// A requirement that contexts impose on stores, with the code that checks it.
///
/// While a store is incomplete, run the checks of a single section:
///
/// ```swift
/// import StoreConformance
///
/// let suite = StoreConformance { MyConfiguration(url: .temporaryDirectory.appending(path: "\(UUID()).mine")) }
/// for check in ConformanceCheck.all where check.contract == .saving {
///   print(suite.result(of: check))
/// }
/// ```
public struct ConformanceCheck: Sendable, CustomStringConvertible {
  /// The requirement in a few words, for example `is empty when new`.
  public let name: String
  /// The section in the article on custom stores that specifies the requirement.
  public let contract: ConformanceContract
  /// True if the check reopens the store.
  let needsReopening: Bool
  /// True if the check needs saves to fail on demand.
  let needsBreaking: Bool
  /// True if the store must conform to ``HistoryProviding``.
  let needsHistory: Bool
  /// The optional features that the check exercises. The check is skipped if the store declines any of them.
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

  /// All checks, in contract order.
  public static let all: [ConformanceCheck] =
    opening + saving + references + fetching + answers + values + relationships + rules
    + hierarchies + uniqueness + deletion + contexts + failures + history
}

/// The sections of the contract between contexts and stores, as in the article on custom stores.
///
/// ```swift
/// import StoreConformance
///
/// let suite = StoreConformance { MyConfiguration(url: .temporaryDirectory.appending(path: "\(UUID()).mine")) }
/// let failures = Dictionary(grouping: suite.run().compactMap(\.failure), by: \.contract)
/// for section in ConformanceContract.allCases {
///   print(section.rawValue, failures[section]?.count ?? 0)
/// }
/// ```
public enum ConformanceContract: String, Sendable, Hashable, CaseIterable {
  /// A store's contents after it is opened.
  case opening = "Opening"
  /// The effects of a save.
  case saving = "Saving"
  /// Identifiers for new models, and references to them.
  case identifiers = "Identifiers"
  /// Fetch results, their order and pages.
  case fetching = "Fetching"
  /// Values, which must be preserved exactly.
  case values = "Values"
  /// References, lists and delete rules.
  case relationships = "Relationships"
  /// Models whose class inherits from another model.
  case hierarchies = "Classes that inherit"
  /// Models with equal unique values.
  case uniqueness = "Unique values"
  /// The effects of deletions and of erasing the store.
  case deleting = "Deleting and erasing"
  /// Concurrent use by several contexts and threads.
  case contexts = "Contexts and threads"
  /// The state after a failed save.
  case failing = "Saves that fail"
  /// The transactions in a store's history.
  case history = "History"

  /// The `DataStore` requirements that the section covers.
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

/// A difference between a store's expected and actual behavior.
///
/// The description contains all properties and the `DataStore` requirements that the contract section covers.
///
/// ```swift
/// import StoreConformance
///
/// let suite = StoreConformance { MyConfiguration(url: .temporaryDirectory.appending(path: "\(UUID()).mine")) }
/// for failure in suite.run().compactMap(\.failure) {
///   print("\(failure.operation): \(failure.seen) instead of \(failure.expected)")
/// }
/// ```
public struct ConformanceFailure: Error, Sendable, CustomStringConvertible {
  /// The check's name.
  public let check: String
  /// The operation that the store executed, for example `fetchCount without predicate`.
  public let operation: String
  /// The actual result.
  public let seen: String
  /// The expected result.
  public let expected: String
  /// The contract section.
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

/// The result of running a check.
///
/// The description starts with `✔`, `✘` or `–`, for a check that passed, failed or was skipped.
///
/// ```swift
/// import StoreConformance
///
/// let suite = StoreConformance { MyConfiguration(url: .temporaryDirectory.appending(path: "\(UUID()).mine")) }
/// for result in suite.run() {
///   if let reason = result.skipped { print("\(result.name) not run: \(reason)") }
/// }
/// ```
public struct ConformanceResult: Sendable, CustomStringConvertible {
  /// The check.
  public let check: ConformanceCheck
  /// The failure; `nil` if the check passed or was skipped.
  public let failure: ConformanceFailure?
  /// The reason why the check was skipped; `nil` if the check ran.
  public let skipped: String?

  /// The check's name.
  public var name: String { check.name }

  public var description: String {
    if let failure { return "✘ \(failure)" }
    if let skipped { return "– \(name): not run, \(skipped)" }
    return "✔ \(name)"
  }
}
