import Foundation
public import Observation
import Synchronization

/// Counts relevant transactions saved by other processes and other containers.
///
/// ```swift
/// let observer = try HistoryObserver(
///   observedModels: [LivingAccommodation.self], authors: ["widget"], modelContainer: container)
/// withObservationTracking {
///   print("\(observer.eventCounter) bookings changed by the widget")
/// } onChange: { … }
/// ```
///
/// The counter increases by 1 for each transaction that was saved by an observed author and changes an observed model
/// or a subclass. Saves by the observer's own container do not count. Commits by processes that record no history
/// count only if `authors` is empty.
///
/// The observer is notified of commits and does not poll the data. To read the changes themselves, call
/// ``ModelHistory/changes(since:of:excludingAuthors:)``.
public final class HistoryObserver: Observable, Sendable {
  /// The container whose stores are observed.
  public let modelContainer: ModelContainer
  /// The observed models, or an empty array for all models.
  public let observedModels: [any PersistentModel.Type]

  private let registrar = ObservationRegistrar()
  private let models: Set<String>
  private let authors: Set<String>
  private let state = Mutex(State())
  private let isolation: WeakActor

  private struct State {
    var counter = 0
    /// The last counted position per store. Later transactions are each reported once, in any order.
    var counted: [String: HistoryPosition] = [:]
    /// Commits reported before the positions are known; `nil` afterwards.
    var early: [ExternalCommits]? = []
  }

  private struct WeakActor: @unchecked Sendable {  // never written
    weak var actor: (any Actor)?
  }

  /// Starts observing a container's stores.
  ///
  /// With a starting position, the observer also counts transactions that were saved while the app was not running.
  /// Store the token of the last transaction that the app has read:
  ///
  /// ```swift
  /// let token = try JSONDecoder().decode(DefaultHistoryToken.self, from: Data(contentsOf: url))
  /// let observer = try HistoryObserver(
  ///   historyTokens: [token.storeIdentifier: token], observedModels: [Trip.self], modelContainer: container)
  /// print(observer.eventCounter, "transactions while the app was not running")
  /// ```
  ///
  /// - Parameters:
  ///   - historyTokens: Starting positions by store identifier. Transactions after a position are counted immediately.
  ///     For a store that has no entry, only transactions saved from now on count. `nil` if there are no starting
  ///     positions.
  ///   - observedModels: The models to observe; empty for all.
  ///   - authors: The authors to count; empty for all, including transactions that have no author.
  ///   - modelContainer: The container to observe. The observer retains it.
  ///   - isolation: The actor on which the counter changes. Defaults to the caller's isolation; `nil` for any thread.
  /// - Throws: ``SwiftDataError/historyTokenExpired``; ``SwiftDataError/unknownSchema`` if the container lacks an
  ///   observed model; errors from reading the history.
  public init(
    historyTokens: [String: any HistoryToken]? = nil,
    observedModels: [any PersistentModel.Type] = [], authors: Set<String> = [],
    modelContainer: ModelContainer, isolation: isolated (any Actor)? = #isolation
  ) throws {
    let names = observedModels.map { $0._$definition.entityName }
    for name in names where modelContainer.schema.entitiesByName[name] == nil {
      throw SwiftDataError.unknownSchema.explained(
        "'\(name)' is not in the container's schema: add it when creating the container")
    }
    models = Set(names)
    self.authors = authors
    self.modelContainer = modelContainer
    self.observedModels = observedModels
    let core = modelContainer.core
    self.isolation = WeakActor(actor: isolation)
    // Earlier commits are reported before this observer starts listening.
    core.readExternalCommits()
    core.remoteListeners.withLock { $0[ObjectIdentifier(self)] = { [weak self] in self?.record($0) } }
    core.startSignals()
    // Commits made before the signals were started.
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

  /// The number of external transactions counted so far.
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

  /// Returns the number of relevant transactions that have not been counted yet.
  private func count(_ found: ExternalCommits, _ state: State) -> Int {
    if found.isGap, authors.isEmpty { return 1 }
    return found.transactions.count { transaction in
      let counted = state.counted[transaction.token.storeIdentifier] ?? .beginning
      return transaction.position > counted && matters(transaction)
    }
  }

  /// Counts external commits. Called on any thread; reports from concurrent readers may arrive out of order.
  func record(_ found: ExternalCommits) {
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
