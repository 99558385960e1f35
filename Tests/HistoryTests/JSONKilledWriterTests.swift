import Foundation
import TestSupport
import TestTraits
import Testing
import Trellis

@testable import HistoryLane

/// A process that saves to a JSON file is killed at random times. The file and its history must agree afterwards.
@Suite(.waiting) struct JSONKilledWriterTests {
  @Test func dataAndHistoryAgree_afterKills() throws {
    let seed = SeededGenerator.seed()
    var random = SeededGenerator(seed: seed)
    let folder = FileManager.default.temporaryDirectory.appending(path: "trellis-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let url = folder.appending(path: "ledger.json")
    var told = ToldState()
    var token: DefaultHistoryToken?
    var transactions = 0
    var halves = 0
    let rounds = Repetitions.scaled(5, upTo: 200)
    for round in 0..<rounds {
      let process = Process()
      process.executableURL = SharedLedger.program
      process.arguments = ["churn", url.path, "\(UInt64.random(in: 0 ... .max, using: &random))"]
      let output = Pipe()
      process.standardOutput = output
      try process.run()
      _ = output.fileHandleForReading.availableData
      usleep(UInt32.random(in: 0...30_000, using: &random))
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
      let context = ModelContext(try Ledger.container(url))
      var descriptor = HistoryDescriptor<DefaultHistoryTransaction>()
      if let token { descriptor.predicate = #Predicate { $0.token > token } }
      let news = try context.fetchHistory(descriptor)
      transactions += news.count
      if let last = news.last {
        if last.id - (token?.tokenValue?.values.first ?? 0) != news.count { halves += 1 }
        #expect(news.count { !$0.isComplete } == 0, "round \(round)")
      }
      for transaction in news { told.apply(transaction) }
      token = news.last?.token ?? token
      let stored = try ToldState(context)
      #expect(stored == told, "round \(round)")
      guard stored == told else { return }
    }
    print("\(transactions) transactions, \(halves) rounds with numbers that never came to be")
    #expect(transactions >= rounds)
  }
}
