import Foundation
public import Observation
import Synchronization

/// Counts what others save: other processes, and other containers over the same store.
///
///     let observer = try HistoryObserver(
///       observedModels: [LivingAccommodation.self], authors: ["widget"], modelContainer: container)
///     withObservationTracking { badge.number = observer.eventCounter } onChange: { … }
///
/// The counter grows by one for each transaction with a change of one of the models, or of one that inherits
/// from it, by one of the authors. What the observer's own container saves does not count. A commit by
/// somebody who records no history counts when neither models nor authors are named, or only models.
///
/// The process is woken when somebody commits; no data is read over and over.
public final class HistoryObserver: Observable, Sendable {
  private let registrar = ObservationRegistrar()
  private let models: Set<String>
  private let authors: Set<String>
  private let state = Mutex(State())
  private let core: ContainerCore
  private let isolation: WeakActor

  private struct State {
    var counter = 0
    /// By store: the last transaction that was judged.
    var judged: [String: Int64] = [:]
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
    core = modelContainer.core
    self.isolation = WeakActor(actor: isolation)
    // What has come until now is told of first.
    core.lookForNews()
    core.remoteListeners.add(self)
    core.startSignals()
    for news in core.remoteNews {
      guard let token = historyTokens?[news.store.identifier] as? DefaultHistoryToken else { continue }
      let count = judge(try news.transactions(after: token))
      state.withLock { $0.counter += count }
    }
  }

  /// How many transactions of others mattered so far.
  public var eventCounter: Int {
    registrar.access(self, keyPath: \.eventCounter)
    return state.withLock { $0.counter }
  }

  private func matters(_ transaction: RemoteNews.Transaction) -> Bool {
    if !authors.isEmpty {
      guard let author = transaction.author, authors.contains(author) else { return false }
    }
    return models.isEmpty || !transaction.isComplete || !models.isDisjoint(with: transaction.entities)
  }

  /// How many of the transactions matter that nobody has judged yet.
  private func judge(_ transactions: [RemoteNews.Transaction]) -> Int {
    state.withLock { state in
      transactions.count { transaction in
        guard let position = transaction.token[transaction.token.store],
          position > state.judged[transaction.token.store] ?? 0
        else { return false }
        state.judged[transaction.token.store] = position
        return matters(transaction)
      }
    }
  }

  /// Hears what others have saved, on any thread.
  func note(_ found: RemoteNews.Found) {
    var count = judge(found.transactions)
    if found.isGap, authors.isEmpty { count = 1 }
    guard count > 0 else { return }
    guard let actor = isolation.actor else { return add(count) }
    Task { await self.add(count, on: actor) }
  }

  private func add(_ count: Int, on actor: isolated any Actor) { add(count) }

  private func add(_ count: Int) {
    registrar.withMutation(of: self, keyPath: \.eventCounter) { state.withLock { $0.counter += count } }
  }
}
