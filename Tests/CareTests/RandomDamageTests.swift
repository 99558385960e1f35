import Foundation
import StoreCare
import TestSupport
import Testing

/// Stores with random damage are examined without a trap and without changes.
@Suite struct RandomDamageTests {
  @Test(arguments: ["SampleTrips", "Relationships", "Inheritance", "Values"])
  func damagedFilesAreExamined(_ schema: String) throws {
    let store = try StoreUnderTest(schema)
    let original = try Data(contentsOf: URL(filePath: store.path))
    let seed = SeededGenerator.seed("damaged stores of \(schema)")
    var random = SeededGenerator(seed: seed)
    let rounds = Repetitions.scaled(12)
    var found = 0
    for round in 0..<rounds {
      let damaged = Self.damage(original, &random)
      try damaged.write(to: URL(filePath: store.path))
      do {
        let report = try StoreChecker.check(store.path)
        if !report.findings.isEmpty { found += 1 }
        _ = try? StoreInfo(store.path, keeping: .newest(1))
      } catch let failure as CareFailure {
        found += 1
        #expect(!failure.description.isEmpty)
      } catch {
        Issue.record("round \(round) of seed \(seed): \(error)")
      }
      #expect(try Data(contentsOf: URL(filePath: store.path)) == damaged, "round \(round) of seed \(seed)")
    }
    // Most damage is noticed; flipped bits in text remain valid text.
    #expect(found > rounds / 3)
  }

  /// Changes some bytes, copies a page over another, or shortens the file.
  private static func damage(_ original: Data, _ random: inout SeededGenerator) -> Data {
    var data = original
    let pages = data.count / 4096
    switch random.roll(6) {
    case 0:
      data = data.prefix(random.roll(data.count))
    case 1:
      let (from, to) = (random.roll(pages) * 4096, random.roll(pages) * 4096)
      data.replaceSubrange(to..<to + 4096, with: original[from..<from + 4096])
    case 2:
      // The headers of pages contain the pointers.
      for _ in 0...random.roll(4) { data[random.roll(pages) * 4096 + random.roll(16)] = UInt8(random.roll(256)) }
    default:
      for _ in 0...random.roll(20) { data[random.roll(data.count)] ^= UInt8(1 << random.roll(8)) }
    }
    return data
  }
}
