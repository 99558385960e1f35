import Foundation
import PostgresSupport
import Testing
import Trellis
import TrellisPostgres

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
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("order_\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder.appendingPathComponent("cards.store"))
  }

  enum Kind: CaseIterable { case file, server }

  private func open(
    _ url: URL, _ version: any VersionedSchema.Type, _ plan: (any SchemaMigrationPlan.Type)?, in kind: Kind = .file,
    allowsSave: Bool = true, isClient: Bool = false
  ) throws -> ModelContext {
    let schema = Schema(versionedSchema: version)
    let configuration: any DataStoreConfiguration
    switch kind {
    case .file:
      var file = ModelConfiguration(schema: schema, url: url, allowsSave: allowsSave)
      if isClient { file.migration.role = .client }
      configuration = file
    case .server:
      var server = PostgresConfiguration(schema: schema, url: try PostgresServer.shared.get().url())
      server.schemaName = url.deletingLastPathComponent().lastPathComponent
      server.allowsSave = allowsSave
      if isClient { server.migration.role = .client }
      configuration = server
    }
    return ModelContext(try ModelContainer(for: schema, migrationPlan: plan, configurations: [configuration]))
  }

  private func fill(
    _ url: URL, _ plan: (any SchemaMigrationPlan.Type)?, in kind: Kind = .file
  ) throws -> ModelContext {
    let context = try open(url, Order1.self, plan, in: kind)
    let deck = Order1.Deck(title: "d")
    context.insert(deck)
    deck.cards = [Order1.Card(name: "a", rank: 1), Order1.Card(name: "b", rank: 2)]
    deck.cards.first { $0.name == "b" }?.size.width = 7
    try context.save()
    deck.cards.first { $0.name == "a" }?.rank = 10
    try context.save()
    return context
  }

  /// Two owners, or an owner and a client, use the store at the same time with different orders.
  @Test(arguments: Kind.allCases.flatMap { kind in [true, false].map { (kind, $0) } }, [true, false])
  func storesOpenWithADifferentOrder(of place: (kind: Kind, hasPlan: Bool), isClient: Bool) throws {
    let (plan1, other): ((any SchemaMigrationPlan.Type)?, (any SchemaMigrationPlan.Type)?) =
      place.hasPlan ? (Plan1.self, PlanOther.self) : (nil, nil)
    let kind = place.kind
    try withStore { url in
      let running = try fill(url, plan1, in: kind)
      let reader = try open(url, OrderOther.self, other, in: kind, allowsSave: false)
      #expect(try reader.fetch(FetchDescriptor<OrderOther.Card>()).map(\.rank).sorted() == [2, 10])
      let context = try open(url, OrderOther.self, other, in: kind, isClient: isClient)
      let cards = try context.fetch(FetchDescriptor<OrderOther.Card>(sortBy: [SortDescriptor(\.name)]))
      #expect(cards.map(\.name) == ["a", "b"] && cards.map(\.rank) == [10, 2])
      #expect(cards.map(\.note) == ["note of a", "note of b"] && cards.map(\.suit) == [.spades, .spades])
      #expect(cards.map(\.deck?.title) == ["d", "d"] && cards.map(\.size) == [.init(), .init(height: 2.5, width: 7)])
      cards[0].note = "new"
      try context.save()
      context.delete(cards[1])
      try context.save()
      // Changes made by both apps are read with the current property names.
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
      // The first app continues.
      let card = try #require(try ModelContext(running.container).fetch(FetchDescriptor<Order1.Card>()).first)
      #expect(card.note == "new")
      card.rank = 11
      try card.modelContext?.save()
      let again = try open(url, Order1.self, plan1, in: kind, isClient: isClient)
      #expect(try again.fetch(FetchDescriptor<Order1.Card>()).map(\.rank) == [11])
      let updates = try again.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>()).flatMap(\.changes)
        .compactMap { change -> [Bool]? in
          guard case .update(let update as DefaultHistoryUpdate<Order1.Card>) = change else { return nil }
          return [update.updatedAttributes.contains(\.rank), update.updatedAttributes.contains(\.note)]
        }
      #expect(updates == [[true, false], [false, true], [true, false]])
    }
  }

  @Test func storesWithADifferentOrderAreMigratedFromTheirVersion() throws {
    try withStore { url in
      _ = try fill(url, Plan1.self)
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
