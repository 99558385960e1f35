public import Foundation
public import Observation

/// A fetch result that is kept up to date: it is fetched again after relevant changes.
///
///     let observer = try ResultsObserver(
///       filterBy: #Predicate<Trip> { $0.budget > 1000 }, sortBy: [SortDescriptor(\.startDate)],
///       modelContext: context)
///     observer.results.count                       // tracked by withObservationTracking
///     for await change in observer.changes { … }   // what was inserted, deleted, moved, updated
///
/// It follows unsaved changes of its context (unless the descriptor excludes them), saves of that
/// context and of every other one of the container. A change it does not depend on (another entity,
/// a property that neither predicate, order nor sections read) does not make it fetch.
///
/// An observer belongs to the isolation it was made in, like its context, and is brought up to date
/// there: once for all that has happened in one job of the actor. Code without an actor calls
/// ``update()`` or iterates over ``changes``.
///
/// When fetching again fails, the last results stay and ``fetchError`` says why.
public final class ResultsObserver<Element: PersistentModel, SectionTitle: Hashable> {
  /// The context that is observed. An observer made from a container makes its own.
  public let modelContext: ModelContext

  let registrar = ObservationRegistrar()
  var state: ResultsState<Element, SectionTitle>
  var descriptor: FetchDescriptor<Element>
  let sectioning: Sectioning<Element, SectionTitle>?
  var error: (any Error)?
  var dependencies: QueryDependencies
  /// Whether something has changed since the last fetch that may have altered the answer.
  var isStale = false
  private(set) var waker: Waker?
  var listeners: [WeakListener<Element, SectionTitle>] = []
  /// The elements with changes that listeners do not know yet; kept only while there are listeners.
  var touched = Set<ObjectIdentifier>()
  /// True if the results differ from those that listeners know.
  var hasNews = false
  /// Whether ``update()`` is running, so that what it finds does not call for another one.
  var isUpdating = false
  /// How often the store was asked.
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

  // MARK: what there is

  /// The models that match, in order. The collection itself never changes; the next one replaces it.
  public var results: FetchResultsCollection<Element> {
    registrar.access(self, keyPath: \.results)
    return state.results
  }

  /// The results by title, each section in one piece; nil without `sectionBy`.
  ///
  /// The observer sorts by the key path of the sections first, as SwiftData does, then by ``sortBy``. Where
  /// ``sortBy`` itself begins with that key path, its order counts. In SwiftData the property can also be set,
  /// to no effect.
  public var sections: SectionedResults<Element, SectionTitle>? {
    registrar.access(self, keyPath: \.sections)
    return state.sections
  }

  /// Why the last fetch failed; nil when it did not. ``results`` are those of the last success.
  public var fetchError: (any Error)? {
    registrar.access(self, keyPath: \.fetchError)
    return error
  }

  /// The element at a section and a position in it; the section is 0 without `sectionBy`. Nil where
  /// there is none.
  public func element(at indexPath: IndexPath) -> Element? {
    registrar.access(self, keyPath: \.results)
    return state.element(at: indexPath)
  }

  /// The section of an element and its position there; nil for a model that is not among the results.
  public func indexPath(for element: Element) -> IndexPath? {
    registrar.access(self, keyPath: \.results)
    return state.indexPath(for: element)
  }

  // MARK: what is asked

  /// The fetch. Setting it fetches at once; a failure is kept in ``fetchError``.
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

  /// What the models must satisfy; nil for all of them. Setting it fetches at once.
  public var filterBy: Predicate<Element>? {
    get { fetchDescriptor.predicate }
    set { fetchDescriptor.predicate = newValue }
  }

  /// The order, the most important descriptor first; inside of each section where there are sections.
  /// Setting it fetches at once.
  public var sortBy: [SortDescriptor<Element>] {
    get { fetchDescriptor.sortBy }
    set { fetchDescriptor.sortBy = newValue }
  }

  /// What the results are grouped by; nil if there are no sections.
  public var sectionBy: PartialKeyPath<Element>? { sectioning?.keyPath }

  private func ask() {
    dependencies = QueryDependencies(
      of: descriptor, groupedBy: sectioning?.keyPath, schema: modelContext.core.schema)
    isStale = true
    update()
  }
}

extension ResultsObserver: Observable {}

@available(*, unavailable, message: "an observer belongs to the isolation of its context")
extension ResultsObserver: Sendable {}

extension ResultsObserver: ContextWatcher {
  /// Looks at what has happened since the last time, and fetches again if the answer may be another.
  ///
  /// The observer calls this on its own isolation. Call it where there is none, or to see the effect
  /// of a change before the running job of the actor is over.
  public func update() {
    guard !isUpdating else { return }
    isUpdating = true
    defer {
      isUpdating = false
      // Observers have changed something: that is for the next turn.
      if isStale { wake() }
    }
    do {
      try modelContext.readMailbox()
      // What failed is tried again whenever there is a reason to look.
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
    // What the context itself has changed was told when it changed.
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

  /// Whether every iteration over ``changes`` waits, and nothing runs until something happens.
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

  /// Hands the touched elements to every listener and wakes those who wait, if there is anything to tell: one
  /// who was woken looks here first, and would wake itself for ever.
  private func tell() {
    guard hasListeners, hasNews || !touched.isEmpty else { return }
    hasNews = false
    for entry in listeners { entry.listener?.touched.formUnion(touched) }
    touched = []
    waker?.fire()
  }
}
