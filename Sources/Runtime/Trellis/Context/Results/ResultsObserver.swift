public import Foundation
public import Observation

/// A fetch result that is updated automatically after relevant changes.
///
/// ```swift
/// let observer = try ResultsObserver(
///   filterBy: #Predicate<Trip> { $0.destination == "Oslo" }, sortBy: [SortDescriptor(\.startDate)],
///   modelContext: context)
/// withObservationTracking {
///   print(observer.results.map(\.name))
/// } onChange: {
///   print("the results are about to change")
/// }
/// for await change in observer.changes { print(change.difference.inserted.count, "new") }
/// ```
///
/// The loop waits for further changes until its task is canceled. The type of an observer with no sections is
/// `ResultsObserver<Trip, Never>`, and the type of an observer with `sectionBy` is `ResultsObserver<Trip, String>`.
///
/// The observer follows saves by all contexts of the container and, unless the descriptor excludes them, unsaved
/// changes in its own context. It ignores changes that cannot affect the result, such as changes to unrelated entities
/// or to properties that the predicate, sort order and sections do not read.
///
/// An observer belongs to the isolation in which it was created, as does the context. It updates there, once for all
/// changes made in a single job of the actor. Code that runs on no actor calls ``update()`` or iterates over
/// ``changes``.
///
/// If an update fails, the observer keeps the last results and sets ``fetchError``. The next update fetches again.
///
/// ``changes`` and ``update()`` are not in SwiftData.
public final class ResultsObserver<Element: PersistentModel, SectionTitle: Hashable> {
  /// The observed context. An observer created with a container has a separate context.
  public let modelContext: ModelContext

  let registrar = ObservationRegistrar()
  var state: ResultsState<Element, SectionTitle>
  var descriptor: FetchDescriptor<Element>
  let sectioning: Sectioning<Element, SectionTitle>?
  var error: (any Error)?
  var dependencies: QueryDependencies
  /// True if changes since the last fetch may have altered the result.
  var isStale = false
  private(set) var waker: Waker?
  var listeners: [WeakListener<Element, SectionTitle>] = []
  /// Changed elements that have not been reported to listeners. Recorded only while there are listeners.
  var touched = Set<ObjectIdentifier>()
  /// True if the results differ from the last results reported to listeners.
  var hasNews = false
  /// True while ``update()`` runs, which prevents recursive updates.
  var isUpdating = false
  /// The number of fetches so far.
  package private(set) var fetchCount = 0

  init(
    _ descriptor: FetchDescriptor<Element>, _ sectioning: Sectioning<Element, SectionTitle>?,
    _ context: ModelContext, _ isolation: (any Actor)?
  ) throws {
    self.modelContext = context
    self.descriptor = descriptor
    self.sectioning = sectioning
    self.dependencies = QueryDependencies(
      of: descriptor, groupedBy: sectioning?.keyPath, schema: context.core.schema)
    self.state = ResultsState([], sectioning)
    let waker = Waker(self, on: isolation)
    self.waker = waker
    state = try fetched()
    context.add(self)
    context.mailbox.add(waker)
    context.core.startSignals()
  }

  deinit {
    if let waker { modelContext.mailbox.remove(waker) }
    modelContext.remove(self)
  }

  func fetched() throws -> ResultsState<Element, SectionTitle> {
    fetchCount += 1
    let request = sectioning?.ordering(descriptor) ?? descriptor
    return ResultsState(try modelContext.fetch(request), sectioning)
  }

  // MARK: results

  /// The matching models, in order. The collection is immutable; an update replaces it.
  public var results: FetchResultsCollection<Element> {
    registrar.access(self, keyPath: \.results)
    return state.results
  }

  /// The results grouped by title; `nil` if the observer has no `sectionBy`.
  ///
  /// As in SwiftData, the observer sorts by the section key path first, then by ``sortBy``. If ``sortBy`` starts with
  /// that key path, that sort order is used for the sections. In SwiftData, the property can also be set, but setting
  /// it has no effect.
  public var sections: SectionedResults<Element, SectionTitle>? {
    registrar.access(self, keyPath: \.sections)
    return state.sections
  }

  /// The last fetch's error, or `nil` if it succeeded. ``results`` then contains the last successful results.
  public var fetchError: (any Error)? {
    registrar.access(self, keyPath: \.fetchError)
    return error
  }

  /// Returns the element at an index path.
  ///
  /// ```swift
  /// let observer = try ResultsObserver(sectionBy: \Trip.destination, modelContext: context)
  /// let first = observer.element(at: [0, 0])
  /// print(first?.name ?? "no trips")
  /// ```
  ///
  /// - Parameter indexPath: The section number and the position in the section, both from 0. The section is 0 if there
  ///   is no `sectionBy`.
  /// - Returns: The element, or `nil` if the index path is out of range or does not have two components.
  public func element(at indexPath: IndexPath) -> Element? {
    registrar.access(self, keyPath: \.results)
    return state.element(at: indexPath)
  }

  /// Returns an element's section and position in the section.
  ///
  /// The time is proportional to the result count.
  ///
  /// ```swift
  /// let observer = try ResultsObserver(sectionBy: \Trip.destination, modelContext: context)
  /// if let selection = observer.indexPath(for: trip) {
  ///   print("section \(selection[0]), row \(selection[1])")
  /// }
  /// ```
  ///
  /// - Parameter element: A model from the observer's context, compared by identity.
  /// - Returns: The index path for ``element(at:)``, or `nil` if the model is not in the results.
  public func indexPath(for element: Element) -> IndexPath? {
    registrar.access(self, keyPath: \.results)
    return state.indexPath(for: element)
  }

  // MARK: fetch settings

