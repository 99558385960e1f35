import Foundation
import TestSupport
import Testing

@testable import Trellis

/// Compares the map of registered objects with a dictionary.
@Suite struct RowMapTests {
  private func pointer(_ number: Int) -> UnsafeMutableRawPointer? {
    UnsafeMutableRawPointer(bitPattern: (number + 1) * 16)
  }

  /// Tests small maps and maps with memory from the system.
  @Test(arguments: [40, 30_000]) func behavesLikeADictionary(_ size: Int) throws {
    var numbers = SeededGenerator(seed: SeededGenerator.seed(otherwise: 7))
    var map = RowMap()
    var known: [Int64: UnsafeMutableRawPointer] = [:]
    for step in 0..<6 * size {
      let key = Int64(numbers.roll(size)) &* (step % 3 == 0 ? 1 : 1 << 20)
      switch numbers.roll(step < 4 * size ? 4 : 8) {
      case 0:
        map[key] = pointer(step)
        known[key] = pointer(step)
      case 1:
        let place = map.place(key)
        guard place.object == nil else { break }
        // Another insertion can take the free slot.
        if step % 5 == 0 {
          map[key &+ 1] = pointer(step)
          known[key &+ 1] = pointer(step)
        }
        map.insert(try #require(pointer(step)), for: key, at: place)
        known[key] = pointer(step)
      case 2: #expect(map[key] == known[key])
      default:
        map[key] = nil
        known[key] = nil
      }
      #expect(map.count == known.count)
    }
    for (key, object) in known { #expect(map[key] == object) }
    var found: Set<UnsafeMutableRawPointer> = []
    map.forEach { found.insert($0) }
    #expect(found == Set(known.values))
    for key in known.keys { map[key] = nil }
    #expect(map.count == 0)
  }
}
