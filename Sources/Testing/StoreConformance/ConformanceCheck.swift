import Foundation
import Trellis

/// One expectation of contexts and how it is tried.
public struct ConformanceCheck: Sendable, CustomStringConvertible {
  /// What the store is asked to do.
  public let name: String
  /// Under which heading of the article on custom stores the contract stands.
  public let contract: ConformanceContract
  /// Whether the store has to be opened a second time.
  let needsReopening: Bool
  /// Whether saves have to be made to fail.
  let needsBreaking: Bool
  /// Whether the store has to be ``HistoryProviding``.
  let needsHistory: Bool
  /// What a store that declines it need not pass.
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

  /// Every check, in the order of the contract.
  public static let all: [ConformanceCheck] =
    opening + saving + references + fetching + answers + values + relationships + rules
    + hierarchies + uniqueness + deletion + contexts + failures + history
}

/// The parts of what contexts expect of a store: the headings of the article on custom stores.
public enum ConformanceContract: String, Sendable, Hashable, CaseIterable {
  /// What a store has when it is opened.
  case opening = "Opening"
  /// What a save does and leaves alone.
  case saving = "Saving"
  /// How new models get identifiers, and references lead to them.
  case identifiers = "Identifiers"
  /// What questions find, in which order, on which page.
  case fetching = "Fetching"
  /// That values come back as they were saved.
  case values = "Values"
  /// References, lists and delete rules.
  case relationships = "Relationships"
  /// Models whose class inherits from another one.
  case hierarchies = "Classes that inherit"
  /// Models that share a unique value.
  case uniqueness = "Unique values"
  /// What deletions and erasing leave.
  case deleting = "Deleting and erasing"
  /// Contexts and threads that use a store at the same time.
  case contexts = "Contexts and threads"
  /// What a save leaves that did not succeed.
  case failing = "Saves that fail"
  /// What a store that keeps a history tells of its saves.
  case history = "History"

  /// The requirements it is about.
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

/// What a store did instead of what was expected of it.
public struct ConformanceFailure: Error, Sendable, CustomStringConvertible {
  /// The name of the check.
  public let check: String
  /// What the store was asked for.
  public let operation: String
  /// What came of it.
  public let seen: String
  /// What should have.
  public let expected: String
  /// Where the contract stands.
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

/// What one check found.
public struct ConformanceResult: Sendable, CustomStringConvertible {
  /// The check.
  public let check: ConformanceCheck
  /// What the store did instead; nil when it passed or was not asked.
  public let failure: ConformanceFailure?
  /// Why the check was not run; nil when it was.
  public let skipped: String?

  /// What the store was asked to do.
  public var name: String { check.name }

  public var description: String {
    if let failure { return "✘ \(failure)" }
    if let skipped { return "– \(name): not run, \(skipped)" }
    return "✔ \(name)"
  }
}