  /// The fetch descriptor. Setting it fetches immediately; errors are stored in ``fetchError``.
  public var fetchDescriptor: FetchDescriptor<Element> {
    get {
      registrar.access(self, keyPath: \.fetchDescriptor)
      return descriptor
    }
    set {
      registrar.withMutation(of: self, keyPath: \.fetchDescriptor) { descriptor = newValue }
      ask()
    }
  }

  /// The predicate, or `nil` for all models. Setting it fetches immediately; errors are stored in ``fetchError``.
  ///
  /// ```swift
  /// let observer = try ResultsObserver(sortBy: [SortDescriptor(\Trip.name)], modelContext: context)
  /// observer.filterBy = #Predicate { $0.name.contains("fjord") }
  /// print(observer.results.map(\.name))  // trips with "fjord" in the name
  /// ```
  public var filterBy: Predicate<Element>? {
    get { fetchDescriptor.predicate }
    set { fetchDescriptor.predicate = newValue }
  }

  /// The sort order, most significant descriptor first. If there are sections, it applies within each section. Setting
  /// it fetches immediately; errors are stored in ``fetchError``.
  public var sortBy: [SortDescriptor<Element>] {
    get { fetchDescriptor.sortBy }
    set { fetchDescriptor.sortBy = newValue }
  }

  /// The key path that groups the results, or `nil`.
  public var sectionBy: PartialKeyPath<Element>? { sectioning?.keyPath }

  private func ask() {
    dependencies = QueryDependencies(
      of: descriptor, groupedBy: sectioning?.keyPath, schema: modelContext.core.schema)
    isStale = true
    update()
  }
}

extension ResultsObserver: Observable {}

@available(*, unavailable, message: "an observer belongs to the context's isolation")
extension ResultsObserver: Sendable {}

extension ResultsObserver: ContextWatcher {
  /// Processes pending changes and fetches again if they may have altered the results.
  ///
  /// The observer calls this function in its isolation. Call it in code that runs on no actor, or to apply a change
  /// before the actor's current job ends. If nothing relevant has changed, no fetch runs.
  ///
  /// ```swift
  /// let observer = try ResultsObserver<Trip, Never>(modelContext: context)
  /// context.insert(Trip(name: "Glaciers", destination: "Iceland", startDate: .now, endDate: .now + 604_800))
  /// observer.update()
  /// print(observer.results.contains { $0.name == "Glaciers" })  // true
  /// ```
  ///
  /// Errors are stored in ``fetchError``. Not in SwiftData.
  public func update() {
    guard !isUpdating else { return }
    isUpdating = true
    defer {
      isUpdating = false
      // If observers have made further changes, the next job handles them.
      if isStale { wake() }
    }
    do {
      try modelContext.readMailbox()
      // A failed fetch is retried at every update.
      if isStale || error != nil {
        isStale = false
        take(try fetched())
      }
      tell()
    } catch {
      isStale = false
      fail(with: error)
    }
  }

  func contextWillChange(_ model: any PersistentModel, _ change: ClassChange) {
    guard descriptor.includePendingChanges else { return }
    if !isStale, dependencies.areTouched(by: change) {
      isStale = true
      wake()
    }
    guard hasListeners, model is Element, touched.insert(ObjectIdentifier(model)).inserted else {
      return
    }
    wake()
  }

  func contextHasSeen(_ commit: Commit, isOwn: Bool) {
    if !isStale, dependencies.areTouched(by: commit) {
      isStale = true
      wake()
    }
    // The context's own changes have already been reported.
    guard hasListeners, !isOwn || !descriptor.includePendingChanges else { return }
    let before = touched.count
    for identifier in commit.updated {
      guard let model = modelContext.registered(identifier, Element._$definition) as? Element else {
        continue
      }
      touched.insert(ObjectIdentifier(model))
    }
    if touched.count > before { wake() }
  }

  private func wake() {
    if !isUpdating { waker?.wake() }
  }

  private func take(_ next: ResultsState<Element, SectionTitle>) {
    fail(with: nil)
    guard !next.isEqual(to: state) else { return }
    registrar.willSet(self, keyPath: \.results)
    if sectioning != nil { registrar.willSet(self, keyPath: \.sections) }
    state = next
    hasNews = true
    if sectioning != nil { registrar.didSet(self, keyPath: \.sections) }
    registrar.didSet(self, keyPath: \.results)
  }

  private func fail(with error: (any Error)?) {
    guard error != nil || self.error != nil else { return }
    registrar.withMutation(of: self, keyPath: \.fetchError) { self.error = error }
  }

  // MARK: listeners

  var hasListeners: Bool { !listeners.isEmpty }

  /// True if all iterations over ``changes`` are waiting.
  package var isAwaited: Bool {
    hasListeners && listeners.allSatisfy { $0.listener?.isWaiting ?? true }
  }

  func add(_ listener: ResultsListener<Element, SectionTitle>) {
    listeners.append(WeakListener(listener: listener))
    waker?.setSignal(listener.signal, of: listener)
  }

  func remove(_ listener: ResultsListener<Element, SectionTitle>) {
    waker?.setSignal(nil, of: listener)
    listeners.removeAll { $0.listener == nil || $0.listener === listener }
    if listeners.isEmpty { touched = [] }
  }

  /// Passes changed elements to all listeners and wakes them. Does nothing if nothing has changed: a woken listener
  /// calls ``update()`` first and would otherwise wake itself forever.
  private func tell() {
    guard hasListeners, hasNews || !touched.isEmpty else { return }
    hasNews = false
    for entry in listeners { entry.listener?.touched.formUnion(touched) }
    touched = []
    waker?.fire()
  }
}
