import Foundation
import TestSupport
import Testing
import Trellis
import TrellisJSON

/// Files with random damage.
@Suite struct JSONFileDamageTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  /// Opening returns models or throws a descriptive error. It never changes the file.
  @Test func aFileDamagedAtRandomIsToldOfAndStaysAsItIs() throws {
    do {
      let context = ModelContext(try KeepWorld.container(JSONFileConfiguration(url: scratch.file())))
      var dice = SeededGenerator(seed: 1)
      for number in 0..<60 {
        try KeepWorld.edit(context, number, &dice)
        // Large values would receive most of the damage.
        for keep in try KeepWorld.keeps(context) { keep.data = nil }
        // Saves that violate a rule of the schema are not relevant here.
        do { try context.save() } catch { context.rollback() }
      }
    }
    let whole = try Data(contentsOf: scratch.file())
    var dice = SeededGenerator(seed: SeededGenerator.seed())
    var refused = 0
    for round in 0..<400 {
      let file = scratch.file("damaged.json")
      let damaged = damage(whole, round, &dice)
      try damaged.write(to: file)
      var problem: StoreProblem?
      var other: (any Error)?
      do {
        let container = try KeepWorld.container(JSONFileConfiguration(url: file))
        _ = try KeepWorld.text(container)
      } catch let error as SwiftDataError {
        problem = error.storeProblem
        if problem == nil { other = error }
      } catch {
        other = error
      }
      #expect(other == nil, "round \(round): not a problem of the store")
      if problem != nil { refused += 1 }
      if round % 2 == 0, damaged.count < whole.count - 6 {
        #expect(problem == .damaged, "round \(round): cut to \(damaged.count) of \(whole.count) bytes")
      }
      #expect(try Data(contentsOf: file) == damaged, "round \(round)")
      #expect(!scratch.names.contains("damaged.json.previous"))
      #expect(!scratch.names.contains("damaged.json.new"))
    }
    #expect(refused > 200)
  }

  /// Every second file is cut, the others have some bytes changed.
  private func damage(_ whole: Data, _ round: Int, _ dice: inout SeededGenerator) -> Data {
    if round % 2 == 0 { return whole.prefix(dice.roll(whole.count)) }
    var bytes = [UInt8](whole)
    for _ in 0...dice.roll(4) { bytes[dice.roll(bytes.count)] = UInt8(dice.roll(256)) }
    return Data(bytes)
  }
}
