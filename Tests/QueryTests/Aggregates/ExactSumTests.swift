import Foundation
import TestSupport
import Testing

@testable import TestWorlds
@testable import Trellis
@testable import TrellisStore
@testable import TrellisModel

@Suite struct ExactSumTests {
  private func total(_ values: [Double]) -> Double {
    var sum = ExactSum()
    for value in values { sum.add(value) }
    return sum.total
  }

  @Test func intermediateSumsLoseNoPrecision() {
    #expect(total([1e16, 1, -1e16]) == 1)
    #expect(total([0.1, 0.2, 0.3, -0.6]) == 2.7755575615628914e-17)
    #expect(total([1e308, 1e308, -1e308]) == 1e308)
    #expect(total([.leastNonzeroMagnitude, .leastNonzeroMagnitude]) == .leastNonzeroMagnitude * 2)
    #expect(total([.greatestFiniteMagnitude, .greatestFiniteMagnitude]) == .infinity)
    #expect(total([-.greatestFiniteMagnitude]) == -.greatestFiniteMagnitude)
  }

  @Test func specialNumbers() {
    #expect(total([]).sign == .plus)
    #expect(total([-0.0]).sign == .plus)
    #expect(total([1, .nan]).isNaN)
    #expect(total([.infinity, 1]) == .infinity)
    #expect(total([.infinity, -.infinity]).isNaN)
  }

  @Test func theSumOfOneNumberIsTheNumber() {
    var dice = SeededGenerator(seed: SeededGenerator.seed("theSumOfOneNumberIsTheNumber"))
    for _ in 0..<2000 {
      let value = Double(bitPattern: dice.next())
      guard value.isFinite, value != 0 else { continue }
      #expect(total([value]) == value)
      #expect(total([value, 1e300, -1e300]) == value)
    }
  }

  /// The processor also rounds the sum of two numbers once.
  @Test func sumsOfTwoNumbersAreRoundedLikeAddition() {
    var dice = SeededGenerator(seed: SeededGenerator.seed("sumsOfTwoNumbersAreRoundedLikeAddition"))
    for _ in 0..<5000 {
      let first = Double.random(in: -1...1, using: &dice)
      let exponent = Int.random(in: -60...60, using: &dice)
      let second = Double(
        sign: .plus, exponent: exponent, significand: .random(in: -1...1, using: &dice))
      #expect(total([first, second]) == first + second)
    }
  }

  @Test func theOrderDoesNotMatter() {
    var dice = SeededGenerator(seed: SeededGenerator.seed("theOrderDoesNotMatter"))
    let values = (0..<500).map { _ in
      Double(
        sign: .plus, exponent: .random(in: -300...300, using: &dice),
        significand: .random(in: -1...1, using: &dice))
    }
    let expected = total(values)
    for _ in 0..<5 { #expect(total(values.shuffled(using: &dice)) == expected) }
  }

  @Test func meansRemainFinite() {
    var sum = ExactSum()
    for _ in 0..<3 { sum.add(.greatestFiniteMagnitude) }
    #expect(sum.mean(of: 3) == .greatestFiniteMagnitude)
  }

  @Test(arguments: [
    (["0.1", "0.2", "-0.3"], "0"), (["9.99", "0.01"], "10"), (["-0.5", "0.25"], "-0.25"),
    (["1" + String(repeating: "0", count: 50), "-1"], String(repeating: "9", count: 50)),
    (["0." + String(repeating: "0", count: 100) + "1", "2"], "2." + String(repeating: "0", count: 100) + "1"),
    ([], "0"), (["NaN", "1"], "NaN"),
  ]) func decimalSumsAreExact(_ values: [String], _ expected: String) {
    var sum = DecimalSum()
    for value in values { sum.add(value.utf8) }
    #expect(sum.text == expected)
  }

  @Test func sumsBeyondDecimalPrecisionAreRoundedOnceOrRejected() {
    let nines = String(repeating: "9", count: 50)
    #expect(DecimalSum.value(nines) == RandomMeasurements.decimal("1e50"))
    #expect(
      DecimalSum.value("12345678901234567890123456789012345678.95")
        == RandomMeasurements.decimal("12345678901234567890123456789012345679"))
    #expect(DecimalSum.value("1" + String(repeating: "0", count: 180)) == nil)
    let largest = Decimal.greatestFiniteMagnitude
    #expect(DecimalSum.value(largest.stored) == largest)
    #expect(DecimalSum.value((-largest).stored) == -largest)
  }
}
