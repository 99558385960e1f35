public import Foundation

/// A change to an observed fetch's results.
///
/// ```swift
/// let observer = try ResultsObserver(sortBy: [SortDescriptor(\Trip.startDate)], modelContext: context)
/// for await change in observer.changes {
///   print("\(change.results.count) trips, \(change.difference.inserted.count) of them new")
/// }
/// ```
///
/// ``difference`` contains positions in ``results`` and in the previous results. Not in SwiftData.
public struct ResultsChange<Element: PersistentModel> {
  /// The current results.
  public let results: FetchResultsCollection<Element>
  /// The difference from the previous change, or from the results at the start of the iteration.
  public let difference: ResultsDifference
}

/// An asynchronous sequence of an observed fetch's changes, for `for await`.
///
/// Any number of iterations may run concurrently. The first element of an iteration is the first change after its
/// start; the results at the start are not an element. Changes made while the loop body runs are combined into a
/// single element. An iteration ends when the task is canceled; until then it retains the observer.
///
/// ```swift
/// let task = Task { @MainActor in
///   let observer = try ResultsObserver<Trip, Never>(modelContainer: container)
///   print(observer.results.count)  // the results at the start
///   for await change in observer.changes { print(change.results.count) }
/// }
/// // Later, for example when the window closes:
/// task.cancel()  // ends the loop and releases the observer
/// ```
///
/// Not in SwiftData.
public struct ResultsChanges<Element: PersistentModel, SectionTitle: Hashable>: AsyncSequence {
  let observer: ResultsObserver<Element, SectionTitle>

  /// Creates an iterator that returns all changes from the current results on.
  public func makeAsyncIterator() -> Iterator { Iterator(observer) }

  /// An iterator over result changes.
  ///
  /// A `for await` loop creates an iterator. Create one directly to wait for a single change, for example in a test:
  ///
  /// ```swift
  /// let observer = try ResultsObserver<Trip, Never>(modelContext: context)
  /// var changes = observer.changes.makeAsyncIterator()
  /// context.insert(Trip(name: "Glaciers", destination: "Iceland", startDate: .now, endDate: .now + 604_800))
  /// let change = await changes.next()
  /// print(change?.difference.inserted.count ?? 0)  // 1
  /// ```
  ///
  /// Use an iterator in the observer's isolation.
  public struct Iterator: AsyncIteratorProtocol {
    private let listener: ResultsListener<Element, SectionTitle>

    init(_ observer: ResultsObserver<Element, SectionTitle>) {
      listener = ResultsListener(observer)
    }

    /// Waits for the next change in code that runs on no actor.
    ///
    /// - Returns: The change, or `nil` if the task was canceled.
    public mutating func next() async -> ResultsChange<Element>? {
      await next(isolation: nil)
    }

    /// Waits for the next change in an actor's isolation.
    ///
    /// - Parameter actor: The observer's isolation; `nil` for code that runs on no actor. `for await` passes the
    ///   caller's isolation.
    /// - Returns: The change, or `nil` if the task was canceled.
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
  /// The changes from now on: the new results and the inserted, deleted, moved and updated elements.
  ///
  /// Iterate in the observer's isolation.
  ///
  /// ```swift
  /// let observer = try ResultsObserver<Trip, Never>(modelContext: context)
  /// for await change in observer.changes {
  ///   for place in change.difference.inserted { print("new:", change.results[place.index].name) }
  /// }
  /// ```
  ///
  /// Not in SwiftData.
  public var changes: ResultsChanges<Element, SectionTitle> { ResultsChanges(observer: self) }
}

/// The state of a single iteration over an observer's changes.
final class ResultsListener<Element: PersistentModel, SectionTitle: Hashable> {
  let observer: ResultsObserver<Element, SectionTitle>
  /// Wakes the iteration. Signals sent between two waits are combined.
  let signal: AsyncStream<Void>.Continuation
  private var signals: AsyncStream<Void>.Iterator
  private(set) var isWaiting = false
  /// Elements changed since the last change was returned.
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

  /// Waits for the next signal. Returns false if the task was canceled.
  func isSignalled(isolation actor: isolated (any Actor)?) async -> Bool {
    isWaiting = true
    defer { isWaiting = false }
    return await signals.next(isolation: actor) != nil
  }

  /// Returns the difference from the last returned results, or `nil` if they are equal.
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

/// The difference between two results of a fetch, for updating a table or list.
///
/// To transform the old results into the new ones, first remove deleted and moved elements at the old places, from the
/// end. Then insert new and moved elements at the new places, from the start. Finally, reload updated elements.
///
/// ```swift
/// let observer = try ResultsObserver(sortBy: [SortDescriptor(\Trip.name)], modelContext: context)
/// var rows = observer.results.map(\.name)
/// for await change in observer.changes {
///   let (new, difference) = (change.results, change.difference)
///   let removed = (difference.deleted + difference.moved.map(\.from)).map(\.index)
///   for index in removed.sorted(by: >) { rows.remove(at: index) }
///   let added = (difference.inserted + difference.moved.map(\.to)).map(\.index)
///   for index in added.sorted() { rows.insert(new[index].name, at: index) }
///   for place in difference.updated { rows[place.index] = new[place.index].name }
/// }
/// ```
///
/// Not in SwiftData.
public struct ResultsDifference: Sendable, Equatable {
  /// An element's position in the results and sections.
  ///
  /// ```swift
  /// let observer = try ResultsObserver(sectionBy: \Trip.destination, modelContext: context)
  /// for await change in observer.changes {
  ///   for place in change.difference.updated {
  ///     print(place.index, place.indexPath)  // 7 [2, 0], for the first trip in the third section
  ///   }
  /// }
  /// ```
  public struct Place: Sendable, Hashable {
    /// The position in the results.
    public let index: Int
    /// The section number and the position in the section, both from 0; the section is 0 for ungrouped results.
    public let indexPath: IndexPath
  }

  /// An element that moved relative to the remaining elements, or to a different section.
  ///
  /// A difference contains the smallest number of moves that explains the new order.
  ///
  /// ```swift
  /// let observer = try ResultsObserver(sortBy: [SortDescriptor(\Trip.startDate)], modelContext: context)
  /// for await change in observer.changes {
  ///   for move in change.difference.moved {
  ///     print("\(change.results[move.to.index].name): \(move.from.index) → \(move.to.index)")
  ///   }
  /// }
  /// ```
  public struct Move: Sendable, Hashable {
    /// The old place.
    public let from: Place
    /// The new place.
    public let to: Place
  }

  /// Old places of deleted elements, in ascending order.
  public internal(set) var deleted: [Place] = []
  /// New places of inserted elements, in ascending order.
  public internal(set) var inserted: [Place] = []
  /// Moved elements, in order of their new places.
  public internal(set) var moved: [Move] = []
  /// New places of existing elements with changed properties, including moved elements.
  public internal(set) var updated: [Place] = []
  /// Old numbers of deleted sections, in ascending order.
  public internal(set) var deletedSections: [Int] = []
  /// New numbers of inserted sections, in ascending order.
  public internal(set) var insertedSections: [Int] = []

  /// True if both results contain the same unchanged elements in the same places.
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
    // The old and new positions of retained elements. Elements in unchanged relative order are not moved.
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
    // Elements that change sections must move. As few of the remaining elements as possible are moved.
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

/// Finds the longest increasing subsequence, the largest set of elements that need not move.
enum LongestIncreasing {
  /// Returns the positions of the subsequence's elements. The values must be distinct.
  static func members(of values: [Int]) -> Set<Int> {
    // tails[n]: position of the smallest value that ends a subsequence with length n + 1.
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
