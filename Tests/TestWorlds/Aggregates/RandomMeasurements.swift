import Foundation
import TestSupport
import Trellis

/// Rows with edge cases.
enum RandomMeasurements {
  static func decimal(_ text: String) -> Decimal {
    text == "NaN" ? .nan : Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")) ?? 0
  }

  static let numbers = [0, 1, -1, 7, 1000, .max, .min, .max - 1, 1 << 62]
  static let unsigned: [UInt64] = [0, 1, 1 << 63, .max, (1 << 63) - 1, 5]
  static let ratios: [Double] = [
    0, -0.0, 1, 0.1, 0.2, 0.3, 1e16, -1e16, 1e308, -1e308, 1e308, .nan, .infinity, -.infinity,
    .leastNonzeroMagnitude, 1.5e-300,
  ]
  static let decimals = [
    "0", "0.1", "0.2", "-0.3", "1e20", "99999999999999999999999999999999999999", "NaN",
    "0.00000000000000000000000000000000001", "-12345678901234567890.125", "1e100", "5", "5.0",
  ].map(decimal)
  static let texts = ["", "a", "B", "Éa", "E\u{301}a", "z", "K", "\u{212A}", "ﬀ", "日本", "a\r\n", "💡"]
  static let marks: [Character] = ["a", "B", "é", "e\u{301}", "💡", "K", "\u{212A}"]
  static let places = ["North", "South", "e\u{301}ast", "éast"]

  /// - Parameter isWild: True to include values that are not numbers or not NFC, and sums that overflow.
  static func fill(_ context: ModelContext, count: Int, isWild: Bool, _ dice: inout SeededGenerator) throws {
    let regions = ["Alps", "Fjords"].map { Region(name: $0) }
    var stations: [Station] = []
    for (index, place) in places.prefix(isWild ? 4 : 2).enumerated() {
      let station = Station(
        name: place, height: dice.pick([nil, 1.5, 300, isWild ? .nan : 2]), rank: index % 2)
      station.region = dice.pick([nil] + regions.map(Optional.some))
      context.insert(station)
      stations.append(station)
    }
    let times = [0, -0.0, 1, 1e9, -1e9, isWild ? .nan : 3].map(Date.init(timeIntervalSinceReferenceDate:))
    let tokens = (0..<3).map { UUID(uuidString: "0000000\($0)-0000-4000-8000-00000000000\($0)") ?? UUID() }
    for _ in 0..<count {
      let tame = Int.random(in: -50...50, using: &dice)
      let measurement = Probe(
        number: isWild ? dice.pick(numbers) : tame,
        small: .random(in: .min ... .max, using: &dice),
        large: dice.pick([nil, Int64(tame), isWild ? .max : 3]),
        unsigned: isWild ? dice.pick(unsigned) : UInt64(tame + 50),
        ratio: isWild ? dice.pick(ratios) : Double(tame) / 7,
        gain: dice.pick([nil, 0.1, 1e30, isWild ? .nan : 2]),
        price: isWild ? dice.pick(decimals) : Decimal(tame) / 100,
        discount: dice.pick([nil, decimal("0.05"), decimal("1e30")]),
        taken: dice.pick(times),
        label: isWild ? dice.pick(texts) : dice.pick(["a", "B", "c"]),
        note: dice.pick([nil, "x", isWild ? "e\u{301}" : "y", isWild ? "é" : "y"]),
        mark: dice.pick(isWild ? marks : ["a", "B"]), isValid: .random(using: &dice),
        grade: dice.pick(Grade.allCases), level: dice.pick([nil] + Level.allCases.map(Optional.some)),
        token: dice.pick(tokens))
      measurement.station = dice.pick([nil] + stations.map(Optional.some))
      context.insert(measurement)
    }
    try context.save()
  }
}
