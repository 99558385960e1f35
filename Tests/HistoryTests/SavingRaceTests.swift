import Foundation
import TestSupport
import Testing
import Trellis

@testable import HistoryLane

/// In two processes, three contexts each insert and delete related models in the same store. `--all` runs 10,000
/// rounds.
@Suite struct SavingRaceTests {
  @Test func deleteRulesAndUniquenessHoldAcrossProcesses() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "trellis-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let url = folder.appending(path: "shelves.store")
    let container = try Race.container(url)
    let rounds = Repetitions.scaled(250)
    let seed = SeededGenerator.seed(otherwise: 45)
    let programs = try (0..<2).map { number in
      let program = Program.named("HistoryLane")
      program.arguments = ["race", url.path, "\(seed &+ UInt64(number))", "\(rounds)"]
      let output = Pipe()
      program.standardOutput = output
      try program.run()
      return (program, output)
    }
    for (program, output) in programs {
      let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      program.waitUntilExit()
      #expect(program.terminationStatus == 0, "seed \(seed)")
      let numbers = text.split(separator: " ").compactMap { Int($0) }
      #expect(numbers.count == 2 && numbers.allSatisfy { $0 > rounds / 20 }, "saved and refused: \(text), seed \(seed)")
    }
    let context = ModelContext(container)
    let volumes = try context.fetch(FetchDescriptor<Volume>())
    let (shelves, publishers) = (
      try context.fetch(FetchDescriptor<Shelf>()), try context.fetch(FetchDescriptor<Publisher>())
    )
    #expect(Set(volumes.map(\.code)).count == volumes.count, "seed \(seed)")
    #expect(Set(shelves.map(\.name)).count == shelves.count && Set(publishers.map(\.name)).count == publishers.count)
    // Every volume has a shelf, whose deletion cascades, and a publisher, whose deletion is rejected.
    #expect(shelves.reduce(0) { $0 + $1.volumes.count } == volumes.count, "seed \(seed)")
    #expect(publishers.reduce(0) { $0 + $1.volumes.count } == volumes.count, "seed \(seed)")
    #expect(try SQLiteShell(url).complaints() == "", "seed \(seed)")
  }
}
