import Foundation
import Testing
import Trellis

/// An app's stores after its properties and cases were reordered.
struct OrdersTests {
  private enum Plan1: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [Order1.self] }
    static var stages: [MigrationStage] { [] }
  }

  private enum PlanOther: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [OrderOther.self] }
    static var stages: [MigrationStage] { [] }
  }

  /// The released copy of the first version has the first order.
  private enum Plan2: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [Order1.self, Order2.self] }
    static var stages: [MigrationStage] { [.lightweight(fromVersion: Order1.self, toVersion: Order2.self)] }
  }

  private func withStore(_ body: (URL) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("order \(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder.appendingPathComponent("cards.store"))
  }

  private func open(
    _ url: URL, _ version: any VersionedSchema.Type, _ plan: (any SchemaMigrationPlan.Type)?, allowsSave: Bool = true
  ) throws -> ModelContext {
    let schema = Schema(versionedSchema: version)
    return ModelContext(
      try ModelContainer(
        for: schema, migrationPlan: plan,
        configurations: ModelConfiguration(schema: schema, url: url, allowsSave: allowsSave)))
  }

  private func fill(_ url: URL, _ plan: (any SchemaMigrationPlan.Type)?) throws {
    let context = try open(url, Order1.self, plan)
    let deck = Order1.Deck(title: "d")
    context.insert(deck)
    deck.cards = [Order1.Card(name: "a", rank: 1), Order1.Card(name: "b", rank: 2)]
    try context.save()
    deck.cards.first { $0.name == "a" }?.rank = 10
    try context.save()
  }

  @Test(arguments: [true, false]) func theStoreOpensInAnotherOrder(hasPlan: Bool) throws {
    try withStore { url in
      try fill(url, hasPlan ? Plan1.self : nil)
      let reader = try open(url, OrderOther.self, hasPlan ? PlanOther.self : nil, allowsSave: false)
      #expect(try reader.fetch(FetchDescriptor<OrderOther.Card>()).map(\.rank).sorted() == [2, 10])
      let context = try open(url, OrderOther.self, hasPlan ? PlanOther.self : nil)
      let cards = try context.fetch(FetchDescriptor<OrderOther.Card>(sortBy: [SortDescriptor(\.name)]))
      #expect(cards.map(\.name) == ["a", "b"] && cards.map(\.rank) == [10, 2])
      #expect(cards.map(\.note) == ["note of a", "note of b"] && cards.map(\.suit) == [.spades, .spades])
      #expect(cards.map(\.deck?.title) == ["d", "d"])
      cards[0].note = "new"
      try context.save()
      context.delete(cards[1])
      try context.save()
      // Changes of both programs are read by the names of today.
      var changed: [String] = []
      var left: [String] = []
      for transaction in try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>()) {
        for change in transaction.changes {
          if case .update(let update as DefaultHistoryUpdate<OrderOther.Card>) = change {
            if update.updatedAttributes.contains(\.rank) { changed.append("rank") }
            if update.updatedAttributes.contains(\.note) { changed.append("note") }
            if update.updatedAttributes.contains(\.name) { changed.append("name") }
          } else if case .delete(let deletion as DefaultHistoryDelete<OrderOther.Card>) = change {
            left += [\.name, \.note].map { deletion.tombstone[$0] as? String ?? "nil" }
          }
        }
      }
      #expect(changed == ["rank", "note"])
      #expect(left == ["b", "note of b"])
      // The first program opens the store again.
      let again = try open(url, Order1.self, hasPlan ? Plan1.self : nil)
      #expect(try again.fetch(FetchDescriptor<Order1.Card>()).map(\.note) == ["new"])
    }
  }

  @Test func aStoreInAnotherOrderIsMigratedFromItsVersion() throws {
    try withStore { url in
      try fill(url, Plan1.self)
      let other = try open(url, OrderOther.self, PlanOther.self)
      for card in try other.fetch(FetchDescriptor<OrderOther.Card>()) { card.note += "!" }
      try other.save()
      let context = try open(url, Order2.self, Plan2.self)
      let cards = try context.fetch(FetchDescriptor<Order2.Card>(sortBy: [SortDescriptor(\.name)]))
      #expect(cards.map(\.note) == ["note of a!", "note of b!"])
      #expect(cards.map(\.rank) == [10, 2] && cards.map(\.added) == [5, 5] && cards.map(\.deck?.title) == ["d", "d"])
    }
  }
}
