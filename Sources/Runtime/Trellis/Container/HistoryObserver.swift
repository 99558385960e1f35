import Foundation
public import Observation
import Synchronization

/// Counts transactions of other processes, and of other containers over the same store.
///
///     let observer = try HistoryObserver(
///       observedModels: [LivingAccommodation.self], authors: ["widget"], modelContainer: container)
///     withObservationTracking { badge.number = observer.eventCounter } onChange: { … }
///
/// The counter increases by one for each transaction of one of the authors that changes one of the models or a derived
/// model. Saves of the observer's own container do not count. A commit of a program that records no history counts unless
/// authors are named.
///
/// A commit wakes the process; the observer does not poll the data.
public final class HistoryObserver: Observable, Sendable {
  /// The container whose stores are observed.
  public let modelContainer: ModelContainer
  /// The models that matter; empty for all.
  public let observedModels: [any PersistentModel.Type]

  private let registrar = ObservationRegistrar()
  private let models: Set<String>
  private let authors: Set<String>
  private let state = Mutex(State())
  private let isolation: WeakActor

  private struct State {
    var counter = 0
    /// By store: up to where a token, and what was read after it, have been counted. What comes later is told
    /// of once, in any order.
    var counted: [String: HistoryPosition] = [:]
    /// What is told before that is known; nil from then on.
    var early: [ExternalCommits]? = []
  }

  private struct WeakActor: @unchecked Sendable {  // never written
    weak var actor: (any Actor)?
  }

  /// Begins to observe.
  ///
  /// - Parameters:
  ///   - historyTokens: by identifier of the store, the positions from which on to count: what came after
  ///     them counts at once. Without one for a store, what comes from now on.
  ///   - observedModels: the models that matter; empty for all.
  ///   - authors: the authors that matter; empty for all, also those without a name.
  ///   - modelContainer: the container whose stores are observed; it is kept.
  ///   - isolation: where the counter changes; by default the isolation of the caller, without one any thread.
  /// - Throws: ``SwiftDataError/historyTokenExpired``; ``SwiftDataError/unknownSchema`` for a model the
  ///   container does not have; what reading the history throws.
  public init(
    historyTokens: [String: any HistoryToken]? = nil,
    observedModels: [any PersistentModel.Type] = [], authors: Set<String> = [],
    modelContainer: ModelContainer, isolation: isolated (any Actor)? = #isolation
  ) throws {
    let names = observedModels.map { $0._$definition.entityName }
    for name in names where modelContainer.schema.entitiesByName[name] == nil {
      throw SwiftDataError.unknownSchema.explained(
        "'\(name)' is not in the schema of the container; name it where the container is made")
    }
    models = Set(names)
    self.authors = authors
    self.modelContainer = modelContainer
    self.observedModels = observedModels
    let core = modelContainer.core
    self.isolation = WeakActor(actor: isolation)
    // Earlier commits are reported first.
    core.readExternalCommits()
    core.remoteListeners.withLock { $0[ObjectIdentifier(self)] = { [weak self] in self?.note($0) } }
    core.startSignals()
    // What has come before there were signals.
    core.readExternalCommits()
    for monitor in core.commitMonitors {
      let store = monitor.identifier
      guard let token = historyTokens?[store] as? DefaultHistoryToken else { continue }
      let transactions = try monitor.transactions(after: token)
      state.withLock { state in
        state.counter += transactions.count(where: matters)
        state.counted[store] = transactions.last?.token[store] ?? token[store]
      }
    }
    state.withLock { state in
      for found in state.early ?? [] { state.counter += count(found, state) }
      state.early = nil
    }
  }

  deinit { modelContainer.core.remoteListeners.withLock { $0[ObjectIdentifier(self)] = nil } }

  /// How many transactions of others mattered so far.
  public var eventCounter: Int {
    registrar.access(self, keyPath: \.eventCounter)
    return state.withLock { $0.counter }
  }

  private func matters(_ transaction: ExternalTransaction) -> Bool {
    if !authors.isEmpty {
      guard let author = transaction.author, authors.contains(author) else { return false }
    }
    return models.isEmpty || !transaction.isComplete || !models.isDisjoint(with: transaction.entities)
  }

  /// How many of the transactions matter that are not counted yet.
  private func count(_ found: ExternalCommits, _ state: State) -> Int {
    if found.isGap, authors.isEmpty { return 1 }
    return found.transactions.count { transaction in
      let counted = state.counted[transaction.token.storeIdentifier] ?? .beginning
      return transaction.position > counted && matters(transaction)
    }
  }

  /// Hears what others have saved, on any thread: of two threads the one that has looked first may come last.
  func note(_ found: ExternalCommits) {
    let news = state.withLock { state in
      state.early?.append(found)
      return state.early == nil ? count(found, state) : 0
    }
    guard news > 0 else { return }
    guard let actor = isolation.actor else { return add(news) }
    Task { await self.add(news, on: actor) }
  }

  private func add(_ count: Int, on actor: isolated any Actor) { add(count) }

  private func add(_ count: Int) {
    registrar.withMutation(of: self, keyPath: \.eventCounter) { state.withLock { $0.counter += count } }
  }
}
