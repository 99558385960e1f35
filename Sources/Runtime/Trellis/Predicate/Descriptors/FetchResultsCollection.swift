/// The result of a fetch in batches: elements are loaded when they are reached.
///
/// Belongs to the context that fetched it and stays in its isolation.
public struct FetchResultsCollection<Element> {
  private let pages: FetchedPages<Element>

  /// - Parameters:
  ///   - count: how many elements there are.
  ///   - batchSize: how many are loaded at a time; at least 1.
  ///   - load: gives exactly the elements of a range, in order.
  init(count: Int, batchSize: Int, load: @escaping (Range<Int>) -> [Element]) {
    pages = FetchedPages(count: count, batchSize: Swift.max(1, batchSize), load: load)
  }
}

extension FetchResultsCollection: RandomAccessCollection {
  /// Positions are counted from 0.
  public typealias Index = Int
  /// All positions.
  public typealias Indices = Range<Int>

  public var startIndex: Int { 0 }
  public var endIndex: Int { pages.count }

  /// The element at a position. Loads the batch it is in, if it is not one of the last ones used.
  public subscript(position: Int) -> Element {
    precondition(indices.contains(position), "index out of range")
    return pages.element(position)
  }
}

/// The batches of a collection that were used last.
private final class FetchedPages<Element> {
  let count: Int
  private let batchSize: Int
  private let load: (Range<Int>) -> [Element]
  /// The last one used is at the end.
  private var pages: [(number: Int, elements: [Element])] = []
  private static var kept: Int { 4 }

  init(count: Int, batchSize: Int, load: @escaping (Range<Int>) -> [Element]) {
    self.count = count
    self.batchSize = batchSize
    self.load = load
  }

  func element(_ position: Int) -> Element {
    let number = position / batchSize
    if let last = pages.last, last.number == number {
      return last.elements[position - number * batchSize]
    }
    let page: (number: Int, elements: [Element])
    if let known = pages.firstIndex(where: { $0.number == number }) {
      page = pages.remove(at: known)
    } else {
      let first = number * batchSize
      page = (number, load(first..<min(first + batchSize, count)))
      if pages.count == Self.kept { pages.removeFirst() }
    }
    pages.append(page)
    return page.elements[position - number * batchSize]
  }
}
