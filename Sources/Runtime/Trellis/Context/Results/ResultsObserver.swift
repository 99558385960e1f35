public import Foundation
public import Observation

/// The result of a fetch that stays right: it is fetched again when something it depends on changes.
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

  /// What the results are grouped by; nil without sections.
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
