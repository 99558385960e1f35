public import Foundation

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
        guard await listener.isSignalled(isolation: actor) else { return nil }
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
  /// Wakes the iteration, once for any number of reasons since it last waited.
  let signal: AsyncStream<Void>.Continuation
  private var signals: AsyncStream<Void>.Iterator
  private(set) var isWaiting = false
  /// The elements that have changed since the last change was taken.
  var touched = Set<ObjectIdentifier>()
  private var seen: ResultsState<Element, SectionTitle>

  init(_ observer: ResultsObserver<Element, SectionTitle>) {
    self.observer = observer
    self.seen = observer.state
    let (stream, signal) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    self.signal = signal
    signals = stream.makeAsyncIterator()
    observer.add(self)
  }

  deinit { observer.remove(self) }

  /// Waits for the next signal; false when the task is cancelled.
  func isSignalled(isolation actor: isolated (any Actor)?) async -> Bool {
    isWaiting = true
    defer { isWaiting = false }
    return await signals.next(isolation: actor) != nil
  }

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

/// How one result of a fetch differs from an earlier one. Not in SwiftData.
///
/// To turn the old result into the new one: remove what was deleted and what moves away, at the old
/// places, from the end; then insert what is new and what arrives, at the new places, from the start.
public struct ResultsDifference: Sendable, Equatable {
  /// Where an element is.
  public struct Place: Sendable, Hashable {
    /// The position in the results.
    public let index: Int
    /// The number of the section and the position in it; section 0 if there are no sections.
    public let indexPath: IndexPath
  }

  /// An element that was elsewhere relative to those that stayed, or in another section.
  public struct Move: Sendable, Hashable {
    /// The old place.
    public let from: Place
    /// The new place.
    public let to: Place
  }

  /// Old places of elements that are no longer there, in ascending order.
  public internal(set) var deleted: [Place] = []
  /// New places of elements that were not there, in ascending order.
  public internal(set) var inserted: [Place] = []
  /// In the order of the new places.
  public internal(set) var moved: [Move] = []
  /// New places of elements that were there before and have changed a property, moved ones included.
  public internal(set) var updated: [Place] = []
  /// Old numbers of sections whose title is gone.
  public internal(set) var deletedSections: [Int] = []
  /// New numbers of sections whose title was not there.
  public internal(set) var insertedSections: [Int] = []

  /// Whether both results hold the same elements in the same places, unchanged.
  public var isEmpty: Bool {
    deleted.isEmpty && inserted.isEmpty && moved.isEmpty && updated.isEmpty
      && deletedSections.isEmpty && insertedSections.isEmpty
  }
}

extension ResultsDifference {
  init<Element, Title>(
    from old: ResultsState<Element, Title>, to new: ResultsState<Element, Title>,
    touched: Set<ObjectIdentifier>
  ) {
    let before = old.positions
    let after = new.positions
    var oldIndices: [ObjectIdentifier: Int] = [:]
    for (index, model) in old.models.enumerated() { oldIndices[ObjectIdentifier(model)] = index }
    // Where each element of the new result was; those that keep their order need no move.
    var origins: [(old: Int, new: Int)] = []
    for (index, model) in new.models.enumerated() {
      let place = Place(index: index, indexPath: after[index].path)
      if let origin = oldIndices.removeValue(forKey: ObjectIdentifier(model)) {
        origins.append((origin, index))
        if touched.contains(ObjectIdentifier(model)) { updated.append(place) }
      } else {
        inserted.append(place)
      }
    }
    deleted = oldIndices.values.sorted().map { Place(index: $0, indexPath: before[$0].path) }
    // Who changes the section has to move; of the others as few as possible.
    let staying = origins.filter { before[$0.old].section == after[$0.new].section }
    let kept = Set(
      LongestIncreasing.members(of: staying.map(\.old)).map { staying[$0].new })
    moved = origins.filter { !kept.contains($0.new) }.map { origin in
      Move(
        from: Place(index: origin.old, indexPath: before[origin.old].path),
        to: Place(index: origin.new, indexPath: after[origin.new].path))
    }
    let (oldTitles, newTitles) = (old.sections?.sectionTitles ?? [], new.sections?.sectionTitles ?? [])
    let (oldSet, newSet) = (Set(oldTitles), Set(newTitles))
    deletedSections = oldTitles.indices.filter { !newSet.contains(oldTitles[$0]) }
    insertedSections = newTitles.indices.filter { !oldSet.contains(newTitles[$0]) }
  }
}

/// The longest increasing subsequence: the most elements that can stay where they are.
enum LongestIncreasing {
  /// The positions of its members. The values are distinct.
  static func members(of values: [Int]) -> Set<Int> {
    // tails[n]: the position of the smallest value that ends a subsequence of length n + 1.
    var tails: [Int] = []
    var previous = [Int](repeating: -1, count: values.count)
    for (position, value) in values.enumerated() {
      var (low, high) = (0, tails.count)
      while low < high {
        let middle = (low + high) / 2
        if values[tails[middle]] < value { low = middle + 1 } else { high = middle }
      }
      if low > 0 { previous[position] = tails[low - 1] }
      if low == tails.count { tails.append(position) } else { tails[low] = position }
    }
    var members = Set<Int>()
    var position = tails.last ?? -1
    while position >= 0 {
      members.insert(position)
      position = previous[position]
    }
    return members
  }
}
