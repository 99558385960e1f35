import ClassicV1
import ClassicV2
import ClassicV3
import Foundation
import Testing
import Trellis

/// After a migration, earlier changes have the new names, and tokens remain valid.
@Suite struct HistoryMigrationTests {
  /// A store with an inserted and updated journey, and with an inserted, updated and deleted pair.
  private struct Recorded {
    let fixture = Result { try MigrationFixture() }
    private(set) var token: DefaultHistoryToken?

    init() throws {
      let context = try open(PlanTests.V1.self, First.self)
      context.author = "first"
      let journey = ClassicV1.Journey(place: "Oslo")
      let pair = ClassicV1.Pair(left: "l", right: "r")
      context.insert(journey)
      context.insert(pair)
      try context.save()
      token = try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>()).last?.token
      journey.place = "Bergen"
      pair.left = "left"
      try context.save()
      context.delete(pair)
      try context.save()
    }

    func open(
      _ version: any VersionedSchema.Type, _ plan: any SchemaMigrationPlan.Type
    ) throws -> ModelContext {
      try fixture.get().open(version, plan)
    }
  }

  private enum First: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [PlanTests.V1.self] }
    static var stages: [MigrationStage] { [] }
  }

  private func all(_ context: ModelContext) throws -> [DefaultHistoryTransaction] {
    try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>())
  }

  @Test func renamedModelsAndProperties_includingExchangedNames() throws {
    let fixture = try Recorded()
    let context = try fixture.open(PlanTests.V2.self, PlanTests.ToSecond.self)
    let voyage = try #require(try context.fetch(FetchDescriptor<ClassicV2.Voyage>()).first)
    let last = try #require(fixture.token)
    let news = try context.fetchHistory(
      HistoryDescriptor<DefaultHistoryTransaction>(predicate: #Predicate { $0.token > last }))
    #expect(news.map(\.author) == ["first", "first"])
    #expect(news.map(\.isComplete) == [true, true])
    var changed: [String] = []
    for change in news.flatMap(\.changes) {
      switch change {
      case .update(let update as DefaultHistoryUpdate<ClassicV2.Voyage>):
        #expect(update.changedPersistentIdentifier == voyage.persistentModelID)
        changed.append(update.containsAttribute(\.harbour) ? "harbour" : "something else")
      case .update(let update as DefaultHistoryUpdate<ClassicV2.Pair>):
        changed.append(update.containsAttribute(\.right) && !update.containsAttribute(\.left) ? "right" : "other")
      case .delete(let delete as DefaultHistoryDelete<ClassicV2.Pair>):
        #expect(delete.tombstone[\.right] as? String == "left")
        #expect(delete.tombstone[\.left] == nil)
        changed.append("deleted")
      default: Issue.record("\(change)")
      }
    }
    #expect(changed.sorted() == ["deleted", "harbour", "right"])
    // New changes continue the history of the old program.
    voyage.harbour = "Bodø"
    try context.save()
    #expect(try all(context).map(\.id) == [1, 2, 3, 4])
  }

  @Test func severalVersions_withoutRemovedProperties() throws {
    let fixture = try Recorded()
    do {
      let context = try fixture.open(PlanTests.V2.self, PlanTests.ToSecond.self)
      context.insert(ClassicV2.Pair(left: "a", right: "b"))
      let voyage = try #require(try context.fetch(FetchDescriptor<ClassicV2.Voyage>()).first)
      voyage.calls = [ClassicV2.Stop(name: "x")]
      try context.save()
    }
    let context = try fixture.open(PlanTests.V3.self, PlanTests.Inferred.self)
    let words = try all(context).map { transaction in
      transaction.changes.map { change in
        switch change {
        case .insert(let change): "insert \(type(of: change))"
        case .update(let change as DefaultHistoryUpdate<ClassicV3.Cruise>):
          change.containsAttribute(\.harbour) ? "harbour" : "other"
        case .update(let change): "update \(type(of: change))"
        case .delete(let change): "delete \(type(of: change))"
        }
      }
    }
    #expect(
      words == [
        ["insert DefaultHistoryInsert<Cruise>"], ["harbour"], [], ["insert DefaultHistoryInsert<Stop>"],
      ])
  }
}
