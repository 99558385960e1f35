import Foundation
import Testing
import Trellis

/// Tests of the transactions that a descriptor selects.
struct DescriptorTests {
  private typealias Transaction = DefaultHistoryTransaction

  /// Ten saves by three authors.
  private func fixture(_ kind: StoreKind) throws -> HistoryFixture {
    let fixture = try HistoryFixture(kind)
    for number in 1...10 {
      fixture.context.author = ["app", nil, "widget"][number % 3]
      fixture.context.insert(Label(text: "\(number)"))
      try fixture.context.save()
    }
    return fixture
  }

  @Test(arguments: StoreKind.allCases) func S107_anEmptyDescriptor_returnsAllTransactions(kind: StoreKind) throws {
    #expect(try fixture(kind).all().map(\.id) == Array(1...10))
  }

  @Test(arguments: StoreKind.allCases) func S108_tokenAndAuthor(kind: StoreKind) throws {
    let fixture = try fixture(kind)
    let token = try fixture.all()[3].token
    let author = "widget"
    #expect(try fixture.since(token).map(\.id) == Array(5...10))
    var descriptor = HistoryDescriptor<Transaction>()
    descriptor.predicate = #Predicate { $0.author == author }
    #expect(try fixture.context.fetchHistory(descriptor).map(\.id) == [2, 5, 8])
    descriptor.predicate = #Predicate { transaction in
      (transaction.token > token) && (transaction.author == author)
    }
    #expect(try fixture.context.fetchHistory(descriptor).map(\.id) == [5, 8])
  }

  @Test(arguments: StoreKind.allCases) func S116_sortedAndLimited(kind: StoreKind) throws {
    let fixture = try fixture(kind)
    var descriptor = HistoryDescriptor<Transaction>(
      sortBy: [SortDescriptor(\.transactionIdentifier, order: .reverse)])
    descriptor.fetchLimit = 1
    #expect(try fixture.context.fetchHistory(descriptor).map(\.id) == [10])
    descriptor.predicate = #Predicate { $0.author == nil }
    descriptor.fetchLimit = 2
    #expect(try fixture.context.fetchHistory(descriptor).map(\.id) == [10, 7])
    descriptor.fetchLimit = 0
    #expect(try fixture.context.fetchHistory(descriptor).map(\.id) == [10, 7, 4, 1])
    descriptor = HistoryDescriptor(sortBy: [SortDescriptor(\.author), SortDescriptor(\.timestamp, order: .reverse)])
    #expect(try fixture.context.fetchHistory(descriptor).map(\.id) == [10, 7, 4, 1, 9, 6, 3, 8, 5, 2])
  }

  /// Predicates with and without a SQL translation are compared with their evaluation in memory.
  @Test(arguments: StoreKind.allCases) func predicatesInSQLAndInMemory(kind: StoreKind) throws {
    let fixture = try fixture(kind)
    let all = try fixture.all()
    let token = all[4].token
    let time = all[6].timestamp
    let store = all[0].storeIdentifier
    let process = all[0].processIdentifier
    let bundle = all[0].bundleIdentifier
    let some: String? = "app"
    let names = ["app", "widget"]
    let ids: [Int64] = [3, 7, 99]
    let predicates: [Predicate<Transaction>] = [
      #Predicate { $0.token > token }, #Predicate { $0.token >= token }, #Predicate { $0.token < token },
      #Predicate { $0.token <= token }, #Predicate { $0.token == token }, #Predicate { $0.token != token },
      #Predicate { token < $0.token }, #Predicate { token >= $0.token },
      #Predicate { $0.timestamp > time }, #Predicate { $0.timestamp <= time }, #Predicate { $0.timestamp == time },
      #Predicate { $0.author == some }, #Predicate { $0.author != some }, #Predicate { $0.author == nil },
      #Predicate { $0.author != nil && $0.token > token }, #Predicate { !($0.token > token) },
      #Predicate { $0.author == "app" || $0.id == 2 }, #Predicate { !($0.author == "app" || $0.id == 2) },
      #Predicate { ids.contains($0.id) }, #Predicate { names.contains($0.author ?? "") },
      #Predicate { $0.storeIdentifier == store }, #Predicate { $0.storeIdentifier != store },
      #Predicate { $0.processIdentifier == process && $0.bundleIdentifier == bundle },
      #Predicate { $0.author?.isEmpty == false }, #Predicate { $0.changes.count > 1 },
      #Predicate { ($0.author ?? "").starts(with: "wid") && $0.id > 3 }, #Predicate { $0.id % 2 == 0 },
      #Predicate { _ in true }, #Predicate { _ in false },
    ]
    for (number, predicate) in predicates.enumerated() {
      let expected = try all.filter { try predicate.evaluate($0) }.map(\.id)
      let found = try fixture.context.fetchHistory(HistoryDescriptor(predicate: predicate)).map(\.id)
      #expect(found == expected, "predicate \(number)")
    }
  }

  @Test(arguments: StoreKind.allCases) func authorsAreComparedAsUnicodeText(kind: StoreKind) throws {
    let fixture = try HistoryFixture(kind)
    for author in ["caf\u{E9}", "cafe\u{301}", "K", "\u{212A}", "a\nb", ""] {
      fixture.context.author = author
      fixture.context.insert(Label(text: author))
      try fixture.context.save()
    }
    func found(_ author: String?) throws -> [Int64] {
      try fixture.context.fetchHistory(
        HistoryDescriptor<Transaction>(predicate: #Predicate { $0.author == author })
      ).map(\.id)
    }
    #expect(try found("caf\u{E9}") == [1, 2])
    #expect(try found("K") == [3, 4])
    #expect(try found("a\nb") == [5])
    #expect(try found("") == [6])
    #expect(try found(nil) == [])
  }

  @Test(arguments: StoreKind.allCases) func throwingPredicate(kind: StoreKind) throws {
    let fixture = try fixture(kind)
    let zero: Int64 = 0
    #expect(throws: (any Error).self) {
      try fixture.context.fetchHistory(
        HistoryDescriptor<Transaction>(predicate: #Predicate { $0.id / zero == 1 }))
    }
  }
}
