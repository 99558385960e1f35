import Foundation

@testable import Trellis

/// The values of which random rows and predicates are made: mostly the awkward ones.
enum Pool {
  static let texts = [
    "", "a", "A", "b", "ab", "é", "e\u{301}", "e", "\u{301}", "K", "\u{212A}", "k", "a\r\nb",
    "\r\n",
    "\n", "\r", "👨‍👩‍👧", "👨", "\u{200D}", "ﬁ", "fi", "a%b", "_", "x'\"\\", "a\u{0}b", "\u{0}", "ñandú",
    "n\u{303}", "한", "\u{1112}\u{1161}\u{11AB}", "\u{1E0A}\u{323}", "\u{1E0C}\u{307}", ";",
    "\u{37E}",
    "10", "9", "Zürich", "\u{FFFF}", "\u{10FFFF}", "a\u{AD}b",
  ]
  static let plainTexts = [
    "", "a", "A", "b", "ab", "abc", "10", "9", "é", "Zürich", "a\r\nb", "\n", "x%",
  ]
  static let numbers: [Int] = [0, 1, -1, 2, 7, .max, .min, 1 << 53 + 1]
  static let calmNumbers: [Int] = [0, 1, -1, 2, 7, 1000]
  static let small: [Int8] = [0, 1, -1, .max, .min]
  static let big: [UInt64] = [0, 1, .max, 1 << 63, 1 << 63 - 1, 1 << 63 + 1]
  static let reals: [Double] = [
    0, -0.0, 1, -1, 0.1, 0.30000000000000004, .infinity, -.infinity, .greatestFiniteMagnitude,
    .leastNonzeroMagnitude, 9_007_199_254_740_992, .nan,
  ]
  static let floats: [Float] = [0, -0.0, 1, 0.1, .infinity, -.infinity, .nan, 16_777_216]
  static let dates = reals.map { Date(timeIntervalSinceReferenceDate: $0) }
  static let decimals: [Decimal] = [
    0, 1, -1, Decimal(string: "0.1")!, Decimal(string: "-0.10")!, Decimal(string: "100")!,
    Decimal(string: "99.99")!, Decimal(string: "-99.99")!, Decimal(string: "1e30")!,
    Decimal(string: "1e-30")!, .nan, Decimal(string: "9")!, Decimal(string: "10")!,
  ]
  static let uuids = (0..<4).map {
    UUID(uuid: (UInt8($0 * 70), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1))
  }
  static let urls = ["http://a.example", "http://a.example/x?y", "file:///tmp/a%20b"].map {
    URL(string: $0)!
  }
  static let blobs = [Data(), Data([0]), Data([0, 255]), Data("a".utf8)]
  static let letters: [Character] = ["a", "é", "e\u{301}", "K", "\u{212A}", "\r\n", "👨‍👩‍👧", " "]
}

/// SplitMix64: the same numbers for the same seed on every machine.
struct Dice: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  mutating func roll(_ sides: Int) -> Int { Int.random(in: 0..<sides, using: &self) }
  mutating func pick<T>(_ values: [T]) -> T { values[roll(values.count)] }
  mutating func perhaps<T>(_ values: [T]) -> T? { roll(3) == 0 ? nil : pick(values) }
}

extension PredicateStore {
  /// Rows of random values. Without `irregular`, all text is NFC and all numbers are numbers.
  func fill(_ count: Int, irregular: Bool, _ dice: inout Dice) throws {
    let texts = irregular ? Pool.texts : Pool.plainTexts
    let reals = irregular ? Pool.reals : Pool.reals.filter { !$0.isNaN }
    let groups = (0..<5).map { number in
      let group = Group()
      group.id = number
      group.title = dice.pick(texts)
      group.rank = dice.perhaps(Pool.calmNumbers)
      group.flag = dice.roll(2) == 0
      return group
    }
    for (index, group) in groups.enumerated() where index > 0 && dice.roll(3) > 0 {
      group.parent = groups[dice.roll(index)]
    }
    for group in groups { try add(group) }
    let owners = (0..<4).map { _ in
      let owner = Owner()
      owner.name = dice.pick(texts)
      owner.code = dice.perhaps(texts)
      owner.best = dice.perhaps(groups)
      return owner
    }
    for _ in 0..<count {
      let item = Item()
      item.name = dice.pick(texts)
      item.note = dice.perhaps(texts)
      item.count = dice.pick(Pool.numbers)
      item.small = dice.pick(Pool.small)
      item.big = dice.pick(Pool.big)
      item.optCount = dice.perhaps(Pool.calmNumbers)
      item.flag = dice.roll(2) == 0
      item.optFlag = dice.perhaps([true, false])
      item.size = dice.pick(reals)
      item.optSize = dice.perhaps(reals)
      item.ratio = dice.pick(irregular ? Pool.floats : Pool.floats.filter { !$0.isNaN })
      item.date = Date(timeIntervalSinceReferenceDate: dice.pick(reals))
      item.optDate = dice.perhaps(reals).map { Date(timeIntervalSinceReferenceDate: $0) }
      item.price = dice.pick(Pool.decimals)
      item.optPrice = dice.perhaps(Pool.decimals)
      item.uid = dice.pick(Pool.uuids)
      item.optUID = dice.perhaps(Pool.uuids)
      item.link = dice.perhaps(Pool.urls)
      item.data = dice.pick(Pool.blobs)
      item.letter = dice.pick(irregular ? Pool.letters : ["a", "é", "\r\n", " "])
      item.kind = dice.pick(Kind.allCases)
      item.optKind = dice.perhaps(Kind.allCases)
      item.level = dice.pick([.low, .high])
      item.group = dice.perhaps(groups)
      item.owner = dice.pick(owners)
      item.parts = (0..<dice.roll(4)).map { _ in
        let part = Part()
        part.title = dice.pick(texts)
        part.weight = dice.perhaps(Pool.calmNumbers)
        part.maker = dice.perhaps(owners)
        return part
      }
      item.labels = (0..<dice.roll(3)).map { _ in
        let label = Label()
        label.text = dice.pick(texts)
        return label
      }
      item.optParts = (0..<dice.roll(3)).map { _ in
        let extra = Extra()
        extra.amount = dice.pick(Pool.calmNumbers)
        return extra
      }
      if let group = item.group { group.items.append(item) }
      try add(item)
    }
  }
}
