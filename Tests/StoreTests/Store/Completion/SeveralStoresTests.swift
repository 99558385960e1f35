import Foundation
import Testing
import Trellis

/// Tests of several kinds of stores in one container.
@Suite struct SeveralStoresTests {
  enum Plan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [] }
    static var stages: [MigrationStage] { [] }
  }

  @Test func modelsAreSavedToTheStoreOfTheirConfiguration() throws {
    let reels = WitnessStore.Configuration(schema: ReelWorld.schema)
    let stubs = WitnessStore.Configuration(schema: Schema(Stub.self))
    let all = Schema(ReelFilm.self, ReelSeries.self, Stub.self, Coin.self, Medal.self)
    let container = try ModelContainer(
      for: all, migrationPlan: Plan.self,
      configurations: [reels, stubs, ModelConfiguration(isStoredInMemoryOnly: true)])
    // Stores of any type receive the migration plan.
    #expect(reels.diary.migrationPlans.count == 1 && stubs.diary.migrationPlans.count == 1)
    #expect(reels.diary.migrationPlans[0] == Plan.self && container.migrationPlan == Plan.self)
    let context = ModelContext(container)
    let film = ReelFilm(title: "t", year: 1, studio: ReelStudio(name: "s"))
    let stub = Stub(label: 1, seat: Stub.Seat(row: 1))
    let coin = Coin(label: 1)
    context.insert(film)
    context.insert(stub)
    context.insert(coin)
    try context.save()
    #expect(reels.diary.saves.map(\.inserted.count) == [2])
    #expect(stubs.diary.saves.map(\.inserted.count) == [1])
    #expect(film.persistentModelID.storeIdentifier == reels.name)
    #expect(stub.persistentModelID.storeIdentifier == stubs.name)
    let third = try #require(coin.persistentModelID.storeIdentifier)
    #expect(third != reels.name && third != stubs.name)
    // Each store receives only its models.
    stub.label = 2
    try context.save()
    #expect(reels.diary.saves.count == 1 && stubs.diary.saves.count == 2)
    let other = ModelContext(container)
    #expect(try other.fetch(FetchDescriptor<ReelFilm>()).map(\.title) == ["t"])
    #expect(try other.fetch(FetchDescriptor<Stub>()).map(\.label) == [2])
    #expect(try other.fetch(FetchDescriptor<Coin>()).map(\.label) == [1])
  }

  /// `Pointer.target` refers to a model outside of the second configuration.
  @Test func relationshipsAcrossStoresAreErrorsThatNameThem() {
    let error = #expect(throws: SwiftDataError.self) {
      try ModelContainer(
        for: Schema(ReelPointer.self),
        configurations: [
          WitnessStore.Configuration(name: "marks", schema: Schema(ReelMark.self)),
          WitnessStore.Configuration(name: "rest"),
        ])
    }
    let text = error?.explanation ?? ""
    #expect(text.contains("'ReelPointer.target' refers to 'ReelMark'") && text.contains("'rest'"))
  }
}
