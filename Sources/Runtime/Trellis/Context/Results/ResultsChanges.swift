/// What has become of the results of an observed fetch since the last change. Not in SwiftData.
public struct ResultsChange<Element: PersistentModel> {
  /// The results now.
  public let results: FetchResultsCollection<Element>
  /// How they differ from those of the change before, or from those when the iteration began.
  public let difference: ResultsDifference
}

/// The changes of an observed fetch, for `for await`. Not in SwiftData.
///
/// Any number of iterations may run. Each one begins with the results at that time, and sees
/// everything that happens while its body runs as one change. It ends when its task is cancelled, and
/// keeps the observer alive until then.
public struct ResultsChanges<Element: PersistentModel, SectionTitle: Hashable>: AsyncSequence {
  let observer: ResultsObserver<Element, SectionTitle>

  /// Begins an iteration with the results as they are now.
  public func makeAsyncIterator() -> Iterator { Iterator(observer) }

  /// One iteration. Belongs to the isolation of the observer.
  public struct Iterator: AsyncIteratorProtocol {
    private let listener: ResultsListener<Element, SectionTitle>

    init(_ observer: ResultsObserver<Element, SectionTitle>) {
      listener = ResultsListener(observer)
    }

    /// The next change, in code without an actor; nil when the task is cancelled.
    public mutating func next() async -> ResultsChange<Element>? {
      await next(isolation: nil)
    }

    /// The next change; nil when the task is cancelled.
    ///
    /// - Parameter actor: the isolation of the observer. `for await` passes the caller's.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async -> ResultsChange<Element>? {
      let listener = listener
      while !Task.isCancelled {
        listener.observer.update()
        if let change = listener.take() { return change }
        await listener.signal.wait(isolation: actor)
      }
      return nil
    }
  }
}

extension ResultsObserver {
  /// The changes from now on: new results together with what was inserted, deleted, moved and updated.
  ///
  /// Iterate in the isolation of the observer.
  ///
  ///     for await change in observer.changes {
  ///       print(change.difference.inserted.map { change.results[$0.index].name })
  ///     }
  public var changes: ResultsChanges<Element, SectionTitle> { ResultsChanges(observer: self) }
}

/// One iteration over the changes of an observer.
final class ResultsListener<Element: PersistentModel, SectionTitle: Hashable> {
  let observer: ResultsObserver<Element, SectionTitle>
  let signal = Signal()
  /// The elements that have changed since the last change was taken.
  var touched = Set<ObjectIdentifier>()
  private var seen: ResultsState<Element, SectionTitle>

  init(_ observer: ResultsObserver<Element, SectionTitle>) {
    self.observer = observer
    self.seen = observer.state
    observer.add(self)
  }

  deinit { observer.remove(self) }

  /// What differs from what was taken last; nil when nothing does.
  func take() -> ResultsChange<Element>? {
    let now = observer.state
    if touched.isEmpty, seen.isEqual(to: now) { return nil }
    let difference = ResultsDifference(from: seen, to: now, touched: touched)
    touched = []
    seen = now
    return difference.isEmpty ? nil : ResultsChange(results: now.results, difference: difference)
  }
}

struct WeakListener<Element: PersistentModel, SectionTitle: Hashable> {
  weak var listener: ResultsListener<Element, SectionTitle>?
}
