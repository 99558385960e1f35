/// A set of property slots, which are small numbers.
package struct PropertySet: Sendable, Hashable {
  /// The slots below 64.
  private(set) var low: UInt64 = 0
  private var high: [UInt64] = []

  package init() {}

  package init(_ slot: Int) {
    insert(slot)
  }

  package init(_ slots: some Sequence<Int>) {
    for slot in slots { insert(slot) }
  }

  package var isEmpty: Bool { low == 0 && (high.isEmpty || high.allSatisfy { $0 == 0 }) }

  package func contains(_ slot: Int) -> Bool {
    if slot < 64 { return low & (1 << UInt64(slot)) != 0 }
    let word = slot / 64 - 1
    return word < high.count && high[word] & (1 << UInt64(slot % 64)) != 0
  }

  package mutating func insert(_ slot: Int) {
    if slot < 64 {
      low |= 1 << UInt64(slot)
    } else {
      let word = slot / 64 - 1
      while high.count <= word { high.append(0) }
      high[word] |= 1 << UInt64(slot % 64)
    }
  }

  package mutating func remove(_ slot: Int) {
    if slot < 64 {
      low &= ~(1 << UInt64(slot))
    } else if slot / 64 - 1 < high.count {
      high[slot / 64 - 1] &= ~(1 << UInt64(slot % 64))
    }
  }

  package func union(_ other: PropertySet) -> PropertySet {
    var union = self
    union.formUnion(other)
    return union
  }

  package mutating func formUnion(_ other: PropertySet) {
    low |= other.low
    guard !other.high.isEmpty else { return }
    for (word, bits) in other.high.enumerated() {
      if word < high.count { high[word] |= bits } else { high.append(bits) }
    }
  }

  package func intersection(_ other: PropertySet) -> PropertySet {
    var both = PropertySet()
    both.low = low & other.low
    if !high.isEmpty, !other.high.isEmpty { both.high = zip(high, other.high).map { $0 & $1 } }
    return both
  }

  package func intersects(_ other: PropertySet) -> Bool {
    if low & other.low != 0 { return true }
    return zip(high, other.high).contains { $0 & $1 != 0 }
  }

  package var count: Int { low.nonzeroBitCount + high.reduce(0) { $0 + $1.nonzeroBitCount } }

  /// Calls `body` for each member in ascending order.
  @inline(__always) package func forEach(_ body: (Int) -> Void) {
    Self.visit(low, from: 0, body)
    for (word, bits) in high.enumerated() { Self.visit(bits, from: 64 * (word + 1), body) }
  }

  @inline(__always) private static func visit(_ bits: UInt64, from first: Int, _ body: (Int) -> Void) {
    var rest = bits
    while rest != 0 {
      body(first + rest.trailingZeroBitCount)
      rest &= rest - 1
    }
  }

  /// The members in ascending order.
  package var slots: [Int] {
    var slots: [Int] = []
    forEach { slots.append($0) }
    return slots
  }
}
