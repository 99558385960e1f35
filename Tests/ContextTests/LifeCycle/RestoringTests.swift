import Foundation
import Testing
import Trellis

@testable import TestWorlds

@Suite struct RestoringTests {
  let fixture: LifeCycleFixture
  let context: ModelContext

  init() throws {
    fixture = try LifeCycleFixture()
    context = fixture.context
  }

  private func sculpture() throws -> Sculpture {
    let model = Sculpture(title: "Stone", studio: studio(), maker: artist("A"), weight: 3)
    context.insert(model)
    try context.save()
    return model
  }

  @Test func S059_rollbackRestoresEveryKindOfPropertyAndNotifiesObservers() throws {
    let model = try sculpture()
    let home = try #require(model.studio)
    let (a, b) = (artist("a"), artist("b"))
    home.artists = [a, b]
    home.badge = Badge(number: 1)
    home.rating = 2.5
    a.partner = b
    try context.save()
    home.isLit = true
    home.mood = "wild"
    home.name = "changed"
    home.rating = nil
    home.labels = ["x"]
    home.artists = [b, a]
    home.badge = nil
    home.pieces = []
    a.partner = nil
    b.friends = [a]
    context.insert(studio("new"))
    nonisolated(unsafe) var told = 0
    withObservationTracking {
      _ = home.name
    } onChange: {
      told += 1
    }
    withObservationTracking {
      _ = home.artists
    } onChange: {
      told += 1
    }
    withObservationTracking {
      _ = a.partner
    } onChange: {
      told += 1
    }
    context.rollback()
    #expect(told == 3)
    #expect(home.name == "North" && home.rating == 2.5 && home.labels.isEmpty)
    #expect(home.artists.map(\.name) == ["a", "b"] && home.badge?.number == 1)
    #expect(home.pieces.first === model && model.studio === home)
    #expect(a.partner === b && b.partner === a && b.friends.isEmpty)
    #expect(!context.hasChanges && context.insertedModelsArray.isEmpty)
    // Ephemeral values stay unchanged.
    #expect(home.isLit && home.mood == "wild")
    try context.save()
  }

  @Test func nestedTransactionsRevertOnlyTheirOwnChanges() throws {
    struct Stop: Error {}
    let model = try sculpture()
    try context.transaction {
      model.title = "outer"
      #expect(throws: Stop.self) {
        try context.transaction {
          model.title = "inner"
          model.studio = nil
          context.insert(studio("inner"))
          throw Stop()
        }
      }
      #expect(model.title == "outer" && model.studio != nil)
    }
    #expect(!context.hasChanges)
    let read = try fixture.fresh().fetch(FetchDescriptor<Sculpture>()).first
    #expect(read?.title == "outer" && read?.studio?.name == "North")
    #expect(try fixture.fresh().fetchCount(FetchDescriptor<Studio>()) == 1)
  }
}
