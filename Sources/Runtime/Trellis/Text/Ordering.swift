extension Sequence {
  /// The elements in an order. Equal elements keep their order.
  ///
  /// `sorted(by:)` compiles a merge sort of several kilobytes for each type of element. This function sorts indices, so all
  /// callers share the sort. It is for short sequences: every comparison is a call.
  func ordered(by areInIncreasingOrder: (Element, Element) throws -> Bool) rethrows -> [Element] {
    let elements = Array(self)
    return try orderedIndices(elements.count) { try areInIncreasingOrder(elements[$0], elements[$1]) }
      .map { elements[$0] }
  }
}

/// Indices below a count, in the order of the elements they stand for.
@inline(never)
private func orderedIndices(_ count: Int, _ areInIncreasingOrder: (Int, Int) throws -> Bool) rethrows -> [Int] {
  try Array(0..<count).sorted(by: areInIncreasingOrder)
}
