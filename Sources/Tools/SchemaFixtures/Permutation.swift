/// A permutation that depends only on a seed and a name.
struct Permutation {
  private let order: [Int]

  init(_ count: Int, seed: UInt64, of name: String) {
    var order = Array(0..<count)
    var state = Self.hash(name, seed)
    for last in stride(from: count - 1, to: 0, by: -1) {
      state = Self.next(state)
      order.swapAt(last, Int(state >> 33) % (last + 1))
    }
    self.order = order
  }

  subscript(place: Int) -> Int { order[place] }

  /// Returns a pseudorandom number with 32 hexadecimal digits.
  static func number(of name: String, seed: UInt64) -> String {
    let first = hash(name, seed)
    return [first, next(first)].map { word in
      let digits = String(word, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }

  private static func hash(_ name: String, _ seed: UInt64) -> UInt64 {
    next(name.utf8.reduce(seed ^ 0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 })
  }

  private static func next(_ state: UInt64) -> UInt64 {
    var state = state &+ 0x9e37_79b9_7f4a_7c15
    state = (state ^ (state >> 30)) &* 0xbf58_476d_1ce4_e5b9
    state = (state ^ (state >> 27)) &* 0x94d0_49bb_1331_11eb
    return state ^ (state >> 31)
  }
}
